"""What organisers and reserves need besides the log: offers of places and seats, and messages to all entrants."""

from __future__ import annotations

from service.db.connection import db

TABLES = """
create table place_offer (
  tournament text not null references tournament (id), player text not null references player (id), match text not null,
  seat int not null, asked_at bigint not null, until bigint not null, open boolean not null, answer text not null,
  primary key (tournament, player, match));
create table tournament_message (
  id text primary key, tournament text not null references tournament (id), author text not null references player (id),
  at bigint not null, text text not null);
create index tournament_message_at on tournament_message (tournament, at)
"""


def up() -> None:
    """Make the tables; nobody has been asked or written to."""
    for statement in TABLES.split(";\n"):
        db.execute_sql(statement)
