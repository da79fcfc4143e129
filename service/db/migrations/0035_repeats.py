"""How many pairs of people meet again in a round: a cache, counted when it is paired."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Add the column; rounds from before are counted by `echtra rebuild`."""
    db.execute_sql("alter table round add column repeats int not null default 0")
