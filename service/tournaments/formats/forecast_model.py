"""Forecast of the end of rounds and of a tournament, from many simulated futures with a fixed seed.

A future plays every table of every round. A table takes as many answers per seat as some finished match of the game,
and each answer takes as long as an earlier answer of that player, within the limits of the clock. Times are counted as
clocks count them, without days of rest. A table waits while the player to act rests. Without enough data there is no
forecast, only the reason.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
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
"""With fewer answers, a player is assumed to answer as others do at this game."""
LEAST_TABLES = 8
"""With fewer open tables everybody is assumed to answer as others do, so that a forecast reveals nobody's times."""
MOST_SLOWEST = 5
LEAST_DRAWS = 2_000
DRAWS_A_MATCH = 8
"""Answers drawn per player: this many for each answer of the longest match, and at least `LEAST_DRAWS`."""
TENTHS = 10
HORIZON_DAYS = 5 * 366
"""Limit of a forecast."""
NO_ENTRANTS = "no-entrants"
NO_MATCHES = "no-matches"
NO_ANSWERS = "no-answers"
TOO_FAR = "too-far"


@dataclass(frozen=True)
class PlayerHabit:
    """Habits of a player: the duration of each recent answer, as clocks count, and times of rest."""

    player: str
    times: tuple[int, ...]
    zone: str = "UTC"
    quiet_weekends: bool = False
    leaves: tuple[tuple[str, str], ...] = ()
    """First and last day of each leave."""
    stays: bool = True
    """True if they play in future rounds. Otherwise they only finish open tables."""

    @cached_property
    def absences(self) -> tuple[tuple[int, int], ...]:
        """Return the start and end of each leave in ms."""
        return tuple((_midnight(first, 0, self.zone), _midnight(last, 1, self.zone)) for first, last in self.leaves)


def _midnight(day: str, later: int, zone: str) -> int:
    return _in_ms(datetime.fromisoformat(day).date() + timedelta(days=later), time(), ZoneInfo(zone))


def _in_ms(day: date, hour: time, zone: ZoneInfo) -> int:
    return int(datetime.combine(day, hour, zone).timestamp()) * 1000


def _local_day(at: int, zone: ZoneInfo) -> date:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone).date()


@dataclass(frozen=True)
class OpenTable:
    """A table of a paired round that is not over, and the mean number of answers that its seats have made."""

    players: tuple[str, ...]
    made: int = 0
    played: int = 0
    """Matches of its series that are over."""


@dataclass(frozen=True)
class PlannedRound:
    """A current or future round. If it is not paired yet, each future draws its tables at random."""

    name: str
    seats: int
    tables: tuple[OpenTable, ...] | None = None
    entrants: int | None = None
    """Number of players if it is not paired. None means all."""
    starts_at: int | None = None
    """Fixed start, but not before the end of the round it follows. None means `gap` after that end."""
    gap: int = 0
    minute: int | None = None
    """Minute of the day, in the zone of the tournament, at which a round without a fixed start begins."""
    follows: str | None = None
    """Round that must be over before it begins. None means the one before, an empty name means none."""
    longest: int = 0
    """Time after its start when the house ends open matches; 0 for never."""
    until: int | None = None
    """Moment at which the house ends open matches."""
    fixed_end: int | None = None
    """Its end whatever is played, for example of a ladder."""
    best_of: int = 1
    """Maximum number of matches at each table, one after another."""


@dataclass(frozen=True)
class ForecastBasis:
    """Input of a forecast."""

    at: int
    clock: Clock
    players: tuple[PlayerHabit, ...]
    rounds: tuple[PlannedRound, ...]
    turns: Mapping[int, Sequence[int]]
    """Answers per seat in each finished match of the game, by number of seats."""
    game_times: tuple[int, ...]
    """Duration of answers of all players at this game, as clocks count."""
    zone: str = "UTC"
    excuses: int = 0
    leave: bool = True
    """True if players may rest: on leave, and on weekends if they chose quiet weekends."""
    pauses: tuple[tuple[int, int], ...] = ()
    """Pauses of the whole tournament."""
    seed: str = ""


@dataclass(frozen=True)
class Quantiles:
    """The times by which 10, 50 and 90 % of the futures are done."""

    early: int
    middle: int
    late: int


@dataclass(frozen=True)
class RoundForecast:
    """Forecast of the start and end of a round."""

    name: str
    starts: Quantiles
    ends: Quantiles
    bound: int | None
    """Latest end that the clock enforces, with as many turns as the longest finished match, or None."""
    slowest: tuple[tuple[str, int], ...]
    """Players who took most time at the last table, with the number of futures. Empty if the forecast is private."""


@dataclass(frozen=True)
class LeaveClash:
    """A player whose leave overlaps a round."""

    player: str
    round: str


@dataclass(frozen=True)
class Forecast:
    """Forecast of a tournament, round by round."""

    rounds: tuple[RoundForecast, ...]
    clashes: tuple[LeaveClash, ...]
    ends: Quantiles
    """End of the last round."""
    is_private: bool
    """True if everybody was assumed to answer as others do, because too few tables are open."""

    @property
    def bound(self) -> int | None:
        """Return the latest end of all rounds, or None if nothing enforces one."""
        bounds = [each.bound for each in self.rounds if each.bound is not None]
        return max(bounds) if len(bounds) == len(self.rounds) else None

    @property
    def end(self) -> RoundForecast:
        """Return the forecast of the last round."""
        return self.rounds[-1]


@dataclass(frozen=True)
class UnknownForecast:
    """Reason for a missing forecast: no entrants, no matches or answers to learn from, or an end too far ahead."""

    reason: str


def forecast_rounds(basis: ForecastBasis, futures: int = FUTURES) -> Forecast | UnknownForecast:
    """Return the forecast. The same basis gives the same numbers."""
    reason = _find_gap(basis)
    if reason:
        return UnknownForecast(reason)
    try:
        return _Futures(basis).forecast(futures)
    except _TooFar:
        return UnknownForecast(TOO_FAR)


def find_bound(basis: ForecastBasis) -> int | None:
    """Return the latest end that clock and document enforce, or None. It needs no data about earlier matches."""
    if not basis.rounds:
        return None
    bounds = _Futures(basis).find_bounds()
    ends = [bound for bound in bounds if bound is not None]
    return max(ends) if len(ends) == len(bounds) else None


def _find_gap(basis: ForecastBasis) -> str:
    """Return which data is missing for a forecast, or an empty text."""
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
    """Return the longest time that a seat may take for its answers, as the clock counts, or None without a limit.

    A player who takes longer loses the seat, and the stand-in answers at once.
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
    """The end of a table is beyond the limit of a forecast."""


class _Calendar:
    """Days from a moment on, in a time zone. Only `tenths` of the time on Saturdays and Sundays counts."""

    def __init__(self, at: int, zone: str, tenths: int) -> None:
        place = ZoneInfo(zone)
        # Three days earlier, so that at least one day before `at` counts even on a Monday after a weekend.
        first = _local_day(at, place) - timedelta(days=3)
        days = [first + timedelta(days=number) for number in range(HORIZON_DAYS)]
        self.begins = [_in_ms(day, time(), place) for day in days]
        self.tenths = [TENTHS if day.weekday() < SATURDAY else tenths for day in days[:-1]]
        spans = [end - begin for begin, end in pairwise(self.begins)]
        self.counted = [0, *accumulate(map(_take_tenths, spans, self.tenths))]

    def count_until(self, at: int) -> int:
        """Return the time that counts from the first day to this moment."""
        day = bisect_right(self.begins, at) - 1
        if day >= len(self.tenths):
            raise _TooFar
        return self.counted[day] + _take_tenths(at - self.begins[day], self.tenths[day])

    def moment_at(self, counted: int) -> int:
        """Return the moment at which this time has counted since the first day."""
        day = bisect_left(self.counted, counted) - 1
        if day >= len(self.tenths):
            raise _TooFar
        return self.begins[day] + (counted - self.counted[day]) * TENTHS // self.tenths[day]


def _take_tenths(span: int, tenths: int) -> int:
    return span * tenths // TENTHS


class _Absence(NamedTuple):
    """Leave of a player, and how long the table still plays during it, until it is their turn."""

    begin: int
    end: int
    played: int = 0


def find_table_end(start: int, span: int, calendar: _Calendar, absences: Iterable[_Absence]) -> int:
    """Return the end of a table that takes `span`, as clocks count. Absences are sorted by their begin."""
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
    """Return how long a table plays on during a pause of some players, until one of them is to act.

    These players take `away` of the `total` time. The pause may begin at any moment, and the time between two of their
    turns is taken as exponentially distributed: within the pause its mean is `between * (1 - exp(-pause / between))`.
    """
    others = total - away
    between = others / answers
    return int(others / total * between * -expm1(-pause / between)) if others > 0 else 0


@dataclass
class _PlayedRound:
    """Outcomes of a round in all futures."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    slowest: Counter[str] = field(default_factory=Counter)


class _Futures:
    """Simulation of the futures of a tournament."""

    def __init__(self, basis: ForecastBasis) -> None:
        self.basis = basis
        self.random = Random(f"forecast {basis.seed}")  # noqa: S311  # the same each time, and no secret
        self.calendars: dict[int, _Calendar] = {}
        self.habits = {each.player: each for each in basis.players}
        self.field = tuple(each.player for each in basis.players if each.stays)
        rests = [each.player for each in basis.players if each.quiet_weekends or each.absences]
        self.resting = frozenset(rests if basis.leave else ())
        self.is_private = not _has_many_tables(basis)
        most = max((each.best_of for each in basis.rounds), default=1)
        longest = most * max((max(counts) for counts in basis.turns.values() if counts), default=1)
        self.draws = max(LEAST_DRAWS, DRAWS_A_MATCH * longest)
        self.sums: dict[str, list[int]] = {}
        self.limits: dict[int, int | None] = {}
        self.pauses = tuple(_Absence(*span) for span in sorted(basis.pauses))

    def _draw_answers(self, habit: PlayerHabit) -> list[int]:
        """Return the running sums of many answers, drawn from the player's earlier ones.

        A match takes a random slice of these answers, so two sums give its duration however many answers it has.
        """
        own = not self.is_private and len(habit.times) >= LEAST_ANSWERS
        times = habit.times if own else self.basis.game_times
        return [0, *accumulate(self.random.choices(times, k=self.draws))]

    def forecast(self, futures: int) -> Forecast:
        """Play all futures and summarise them."""
        if any(each.fixed_end is None for each in self.basis.rounds):
            self.sums = {each.player: self._draw_answers(each) for each in self.basis.players}
        played = [_PlayedRound() for _ in self.basis.rounds]
        last: list[int] = []
        for _ in range(futures):
            ends: dict[str, int] = {}
            before = self.basis.at
            for plan, outcome in zip(self.basis.rounds, played, strict=True):
                # A round that is not planned any more is over already, and counts from now.
                over = before if plan.follows is None else ends.get(plan.follows, self.basis.at)
                before = ends[plan.name] = self._play_round(plan, over, outcome)
            last.append(max(ends.values()))
        bounds = self.find_bounds()
        rounds = tuple(map(self._sum_up_round, self.basis.rounds, played, bounds))
        return Forecast(rounds, tuple(self._find_clashes(rounds)), find_quantiles(last), self.is_private)

    def _play_round(self, plan: PlannedRound, over: int, outcome: _PlayedRound) -> int:
        start = self._start_of(plan, over)
        last, slowest = max(start, plan.fixed_end or 0), ""
        if plan.fixed_end is None:
            for table in plan.tables if plan.tables is not None else self._draw_tables(plan):
                end, player = self._play_table(plan, table, start)
                if end > last:
                    last, slowest = end, player
            forced = self._forced_end(plan, start)
            last = last if forced is None else min(last, max(start, forced))
        outcome.starts.append(start)
        outcome.ends.append(last)
        outcome.slowest[slowest] += 1
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
        """Return when the house ends open matches of a round that began at `start`. Pauses do not count."""
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
        """Return the end of a table and the player who took most of its time."""
        turns = self.basis.turns[plan.seats]
        matches = self._count_matches(plan.best_of - table.played)
        answers = max(1, sum(self.random.choice(turns) for _ in range(matches)) - table.made)
        limit, places, draw = self._limit_of(answers), self.draws - answers + 1, self.random.random
        taken: dict[str, int] = {}
        for player in table.players:
            sums, first = self.sums[player], int(draw() * places)
            spent = sums[first + answers] - sums[first]
            taken[player] = spent if limit is None else min(spent, limit)
        return self._end_of_table(start, taken, answers), max(taken, key=taken.__getitem__)

    def _count_matches(self, most: int) -> int:
        """Return how many of at most this many matches are played until one player has won more than half of them."""
        wins = [0, 0]
        while sum(wins) < most > 1 and 2 * max(wins) <= most:
            wins[self.random.random() < 1 / 2] += 1
        return max(1, sum(wins))

    def _end_of_table(self, start: int, taken: Mapping[str, int], answers: int) -> int:
        """Return the end of a table whose players take these times. It waits while the player to act rests."""
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

    def find_bounds(self) -> list[int | None]:
        """Return the latest end of each round that clock and house enforce, or None."""
        bounds: dict[str, int | None] = {}
        before: int | None = self.basis.at
        for plan in self.basis.rounds:
            over = before if plan.follows is None else bounds.get(plan.follows, self.basis.at)
            before = bounds[plan.name] = None if over is None else self._bound_round(plan, over)
        return list(bounds.values())

    def _bound_round(self, plan: PlannedRound, over: int) -> int | None:
        start = self._start_of(plan, over)
        if plan.fixed_end is not None:
            return max(start, plan.fixed_end)
        ends = [self._forced_end(plan, start), self._bound_tables(plan, start)]
        return min((max(start, end) for end in ends if end is not None), default=None)

    def _bound_tables(self, plan: PlannedRound, start: int) -> int | None:
        answers = plan.best_of * max(self.basis.turns.get(plan.seats) or (0,))
        limit = self._limit_of(answers) if answers else None
        tables = plan.tables if plan.tables is not None else (OpenTable(self.field),)
        if limit is None:
            return start if not tables else None
        try:
            return max((self._bound_table(table, start, plan.seats * limit) for table in tables), default=start)
        except _TooFar:
            return None

    def _bound_table(self, table: OpenTable, start: int, most: int) -> int:
        """Return the latest end of a table. It is assumed to stop whenever one of its players rests."""
        habits = [self.habits[player] for player in table.players] if self.basis.leave else []
        weekends = self.basis.clock.weekends or any(each.quiet_weekends for each in habits)
        absences = sorted([*self.pauses, *(_Absence(*span) for each in habits for span in each.absences)])
        return find_table_end(start, most, self._calendar_of(0 if weekends else TENTHS), absences)

    def _sum_up_round(self, plan: PlannedRound, played: _PlayedRound, bound: int | None) -> RoundForecast:
        ranked = sorted(played.slowest.items(), key=lambda item: (-item[1], item[0]))
        named = () if self.is_private else tuple(item for item in ranked if item[0])[:MOST_SLOWEST]
        return RoundForecast(plan.name, find_quantiles(played.starts), find_quantiles(played.ends), bound, named)

    def _find_clashes(self, rounds: Sequence[RoundForecast]) -> Iterable[LeaveClash]:
        for plan, forecast in zip(self.basis.rounds, rounds, strict=True):
            tables = plan.tables if plan.tables is not None else (OpenTable(self.field),)
            for player in sorted(player for table in tables for player in table.players):
                spans = self.habits[player].absences
                if any(begin < forecast.ends.late and end > forecast.starts.early for begin, end in spans):
                    yield LeaveClash(player, plan.name)


def _next_minute(at: int, minute: int | None, zone: str) -> int:
    """Return the first moment from `at` on with this minute of the day in the zone, or `at` for None."""
    if minute is None:
        return at
    place = ZoneInfo(zone)
    today, hour = _local_day(at, place), time(*divmod(minute, 60))
    # Two days ahead are enough even if a change of the clock moves the first of them before `at`.
    return next(moment for ahead in range(3) if (moment := _in_ms(today + timedelta(ahead), hour, place)) >= at)


def find_quantiles(moments: Sequence[int]) -> Quantiles:
    """Return the moments at 10, 50 and 90 % of these."""
    ordered = sorted(moments)
    early, middle, late = (ordered[min(len(ordered) - 1, len(ordered) * tenths // 10)] for tenths in (1, 5, 9))
    return Quantiles(early, middle, late)
