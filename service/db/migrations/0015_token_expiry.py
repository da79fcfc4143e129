"""Tokens may end by themselves."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Add the column; tokens that are there stay good until they are revoked."""
    db.execute_sql("alter table token add column expires_at bigint")
