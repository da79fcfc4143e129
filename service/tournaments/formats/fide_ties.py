"""Tie-breaks between entrants of matches for two, by FIDE C.07 in force since 2026-03-01 or by its version of 2024.

Each tie-break is one function that gives the contribution of every round of one entrant. `sum_contributions` adds them
up for everybody; `list_parts` explains one entrant's sum by round, opponent and kind, and marks the round that is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from service.tournaments.formats.crosstable import BOT, Number, Pairing, StageRound
from service.tournaments.formats.points import UNIT, PointsTable, Scoring, WinPoints

RULES_2024, RULES_2026 = "2024", "2026"
NOBODY: Number = 0


class RoundKind(StrEnum):
    """Kind of a round for one entrant."""

    PLAYED = "played"
    FORFEIT_WIN = "forfeit-win"
    FORFEIT_LOSS = "forfeit-loss"
    PAIRING_BYE = "pairing-bye"
    REQUESTED_BYE = "requested-bye"
    MISSED = "missed"
    OPEN = "open"


REQUESTED = frozenset({RoundKind.REQUESTED_BYE, RoundKind.MISSED})
"""Requested byes, article 16.1.1. Every round after a withdrawal is one."""
VOLUNTARY = REQUESTED | {RoundKind.FORFEIT_LOSS}
"""Voluntary unplayed rounds, article 16.1.2: the entrant was not there to play."""
READY = frozenset({RoundKind.PLAYED, RoundKind.FORFEIT_WIN, RoundKind.PAIRING_BYE})
"""Rounds for which the entrant was there to play."""


class TiePart(NamedTuple):
    """One contribution to a value: its round, the opponent, the amount, the kind of round, and True if it is cut."""

    round: int
    opponent: Number
    value: int
    kind: RoundKind
    cut: bool = False


@dataclass(frozen=True)
class GameTable:
    """Everything that tie-breaks of matches for two are computed from. Rows are in the order of `rounds`.

    `scores` has the score of each opponent, or of a dummy if the round was not played. A round that is open, or does
    not count, has no opponent and a score of 0. `games` is the largest number of matches that anybody has.
    """

    rounds: tuple[int, ...]
    points: Mapping[Number, tuple[int, ...]]
    opponents: dict[Number, tuple[Number, ...]]
    kinds: dict[Number, tuple[RoundKind, ...]]
    scores: dict[Number, tuple[int, ...]]
    totals: dict[Number, int]
    win: int
    games: int
    robin: bool


Contributions: TypeAlias = Sequence[int | None]
"""Contribution of each round to a value. None is a round that does not count."""


@dataclass(frozen=True, slots=True)
class GameTie:
    """A tie-break of matches for two: its contributions, and the index of the round that is cut, or -1."""

    contribute: Callable[[GameTable, Number], Contributions]
    find_cut: Callable[[GameTable, Number, Contributions], int] | None = None

    def sum_contributions(self, table: GameTable) -> dict[Number, int]:
        """Return the value of everybody."""
        values = {}
        for number in table.points:
            row = self.contribute(table, number)
            values[number] = sum(filter(None, row))
            if self.find_cut is not None:
                cut = self.find_cut(table, number, row)
                values[number] -= (row[cut] or 0) if cut >= 0 else 0
        return values

    def list_parts(self, table: GameTable, number: Number) -> list[TiePart]:
        """Return the parts of one entrant's value. Those that are not cut add up to it."""
        row = self.contribute(table, number)
        cut = -1 if self.find_cut is None else self.find_cut(table, number, row)
        opponents, kinds = table.opponents[number], table.kinds[number]
        return [
            TiePart(table.rounds[index], opponents[index], value, kinds[index], cut=index == cut)
            for index, value in enumerate(row)
            if value is not None
        ]


def build_game_table(
    scoring: Scoring,
    rounds: Sequence[StageRound],
    points: PointsTable,
    *,
    robin: bool = False,
    rules: str = RULES_2026,
    cancelled: Iterable[Number] = (),
) -> GameTable:
    """Return the rounds of every entrant with the scores that opponents contribute."""
    rule = scoring.rule if isinstance(scoring.rule, WinPoints) else WinPoints()
    opponents, kinds = _read_rounds(rounds, points.by_round, robin=robin, void=frozenset(cancelled))
    totals = {number: sum(row) for number, row in points.by_round.items()}
    adjusted = (
        totals
        if robin
        else {number: _adjusted_score(row, kinds[number], rule.draw) for number, row in points.by_round.items()}
    )
    most = None if rules == RULES_2024 else rule.draw * len(rounds)
    return GameTable(
        rounds=tuple(each.number for each in rounds),
        points=points.by_round,
        opponents=opponents,
        kinds=kinds,
        scores={
            number: _scores_of_opponents(row, kinds[number], totals[number], adjusted, most)
            for number, row in opponents.items()
        },
        totals=totals,
        win=rule.win,
        games=max((len(row) - row.count(NOBODY) for row in opponents.values()), default=0),
        robin=robin,
    )


def _read_rounds(
    rounds: Sequence[StageRound], numbers: Iterable[Number], *, robin: bool, void: frozenset[Number]
) -> tuple[dict[Number, tuple[Number, ...]], dict[Number, tuple[RoundKind, ...]]]:
    """Return each entrant's opponents and kinds of rounds.

    Article 15.2: if all pairings are known in advance, forfeits count as games and a bye is a free round.
    """
    absent, bye = (RoundKind.OPEN, RoundKind.OPEN) if robin else (RoundKind.MISSED, RoundKind.PAIRING_BYE)
    opponents = {number: [NOBODY] * len(rounds) for number in numbers}
    kinds = {number: [absent] * len(rounds) for number in opponents}
    for index, each in enumerate(rounds):
        for number in each.half_byes | each.full_byes:
            kinds[number][index] = RoundKind.REQUESTED_BYE
        for pairing in each.pairings:
            if len(pairing.seats) == 1:
                kinds[pairing.seats[0]][index] = bye
                continue
            one, other = pairing.seats
            if BOT in pairing.seats:
                # A bot is not an opponent: its points count, but the round does not exist for tie-breaks.
                kinds[one if other == BOT else other][index] = RoundKind.OPEN
                continue
            if not pairing.results or (void and not void.isdisjoint(pairing.seats)):
                kinds[one][index] = kinds[other][index] = RoundKind.OPEN
                continue
            opponents[one][index], opponents[other][index] = other, one
            kinds[one][index], kinds[other][index] = _kinds_of_seats(pairing, robin=robin)
    return (
        {number: tuple(row) for number, row in opponents.items()},
        {number: tuple(row) for number, row in kinds.items()},
    )


def _kinds_of_seats(pairing: Pairing, *, robin: bool) -> tuple[RoundKind, RoundKind]:
    if robin or not pairing.is_forfeit:
        return RoundKind.PLAYED, RoundKind.PLAYED
    one, other = (RoundKind.FORFEIT_WIN if result.finished else RoundKind.FORFEIT_LOSS for result in pairing.results)
    return one, other


def _adjusted_score(points: Sequence[int], kinds: Sequence[RoundKind], draw: int) -> int:
    """Return the score that an entrant contributes to opponents.

    Article 16.3: a requested bye counts as a draw if only voluntary unplayed rounds follow it.
    """
    total = sum(points)
    for index in range(len(kinds) - 1, -1, -1):
        if kinds[index] not in VOLUNTARY:
            break
        if kinds[index] in REQUESTED:
            total += draw - points[index]
    return total


def _scores_of_opponents(
    opponents: Sequence[Number], kinds: Sequence[RoundKind], own: int, adjusted: dict[Number, int], most: int | None
) -> tuple[int, ...]:
    """Return the scores that an entrant's opponents contribute. An unplayed round has a dummy opponent (16.4).

    The dummy has the entrant's own score. Since 2026 it has at most the score of the opponent who did not come, or
    without an opponent at most `most`, a draw per round. `most` is None for the version of 2024.
    """
    scores = []
    for opponent, kind in zip(opponents, kinds, strict=True):
        if kind is RoundKind.PLAYED:
            scores.append(adjusted[opponent])
        elif kind is RoundKind.OPEN:
            scores.append(0)
        elif most is None:
            scores.append(own)
        else:
            scores.append(min(own, adjusted[opponent] if opponent != NOBODY else most))
    return tuple(scores)


def _count_only(kinds: Sequence[RoundKind], values: Sequence[int]) -> Contributions:
    """Return the values without those of open rounds."""
    if RoundKind.OPEN not in kinds:
        return values
    return [None if kind is RoundKind.OPEN else value for kind, value in zip(kinds, values, strict=True)]


def buchholz(table: GameTable, number: Number) -> Contributions:
    """Return the scores of the opponents (8.1)."""
    return _count_only(table.kinds[number], table.scores[number])


def sonneborn_berger(table: GameTable, number: Number) -> Contributions:
    """Return the scores of the opponents, each multiplied by the result against them (9.1)."""
    row = zip(table.scores[number], table.points[number], strict=True)
    return _count_only(table.kinds[number], [score * points // UNIT for score, points in row])


def find_weakest(table: GameTable, number: Number, values: Contributions) -> int:
    """Return the round that Cut-1 removes from Buchholz or Sonneborn-Berger, or -1.

    It is the round of the weakest opponent (14.1). A voluntary unplayed round is cut instead if it contributes at
    least as much (16.5), so that nobody gains by staying away.
    """
    scores, kinds = table.scores[number], table.kinds[number]
    counted = {index: value for index, value in enumerate(values) if value is not None}
    if not counted:
        return -1
    weakest = min(counted, key=lambda index: (scores[index], counted[index]))
    voluntary = [index for index in counted if kinds[index] in VOLUNTARY]
    if not voluntary:
        return weakest
    lowest = min(voluntary, key=lambda index: (counted[index], scores[index]))
    return lowest if counted[lowest] >= counted[weakest] else weakest


def progressive(table: GameTable, number: Number) -> Contributions:
    """Return the score after each round (7.5)."""
    return list(accumulate(table.points[number]))


def find_first(_table: GameTable, _number: Number, values: Contributions) -> int:
    """Return the round that Cut-1 removes from the progressive score: the first."""
    return 0 if values else -1


def count_rounds(kinds: frozenset[RoundKind], *, wins: bool) -> Callable[[GameTable, Number], Contributions]:
    """Return the tie-break that counts rounds of these kinds, or only those that gave as much as a win."""

    def contribute(table: GameTable, number: Number) -> Contributions:
        least = table.win if wins else 0
        row = zip(table.points[number], table.kinds[number], strict=True)
        return [UNIT if points >= least and kind in kinds else None for points, kind in row]

    return contribute


def koya(table: GameTable, number: Number) -> Contributions:
    """Return the points against opponents with at least half of the possible points (9.2)."""
    least, totals = table.games * table.win, table.totals
    row = zip(table.points[number], table.opponents[number], strict=True)
    return [points if opponent != NOBODY and 2 * totals[opponent] >= least else None for points, opponent in row]


def encounters(table: GameTable, number: Number, group: frozenset[Number]) -> Contributions:
    """Return the points against the other members of a tied group. In a Swiss, forfeits were never played (6.1)."""
    row = zip(table.points[number], table.opponents[number], table.kinds[number], strict=True)
    return [points if other in group and kind is RoundKind.PLAYED else None for points, other, kind in row]


def order_by_encounter(table: GameTable, group: Sequence[Number]) -> list[list[Number]]:
    """Order a tied group by its direct encounters (article 6). Those who stay level share a list."""
    parted = _part_by_encounter(table, sorted(group))
    if len(parted) == 1:
        return parted
    return [level for part in parted for level in (order_by_encounter(table, part) if len(part) > 1 else [part])]


def _part_by_encounter(table: GameTable, group: list[Number]) -> list[list[Number]]:
    inside, others = frozenset(group), len(group) - 1
    scored, met = {}, {}
    for number in group:
        games: dict[Number, list[int]] = {}
        for points, opponent in zip(encounters(table, number, inside), table.opponents[number], strict=True):
            if points is not None:
                games.setdefault(opponent, []).append(points)
        # Opponents met more than once count with the mean of these games, so that all weigh the same.
        scored[number] = sum(sum(row) // len(row) for row in games.values())
        met[number] = len(games)
    if table.robin or all(count == others for count in met.values()):
        levels: dict[int, list[Number]] = {}
        for number in group:
            levels.setdefault(scored[number], []).append(number)
        return [levels[score] for score in sorted(levels, reverse=True)]
    # If not all have met, a player is first only if nobody could pass them even by winning every missing game. The same
    # test then decides the next place; whoever fails it stays tied with everybody below.
    most = {number: scored[number] + (others - met[number]) * table.win for number in group}
    order = sorted(group, key=lambda number: (-scored[number], -most[number], number))
    reach, best = [0] * len(order), -1
    for index in range(len(order) - 1, -1, -1):
        reach[index], best = best, max(best, most[order[index]])
    first = 0
    while first < others and scored[order[first]] > reach[first]:
        first += 1
    return [*([number] for number in order[:first]), order[first:]]
