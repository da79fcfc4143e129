"""Forecast: when rounds and a tournament will be over, from many futures that are drawn with a fixed seed.

A future plays every table of every round. A table takes as many answers of each seat as a finished match of the game
did, and each answer as long as an earlier one of that player, within what the clock gives. Times are counted as clocks
count them, without days of rest; a table waits where a player who is to act rests. Where there is nothing to go by, all
is unknown, with the reason, and never a number.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from functools import cached_property
from itertools import accumulate, pairwise
from math import ceil, expm1
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo

from service.play.time_control import SATURDAY, Clock, bank_after_excuse
from service.timestamps import DAY

FUTURES = 400
LEAST_ANSWERS = 20
"""With fewer answers of their own a player takes as long as others at this game."""
LEAST_TABLES = 8
"""With fewer open tables everybody takes as long as others, so that nobody's own times can be read from a forecast."""
MOST_SLOWEST = 5
LEAST_DRAWS = 2_000
DRAWS_A_MATCH = 8
"""How many answers are drawn for each player, and at least for each answer of the longest match."""
TENTHS = 10
HORIZON_DAYS = 5 * 366
"""How far a forecast looks."""
NO_ENTRANTS = "no-entrants"
NO_MATCHES = "no-matches"
NO_ANSWERS = "no-answers"
TOO_FAR = "too-far"


@dataclass(frozen=True)
class PlayerHabit:
    """How a player answers: how long each of the latest answers took, as clocks count, and when they rest."""

    player: str
    times: tuple[int, ...]
    zone: str = "UTC"
    quiet_weekends: bool = False
    leaves: tuple[tuple[str, str], ...] = ()
    """First and last day of each booking."""
    stays: bool = True
    """Whether they play in rounds to come; if not, they only finish what is open."""

    @cached_property
    def absences(self) -> tuple[tuple[int, int], ...]:
        """The same as moments: when each begins, and when it is over."""
        return tuple((_midnight(first, 0, self.zone), _midnight(last, 1, self.zone)) for first, last in self.leaves)


def _midnight(day: str, later: int, zone: str) -> int:
    found = datetime.combine(datetime.fromisoformat(day).date() + timedelta(days=later), time(), ZoneInfo(zone))
    return int(found.timestamp()) * 1000


@dataclass(frozen=True)
class OpenTable:
    """A table of a round that is paired and not over, and how many answers a seat has made there on the average."""

    players: tuple[str, ...]
    made: int = 0


@dataclass(frozen=True)
class PlannedRound:
    """A round to come or under way. Where it is not paired yet, who meets whom is drawn anew in each future."""

    name: str
    seats: int
    tables: tuple[OpenTable, ...] | None = None
    entrants: int | None = None
    """How many play in it where it is not paired; nothing: all."""
    starts_at: int | None = None
    """When it begins, at the earliest when the one before is over; nothing: so much later as `gap` says."""
    gap: int = 0
    minute: int | None = None
    """The minute of the day, in the zone of the tournament, at which a round without a fixed start begins."""
    follows: str | None = None
    """The round that must be over before it begins; nothing: the one before, an empty name: none."""
    longest: int = 0
    """So long after its start the house ends what is still played; 0: never."""
    until: int | None = None
    """The moment at which the house ends what is still played."""
    fixed_end: int | None = None
    """When it is over whatever is played, as a ladder is."""


@dataclass(frozen=True)
class ForecastBasis:
    """All that a forecast goes by."""

    at: int
    clock: Clock
    players: tuple[PlayerHabit, ...]
    rounds: tuple[PlannedRound, ...]
    turns: Mapping[int, Sequence[int]]
    """How many answers a seat gave in each finished match of the game, by the number of seats."""
    game_times: tuple[int, ...]
    """How long answers of all players took at this game, as clocks count."""
    zone: str = "UTC"
    excuses: int = 0
    leave: bool = True
    """Whether players may rest: on leave, and on weekends if they want them quiet."""
    pauses: tuple[tuple[int, int], ...] = ()
    """When nothing of the tournament runs."""
    seed: str = ""


@dataclass(frozen=True)
class Quantiles:
    """A time that comes earlier in one, five and nine of ten futures."""

    early: int
    middle: int
    late: int


@dataclass(frozen=True)
class RoundForecast:
    """When a round begins and ends."""

    name: str
    starts: Quantiles
    ends: Quantiles
    bound: int | None
    """When it is over at the latest, as the clock forces it, with as many turns as any finished match had."""
    slowest: tuple[tuple[str, int], ...]
    """Whose time the last table took most of, and in how many futures; nobody where these are too few tables."""


@dataclass(frozen=True)
class LeaveClash:
    """A player whose leave falls into a round."""

    player: str
    round: str


@dataclass(frozen=True)
class Forecast:
    """When a tournament is over, round by round."""

    rounds: tuple[RoundForecast, ...]
    clashes: tuple[LeaveClash, ...]
    ends: Quantiles
    """When all rounds are over."""
    is_private: bool
    """Whether everybody was taken to answer as others do, because so few tables are open."""

    @property
    def bound(self) -> int | None:
        """When all is over at the latest; nothing where nothing forces that."""
        bounds = [each.bound for each in self.rounds]
        return None if None in bounds else max(bound for bound in bounds if bound is not None)

    @property
    def end(self) -> RoundForecast:
        """The last round."""
        return self.rounds[-1]


@dataclass(frozen=True)
class UnknownForecast:
    """Why there is no forecast: nobody plays, no match or no answer to go by, or it lies too far ahead."""

    reason: str


def forecast_rounds(basis: ForecastBasis, futures: int = FUTURES) -> Forecast | UnknownForecast:
    """When the rounds will be over; the same basis gives the same numbers."""
    reason = _find_gap(basis)
    if reason:
        return UnknownForecast(reason)
    try:
        return _Futures(basis).forecast(futures)
    except _TooFar:
        return UnknownForecast(TOO_FAR)


def _find_gap(basis: ForecastBasis) -> str:
    """What there is nothing to go by for; nothing where all is known."""
    if not basis.rounds or len(basis.players) < min(each.seats for each in basis.rounds):
        return NO_ENTRANTS
    if any(not basis.turns.get(each.seats) for each in basis.rounds if each.fixed_end is None):
        return NO_MATCHES
    if all(each.fixed_end is not None for each in basis.rounds):
        return ""
    enough = len(basis.game_times) >= LEAST_ANSWERS
    if not enough and not (_has_many_tables(basis) and all(len(each.times) >= LEAST_ANSWERS for each in basis.players)):
        return NO_ANSWERS
    return ""


def _has_many_tables(basis: ForecastBasis) -> bool:
    first = basis.rounds[0]
    if first.tables is not None:
        return len(first.tables) >= LEAST_TABLES
    return ceil((first.entrants or len(basis.players)) / first.seats) >= LEAST_TABLES


def longest_play(clock: Clock, answers: int, excuses: int) -> int | None:
    """How long a seat may take over so many answers, as the clock counts; nothing where there is no limit.

    Who takes longer loses the seat, and whoever has it then answers at once.
    """
    spared = 0 if clock.hard else excuses
    if clock.bank:
        earned = min(answers - 1, clock.turns or answers) // clock.every * clock.increment
        days = answers * DAY if clock.double_after else 0  # only whole days count there
        most = clock.bank + earned + answers * clock.wait + days
        most = min(most, answers * clock.longest) if clock.longest else most
        return most + spared * (clock.grace or bank_after_excuse(clock))
    single = clock.per_move + (DAY if clock.hour is not None else 0)
    return answers * single + spared * max(clock.grace, single, DAY) if single else None


class _TooFar(Exception):
    """A table ends beyond what a forecast looks at."""


class _Calendar:
    """Days from a moment on, in a zone, where so many tenths of Saturdays and Sundays count."""

    def __init__(self, at: int, zone: str, tenths: int) -> None:
        place = ZoneInfo(zone)
        # So many days earlier that one of them counts in any case.
        first = datetime.fromtimestamp(at / 1000, UTC).astimezone(place).date() - timedelta(days=3)
        days = [first + timedelta(days=number) for number in range(HORIZON_DAYS)]
        self.begins = [int(datetime.combine(day, time(), place).timestamp()) * 1000 for day in days]
        self.tenths = [TENTHS if day.weekday() < SATURDAY else tenths for day in days[:-1]]
        spans = [end - begin for begin, end in pairwise(self.begins)]
        self.counted = [0, *accumulate(map(_take_tenths, spans, self.tenths))]

    def count_until(self, at: int) -> int:
        """How much counts from the first day to this moment."""
        day = bisect_right(self.begins, at) - 1
        if day >= len(self.tenths):
            raise _TooFar
        return self.counted[day] + _take_tenths(at - self.begins[day], self.tenths[day])

    def moment_at(self, counted: int) -> int:
        """When so much has counted since the first day."""
        day = bisect_left(self.counted, counted) - 1
        if day >= len(self.tenths):
            raise _TooFar
        return self.begins[day] + (counted - self.counted[day]) * TENTHS // self.tenths[day]


def _take_tenths(span: int, tenths: int) -> int:
    return span * tenths // TENTHS


class _Absence(NamedTuple):
    """When a player is on leave, and how much the table still plays then, until it is their turn."""

    begin: int
    end: int
    played: int = 0


def find_table_end(start: int, span: int, calendar: _Calendar, absences: Iterable[_Absence]) -> int:
    """When a table is over that began then and takes so long, as clocks count; absences come by their begin."""
    for begin, end, played in absences:
        if end <= start:
            continue
        free = max(0, calendar.count_until(begin) - calendar.count_until(start))
        if span <= free:
            break
        if span <= free + played:
            return min(end, max(begin, start) + span - free)
        span, start = span - free - played, end
    return calendar.moment_at(calendar.count_until(start) + span)


def time_until_turn(away: int, total: int, answers: int, pause: int) -> int:
    """How long a table plays on in a pause of some of its players, until one of these is to act.

    They take `away` of the `total`; the pause may come at any moment, and what the others take between two of their
    turns is now short, now long.
    """
    others = total - away
    between = others / answers
    return int(others / total * between * -expm1(-pause / between)) if others > 0 else 0


@dataclass
class _PlayedRound:
    """What came of a round in all futures."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    slowest: Counter[str] = field(default_factory=Counter)


class _Futures:
    """The futures of a tournament."""

    def __init__(self, basis: ForecastBasis) -> None:
        self.basis = basis
        self.random = Random(f"forecast {basis.seed}")  # noqa: S311  # the same each time, and no secret
        self.calendars: dict[int, _Calendar] = {}
        self.habits = {each.player: each for each in basis.players}
        self.field = tuple(each.player for each in basis.players if each.stays)
        rests = [each.player for each in basis.players if each.quiet_weekends or each.absences]
        self.resting = frozenset(rests if basis.leave else ())
        self.is_private = not _has_many_tables(basis)
        played = any(each.fixed_end is None for each in basis.rounds)
        longest = max((max(counts) for counts in basis.turns.values() if counts), default=1)
        self.draws = max(LEAST_DRAWS, DRAWS_A_MATCH * longest)
        self.sums = {each.player: self._draw_answers(each) for each in basis.players if played}
        self.limits: dict[int, int | None] = {}
        self.pauses = tuple(_Absence(*span) for span in sorted(basis.pauses))

    def _draw_answers(self, habit: PlayerHabit) -> list[int]:
        """How long the first so many of a long row of answers take together, drawn from what the player's took.

        What a match takes is any piece of that row: two sums tell it, however many answers it has.
        """
        own = not self.is_private and len(habit.times) >= LEAST_ANSWERS
        times = habit.times if own else self.basis.game_times
        return [0, *accumulate(self.random.choices(times, k=self.draws))]

    def forecast(self, futures: int) -> Forecast:
        """Play all futures and put them together."""
        played = [_PlayedRound() for _ in self.basis.rounds]
        last: list[int] = []
        for _ in range(futures):
            ends: dict[str, int] = {}
            before = self.basis.at
            for plan, found in zip(self.basis.rounds, played, strict=True):
                before = self._play_round(plan, self._over_before(plan, ends, before), found)
                ends[plan.name] = before
            last.append(max(ends.values()))
        bounds = self._find_bounds()
        rounds = tuple(map(self._sum_up_round, self.basis.rounds, played, bounds))
        return Forecast(rounds, tuple(self._find_clashes(rounds)), find_quantiles(last), self.is_private)

    def _over_before(self, plan: PlannedRound, ends: Mapping[str, int], before: int) -> int:
        """When that was over which a round follows; what is over already counts from now."""
        return before if plan.follows is None else ends.get(plan.follows, self.basis.at)

    def _play_round(self, plan: PlannedRound, over: int, found: _PlayedRound) -> int:
        start = self._start_of(plan, over)
        last, slowest = start, ""
        if plan.fixed_end is not None:
            found.starts.append(start)
            found.ends.append(max(start, plan.fixed_end))
            return max(start, plan.fixed_end)
        for table in plan.tables if plan.tables is not None else self._draw_tables(plan):
            end, player = self._play_table(plan, table, start)
            if end > last:
                last, slowest = end, player
        forced = self._forced_end(plan, start)
        last = last if forced is None else min(last, max(start, forced))
        found.starts.append(start)
        found.ends.append(last)
        found.slowest[slowest] += 1
        return last

    def _start_of(self, plan: PlannedRound, over: int) -> int:
        start = plan.starts_at
        if start is None:
            start = _next_minute(over + plan.gap, plan.minute, self.basis.zone)
        start = max(start, over)
        for begin, end in self.basis.pauses:
            start = end if begin <= start < end else start
        return start

    def _forced_end(self, plan: PlannedRound, start: int) -> int | None:
        """When the house ends what is still played in a round that began then; pauses do not count."""
        ends = [] if plan.until is None else [plan.until]
        if plan.longest:
            end = start + plan.longest
            for begin, over in self.basis.pauses:
                end += over - max(begin, start) if over > start and begin < end else 0
            ends.append(end)
        return min(ends, default=None)

    def _draw_tables(self, plan: PlannedRound) -> list[OpenTable]:
        people = list(self.field)
        self.random.shuffle(people)
        people = people[: plan.entrants]
        count = ceil(len(people) / plan.seats)
        return [OpenTable(tuple(people[number::count])) for number in range(count)]

    def _play_table(self, plan: PlannedRound, table: OpenTable, start: int) -> tuple[int, str]:
        """When a table is over, and who took most of its time."""
        answers = max(1, self.random.choice(self.basis.turns[plan.seats]) - table.made)
        limit, places, draw = self._limit_of(answers), self.draws - answers + 1, self.random.random
        taken: dict[str, int] = {}
        for player in table.players:
            sums, first = self.sums[player], int(draw() * places)
            spent = sums[first + answers] - sums[first]
            taken[player] = spent if limit is None else min(spent, limit)
        return self._end_of_table(start, taken, answers), max(taken, key=taken.__getitem__)

    def _end_of_table(self, start: int, taken: Mapping[str, int], answers: int) -> int:
        """When a table is over whose players take so long each; it waits while one who is to act rests."""
        total = max(1, sum(taken.values()))
        tenths = 0 if self.basis.clock.weekends else TENTHS
        if self.resting.isdisjoint(taken):
            return find_table_end(start, total, self._calendar_of(tenths), self.pauses)
        quiet = sum(spent for player, spent in taken.items() if self.habits[player].quiet_weekends)
        if quiet and tenths:
            tenths = time_until_turn(quiet, total, answers, 2 * DAY) * TENTHS // (2 * DAY)
        absences = [
            _Absence(begin, end, time_until_turn(spent, total, answers, end - begin))
            for player, spent in taken.items()
            for begin, end in self.habits[player].absences
        ]
        return find_table_end(start, total, self._calendar_of(tenths), sorted([*absences, *self.pauses]))

    def _calendar_of(self, tenths: int) -> _Calendar:
        if tenths not in self.calendars:
            self.calendars[tenths] = _Calendar(self.basis.at, self.basis.zone, tenths)
        return self.calendars[tenths]

    def _limit_of(self, answers: int) -> int | None:
        if answers not in self.limits:
            self.limits[answers] = longest_play(self.basis.clock, answers, self.basis.excuses)
        return self.limits[answers]

    def _find_bounds(self) -> list[int | None]:
        """When each round is over at the latest, as clock and house force it; nothing where they do not."""
        found: dict[str, int | None] = {}
        before: int | None = self.basis.at
        for plan in self.basis.rounds:
            over = before if plan.follows is None else found.get(plan.follows, self.basis.at)
            before = found[plan.name] = None if over is None else self._bound_round(plan, over)
        return list(found.values())

    def _bound_round(self, plan: PlannedRound, over: int) -> int | None:
        start = self._start_of(plan, over)
        if plan.fixed_end is not None:
            return max(start, plan.fixed_end)
        ends = [self._forced_end(plan, start), self._bound_tables(plan, start)]
        return min((max(start, end) for end in ends if end is not None), default=None)

    def _bound_tables(self, plan: PlannedRound, start: int) -> int | None:
        limit = self._limit_of(max(self.basis.turns[plan.seats]))
        tables = plan.tables if plan.tables is not None else (OpenTable(self.field),)
        if limit is None:
            return start if not tables else None
        try:
            return max((self._bound_table(table, start, plan.seats * limit) for table in tables), default=start)
        except _TooFar:
            return None

    def _bound_table(self, table: OpenTable, start: int, most: int) -> int:
        """When a table is over at the latest: it stands still whenever one of its players rests."""
        habits = [self.habits[player] for player in table.players] if self.basis.leave else []
        weekends = self.basis.clock.weekends or any(each.quiet_weekends for each in habits)
        absences = sorted([*self.pauses, *(_Absence(*span) for each in habits for span in each.absences)])
        return find_table_end(start, most, self._calendar_of(0 if weekends else TENTHS), absences)

    def _sum_up_round(self, plan: PlannedRound, played: _PlayedRound, bound: int | None) -> RoundForecast:
        ranked = sorted(played.slowest.items(), key=lambda item: (-item[1], item[0]))
        named = () if self.is_private else tuple(item for item in ranked if item[0])[:MOST_SLOWEST]
        return RoundForecast(plan.name, find_quantiles(played.starts), find_quantiles(played.ends), bound, named)

    def _find_clashes(self, rounds: Sequence[RoundForecast]) -> Iterable[LeaveClash]:
        for plan, found in zip(self.basis.rounds, rounds, strict=True):
            tables = plan.tables if plan.tables is not None else (OpenTable(self.field),)
            for player in sorted(player for table in tables for player in table.players):
                spans = self.habits[player].absences
                if any(begin < found.ends.late and end > found.starts.early for begin, end in spans):
                    yield LeaveClash(player, plan.name)


def _next_minute(at: int, minute: int | None, zone: str) -> int:
    """The first moment from then on when the day has so many minutes in this zone; the moment itself for nothing."""
    if minute is None:
        return at
    place = ZoneInfo(zone)
    day = datetime.fromtimestamp(at / 1000, UTC).astimezone(place).date()
    while True:
        hours, minutes = divmod(minute, 60)
        found = int(datetime.combine(day, time(hours, minutes), place).timestamp()) * 1000
        if found >= at:
            return found
        day += timedelta(days=1)


def find_quantiles(moments: Sequence[int]) -> Quantiles:
    """The moments at 10, 50 and 90 % of these."""
    ordered = sorted(moments)
    early, middle, late = (ordered[min(len(ordered) - 1, len(ordered) * tenths // 10)] for tenths in (1, 5, 9))
    return Quantiles(early, middle, late)
