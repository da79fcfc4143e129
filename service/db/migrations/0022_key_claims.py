"""A key may wait to be let play where moves are signed, when no key of the seat is left to sign for it."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Add the column; no key waits yet."""
    db.execute_sql("alter table signing_key add column claimed_at bigint")
