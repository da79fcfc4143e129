"""Deadlines that were given hold for later turns too."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Let a seat remember the latest deadline its player was given."""
    db.execute_sql("alter table seat add column promised bigint")
