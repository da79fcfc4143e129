"""Submissions keep why their lines were dropped by key and values too, so that letters say it in any language."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Add the column; rows that are there keep their English sentence alone."""
    db.execute_sql("alter table submission add column reason text not null default ''")
