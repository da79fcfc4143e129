"""Reliability: how many answers a player gave in time, and how many matches they finished.

The table `conduct` is a cache that follows from the logs, with one row for each player of a match of two people or
more. A match counts when it is over; a running one counts up to its last missed deadline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.game import HOUSE
from service.db.connection import execute, rows, write_transaction
from service.play.match_log import lock_match
from service.record.header import read as read_header
from service.timestamps import DAY
from service.tournaments.formats.reliability_facts import (
    MatchLine,
    ReliabilityFacts,
    count_reliability_facts,
    lines_to_last_timeout,
)

WINDOW = 365 * DAY
LEAST_ANSWERS = 20
"""Minimum number of answers for a percentage. With fewer, a player is new."""
NO_DEADLINES = "none"
SELECT_LINES = "select seat, made_by, line, at from entry where match = ? order by seq"
SELECT_HEADER = "select h.body, m.clock, m.status from header h join match m on m.id = h.match where h.match = ?"
SELECT_SUMS = (
    "select coalesce(sum(answers), 0), coalesce(sum(late), 0), count(finished), "
    "coalesce(sum(case when finished then 1 else 0 end), 0) from conduct where player = ? and at >= ?"
)
INSERT = "insert into conduct (match, player, at, answers, late, finished) values (?, ?, ?, ?, ?, ?)"
SELECT_LATE_MATCHES = (
    "select distinct e.match from entry e join match m on m.id = e.match "
    "where m.status = 'running' and e.seat = ? and e.line like ?"
)


class ConductColumns(NamedTuple):
    """A row of the table `conduct`."""

    match: str
    player: str
    at: int
    answers: int
    late: int
    finished: bool | None


@dataclass(frozen=True)
class Reliability:
    """The last 365 days of a player: answers with a deadline, and matches that ended."""

    answers: int
    late: int
    matches: int
    finished: int

    @property
    def is_new(self) -> bool:
        """True if there are too few answers for a percentage."""
        return self.answers < LEAST_ANSWERS

    @property
    def on_time_percent(self) -> int | None:
        """Percentage of answers in time, rounded down; None for a new player."""
        return None if self.is_new else (self.answers - self.late) * 100 // self.answers

    @property
    def finished_percent(self) -> int | None:
        """Percentage of matches played to the end, rounded down; None for a new player."""
        return None if self.is_new or not self.matches else self.finished * 100 // self.matches


def find_reliability(player: str, at: int) -> Reliability:
    """Return a player's reliability in the 365 days before a time."""
    return Reliability(*map(int, rows(SELECT_SUMS, player, at - WINDOW)[0]))


def read_conduct(match: str) -> tuple[int, tuple[ReliabilityFacts, ...]]:
    """Return the time of the last line that counts, and what a match's log says about its players."""
    ((body, clock, status),) = rows(SELECT_HEADER, match)
    places = [place.player for place in read_header(body.rstrip("\n").split("\n")).places]
    entries = rows(SELECT_LINES, match)
    over, lines = status == "over", [MatchLine(*row[:3]) for row in entries]
    counted = lines if over else lines_to_last_timeout(lines)
    if not counted:
        return 0, ()
    conduct = count_reliability_facts(places, counted, over=over, has_deadlines=clock != NO_DEADLINES)
    return int(entries[len(counted) - 1][3]), conduct


def replace_conduct(match: str, at: int, conduct: Sequence[ReliabilityFacts]) -> bool:
    """Replace the rows of a match, inside a transaction. Return True if they differed."""
    return _replace_rows(_stored_rows("match = ?", match), {match: (at, conduct)}) > 0


def replace_all_conduct(ended: Mapping[str, tuple[int, Sequence[ReliabilityFacts]]]) -> int:
    """Replace the rows of all finished matches, given by id, inside a transaction. Return how many differed."""
    return _replace_rows(_stored_rows("match in (select id from match where status = ?)", "over"), ended)


def _stored_rows(condition: str, value: str) -> set[ConductColumns]:
    sql = f"select match, player, at, answers, late, finished from conduct where {condition}"  # noqa: S608  # our own
    return {
        ConductColumns(match, player, at, answers, late, None if finished is None else bool(finished))
        for match, player, at, answers, late, finished in rows(sql, value)
    }


def _replace_rows(stored: set[ConductColumns], matches: Mapping[str, tuple[int, Sequence[ReliabilityFacts]]]) -> int:
    """Replace stored rows by those of matches, given by id with their times. Return how many differed."""
    wanted = {
        ConductColumns(match, each.player, at, each.answers, each.late, each.finished)
        for match, (at, conduct) in matches.items()
        for each in conduct
    }
    for row in stored - wanted:
        execute("delete from conduct where match = ? and player = ?", row.match, row.player)
    for row in sorted(wanted - stored, key=lambda each: each[:2]):
        execute(INSERT, *row)
    return len({row[:2] for row in stored ^ wanted})


def recount_running_match(match: str) -> bool:
    """Count a running match up to now. Return True if its rows differed.

    A finished match is counted with its result.
    """
    with write_transaction():
        if lock_match(match).status != "running":
            return False
        return replace_conduct(match, *read_conduct(match))


def list_running_late_matches() -> list[str]:
    """Return the running matches with a missed deadline. This searches all logs."""
    return [match for (match,) in rows(SELECT_LATE_MATCHES, HOUSE, "timeout %")]
