"""A database of many matches, made by the database itself in a second: copies of one that was played."""

# ruff: noqa: S608 # SQL made of our own words

from __future__ import annotations

from service.config import Config
from service.db.connection import db, execute, is_postgres, write_transaction
from tests.support.factories import match_of, settle, somebody
from tests.support.players import START

FINISHED, RUNNING = 20_000, 2_000
ALL = FINISHED + RUNNING
PLAYER = "'p' || (n - n / 2000 * 2000 + 1)"
AT = f"{START} - n * 60000"
IS_ASKED = f"n > {FINISHED} and seat = 0"
ROWS: dict[str, tuple[int, dict[str, str]]] = {
    "player": (
        2_000,
        {"id": "'p' || n", "name": "'P'", "language": "'en'", "zone": "'UTC'", "letters": "'turn'", "digest_hour": "8"}
        | {"quiet_weekends": "false", "demo": "false", "bounces": "0", "created_at": "0"},
    ),
    "job": (
        FINISHED,
        {"topic": "'letter'", "key": "'k' || n", "payload": "'{}'", "due_at": "0", "attempts": "1", "done_at": AT}
        | {"woken_until": "0", "lease_until": "0", "lease_token": "''", "last_error": "''"},
    ),
    "letter": (
        FINISHED,
        {"id": "'l' || n", "player": PLAYER, "address": f"{PLAYER} || '@x.org'", "kind": "'turn'", "match": "'m' || n"}
        | {"seat": "0", "seq": "1", "message_id": "'i' || n", "subject": "''", "return_path": "''", "why": "''"}
        | {"state": "'accepted'", "created_at": AT, "accepted_at": AT},
    ),
    "event": (
        FINISHED,
        {"player": PLAYER, "match": "'m' || n", "seat": "0", "seq": "1", "type": "'match.over'", "at": AT},
    ),
    "inbox": (
        FINISHED,
        {"id": "'x' || n", "received": AT, "door": "'smtp'", "sender": "''", "recipient": "''", "mime": "''"}
        | {"digest": "''", "verdict": "'none'", "state": "'done'", "player": PLAYER, "result": "''", "read_at": "1"},
    ),
    "header": (ALL, {"match": "'m' || n", "hash": "''", "body": "''"}),
    "hook": (
        1,
        {"id": "'h'", "player": "'p1'", "url": "''", "events": "''", "include": "''", "secret": "''", "why": "''"}
        | {"old_secret": "''", "private": "''", "created_at": "0"},
    ),
    "delivery": (
        FINISHED,
        {"id": "'d' || n", "hook": "'h'", "event": "n", "match": "'m' || n", "type": "'match.over'", "seq": "1"}
        | {"at": AT, "attempts": "1", "due_at": "0", "status": "'delivered'", "answer": "''"},
    ),
    "attempt": (FINISHED, {"delivery": "'d' || n", "at": AT, "code": "200", "answer": "''", "ms": "5"}),
}
"""For each table, the number of its rows and the values of the n-th row."""
COPIES: dict[str, dict[str, str]] = {
    "match": {
        "id": "'m' || n",
        "status": f"case when n > {FINISHED} then 'running' else 'over' end",
        "created_at": f"{START} - (30000 - n) * 60000",
        "head_at": f"{START} - (30000 - n) * 60000",
        "resolved_seq": "head_seq",
        "ended_at": f"case when n > {FINISHED} then null else {START} end",
        "created_by": PLAYER,
    },
    "seat": {
        "match": "'m' || n",
        "player": f"case when seat = 0 then {PLAYER} end",
        "asked": f"case when {IS_ASKED} then asked end",
        "asked_at": f"case when {IS_ASKED} then asked_at end",
        "due_at": f"case when {IS_ASKED} then {START} + 3600000 + n * 1000 end",
        "since": f"case when {IS_ASKED} then {START} - 3600000 end",
    },
}
"""Differences from the match that is copied."""


def _numbers(count: int) -> str:
    """Return a table of numbers, in the SQL of either database."""
    if is_postgres():
        return f"(select g as n from generate_series(1, {count}) g) numbers"
    up = f"select 1 union all select n + 1 from up where n < {count}"
    return f"(with recursive up (n) as ({up}) select n from up) numbers"


def fill_with_matches(config: Config) -> str:
    """Create 20,000 finished and 2,000 running matches with all their rows. Return the id of a player."""
    me = somebody()
    real = match_of(config, me, bots={1: "steady"})
    settle(real, config)
    with write_transaction():
        _insert("player")
        for table, changed in COPIES.items():
            same = {column.name: column.name for column in db.get_columns(table) if column.name not in changed}
            wanted = changed | same
            execute(
                f"insert into {table} ({', '.join(wanted)}) select {', '.join(wanted.values())} "
                f"from {table}, {_numbers(ALL)} where {'id' if table == 'match' else 'match'} = ?",
                real,
            )
        for table in ROWS:
            if table != "player":
                _insert(table)
    db.execute_sql("analyze")
    found: str = me.player.id
    return found


def _insert(table: str) -> None:
    count, wanted = ROWS[table]
    execute(f"insert into {table} ({', '.join(wanted)}) select {', '.join(wanted.values())} from {_numbers(count)}")
