"""Migrations: numbered plain scripts, each run once, under a lock, by `echtra migrate`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from service.db import append_only as guards
from service.db.connection import db, is_postgres, rows, run, writing
from service.timestamps import now

LOCK = 0x65636874


def numbered() -> list[str]:
    """The names of all migrations in order."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[0-9]*.py"))


def done() -> set[str]:
    """The names of the migrations this database has had."""
    if "migration" not in db.get_tables():
        return set()
    return {name for (name,) in rows("select name from migration")}


def waiting() -> list[str]:
    """The names of the migrations this database has still to get."""
    had = done()
    return [name for name in numbered() if name not in had]


def migrate() -> list[str]:
    """Run what is waiting and set the guards of the log anew, all in one transaction; say what was run."""
    with writing():
        if is_postgres():
            run("select pg_advisory_xact_lock(?)", LOCK)
        run("create table if not exists migration (name text primary key, at bigint not null)")
        names = waiting()
        for name in names:
            import_module(f"service.db.migrations.{name}").up()
            run("insert into migration (name, at) values (?, ?)", name, now())
        guards.build()
    return names
