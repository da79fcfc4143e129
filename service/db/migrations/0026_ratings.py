"""Ratings and reliability: caches of what ended matches say of their players, and which matches went into them."""

from __future__ import annotations

from service.db.connection import db

TABLES = """
create table rating (
  match text not null references match (id), player text not null references player (id), game text not null, seat int not null,
  place int not null, ended_at bigint not null, mu int not null, sigma int not null, matches int not null, primary key (match, player));
create index rating_player on rating (player, game, matches);
create index rating_game on rating (game, ended_at);
create table conduct (
  match text not null references match (id), player text not null references player (id), at bigint not null, answers int not null,
  late int not null, finished boolean, primary key (match, player));
create index conduct_player on conduct (player, at);
alter table match add column rated boolean not null default true;
alter table match add column counted boolean not null default false
"""
INDEXES = {"match_uncounted": "on match (ended_at, id) where status = 'over' and not counted"}


def up() -> None:
    """Make the tables; matches that ended before are counted by the worker, the earliest first."""
    for statement in TABLES.split(";\n"):
        db.execute_sql(statement)
