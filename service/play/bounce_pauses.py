"""Clocks of players whose emails bounce: paused once per match, for a week or until the address works again."""

from __future__ import annotations

from service.db.connection import execute, rows, write_transaction
from service.timestamps import DAY, now

LONGEST_PAUSE = 7 * DAY
PAUSE = (
    "update seat set paused_at = ?, bounce_used = true where player = ? and not bounce_used and paused_at is null "
    "and match in (select id from match where status = 'running')"
)
ENDED_PAUSES = (
    "select s.match, s.seat, s.paused_at from seat s left join player p on p.id = s.player "
    "where s.paused_at is not null and (s.paused_at <= ? or p.bounced_at is null)"
)
# A question asked during the pause gets the time since it was asked; any other gets the whole pause.
LOST = "case when since > ? then 0 when since > paused_at then ? - since else ? - paused_at end"
RESUME = (
    f"update seat set paused_at = null, due_at = due_at + {LOST}, since = since + {LOST} "  # noqa: S608  # our own
    "where match = ? and seat = ? and paused_at = ?"
)


def pause_clocks(player: str) -> int:
    """Stop the clocks of a player whose address was suspended. Return how many."""
    with write_transaction():
        return execute(PAUSE, now(), player)


def resume_clocks(at: int) -> int:
    """Resume the clocks of players who can be reached again or were paused for a week. Return how many."""
    found = rows(ENDED_PAUSES, at - LONGEST_PAUSE)
    for match, seat, paused_at in found:
        until = max(paused_at, min(at, paused_at + LONGEST_PAUSE))
        with write_transaction():
            execute(RESUME, *[until] * 6, match, seat, paused_at)
    return len(found)
