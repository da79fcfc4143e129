"""A row that is written to see whether the disk takes it."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Make the table of that row."""
    db.execute_sql("create table probe (name text primary key, at bigint not null)")
