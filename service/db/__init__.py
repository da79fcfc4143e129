"""The database: connection, rows, migrations, and the guards of its data.

To change a table, add a numbered file to `migrations/` and the column to `models/`. To change what a move writes, edit
`log_writer.py`. A difference between SQLite and PostgreSQL belongs in `connection.py`.

Do not break this: logs are append-only, locks on matches are taken in the order of their ids, and processes of the
previous version run on the new schema.
"""
