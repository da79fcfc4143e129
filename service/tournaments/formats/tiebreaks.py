"""Standings: entrants ranked by points and then by each tie-break, with the parts of every value.

`rank_entrants` returns one line per entrant. Entrants who are level after the last tie-break share a rank.
`Ranking.explain` returns the parts of one entrant's values: the data behind the answer to "why am I fourth?".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from service.tournaments.formats import fide_ties, pod_ties
from service.tournaments.formats.crosstable import TWO_SEATS, Number, StageRound, keep_entrants, lot_places
from service.tournaments.formats.faults import FormatFault
from service.tournaments.formats.fide_ties import READY, RULES_2026, GameTable, GameTie, RoundKind, TiePart
from service.tournaments.formats.pod_ties import PodTable
from service.tournaments.formats.points import UNIT, DealPoints, PointsTable, Scoring, count_points

DIRECT, LOTS = "direct", "lots"

FIDE_CODES: Mapping[str, str] = {
    "buchholz-cut-1": "BH/C1",
    "buchholz": "BH",
    "sonneborn-berger-cut-1": "SB/C1",
    "sonneborn-berger": "SB",
    DIRECT: "DE",
    "wins": "WIN",
    "won": "WON",
    "progressive-cut-1": "PS/C1",
    "progressive": "PS",
    "koya": "KS",
    "elected": "GE",
    LOTS: "LOTS",
}
"""Tie-breaks of matches for two, with the FIDE codes for exports."""

POD_TIES = ("firsts", "seconds", "opposition", "share", DIRECT, LOTS)
"""Tie-breaks of tables for three and more."""

_Values: TypeAlias = dict[Number, int]

_GAME_TIES: Mapping[str, GameTie] = {
    "buchholz": GameTie(fide_ties.buchholz),
    "buchholz-cut-1": GameTie(fide_ties.buchholz, fide_ties.find_weakest),
    "sonneborn-berger": GameTie(fide_ties.sonneborn_berger),
    "sonneborn-berger-cut-1": GameTie(fide_ties.sonneborn_berger, fide_ties.find_weakest),
    "progressive": GameTie(fide_ties.progressive),
    "progressive-cut-1": GameTie(fide_ties.progressive, fide_ties.find_first),
    "wins": GameTie(fide_ties.count_rounds(frozenset(RoundKind) - {RoundKind.OPEN}, wins=True)),
    "won": GameTie(fide_ties.count_rounds(frozenset({RoundKind.PLAYED}), wins=True)),
    "elected": GameTie(fide_ties.count_rounds(READY, wins=False)),
    "koya": GameTie(fide_ties.koya),
}
_TABLE_TIES: Mapping[str, tuple[Callable[[PodTable], _Values], Callable[[PodTable, Number], list[TiePart]]]] = {
    "firsts": (lambda table: table.firsts, partial(pod_ties.place_parts, place=1)),
    "seconds": (lambda table: table.seconds, partial(pod_ties.place_parts, place=2)),
    "opposition": (pod_ties.opposition_values, pod_ties.opposition_parts),
    "share": (lambda table: table.shares, pod_ties.share_parts),
}


class UnknownTie(FormatFault):
    """A tie-break that the format does not have."""


@dataclass(frozen=True, slots=True)
class TieRules:
    """Rules for breaking ties: the tie-breaks in order, the version of C.07, and `robin` for a round robin."""

    ties: tuple[str, ...] = ()
    rules: str = RULES_2026
    robin: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a ranking: the rank (shared as 1, 1, 3), points in total and by round, and every tie-break in units.

    `lots`, and `direct` for matches of two, are places, so smaller is better: 1 is first among the tied entrants, and 0
    means that the encounters separated nobody. For all other tie-breaks more is better.
    """

    number: Number
    rank: int
    points: int
    by_round: tuple[int, ...]
    ties: tuple[str, ...]
    tie_values: tuple[int, ...]

    @property
    def values(self) -> dict[str, int]:
        """Return the value of each tie-break by name."""
        return dict(zip(self.ties, self.tie_values, strict=True))


@dataclass(frozen=True, slots=True)
class TieValue:
    """One tie-break of one entrant with its parts, and the entrants who were tied before it.

    With `is_place` the value is a place among the tied entrants (smaller is better) and not the sum of its parts.
    """

    name: str
    value: int
    parts: tuple[TiePart, ...]
    tied: tuple[Number, ...]
    is_place: bool = False


@dataclass(frozen=True, slots=True)
class _TieBreak:
    name: str
    values: Callable[[Sequence[Sequence[Number]]], _Values]
    """Return the value of everybody, given the groups of entrants who are still tied."""
    parts: Callable[[Number, Sequence[Number]], list[TiePart]]
    smaller_first: bool = False


@dataclass(frozen=True)
class Ranking:
    """The standings, best first, with the data to explain them."""

    standings: tuple[Standing, ...]
    _breaks: tuple[_TieBreak, ...]
    _groups: tuple[Sequence[Sequence[Number]], ...]

    def explain(self, number: Number) -> tuple[TieValue, ...]:
        """Return every tie-break of one entrant in order, with its parts and the entrants tied at that point."""
        own = next(line for line in self.standings if line.number == number)
        explained = []
        for tie, value, groups in zip(self._breaks, own.tie_values, self._groups, strict=True):
            tied = next(group for group in groups if number in group)
            explained.append(
                TieValue(tie.name, value, tuple(tie.parts(number, tied)), tuple(tied), is_place=tie.smaller_first)
            )
        return tuple(explained)


def known_ties(seats: int, *, one_deal: bool = False) -> tuple[str, ...]:
    """Return the tie-breaks for tables with this number of seats. With `one_deal` they are those of larger tables."""
    return tuple(FIDE_CODES) if seats == TWO_SEATS and not one_deal else POD_TIES


def check_ties(ties: Iterable[str], seats: int, *, one_deal: bool = False) -> None:
    """Raise `UnknownTie` for a tie-break that tables of this size do not have."""
    known = known_ties(seats, one_deal=one_deal)
    for name in ties:
        if name not in known:
            raise UnknownTie("unknown_tie", name=name, known=", ".join(known))


def rank_entrants(
    scoring: Scoring,
    rounds: Sequence[StageRound],
    numbers: Iterable[Number],
    tie_rules: TieRules,
    *,
    lots: Sequence[Number] = (),
    cancelled: Iterable[Number] = (),
) -> Ranking:
    """Return the ranking of a stage or of one section. Entrants who are level after all tie-breaks share a rank."""
    members, void = sorted(numbers), frozenset(cancelled)
    rounds = keep_entrants(rounds, members)
    check_ties(tie_rules.ties, scoring.seats, one_deal=isinstance(scoring.rule, DealPoints))
    points = count_points(scoring, rounds, members, cancelled=void)
    totals = {number: points.total(number) for number in members}
    groups = _part_by_value([members], totals, smaller_first=False)
    breaks = _tie_breaks(scoring, rounds, points, tie_rules, lots, void)
    asked: list[list[list[Number]]] = []
    values: list[_Values] = []
    for tie in breaks:
        asked.append(groups)
        values.append(tie.values(groups))
        groups = _part_by_value(groups, values[-1], smaller_first=tie.smaller_first)
    names = tuple(tie.name for tie in breaks)
    standings: list[Standing] = []
    for group in groups:
        rank = len(standings) + 1
        for number in group:
            own = tuple([column[number] for column in values])
            standings.append(Standing(number, rank, totals[number], points.by_round[number], names, own))
    return Ranking(tuple(standings), tuple(breaks), tuple(asked))


def _part_by_value(groups: Iterable[list[Number]], values: _Values, *, smaller_first: bool) -> list[list[Number]]:
    parted = []
    for group in groups:
        if len(group) == 1:
            parted.append(group)
            continue
        levels: dict[int, list[Number]] = {}
        for number in group:
            levels.setdefault(values[number], []).append(number)
        parted += [levels[value] for value in sorted(levels, reverse=not smaller_first)]
    return parted


def _tie_breaks(
    scoring: Scoring,
    rounds: Sequence[StageRound],
    points: PointsTable,
    tie_rules: TieRules,
    lots: Sequence[Number],
    void: frozenset[Number],
) -> list[_TieBreak]:
    if scoring.seats == TWO_SEATS and not isinstance(scoring.rule, DealPoints):
        games = fide_ties.build_game_table(
            scoring, rounds, points, robin=tie_rules.robin, rules=tie_rules.rules, cancelled=void
        )
        known = {name: _break_by_games(games, name, tie) for name, tie in _GAME_TIES.items()}
        known[DIRECT] = _break_by_encounter(games)
    else:
        tables = pod_ties.build_pod_table(rounds, points)
        known = {name: _break_by_tables(tables, name, *tie) for name, tie in _TABLE_TIES.items()}
        known[DIRECT] = _break_by_common_tables(tables)
    known[LOTS] = _break_by_lots(lots)
    return [known[name] for name in tie_rules.ties]


def _break_by_games(table: GameTable, name: str, tie: GameTie) -> _TieBreak:
    return _TieBreak(name, lambda _: tie.sum_contributions(table), lambda number, _: tie.list_parts(table, number))


def _break_by_tables(
    table: PodTable,
    name: str,
    values: Callable[[PodTable], _Values],
    parts: Callable[[PodTable, Number], list[TiePart]],
) -> _TieBreak:
    return _TieBreak(name, lambda _: values(table), lambda number, _: parts(table, number))


def _break_by_encounter(table: GameTable) -> _TieBreak:
    def values(groups: Sequence[Sequence[Number]]) -> _Values:
        places = {}
        for group in groups:
            levels = fide_ties.order_by_encounter(table, group) if len(group) > 1 else [group]
            place = 1
            for level in levels:
                for number in level:
                    places[number] = place * UNIT if len(levels) > 1 else 0
                place += len(level)
        return places

    def parts(number: Number, group: Sequence[Number]) -> list[TiePart]:
        return GameTie(partial(fide_ties.encounters, group=frozenset(group))).list_parts(table, number)

    return _TieBreak(DIRECT, values, parts, smaller_first=True)


def _break_by_common_tables(table: PodTable) -> _TieBreak:
    return _TieBreak(DIRECT, partial(pod_ties.common_table_values, table), partial(pod_ties.common_table_parts, table))


def _break_by_lots(lots: Sequence[Number]) -> _TieBreak:
    place = lot_places(lots)
    return _TieBreak(
        LOTS,
        lambda groups: {number: (place.get(number, len(place)) + 1) * UNIT for group in groups for number in group},
        lambda _number, _group: [],
        smaller_first=True,
    )
