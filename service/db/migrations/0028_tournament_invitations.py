"""Invitations to tournaments, and indexes by which entrants are found without reading all of them."""

from __future__ import annotations

from service.db.connection import db

TABLE = """
create table tournament_invitation (
  id text primary key, tournament text not null references tournament (id), player text references player (id), address text,
  by_player text not null references player (id), at bigint not null)
"""
INDEXES = {
    "tournament_invitation_player": "on tournament_invitation (player)",
    "tournament_invitation_maker": "on tournament_invitation (by_player, at)",
    "entrant_number": "on entrant (tournament, number)",
    "entrant_status": "on entrant (tournament, status, entered_seq)",
    "entrant_order": "on entrant (tournament, entered_seq)",
}
UNIQUE_INDEXES = {
    "tournament_invitation_guest": "on tournament_invitation (tournament, player) where player is not null",
    "tournament_invitation_address": "on tournament_invitation (tournament, address) where address is not null",
}


def up() -> None:
    """Make the table."""
    db.execute_sql(TABLE)
