"""Letters that came back from the address of a player: the second suspends the address, an answer clears it."""

from __future__ import annotations

from service.db.connection import execute
from service.timestamps import now

SUSPENDED_AFTER = 2
SUSPEND = "update player set bounced_at = ? where id = ? and bounces >= ? and bounced_at is null"
CLEAR = "update player set bounces = 0, bounced_at = null where id = ? and (bounces > 0 or bounced_at is not null)"


def count_bounce(player: str) -> bool:
    """Count a letter that came back, inside a transaction; whether it suspends the address now."""
    execute("update player set bounces = bounces + 1 where id = ?", player)
    return execute(SUSPEND, now(), player, SUSPENDED_AFTER) == 1


def clear_bounces(player: str) -> bool:
    """Forget what came back, since letters arrive: this player answered one; whether something had.

    The worker ends the pause of clocks.
    """
    return execute(CLEAR, player) == 1


def suspend(player: str) -> bool:
    """Send this player no letters until they are heard of, inside a transaction; whether that is new."""
    execute("update player set bounces = ? where id = ? and bounces < ?", SUSPENDED_AFTER, player, SUSPENDED_AFTER)
    return execute(SUSPEND, now(), player, SUSPENDED_AFTER) == 1
