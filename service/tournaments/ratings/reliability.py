"""Reliability: how much of what others waited for a player did in time, and how many matches they played to the end.

The table `conduct` is a cache that follows from the logs: a row for each player of a match with two people or more. A
match counts when it is over; of one that runs, all up to the last missed deadline.
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
"""With fewer answers a player is new, and no share is named."""
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
    """What 365 days say of a player: answers that had a deadline, and matches that ended, with them or without."""

    answers: int
    late: int
    matches: int
    finished: int

    @property
    def is_new(self) -> bool:
        """Whether there are too few answers yet to name a share."""
        return self.answers < LEAST_ANSWERS

    @property
    def on_time_percent(self) -> int | None:
        """How many of a hundred answers came in time, rounded down; nothing for who is new."""
        return None if self.is_new else (self.answers - self.late) * 100 // self.answers

    @property
    def finished_percent(self) -> int | None:
        """How many of a hundred matches they played to the end, rounded down; nothing for who is new."""
        return None if self.is_new or not self.matches else self.finished * 100 // self.matches


def find_reliability(player: str, at: int) -> Reliability:
    """How reliable a player was in the 365 days before this time."""
    return Reliability(*map(int, rows(SELECT_SUMS, player, at - WINDOW)[0]))


def read_conduct(match: str) -> tuple[int, tuple[ReliabilityFacts, ...]]:
    """What the log of a match says of its players, and the time of the last line that counts."""
    ((body, clock, status),) = rows(SELECT_HEADER, match)
    places = [place.player for place in read_header(body.rstrip("\n").split("\n")).places]
    found = rows(SELECT_LINES, match)
    over, lines = status == "over", [MatchLine(*row[:3]) for row in found]
    counted = lines if over else lines_to_last_timeout(lines)
    if not counted:
        return 0, ()
    conduct = count_reliability_facts(places, counted, over=over, has_deadlines=clock != NO_DEADLINES)
    return int(found[len(counted) - 1][3]), conduct


def replace_conduct(match: str, at: int, conduct: Sequence[ReliabilityFacts]) -> bool:
    """Write what a match says of its players in place of what was there, inside a transaction; whether it differs."""
    wanted = {ConductColumns(match, each.player, at, each.answers, each.late, each.finished) for each in conduct}
    return _replace_rows(_stored_rows("match = ?", match), wanted) > 0


def replace_all_conduct(ended: Mapping[str, tuple[int, Sequence[ReliabilityFacts]]]) -> int:
    """Write what matches that are over say, by id with their end, in place of what is there of any, in a transaction.

    How many rows differed.
    """
    wanted = {
        ConductColumns(match, each.player, at, each.answers, each.late, each.finished)
        for match, (at, conduct) in ended.items()
        for each in conduct
    }
    return _replace_rows(_stored_rows("match in (select id from match where status = ?)", "over"), wanted)


def _stored_rows(condition: str, value: str) -> set[ConductColumns]:
    sql = f"select match, player, at, answers, late, finished from conduct where {condition}"  # noqa: S608  # our own
    return {
        ConductColumns(match, player, at, answers, late, None if finished is None else bool(finished))
        for match, player, at, answers, late, finished in rows(sql, value)
    }


def _replace_rows(stored: set[ConductColumns], wanted: set[ConductColumns]) -> int:
    for row in stored - wanted:
        execute("delete from conduct where match = ? and player = ?", row.match, row.player)
    for row in sorted(wanted - stored, key=lambda each: each[:2]):
        execute(INSERT, *row)
    return len({row[:2] for row in stored ^ wanted})


def recount_running_match(match: str) -> bool:
    """Count what a running match says by now; whether that differs. One that is over is counted with its result."""
    with write_transaction():
        if lock_match(match).status != "running":
            return False
        return replace_conduct(match, *read_conduct(match))


def list_running_late_matches() -> list[str]:
    """The running matches in which a deadline was missed; every log is looked through."""
    return [match for (match,) in rows(SELECT_LATE_MATCHES, HOUSE, "timeout %")]
