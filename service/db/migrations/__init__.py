"""Migrations: numbered plain scripts, each run once, under a lock, by `echtra migrate`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from service.db import append_only
from service.db.connection import db, execute, rows, wait_for_lock, write_transaction
from service.timestamps import now

LOCK = 0x65636874


def migration_names() -> list[str]:
    """The names of all migrations in order."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[0-9]*.py"))


def applied_names() -> set[str]:
    """The names of the migrations this database has had."""
    if "migration" not in db.get_tables():
        return set()
    return {name for (name,) in rows("select name from migration")}


def pending_names() -> list[str]:
    """The names of the migrations this database has still to get."""
    had = applied_names()
    return [name for name in migration_names() if name not in had]


def migrate() -> list[str]:
    """Run what is waiting and set the guards of the log anew, all in one transaction; say what was run."""
    with write_transaction():
        wait_for_lock(LOCK)
        execute("create table if not exists migration (name text primary key, at bigint not null)")
        names = pending_names()
        for name in names:
            import_module(f"service.db.migrations.{name}").up()
            execute("insert into migration (name, at) values (?, ?)", name, now())
        append_only.create_triggers()
    return names
