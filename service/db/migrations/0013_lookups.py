"""Indexes for lists and sweeps, so that finished matches cost nothing."""

from __future__ import annotations

INDEXES = {
    "match_public": "on match (created_at desc, id) where visibility = 'open' and league is null",
    "match_created_by": "on match (created_by)",
    "match_arbiter": "on match (arbiter) where arbiter is not null",
    "seat_asked": "on seat (match) where asked is not null",
    "inbox_unread": "on inbox (received) where read_at is null",
    "event_at": "on event (at)",
    "delivery_at": "on delivery (at)",
    "code_until": "on code (until)",
    "reply_until": "on reply (until)",
    "player_demo": "on player (id) where demo",
    "hook_disabled": "on hook (id) where disabled_at is not null",
    "job_topic": "on job (topic) where done_at is null and dead_at is null",
}


def up() -> None:
    """Nothing but the indexes, which are built after this."""
