"""Forecasts of when a tournament will be over, from its players, its document and earlier matches.

The input takes a few queries, whatever the number of entrants. `formats.forecast_model` simulates the futures, and the
result is cached as long as the input stays the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from peewee import fn

from service.bounded_cache import BoundedCache
from service.db.batches import batched
from service.db.models.accounts import PlayerRow
from service.db.models.matches import SeatRow
from service.db.models.tournaments import TournamentRow
from service.i18n.catalogue import Message, msg
from service.matches.join import EXCUSES
from service.play.time_control import PRESETS
from service.timestamps import HOUR, now
from service.tournaments.documents.document import TournamentDocument
from service.tournaments.formats.forecast_model import (
    FUTURES,
    NO_ANSWERS,
    NO_ENTRANTS,
    NO_MATCHES,
    TOO_FAR,
    Forecast,
    ForecastBasis,
    PlannedRound,
    PlayerHabit,
    Quantiles,
    RoundForecast,
    UnknownForecast,
    find_bound,
    forecast_rounds,
)
from service.tournaments.formats.log_lines import RoundName
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.rounds.planned_rounds import RoundOutlook, count_people
from service.tournaments.tournament_store import LoadedTournament, is_organiser
from service.tournaments.views.answer_times import find_leaves, read_game_pace, read_player_times
from service.tournaments.views.tournament_shapes import ForecastClashShown, SlowPlayerShown

OVER = "over"
TOO_MANY = "too-many"
REASONS: Mapping[str, Message] = {
    OVER: msg("forecast.over"),
    TOO_MANY: msg("forecast.too_many"),
    NO_ENTRANTS: msg("forecast.no_entrants"),
    NO_MATCHES: msg("forecast.no_matches"),
    NO_ANSWERS: msg("forecast.no_answers"),
    TOO_FAR: msg("forecast.too_far"),
}
"""Texts for the reasons why a forecast is impossible."""
MOST_TABLES = 64_000
"""Maximum number of tables in all futures together. A large field has fewer futures."""
LEAST_FUTURES = 40
_forecasts: BoundedCache[int, Forecast | UnknownForecast] = BoundedCache(64)


@dataclass(frozen=True)
class RoundTimes:
    """Start and end of a round: in 10, 50 and 90 % of the futures it is earlier."""

    stage: str
    number: int
    starts: Quantiles
    ends: Quantiles
    bound: int | None
    """The latest end by clock and document, or None."""


@dataclass(frozen=True)
class TournamentForecast:
    """The forecast of a tournament, or the reason why it is impossible."""

    at: int
    """The full hour at which the forecast begins."""
    unknown: str
    """Code of the reason why a forecast is impossible; empty if there is one."""
    rounds: tuple[RoundTimes, ...] = ()
    ends: Quantiles | None = None
    bound: int | None = None
    """The latest end of all by clock and document, or None, as with the clock `none`."""
    clashes: tuple[ForecastClashShown, ...] = ()
    """Leave during rounds: of everybody for organisers, their own for players."""
    slowest: tuple[SlowPlayerShown, ...] = ()
    """Players most likely to hold up a round. For organisers only, and empty while few tables are open."""
    own_times: bool = False
    """True if players answer as they did before; False if as others do in this game."""
    futures: int = 0

    @property
    def reason(self) -> Message | None:
        """Text of the reason why a forecast is impossible, or None."""
        return REASONS[self.unknown] if self.unknown else None


@dataclass(frozen=True)
class FieldOutlook:
    """Number of rounds and forecast of a tournament that nobody has entered yet, for a number of entrants.

    The forecast has a `bound` even if nothing is known about earlier matches.
    """

    entrants: int
    rounds: int
    forecast: TournamentForecast


def forecast_tournament(row: TournamentRow, reader: str | None) -> TournamentForecast:
    """Return the forecast of a tournament with what this reader may know about its players."""
    loaded = LoadedTournament.of(row)
    organises = reader is not None and is_organiser(row, reader)
    return forecast_document(loaded.state, loaded.document, reader, organises=organises)


def forecast_document(
    state: TournamentState, document: TournamentDocument, reader: str | None, *, organises: bool
) -> TournamentForecast:
    """Return the forecast of a tournament in this state with this document in force."""
    at = now() // HOUR * HOUR
    if state.deals is not None or state.cancelled_at is not None:
        return TournamentForecast(at, OVER)
    people = sorted(state.inside)
    rounds = RoundOutlook(state, document, len(people), _count_answers(state)).list_rounds()
    if not rounds:
        return TournamentForecast(at, NO_ENTRANTS if not state.holders else OVER)
    futures = _count_futures(rounds, len(people))
    if not futures:
        return TournamentForecast(at, TOO_MANY)
    leaving = _find_leavers(rounds, people)
    habits, names = _read_habits([*people, *leaving], document)
    habits = tuple(replace(each, stays=each.player not in leaving) for each in habits) if leaving else habits
    forecast = _cached_forecast(_make_basis(at, document, habits, rounds), futures)
    if isinstance(forecast, UnknownForecast):
        return TournamentForecast(at, forecast.reason)
    clashes = [
        ForecastClashShown(player=each.player, name=names[each.player], stage=stage, number=number)
        for each in forecast.clashes
        for stage, number in [_split_round(each.round)]
        if document.counts_leave and (organises or each.player == reader)
    ]
    return TournamentForecast(
        at=at,
        unknown="",
        rounds=tuple(map(_show_round, forecast.rounds)),
        ends=forecast.ends,
        bound=forecast.bound,
        clashes=tuple(clashes),
        slowest=tuple(_name_slowest(forecast, names, futures)) if organises else (),
        own_times=not forecast.is_private,
        futures=futures,
    )


def forecast_fields(state: TournamentState, document: TournamentDocument) -> tuple[FieldOutlook, ...]:
    """Return the outlook for the fewest and for the most entrants, as long as nobody has entered."""
    if state.entrants or state.closed_at is not None:
        return ()
    return tuple(
        _forecast_field(state, document, count) for count in sorted({document.entry.least, document.entry.most})
    )


def _forecast_field(state: TournamentState, document: TournamentDocument, entrants: int) -> FieldOutlook:
    at = now() // HOUR * HOUR
    rounds = RoundOutlook(state, document, entrants, {}).list_rounds()
    habits = tuple(PlayerHabit(str(number), (), document.zone) for number in range(entrants))
    basis = _make_basis(at, document, habits, rounds)
    futures = _count_futures(rounds, entrants)
    forecast = _cached_forecast(basis, futures) if futures else UnknownForecast(TOO_MANY)
    if isinstance(forecast, UnknownForecast):
        return FieldOutlook(entrants, len(rounds), TournamentForecast(at, forecast.reason, bound=find_bound(basis)))
    shown = tuple(map(_show_round, forecast.rounds))
    found = TournamentForecast(at, "", shown, forecast.ends, forecast.bound, futures=futures)
    return FieldOutlook(entrants, len(rounds), found)


def _find_leavers(rounds: Iterable[PlannedRound], people: Sequence[str]) -> list[str]:
    """Return players who have left but still sit at an open table."""
    seated = {player for each in rounds for table in each.tables or () for player in table.players}
    return sorted(seated.difference(people))


def _count_answers(state: TournamentState) -> dict[str, int]:
    """Return the average number of turns per seat so far in each running match."""
    running = [each for stage in state.stages.values() for each in stage.rounds.values() if each.started]
    matches = [pair.id for each in running for pair in each.pairs if pair.id not in each.results]
    answers: dict[str, int] = {}
    for part in batched(matches):
        mean: Any = fn.avg(SeatRow.turns)
        query: Any = SeatRow.select(SeatRow.match, mean).where(SeatRow.match.in_(part))
        answers |= {match: int(turns) for match, turns in query.group_by(SeatRow.match).tuples()}
    return answers


def _count_futures(rounds: Iterable[PlannedRound], people: int) -> int:
    """Return how many futures to simulate: fewer for large fields, 0 if they would be too few."""
    tables = sum(
        len(each.tables) if each.tables is not None else ceil((each.entrants or people) / each.seats)
        for each in rounds
        if each.fixed_end is None
    )
    futures = min(FUTURES, MOST_TABLES // max(1, tables))
    return futures if futures >= LEAST_FUTURES else 0


def _read_habits(people: Sequence[str], document: TournamentDocument) -> tuple[tuple[PlayerHabit, ...], dict[str, str]]:
    """Return the answer times and days of rest of these players, and their names."""
    alone = _play_alone(document)
    times = read_player_times(people, alone=alone)
    leaves = find_leaves(people) if document.counts_leave else {}
    habits: list[PlayerHabit] = []
    names: dict[str, str] = {}
    for part in batched(people):
        columns = (PlayerRow.id, PlayerRow.name, PlayerRow.zone, PlayerRow.quiet_weekends)
        query: Any = PlayerRow.select(*columns).where(PlayerRow.id.in_(part)).order_by(PlayerRow.id)
        for player, name, zone, quiet in query.tuples():
            names[player] = name
            rest = (zone or "UTC", bool(quiet) and document.counts_leave, leaves.get(player, ()))
            habits.append(PlayerHabit(player, times.get(player, ()), *rest))
    return tuple(habits), names


def _play_alone(document: TournamentDocument) -> bool:
    return all(count_people(plan) == 1 for plan in document.stages)


def _make_basis(
    at: int, document: TournamentDocument, habits: tuple[PlayerHabit, ...], rounds: Sequence[PlannedRound]
) -> ForecastBasis:
    pace = read_game_pace(document.game, alone=_play_alone(document))
    clock = PRESETS[document.clock]
    return ForecastBasis(
        at=at,
        clock=clock,
        players=habits,
        rounds=tuple(rounds),
        turns={count_people(plan): pace.turns.get(plan.rules.seats, ()) for plan in document.stages},
        game_times=pace.times,
        zone=document.zone,
        excuses=0 if clock.hard else EXCUSES,
        leave=document.counts_leave,
        pauses=document.pauses,
        seed=document.name,
    )


def _cached_forecast(basis: ForecastBasis, futures: int) -> Forecast | UnknownForecast:
    """Return the forecast of a basis, from the cache if this process has computed it before."""
    turns = tuple(sorted((seats, tuple(counts)) for seats, counts in basis.turns.items()))
    parts = (basis.at, basis.clock, basis.players, basis.rounds, turns, basis.game_times, basis.zone, basis.leave)
    key = hash((*parts, basis.pauses, basis.seed, futures))
    return _forecasts.get_or_make(key, lambda: forecast_rounds(basis, futures))


def _split_round(text: str) -> tuple[str, int]:
    name = RoundName.read(text)
    return name.stage, name.number


def _show_round(forecast: RoundForecast) -> RoundTimes:
    return RoundTimes(*_split_round(forecast.name), forecast.starts, forecast.ends, forecast.bound)


def _name_slowest(forecast: Forecast, names: Mapping[str, str], futures: int) -> Iterator[SlowPlayerShown]:
    for each in forecast.rounds:
        stage, number = _split_round(each.name)
        for player, count in each.slowest:
            percent = count * 100 // futures
            yield SlowPlayerShown(player=player, name=names[player], stage=stage, number=number, percent=percent)
