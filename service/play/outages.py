"""Returning time that was lost while no worker ran: `pause outage` and `resume` in each log, and later deadlines.

Both lines have the same time, so that no question changes and the log still shows that time was added. The deadlines
move in the transaction of the lines. It also sets `outage_at` of the match, so that a repeated job moves nothing twice.
"""

from __future__ import annotations

from engine.game import HOUSE
from engine.house import Pause, Resume
from service.config import Config
from service.db.connection import execute, rows
from service.jobs.heartbeat import RestoreLostTime
from service.jobs.queue import Job
from service.play.match_log import AdditionOr, LogAddition, append_to_match, next_entries
from service.record.match_state import MatchState

AFFECTED_MATCHES = (
    "select distinct m.id from match m join seat s on s.match = m.id where m.status = 'running' and m.outage_at <> ? "
    "and s.due_at is not null and s.since < ?"
)
MARK = "update match set outage_at = ?, outage_ms = outage_ms + ? where id = ? and outage_at <> ?"
# The start of a running pause moves too, so that the pause returns only time that the outage did not.
GIVE = (
    "update seat set due_at = due_at + ? - case when since > ? then since else ? end, "
    "since = since + ? - case when since > ? then since else ? end, "
    "paused_at = case when paused_at > ? then paused_at when paused_at > ? then ? else paused_at + ? end "
    "where match = ? and due_at is not null and since < ?"
)


LOST_TIMES = "select payload from job where topic = 'outage'"


class _AlreadyRestored(RuntimeError):
    """This match has already got its time back."""


def restore_lost_time(job: Job[RestoreLostTime], _config: Config) -> None:
    """Handle the job after an outage: add the time between `since` and `until` to every running deadline, once."""
    since, until = job.payload.since, job.payload.until
    for (match,) in rows(AFFECTED_MATCHES, until, until):
        restore_match_time(match, since, until)


def list_lost_times() -> list[tuple[int, int]]:
    """Return the known intervals in which no worker ran."""
    outages = [RestoreLostTime.from_json(payload) for (payload,) in rows(LOST_TIMES)]
    return [(outage.since, outage.until) for outage in outages]


def restore_match_time(match: str, since: int, until: int) -> bool:
    """Write the pause into a match's log and move its deadlines. Open questions stay unchanged."""

    def decide(match_state: MatchState) -> AdditionOr[bool]:
        if match_state.state.over or match_state.state.house.paused:
            return False
        entries, after = next_entries(match_state, [(HOUSE, Pause("outage")), (HOUSE, Resume())])
        return LogAddition(match_state, entries, after, True, lambda: _move_deadlines(match, since, until))

    try:
        return append_to_match(match, decide)
    except _AlreadyRestored:
        return False


def _move_deadlines(match: str, since: int, until: int) -> None:
    if execute(MARK, until, until - since, match, until) != 1:
        raise _AlreadyRestored(match)
    shown = (until, since, since)
    execute(GIVE, *shown, *shown, until, since, until, until - since, match, until)
