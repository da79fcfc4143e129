"""How often in a row a job was running when its worker died."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Add the count; no job was lost so far."""
    db.execute_sql("alter table job add column lost int not null default 0")
