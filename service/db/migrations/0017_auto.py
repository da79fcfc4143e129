"""A player, or a seat, may wish that a turn with one possible line left is finished without them."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Add the columns: what is attested of the letter that said so, `off`, or nothing; nobody has the wish yet."""
    db.execute_sql("alter table seat add column auto text not null default ''")
    db.execute_sql("alter table player add column auto text not null default ''")
