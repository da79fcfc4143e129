"""How long players took to answer, for forecasts; addresses of calendars, rounds as calendars showed them, who looked; events."""

from __future__ import annotations

from service.db.connection import db

TABLES = """
create table answer_times (
  match text not null references match (id), player text not null references player (id), game text not null, seats int not null,
  people int not null, ended_at bigint not null, turns int, times text not null, primary key (match, player));
create index answer_times_player on answer_times (player, ended_at);
create index answer_times_game on answer_times (game, ended_at);
alter table match add column timed boolean not null default false;
create table calendar_address (player text primary key references player (id), hash text not null unique, salt text not null, at bigint not null);
create table calendar_round (
  tournament text not null references tournament (id), stage text not null, number int not null, starts_at bigint not null, ends_at bigint,
  sequence int not null, cancelled boolean not null, at bigint not null, primary key (tournament, stage, number));
create table fair_play_look (id text primary key, tournament text not null references tournament (id), player text not null, at bigint not null);
create index fair_play_look_tournament on fair_play_look (tournament, at);
alter table event add column tournament text;
alter table delivery add column tournament text
"""
INDEXES = {"match_untimed": "on match (ended_at, id) where status = 'over' and not timed"}


def up() -> None:
    """Make the tables; matches that ended before are measured by the worker, the earliest first."""
    for statement in TABLES.split(";\n"):
        db.execute_sql(statement)
