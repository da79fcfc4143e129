"""How often in a row a job was running when its worker died, and whether it is one of very many."""

from __future__ import annotations

from service.db.connection import db, execute

STATEMENTS = """
alter table job add column lost int not null default 0;
alter table job add column rank int not null default 0;
drop index job_due
"""
LETTERS_TO_MANY = (
    "tournament-round",
    "tournament-ending",
    "tournament-over",
    "tournament-cancelled",
    "tournament-message",
    "league-closes",
    "digest",
)
"""What the keys of letters begin with that go to very many people at once."""
# One index in the place of another: writing the job of a turn must not cost more for it.
INDEXES = {"job_rank": "on job (rank, due_at) where done_at is null and dead_at is null"}


def up() -> None:
    """Add the columns and let the order of ranks take the place of that by time alone.

    No job was lost so far, and letters to many that wait go after all others.
    """
    for statement in STATEMENTS.split(";\n"):
        db.execute_sql(statement)
    for kind in LETTERS_TO_MANY:
        sql = "update job set rank = 1 where done_at is null and topic = 'letter' and key like ?"
        execute(sql, f"{kind}:%")
