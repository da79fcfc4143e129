"""Who lets which organiser seat them."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Make the table of consents."""
    db.execute_sql(
        "create table consent (player text not null references player (id), organiser text not null references player (id), "
        "at bigint not null, primary key (player, organiser))"
    )
