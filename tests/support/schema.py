"""Databases as an earlier version left them."""

from __future__ import annotations

from importlib import import_module

from service.db import migrations
from service.db.connection import execute, write_transaction


def migrate_up_to(last: str) -> None:
    """Run the first migrations only, as an earlier version did."""
    with write_transaction():
        execute("create table migration (name text primary key, at bigint not null)")
        for name in migrations.migration_names():
            if name <= last:
                import_module(f"service.db.migrations.{name}").up()
                execute("insert into migration (name, at) values (?, 0)", name)
