"""Challenges on ladders: who challenged whom, until when an answer is due, and what came of it."""

from __future__ import annotations

from service.db.connection import db

TABLES = """
create table challenge (
  id text primary key, tournament text not null references tournament (id), stage text not null,
  challenger text not null references player (id), challenged text not null references player (id), state text not null,
  made_at bigint not null, answer_by bigint not null, answered_at bigint, pairing text);
create index challenge_tournament on challenge (tournament, state, made_at);
create index challenge_pairing on challenge (pairing) where pairing is not null;
create unique index challenge_open on challenge (tournament, challenger, challenged) where state = 'open'
"""


def up() -> None:
    """Make the table."""
    for statement in TABLES.split(";\n"):
        db.execute_sql(statement)
