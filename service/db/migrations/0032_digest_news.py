"""News of tournaments that wait for the next digest of their reader, and indexes for the pages of large ones."""

from __future__ import annotations

from service.db.connection import db

TABLE = """
create table digest_news (
  key text primary key, player text not null references player (id), payload text not null, at bigint not null,
  told bigint not null)
"""
INDEXES = {
    "digest_news_player": "on digest_news (player, told)",
    "entrant_number": "on entrant (tournament, number)",
    "entrant_entered": "on entrant (tournament, entered_seq)",
    "entrant_status": "on entrant (tournament, status)",
    "pairing_place": "on pairing (tournament, stage, round, place)",
}


def up() -> None:
    """Add the table."""
    db.execute_sql(TABLE)
