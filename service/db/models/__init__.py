"""The rows of the database, as peewee models over the tables of `service/db/migrations`."""
