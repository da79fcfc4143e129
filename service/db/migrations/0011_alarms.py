"""Alarms that operators must know of, refusals that are not believed at once, and indexes for what operators ask."""

from __future__ import annotations

from service.db.connection import db

INDEXES = {
    "letter_waiting": "on letter (created_at) where state in ('queued', 'deferred')",
    "letter_refused": "on letter (refused_at) where refused_at is not null",
    "letter_accepted": "on letter (accepted_at) where accepted_at is not null",
    "letter_bounced": "on letter (bounced_at) where bounced_at is not null",
    "letter_created": "on letter (created_at)",
    "job_done": "on job (done_at) where done_at is not null",
    "job_dead": "on job (dead_at) where dead_at is not null",
    "inbox_player": "on inbox (player) where player is not null",
    "inbox_received": "on inbox (received)",
    "attempt_at": "on attempt (at)",
    "idempotency_at": "on idempotency (at)",
    "match_changed": "on match (head_at)",
    "player_bounced": "on player (bounced_at) where bounced_at is not null",
}


def up() -> None:
    """Make the table of alarms and the columns of refusals."""
    db.execute_sql(
        "create table alarm (kind text primary key, since bigint not null, last_at bigint not null, count int not null, "
        "detail text not null)"
    )
    db.execute_sql("alter table letter add column refused_at bigint")
    db.execute_sql("alter table letter add column refusals int not null default 0")
