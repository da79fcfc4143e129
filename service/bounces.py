"""Clocks of players whom letters do not reach: paused once per match, for a week or until the address is good again."""

from __future__ import annotations

from service.clock import DAY
from service.database import rows, run, writing
from service.moment import now

LONGEST = 7 * DAY
PAUSE = (
    "update seat set paused_at = ?, bounce_used = true where player = ? and not bounce_used and paused_at is null "
    "and match in (select id from match where status = 'running')"
)
# A question put during the pause is given the time since it was put, others the whole pause.
RESUME = (
    "update seat set paused_at = null, "
    "due_at = due_at + ? - case when since > paused_at then since else paused_at end, "
    "since = since + ? - case when since > paused_at then since else paused_at end "
    "where match = ? and seat = ? and paused_at is not null"
)


def bounced(player: str) -> int:
    """A letter to this player came back for good: their clocks stand still; how many."""
    with writing():
        return run(PAUSE, now(), player)


def confirmed(player: str) -> int:
    """This player's address is good again: their clocks go on with the time they had; how many."""
    return _resume(rows("select match, seat, paused_at from seat where player = ? and paused_at is not null", player))


def lapse(at: int) -> int:
    """Let clocks go on that have paused as long as they may; how many."""
    sql = "select match, seat, paused_at from seat where paused_at <= ?"
    return _resume(rows(sql, at - LONGEST))


def _resume(found: list[tuple[str, int, int]]) -> int:
    for match, seat, paused_at in found:
        until = min(now(), paused_at + LONGEST)
        with writing():
            run(RESUME, until, until, match, seat)
    return len(found)
