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


def clear_bounces(player: str) -> None:
    """Forget what came back, since letters arrive: this player answered one. The worker ends the pause of clocks."""
    execute(CLEAR, player)
