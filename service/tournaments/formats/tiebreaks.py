"""Standings: entrants by points, ties broken one after the other, each value with what it was made of.

`rank_entrants` gives a line an entrant. Whoever is still level after the last tie-break shares the rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from service.tournaments.formats import fide_ties, pod_ties
from service.tournaments.formats.crosstable import TWO_SEATS, Number, StageRound, keep_entrants
from service.tournaments.formats.fide_ties import NOBODY, RULES_2026, GameTable, RoundKind, TiePart
from service.tournaments.formats.pod_ties import PodTable
from service.tournaments.formats.points import UNIT, PointsTable, Scoring, count_points

DIRECT, LOTS, OPPOSITION = "direct", "lots", "opposition"

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

POD_TIES = ("firsts", "seconds", OPPOSITION, "share", DIRECT, LOTS)
"""The tie-breaks between entrants of tables for three and more."""

_GameParts: TypeAlias = Callable[[GameTable, Number], list[TiePart]]
_GAME_PARTS: Mapping[str, _GameParts] = {
    "buchholz-cut-1": fide_ties.buchholz_cut_parts,
    "buchholz": fide_ties.buchholz_parts,
    "sonneborn-berger-cut-1": fide_ties.sonneborn_berger_cut_parts,
    "sonneborn-berger": fide_ties.sonneborn_berger_parts,
    "wins": fide_ties.win_parts,
    "won": fide_ties.won_parts,
    "progressive-cut-1": fide_ties.progressive_cut_parts,
    "progressive": fide_ties.progressive_parts,
    "koya": fide_ties.koya_parts,
    "elected": fide_ties.elected_parts,
}
_POD_PARTS: Mapping[str, Callable[[PodTable, Number], list[TiePart]]] = {
    "firsts": partial(pod_ties.place_parts, place=1),
    "seconds": partial(pod_ties.place_parts, place=2),
    OPPOSITION: pod_ties.opposition_parts,
    "share": pod_ties.share_parts,
}


class UnknownTie(ValueError):
    """A tie-break that this format does not have."""


@dataclass(frozen=True, slots=True)
class TieValue:
    """The value of one tie-break for one entrant, in units, and its parts.

    `direct` between entrants of matches for two and `lots` are places, smaller is better: 1 is first among those who
    were tied, 0 means that the encounters parted nobody. Everywhere else more is better.
    """

    name: str
    value: int
    parts: tuple[TiePart, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of a ranking: the rank (shared as 1, 1, 3), all points, those of each round, and every tie-break."""

    number: Number
    rank: int
    points: int
    by_round: tuple[int, ...]
    ties: tuple[TieValue, ...] = ()

    @property
    def values(self) -> dict[str, int]:
        """The value of each tie-break by its name."""
        return {tie.name: tie.value for tie in self.ties}


@dataclass(frozen=True, slots=True)
class TieRules:
    """How ties are broken: by what, after which version of C.07, and whether it is a round robin."""

    ties: tuple[str, ...] = ()
    rules: str = RULES_2026
    robin: bool = False


_TieValues: TypeAlias = dict[Number, TieValue]
_Evaluate: TypeAlias = Callable[[Sequence[Number]], _TieValues]


@dataclass(frozen=True, slots=True)
class _TieBreak:
    name: str
    evaluate: _Evaluate
    grouped: bool = False
    smaller_first: bool = False


def check_ties(ties: Iterable[str], seats: int) -> None:
    """Refuse a tie-break that there is not for tables of so many seats."""
    known = tuple(FIDE_CODES) if seats == TWO_SEATS else POD_TIES
    for name in ties:
        if name not in known:
            raise UnknownTie(f"{name!r} is no tie-break here; there are {', '.join(known)}")


def _sum_parts(name: str, parts: list[TiePart]) -> TieValue:
    return TieValue(name, sum(part.value for part in parts if not part.cut), tuple(parts))


def _mean_of_parts(name: str, parts: list[TiePart]) -> TieValue:
    return TieValue(name, sum(part.value for part in parts) // len(parts) if parts else 0, tuple(parts))


def _break_by_games(table: GameTable, name: str) -> _TieBreak:
    parts = _GAME_PARTS[name]
    return _TieBreak(name, lambda group: {number: _sum_parts(name, parts(table, number)) for number in group})


def _break_by_encounter(table: GameTable) -> _TieBreak:
    def evaluate(group: Sequence[Number]) -> _TieValues:
        levels = fide_ties.order_by_encounter(table, group) if len(group) > 1 else [list(group)]
        found, place, inside = {}, 1, frozenset(group)
        for level in levels:
            for number in level:
                parts = fide_ties.direct_parts(table, number, inside) if len(group) > 1 else []
                found[number] = TieValue(DIRECT, place * UNIT if len(levels) > 1 else 0, tuple(parts))
            place += len(level)
        return found

    return _TieBreak(DIRECT, evaluate, grouped=True, smaller_first=True)


def _break_by_tables(table: PodTable, name: str) -> _TieBreak:
    parts, value = _POD_PARTS[name], _mean_of_parts if name == OPPOSITION else _sum_parts
    return _TieBreak(name, lambda group: {number: value(name, parts(table, number)) for number in group})


def _break_by_common_tables(table: PodTable) -> _TieBreak:
    def evaluate(group: Sequence[Number]) -> _TieValues:
        parts = {number: pod_ties.direct_table_parts(table, number, group) for number in group}
        return {number: _sum_parts(DIRECT, found) for number, found in parts.items()}

    return _TieBreak(DIRECT, evaluate, grouped=True)


def _break_by_lots(lots: Sequence[Number]) -> _TieBreak:
    place = {number: at + 1 for at, number in enumerate(lots)}

    def evaluate(group: Sequence[Number]) -> _TieValues:
        last = len(lots) + 1
        return {
            number: TieValue(
                LOTS,
                place.get(number, last) * UNIT,
                (TiePart(0, NOBODY, place.get(number, last) * UNIT, RoundKind.PLAYED),),
            )
            for number in group
        }

    return _TieBreak(LOTS, evaluate, smaller_first=True)


def _split_group(tie: _TieBreak, group: list[Number], values: _TieValues) -> list[list[Number]]:
    levels: dict[int, list[Number]] = {}
    for number in group:
        levels.setdefault(values[number].value, []).append(number)
    return [levels[value] for value in sorted(levels, reverse=not tie.smaller_first)]


def rank_entrants(
    scoring: Scoring,
    rounds: Sequence[StageRound],
    numbers: Iterable[Number],
    tie_rules: TieRules,
    *,
    lots: Sequence[Number] = (),
    cancelled: Iterable[Number] = (),
) -> tuple[Standing, ...]:
    """The standings of a stage, or of one section of it: best first, ranks shared by who is level after all ties."""
    members = sorted(numbers)
    void = frozenset(cancelled)
    rounds = keep_entrants(rounds, members)
    check_ties(tie_rules.ties, scoring.seats)
    points = count_points(scoring, rounds, members, cancelled=void)
    totals = {number: points.total(number) for number in members}
    levels: dict[int, list[Number]] = {}
    for number in members:
        levels.setdefault(totals[number], []).append(number)
    groups = [levels[total] for total in sorted(levels, reverse=True)]
    found: dict[Number, list[TieValue]] = {number: [] for number in members}
    for tie in _tie_breaks(scoring, rounds, points, tie_rules, lots, void):
        values = {} if tie.grouped else tie.evaluate(members)
        parted = []
        for group in groups:
            own = tie.evaluate(group) if tie.grouped else values
            for number in group:
                found[number].append(own[number])
            parted += _split_group(tie, group, own) if len(group) > 1 else [group]
        groups = parted
    standings, rank = [], 1
    for group in groups:
        standings += [
            Standing(number, rank, totals[number], points.by_round[number], tuple(found[number])) for number in group
        ]
        rank += len(group)
    return tuple(standings)


def _tie_breaks(
    scoring: Scoring,
    rounds: Sequence[StageRound],
    points: PointsTable,
    tie_rules: TieRules,
    lots: Sequence[Number],
    void: frozenset[Number],
) -> list[_TieBreak]:
    if scoring.seats == TWO_SEATS:
        games = fide_ties.build_game_table(
            scoring, rounds, points, robin=tie_rules.robin, rules=tie_rules.rules, cancelled=void
        )
        by_name = partial(_break_by_games, games)
        direct = _break_by_encounter(games)
    else:
        tables = pod_ties.build_pod_table(scoring, rounds, tuple(points.by_round))
        by_name = partial(_break_by_tables, tables)
        direct = _break_by_common_tables(tables)
    special = {DIRECT: direct, LOTS: _break_by_lots(lots)}
    return [special[name] if name in special else by_name(name) for name in tie_rules.ties]
