"""The matches of a league, found without looking at all others."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Make the index."""
    db.execute_sql("create index match_league on match (league) where league is not null")
