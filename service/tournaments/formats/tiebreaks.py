"""Standings: entrants by points, ties broken one after the other, and what each value was made of.

`rank_entrants` gives a line an entrant; whoever is still level after the last tie-break shares the rank. `explain` of
the same ranking gives the parts of one entrant's values: the data behind the answer to "why am I fourth?".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from service.tournaments.formats import fide_ties, pod_ties
from service.tournaments.formats.crosstable import TWO_SEATS, Number, StageRound, keep_entrants
from service.tournaments.formats.faults import FormatFault
from service.tournaments.formats.fide_ties import READY, RULES_2026, GameTable, RoundKind, TiePart
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
"""The tie-breaks between entrants of matches for two, with FIDE's codes for exports."""

POD_TIES = ("firsts", "seconds", "opposition", "share", DIRECT, LOTS)
"""The tie-breaks between entrants of tables for three and more."""

_Values: TypeAlias = dict[Number, int]
_PLAYED = frozenset({RoundKind.PLAYED})
_ANY = frozenset(RoundKind) - {RoundKind.OPEN}

_GAME_TIES: Mapping[str, tuple[Callable[[GameTable], _Values], Callable[[GameTable, Number], list[TiePart]]]] = {
    **{
        f"{name}{suffix}": (
            partial(fide_ties.opponent_values, by_result=by_result, cut=cut),
            partial(fide_ties.opponent_parts, by_result=by_result, cut=cut),
        )
        for name, by_result in (("buchholz", False), ("sonneborn-berger", True))
        for suffix, cut in (("", False), ("-cut-1", True))
    },
    **{
        name: (partial(fide_ties.progressive_values, cut=cut), partial(fide_ties.progressive_parts, cut=cut))
        for name, cut in (("progressive", False), ("progressive-cut-1", True))
    },
    **{
        name: (
            partial(fide_ties.count_values, kinds=kinds, wins=wins),
            partial(fide_ties.count_parts, kinds=kinds, wins=wins),
        )
        for name, kinds, wins in (("wins", _ANY, True), ("won", _PLAYED, True), ("elected", READY, False))
    },
    "koya": (fide_ties.koya_values, fide_ties.koya_parts),
}
_TABLE_TIES: Mapping[str, tuple[Callable[[PodTable], _Values], Callable[[PodTable, Number], list[TiePart]]]] = {
    "firsts": (pod_ties.first_values, partial(pod_ties.place_parts, place=1)),
    "seconds": (pod_ties.second_values, partial(pod_ties.place_parts, place=2)),
    "opposition": (pod_ties.opposition_values, pod_ties.opposition_parts),
    "share": (pod_ties.share_values, pod_ties.share_parts),
}


class UnknownTie(FormatFault):
    """A tie-break that this format does not have."""


@dataclass(frozen=True, slots=True)
class TieRules:
    """How ties are broken: by what, after which version of C.07, and whether it is a round robin."""

    ties: tuple[str, ...] = ()
    rules: str = RULES_2026
    robin: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a ranking: the rank (shared as 1, 1, 3), points in all and by round, and every tie-break in units.

    `direct` between entrants of matches for two and `lots` are places, smaller is better: 1 is first among those who
    were tied, 0 means that the encounters parted nobody. Everywhere else more is better.
    """

    number: Number
    rank: int
    points: int
    by_round: tuple[int, ...]
    ties: tuple[str, ...]
    tie_values: tuple[int, ...]

    @property
    def values(self) -> dict[str, int]:
        """The value of each tie-break by its name."""
        return dict(zip(self.ties, self.tie_values, strict=True))


@dataclass(frozen=True, slots=True)
class TieValue:
    """One tie-break of one entrant with what it was made of, and who was tied when it was asked.

    `is_place` says that the value is a place among the tied, smaller being better, and not a sum of its parts.
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
    """What everybody has, given the groups of who is still tied."""
    parts: Callable[[Number, Sequence[Number]], list[TiePart]]
    smaller_first: bool = False


@dataclass(frozen=True)
class Ranking:
    """The standings, best first, and what is behind them."""

    standings: tuple[Standing, ...]
    _breaks: tuple[_TieBreak, ...]
    _groups: tuple[Sequence[Sequence[Number]], ...]

    def explain(self, number: Number) -> tuple[TieValue, ...]:
        """Every tie-break of one entrant in their order, with its parts and with whom the entrant was tied then."""
        line = next(each for each in self.standings if each.number == number)
        found = []
        for tie, value, groups in zip(self._breaks, line.tie_values, self._groups, strict=True):
            tied = next(group for group in groups if number in group)
            found.append(
                TieValue(tie.name, value, tuple(tie.parts(number, tied)), tuple(tied), is_place=tie.smaller_first)
            )
        return tuple(found)


def known_ties(seats: int, *, one_deal: bool = False) -> tuple[str, ...]:
    """The tie-breaks that there are for tables of so many seats; where all have one deal, those of tables."""
    return tuple(FIDE_CODES) if seats == TWO_SEATS and not one_deal else POD_TIES


def check_ties(ties: Iterable[str], seats: int, *, one_deal: bool = False) -> None:
    """Refuse a tie-break that there is not for tables of so many seats."""
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
    """The ranking of a stage, or of one section of it; ranks are shared by who is level after all ties."""
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
        found = tie.values(groups)
        values.append(found)
        groups = _part_by_value(groups, found, smaller_first=tie.smaller_first)
    names = tuple(tie.name for tie in breaks)
    standings: list[Standing] = []
    for group in groups:
        rank = len(standings) + 1
        for number in group:
            own = tuple([found[number] for found in values])
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
    make: Callable[[str], _TieBreak]
    if scoring.seats == TWO_SEATS and not isinstance(scoring.rule, DealPoints):
        games = fide_ties.build_game_table(
            scoring, rounds, points, robin=tie_rules.robin, rules=tie_rules.rules, cancelled=void
        )
        make, direct = partial(_break_by_games, games), _break_by_encounter(games)
    else:
        tables = pod_ties.build_pod_table(rounds, points)
        make, direct = partial(_break_by_tables, tables), _break_by_common_tables(tables)
    special = {DIRECT: direct, LOTS: _break_by_lots(lots)}
    return [special[name] if name in special else make(name) for name in tie_rules.ties]


def _break_by_games(table: GameTable, name: str) -> _TieBreak:
    values, parts = _GAME_TIES[name]
    return _TieBreak(name, lambda _: values(table), lambda number, _: parts(table, number))


def _break_by_tables(table: PodTable, name: str) -> _TieBreak:
    values, parts = _TABLE_TIES[name]
    return _TieBreak(name, lambda _: values(table), lambda number, _: parts(table, number))


def _break_by_encounter(table: GameTable) -> _TieBreak:
    def values(groups: Sequence[Sequence[Number]]) -> _Values:
        found = {}
        for group in groups:
            levels = fide_ties.order_by_encounter(table, group) if len(group) > 1 else [group]
            place = 1
            for level in levels:
                for number in level:
                    found[number] = place * UNIT if len(levels) > 1 else 0
                place += len(level)
        return found

    def parts(number: Number, group: Sequence[Number]) -> list[TiePart]:
        return fide_ties.direct_parts(table, number, frozenset(group))

    return _TieBreak(DIRECT, values, parts, smaller_first=True)


def _break_by_common_tables(table: PodTable) -> _TieBreak:
    def parts(number: Number, group: Sequence[Number]) -> list[TiePart]:
        return pod_ties.common_table_parts(table, number, group)

    return _TieBreak(DIRECT, partial(pod_ties.common_table_values, table), parts)


def _break_by_lots(lots: Sequence[Number]) -> _TieBreak:
    place = {number: (at + 1) * UNIT for at, number in enumerate(lots)}
    last = (len(lots) + 1) * UNIT
    return _TieBreak(
        LOTS,
        lambda groups: {number: place.get(number, last) for group in groups for number in group},
        lambda _number, _group: [],
        smaller_first=True,
    )
