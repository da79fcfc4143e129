"""Tournaments: the log and its documents, the caches that follow from it, and which pairing a match is made for."""

from __future__ import annotations

from service.db.connection import db

TABLES = """
create table tournament (
  id text primary key, name text not null, owner text not null references player (id), game text not null, state text not null,
  listed boolean not null, title text not null, document text not null, document_hash text not null, seed text not null,
  deals text not null, created_at bigint not null, opens_at bigint, closes_at bigint, head_seq int not null, head_hash text not null,
  next_at bigint, started_at bigint, ended_at bigint, unique (owner, name));
create index tournament_due on tournament (next_at) where next_at is not null;
create index tournament_listed on tournament (created_at) where listed;
create table tournament_header (tournament text primary key references tournament (id), hash text not null, body text not null);
create table tournament_document (
  tournament text not null references tournament (id), hash text not null, document text not null, at bigint not null,
  primary key (tournament, hash));
create table tournament_entry (
  tournament text not null references tournament_header (tournament), seq int not null, at bigint not null, line text not null,
  prev_hash text not null, hash text not null, primary key (tournament, seq));
create table entrant (
  tournament text not null references tournament (id), player text not null references player (id), status text not null,
  number int, rating int, nonce text not null, entered_seq int not null, primary key (tournament, player));
create index entrant_player on entrant (player);
create table stage (
  tournament text not null references tournament (id), place int not null, name text not null, format text not null,
  state text not null, standings text not null, standings_seq int not null, primary key (tournament, place));
create table round (
  tournament text not null references tournament (id), stage text not null, number int not null, state text not null,
  starts_at bigint, ends_at bigint, started_at bigint, over_at bigint, primary key (tournament, stage, number));
create index round_state on round (tournament, state);
create table pairing (
  id text primary key, tournament text not null references tournament (id), stage text not null, round int not null,
  place int not null, section int not null, seats text not null, void boolean not null, result text not null);
create index pairing_round on pairing (tournament, stage, round);
create table pairing_seat (
  pairing text not null references pairing (id), seat int not null, player text not null, primary key (pairing, seat));
create index pairing_seat_player on pairing_seat (player);
create table ruling_text (
  tournament text not null references tournament (id), seq int not null, salt text not null, text text not null,
  primary key (tournament, seq));
alter table match add column pairing text
"""
UNIQUE_INDEXES = {"match_pairing": "on match (pairing) where pairing is not null"}


def up() -> None:
    """Make the tables; no match is made for a pairing yet."""
    for statement in TABLES.split(";\n"):
        db.execute_sql(statement)
