"""Answer times: how long players take to answer, and how many answers a match has.

The table `answer_times` is a cache of finished matches with one row for each player. A worker measures matches soon
after their end, found by an index, so that no move waits for this. Like clocks, times exclude the player's days of
rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.game import HOUSE
from service.config import Config
from service.db.batches import rows_for
from service.db.connection import execute, rows, write_transaction
from service.play.time_control import PRESETS, RestDays, counted_time
from service.record.header import read as read_header
from service.tournaments.formats.reliability_facts import PEOPLE

MOST_AT_ONCE = 50
MOST_TIMES = 200
"""Maximum number of answers of a player that count, latest first."""
MOST_ROWS = 60
"""Maximum number of matches read for a player; most matches have many answers."""
MOST_GAME_ROWS = 300
BROKEN_OFF = ("end", "bot", "seat")
"""Arbiter lines after which a match does not show how many answers it takes."""
SELECT_UNTIMED = "select id from match where status = 'over' and not timed order by ended_at, id limit ?"
MARK = "update match set timed = ? where id = ? and (not timed or ?)"
SELECT_MATCH = (
    "select h.body, m.game, m.seats, m.clock, m.leave_allowed, m.ended_at from match m join header h on h.match = m.id "
    "where m.id = ?"
)
SELECT_LINES = "select seq, seat, made_by, line, at, asked, orders from entry where match = ? order by seq"
SELECT_RESTS = "select id, zone, quiet_weekends from player where id in ({holes}) and deleted_at is null"
SELECT_LEAVES = (
    "select player, first_day, last_day from leave where player in ({holes}) and cancelled_at is null "
    "order by player, first_day"
)
INSERT = (
    "insert into answer_times (match, player, game, seats, people, ended_at, turns, times) "
    "values (?, ?, ?, ?, ?, ?, ?, ?)"
)
SELECT_OF_PLAYERS = (
    "select player, times from (select player, times, ended_at, match, row_number() over "
    "(partition by player order by ended_at desc, match) as nth from answer_times where player in ({holes}) "
    "and (people = 1) = (? = 1)) found where nth <= ? order by player, ended_at desc, match"
)
SELECT_OF_GAME = (
    "select match, seats, people, turns, times from answer_times where game = ? order by ended_at desc, match, player "
    "limit ?"
)


class TimedLine(NamedTuple):
    """The parts of an entry that count: number, seat, maker, line, time, question, and whether by orders."""

    seq: int
    seat: int
    made_by: str
    line: str
    at: int
    asked: int | None
    orders: bool | None

    @property
    def verb(self) -> str:
        """The first word of the line."""
        return self.line.split(" ", 1)[0]


@dataclass
class _Runs:
    """Collects the answers of each player line by line, as times of the question and of the complete answer."""

    sitting: list[str]
    started: int
    moments: dict[int, int] = field(default_factory=dict)
    acting: int | None = None
    before: int = 0
    broken_off: bool = False
    found: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def read_line(self, line: TimedLine) -> None:
        if line.seat == HOUSE:
            self._read_house_line(line)
        elif line.seat >= 0 and line.verb != "keys":
            self._read_seat_line(line)
        self.moments[line.seq] = self.before = line.at

    def _read_seat_line(self, line: TimedLine) -> None:
        player = self.sitting[line.seat]
        self.broken_off = self.broken_off or line.verb == "resign"
        if player and line.made_by.startswith(PEOPLE) and line.verb != "resign":
            answers = self.found.setdefault(player, [])
            if self.acting == line.seat and answers:
                answers[-1] = (answers[-1][0], line.at)
            else:
                answers.append((self._asked_at(line), line.at))
        self.acting = line.seat

    def _asked_at(self, line: TimedLine) -> int:
        if line.orders or line.asked is None:
            return self.before or self.started
        return self.moments.get(line.asked, self.started)

    def _read_house_line(self, line: TimedLine) -> None:
        words = line.line.split(" ")
        if words[0] == "resume":
            # The pause does not count: an answer after it starts a new run.
            self.acting = None
        self.broken_off = self.broken_off or words[0] in BROKEN_OFF
        if words[0] in ("bot", "seat"):
            self.sitting[int(words[1])] = words[2] if words[0] == "seat" else ""


@dataclass(frozen=True)
class PlayerAnswers:
    """A player's answers in one match: when each was asked for, and when it was complete."""

    player: str
    spans: tuple[tuple[int, int], ...]


def find_answers(
    places: Sequence[str], started: int, lines: Iterable[TimedLine]
) -> tuple[tuple[PlayerAnswers, ...], bool]:
    """Return the answers of each player of a match, and True if those who began also finished it.

    An answer is a run of lines that a person made at a seat, not interrupted by another seat.
    """
    runs = _Runs(list(places), started)
    for line in lines:
        runs.read_line(line)
    answers = tuple(PlayerAnswers(player, tuple(spans)) for player, spans in sorted(runs.found.items()))
    return answers, not runs.broken_off


def measure_ended_matches(_config: Config) -> None:
    """Measure some finished matches that are not measured yet, earliest first. Periodic task."""
    for (match,) in rows(SELECT_UNTIMED, MOST_AT_ONCE):
        measure_match(match)


def measure_match(match: str, *, again: bool = False) -> None:
    """Measure a finished match; with `again` even if it is measured already."""
    columns = list(_read_columns(match))
    with write_transaction():
        # The update locks the match: a second worker waits here, and then finds it marked.
        if not execute(MARK, True, match, again):
            return
        execute("delete from answer_times where match = ?", match)
        for each in columns:
            execute(INSERT, *each)


def measure_all_matches() -> int:
    """Measure all finished matches again. Return how many."""
    ended = rows("select id from match where status = 'over' order by ended_at, id")
    for (match,) in ended:
        measure_match(match, again=True)
    return len(ended)


def _read_columns(match: str) -> Iterator[tuple[Any, ...]]:
    selected = rows(SELECT_MATCH, match)
    if not selected:
        return  # it never began
    ((body, game, seats, clock, leave, ended_at),) = selected
    header = read_header(body.rstrip("\n").split("\n"))
    places = [place.player for place in header.places]
    lines = [TimedLine(*row) for row in rows(SELECT_LINES, match)]
    answers, is_whole = find_answers(places, header.started, lines)
    rests = _find_rests([each.player for each in answers], weekends=PRESETS[clock].weekends, leave=bool(leave))
    people = sum(map(bool, places))
    for each in answers:
        if each.player in rests:
            times = [counted_time(since, at, rests[each.player]) for since, at in each.spans]
            turns = len(times) if is_whole else None
            yield match, each.player, game, seats, people, ended_at, turns, " ".join(map(str, times))


def _find_rests(players: Sequence[str], *, weekends: bool, leave: bool) -> dict[str, RestDays]:
    """Return the days of rest of these players at a table, without erased players."""
    leaves = find_leaves(players) if leave else {}
    return {
        player: RestDays(zone or "UTC", weekends or (leave and bool(quiet)), leaves.get(player, ()))
        for player, zone, quiet in rows_for(SELECT_RESTS, players)
    }


def find_leaves(players: Sequence[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the first and last day of each leave that these players have booked."""
    leaves: dict[str, tuple[tuple[str, str], ...]] = {}
    for player, first, last in rows_for(SELECT_LEAVES, players):
        leaves[player] = (*leaves.get(player, ()), (first, last))
    return leaves


def read_player_times(players: Sequence[str], *, alone: bool) -> dict[str, tuple[int, ...]]:
    """Return the latest answer times of each of these players, at tables with others or alone."""
    times_of: dict[str, list[int]] = {}
    for player, times in rows_for(SELECT_OF_PLAYERS, players, after=(1 if alone else 0, MOST_ROWS)):
        latest = times_of.setdefault(player, [])
        if len(latest) < MOST_TIMES:
            latest += map(int, reversed(times.split()))
    return {player: tuple(times[:MOST_TIMES]) for player, times in times_of.items()}


@dataclass(frozen=True)
class GamePace:
    """The pace of a game in its latest matches: answers per seat by number of seats, and answer times."""

    turns: Mapping[int, tuple[int, ...]]
    times: tuple[int, ...]


def read_game_pace(game: str, *, alone: bool) -> GamePace:
    """Return the pace of the latest finished matches of a game."""
    counts: dict[tuple[int, str], list[int]] = {}
    times: list[int] = []
    for match, seats, people, turns, text in rows(SELECT_OF_GAME, game, MOST_GAME_ROWS):
        if turns is not None:
            counts.setdefault((seats, match), []).append(turns)
        if (people == 1) == alone:
            times += map(int, text.split())
    by_seats: dict[int, list[int]] = {}
    for (seats, _), answers in counts.items():
        by_seats.setdefault(seats, []).append(max(1, round(sum(answers) / len(answers))))
    return GamePace({seats: tuple(answers) for seats, answers in by_seats.items()}, tuple(times))
