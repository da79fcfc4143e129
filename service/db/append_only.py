"""Triggers that make the log append-only, and the test at start that they really do."""

from __future__ import annotations

from peewee import DatabaseError, IntegrityError

from service.db.connection import db, is_postgres, write_transaction

PROTECTED_TABLES = ("header", "entry")
CHAIN_CONDITION = """(new.seq = 1 and exists (select 1 from header h where h.match = new.match and h.hash = new.prev))
    or exists (select 1 from entry e where e.match = new.match and e.seq = new.seq - 1 and e.hash = new.prev)"""


class LogNotProtected(RuntimeError):
    """The log could be changed; the service must not run on such a database."""


def create_triggers() -> None:
    """Set every trigger anew, as after each migration."""
    for statement in _postgres_triggers() if is_postgres() else _sqlite_triggers():
        db.execute_sql(statement)


def _sqlite_triggers() -> list[str]:
    made = []
    for table in PROTECTED_TABLES:
        for verb in ("update", "delete"):
            made.append(f"drop trigger if exists {table}_no_{verb}")
            made.append(
                f"create trigger {table}_no_{verb} before {verb} on {table} "
                "begin select raise(abort, 'the log is append-only'); end"
            )
        same = "seq = new.seq and" if table == "entry" else ""
        made.append(f"drop trigger if exists {table}_no_replace")
        made.append(
            f"create trigger {table}_no_replace before insert on {table} "
            f"when exists (select 1 from {table} where {same} match = new.match) "
            "begin select raise(abort, 'the log is append-only'); end"
        )
    made.append("drop trigger if exists entry_chained")
    made.append(
        f"create trigger entry_chained before insert on entry when not ({CHAIN_CONDITION}) "
        "begin select raise(abort, 'not the next entry of this log'); end"
    )
    return made


def _postgres_triggers() -> list[str]:
    made = [
        "create or replace function log_is_append_only() returns trigger language plpgsql as "
        "$$ begin raise exception 'the log is append-only' using errcode = 'integrity_constraint_violation'; end $$",
        "create or replace function entry_is_chained() returns trigger language plpgsql as "
        f"$$ begin if not ({CHAIN_CONDITION}) then raise exception 'not the next entry of this log' "
        "using errcode = 'integrity_constraint_violation'; end if; return new; end $$",
    ]
    for table in PROTECTED_TABLES:
        made += [
            f"drop trigger if exists {table}_no_change on {table}",
            f"create trigger {table}_no_change before update or delete on {table} "
            "for each row execute function log_is_append_only()",
            f"drop trigger if exists {table}_no_truncate on {table}",
            f"create trigger {table}_no_truncate before truncate on {table} "
            "for each statement execute function log_is_append_only()",
        ]
    made += [
        "drop trigger if exists entry_chained on entry",
        "create trigger entry_chained before insert on entry for each row execute function entry_is_chained()",
    ]
    return made


PROBE = (
    "insert into player (id, name, language, zone, letters, digest_hour, quiet_weekends, demo, bounces, created_at) "
    "values ('guard', '', 'en', 'UTC', 'turn', 8, false, false, 0, 0)",
    "insert into match (id, game, revision, seats, options, moves, clock, policy, visibility, status, title, seed, "
    "seed_hash, beacon, created_by, created_at, expires_at, leave_allowed, head_seq, head_hash, head_at, "
    "resolved_seq, told_seq, outage_ms) "
    "values ('guard', '', 1, 1, '', '', '', '', '', '', '', '', '', '-', 'guard', 0, 0, false, 0, '', 0, 0, 0, 0)",
    "insert into header (match, hash, body) values ('guard', 'h0', '')",
    "insert into entry (match, seq, seat, at, made_by, line, pledge, prev, hash, sealed, reveals, owner, shown) "
    "values ('guard', 1, 0, 0, '', '', '', 'h0', 'h1', '', 0, 0, '')",
)
FORBIDDEN = (
    "update entry set line = 'x' where match = 'guard'",
    "delete from entry where match = 'guard'",
    "update header set body = 'x' where match = 'guard'",
    "insert into entry (match, seq, seat, at, made_by, line, pledge, prev, hash, sealed, reveals, owner, shown) "
    "values ('guard', 3, 0, 0, '', '', '', 'h1', 'h3', '', 0, 0, '')",
    "insert into entry (match, seq, seat, at, made_by, line, pledge, prev, hash, sealed, reveals, owner, shown) "
    "values ('guard', 2, 0, 0, '', '', '', 'wrong', 'h2', '', 0, 0, '')",
)
REPLACE = (
    "insert or replace into entry (match, seq, seat, at, made_by, line, pledge, prev, hash, sealed, reveals, owner, "
    "shown) values ('guard', 1, 0, 0, '', 'x', '', 'h0', 'h1', '', 0, 0, '')",
)
TRUNCATE = ("truncate entry",)


class _RollBack(Exception):
    """Leaves the probing transaction without a trace."""


def check_triggers() -> None:
    """Try every forbidden change in a transaction that is undone, and refuse to go on if one succeeds."""
    try:
        with write_transaction():
            for statement in PROBE:
                db.execute_sql(statement)
            for statement in (*FORBIDDEN, *(TRUNCATE if is_postgres() else REPLACE)):
                _must_fail(statement)
            raise _RollBack  # noqa: TRY301  # the way out of a transaction that keeps nothing
    except _RollBack:
        return


def _must_fail(statement: str) -> None:
    try:
        with db.savepoint():
            db.execute_sql(statement)
    except (IntegrityError, DatabaseError):
        return
    raise LogNotProtected(
        f"the log is not protected against: {statement.split(' values ', maxsplit=1)[0]}; run `echtra migrate`"
    )
