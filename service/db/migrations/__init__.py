"""Migrations: numbered scripts that `echtra migrate` runs once each, while the service keeps running.

Each step is one transaction that waits only briefly for a lock and is retried, so that play never queues behind it. A
step may name indexes in `INDEXES` and `UNIQUE_INDEXES`. They are built after it, on PostgreSQL without
locking out writers, and again if an earlier try was interrupted. Steps only add, so that processes of the
previous version can keep running on the new schema.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType

from service.db import append_only
from service.db.connection import (
    DatabaseDown,
    db,
    execute,
    is_lock_timeout,
    is_postgres,
    rows,
    write_transaction,
)
from service.timestamps import now

LOCK = 0x65636874
LOCK_TIMEOUT_MS = 1_000
"""How long a step waits for a table lock. Statements that arrive after it wait as long."""
MOST_TRIES = 60
LONGEST_PAUSE = 5.0
POLL_SECONDS = 0.2
BEFORE_1_0 = "0001_first"
"""The first migration of versions before 1.0, whose databases this version cannot read."""


def load_steps() -> dict[str, ModuleType]:
    """Return all migrations by name, in order."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[0-9]*.py"))
    return {name: import_module(f"{__name__}.{name}") for name in names}


def applied_names() -> set[str]:
    """Return the names of the migrations that this database has had."""
    if "migration" not in db.get_tables():
        return set()
    return {name for (name,) in rows("select name from migration")}


def pending_names() -> list[str]:
    """Return the names of the migrations that this database still needs, in order."""
    had = applied_names()
    return [name for name in load_steps() if name not in had]


def unknown_names() -> list[str]:
    """Return the names of migrations that another version of this program has run on this database."""
    return sorted(applied_names() - set(load_steps()))


def migrate() -> list[str]:
    """Run the pending migrations, build their indexes and check the guards of the log. Return their names."""
    with _only_migration():
        execute("create table if not exists migration (name text primary key, at bigint not null)")
        names = [name for name in pending_names() if _retry_when_locked(partial(_run_step, name))]
        for kind, name, definition in _all_indexes():
            _retry_when_locked(partial(_build_index, kind, name, definition))
        _retry_when_locked(_protect_log)
    return names


@contextmanager
def _only_migration() -> Iterator[None]:
    """Let one process migrate at a time; on SQLite by a transaction around everything.

    On PostgreSQL the lock is polled. A statement that waits for it inside the server would block the concurrent
    building of an index.
    """
    if not is_postgres():
        with write_transaction():
            yield
        return
    while not rows("select pg_try_advisory_lock(?)", LOCK)[0][0]:
        time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        with suppress(*DatabaseDown):
            rows("select pg_advisory_unlock(?)", LOCK)


def _retry_when_locked(step: Callable[[], bool]) -> bool:
    """Run a step and return its result. If it gets no lock in time, retry after a pause."""
    for number in range(1, MOST_TRIES + 1):
        try:
            return step()
        except DatabaseDown as error:
            if not is_lock_timeout(error) or number == MOST_TRIES:
                raise
            time.sleep(min(LONGEST_PAUSE, 0.1 * 2 ** min(number, 10)))
    return False


def _set_lock_timeout(scope: str) -> None:
    if is_postgres():
        db.execute_sql(f"set {scope} lock_timeout = {LOCK_TIMEOUT_MS}")


def _run_step(name: str) -> bool:
    """Run a step in its own transaction. Return False if another process has already run it."""
    with write_transaction():
        _set_lock_timeout("local")
        if name in applied_names():
            return False
        load_steps()[name].up()
        execute("insert into migration (name, at) values (?, ?)", name, now())
    return True


def _protect_log() -> bool:
    with write_transaction():
        _set_lock_timeout("local")
        append_only.create_triggers()
    return True


def _all_indexes() -> list[tuple[str, str, str]]:
    """Return the indexes that steps name: kind, name, and the rest of the statement."""
    kinds = {"index": "INDEXES", "unique index": "UNIQUE_INDEXES"}
    return [
        (kind, *each)
        for module in load_steps().values()
        for kind, holder in kinds.items()
        for each in getattr(module, holder, {}).items()
    ]


def _build_index(kind: str, name: str, definition: str) -> bool:
    """Build a missing index; on PostgreSQL concurrently, after dropping what a failed attempt left behind."""
    if not is_postgres():
        execute(f"create {kind} if not exists {name} {definition}")
        return True
    state = rows("select indisvalid from pg_index where indexrelid = to_regclass(?)", name)
    if state == [(True,)]:
        return False
    if state:
        db.execute_sql(f"drop index concurrently if exists {name}")
    db.execute_sql(f"create {kind} concurrently {name} {definition}")
    return True
