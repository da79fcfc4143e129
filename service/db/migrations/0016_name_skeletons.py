"""Players keep what their name has in common with names that look like it, so that look-alikes are told apart."""

from __future__ import annotations

from service.db.connection import db, execute, rows
from service.look_alikes import skeleton


def up() -> None:
    """Add the column and fill it; names that are there stay as they are."""
    db.execute_sql("alter table player add column skeleton text not null default ''")
    for player, name in rows("select id, name from player where deleted_at is null"):
        execute("update player set skeleton = ? where id = ?", skeleton(name), player)
    db.execute_sql("create index player_skeleton on player (skeleton)")
