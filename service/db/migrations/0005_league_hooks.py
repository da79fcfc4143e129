"""Hooks of whoever opened a league, on all its matches."""

from __future__ import annotations

from service.db.connection import db


def up() -> None:
    """Let a hook name a league."""
    db.execute_sql("alter table hook add column league text")
    db.execute_sql("create index hook_league on hook (league)")
