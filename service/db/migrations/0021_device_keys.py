"""Keys may be let play at seats of running matches, and know the token that brought them."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Add the columns; keys that are there play where they are, and nowhere else."""
    db.execute_sql("alter table signing_key add column seats boolean not null default false")
    db.execute_sql("alter table signing_key add column token text")
    db.execute_sql("alter table signing_key add column replaced_at bigint")
