"""The database: connection, rows, migrations, and what guards them."""
