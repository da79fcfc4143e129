"""The database: connection, rows, migrations, and the guards of its data."""
