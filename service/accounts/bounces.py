"""Emails that bounced from a player's address. The second one suspends the address; an answer clears it."""

from __future__ import annotations

from service.db.connection import execute
from service.timestamps import now

SUSPENDED_AFTER = 2
SUSPEND = "update player set bounced_at = ? where id = ? and bounces >= ? and bounced_at is null"
CLEAR = "update player set bounces = 0, bounced_at = null where id = ? and (bounces > 0 or bounced_at is not null)"


def count_bounce(player: str) -> bool:
    """Count a bounced email inside a transaction. Return True if this suspends the address."""
    execute("update player set bounces = bounces + 1 where id = ?", player)
    return execute(SUSPEND, now(), player, SUSPENDED_AFTER) == 1


def clear_bounces(player: str) -> bool:
    """Delete the bounces of a player who has answered an email. Return True if there were any.

    The worker then resumes their clocks.
    """
    return execute(CLEAR, player) == 1


def suspend(player: str) -> bool:
    """Suspend email to this player until they write to us, inside a transaction. Return True if that is new."""
    execute("update player set bounces = ? where id = ? and bounces < ?", SUSPENDED_AFTER, player, SUSPENDED_AFTER)
    return execute(SUSPEND, now(), player, SUSPENDED_AFTER) == 1
