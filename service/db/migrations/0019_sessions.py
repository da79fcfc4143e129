"""A token may be the session of a browser: it lives in a cookie, and lasts as long as it is used."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Add the column; no token that is there is a session."""
    db.execute_sql("alter table token add column session boolean not null default false")
