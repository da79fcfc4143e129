"""Ties between entrants of matches for two, as FIDE C.07 in force since 2026-03-01 breaks them, or the version of 2024.

`…_values` gives what counts for everybody, `…_parts` what one entrant's value was made of: the round, the opponent,
what it contributes and why, and whether a cut removes it. The parts that are not cut add up to the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import NamedTuple

from service.tournaments.formats.crosstable import BOT, Number, Pairing, StageRound
from service.tournaments.formats.points import UNIT, PointsTable, Scoring, WinPoints

RULES_2024, RULES_2026 = "2024", "2026"
NOBODY: Number = 0


class RoundKind(StrEnum):
    """What a round was for one entrant."""

    PLAYED = "played"
    FORFEIT_WIN = "forfeit-win"
    FORFEIT_LOSS = "forfeit-loss"
    PAIRING_BYE = "pairing-bye"
    HALF_BYE = "half-bye"
    MISSED = "missed"
    OPEN = "open"


REQUESTED = frozenset({RoundKind.HALF_BYE, RoundKind.MISSED})
"""Byes that were asked for, in the words of article 16.1.1; every round after a withdrawal is one."""
VOLUNTARY = REQUESTED | {RoundKind.FORFEIT_LOSS}
"""Rounds in which the entrant was not there to play, article 16.1.2."""
READY = frozenset({RoundKind.PLAYED, RoundKind.FORFEIT_WIN, RoundKind.PAIRING_BYE})
"""Rounds in which the entrant was there to play."""


class TiePart(NamedTuple):
    """One contribution to a value: of which round, against whom, how much, what it was, and whether it is cut."""

    round: int
    opponent: Number
    value: int
    kind: RoundKind
    cut: bool = False


@dataclass(frozen=True)
class GameTable:
    """Everything that ties between two-seat entrants are computed from; rows are in the order of `rounds`.

    `scores` has the score of each opponent, or of a dummy where nothing was played; a round that is open, or does not
    count, has no opponent and no score. `games` is the most matches that anybody has.
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


def build_game_table(
    scoring: Scoring,
    rounds: Sequence[StageRound],
    points: PointsTable,
    *,
    robin: bool = False,
    rules: str = RULES_2026,
    cancelled: Iterable[Number] = (),
) -> GameTable:
    """The rounds of every entrant, with the scores that they get from their opponents."""
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
    """Whom everybody met in each round, and what the round was.

    Article 15.2: where all pairings are known beforehand, forfeits are games like others, and a bye is a free round.
    """
    absent, bye = (RoundKind.OPEN, RoundKind.OPEN) if robin else (RoundKind.MISSED, RoundKind.PAIRING_BYE)
    opponents = {number: [NOBODY] * len(rounds) for number in numbers}
    kinds = {number: [absent] * len(rounds) for number in opponents}
    for at, each in enumerate(rounds):
        for number in each.half_byes:
            kinds[number][at] = RoundKind.HALF_BYE
        for pairing in each.pairings:
            if len(pairing.seats) == 1:
                kinds[pairing.seats[0]][at] = bye
                continue
            one, other = pairing.seats
            if BOT in pairing.seats:
                # A bot is nobody's opponent: the points count, and the ties know nothing of the round.
                kinds[one if other == BOT else other][at] = RoundKind.OPEN
                continue
            if not pairing.results or (void and not void.isdisjoint(pairing.seats)):
                kinds[one][at] = kinds[other][at] = RoundKind.OPEN
                continue
            opponents[one][at], opponents[other][at] = other, one
            kinds[one][at], kinds[other][at] = _kinds_of_seats(pairing, robin=robin)
    return (
        {number: tuple(row) for number, row in opponents.items()},
        {number: tuple(kind) for number, kind in kinds.items()},
    )


def _kinds_of_seats(pairing: Pairing, *, robin: bool) -> tuple[RoundKind, RoundKind]:
    if robin or not pairing.is_forfeit:
        return RoundKind.PLAYED, RoundKind.PLAYED
    one, other = (RoundKind.FORFEIT_WIN if result.finished else RoundKind.FORFEIT_LOSS for result in pairing.results)
    return one, other


def _adjusted_score(points: Sequence[int], kinds: Sequence[RoundKind], draw: int) -> int:
    """The score as it counts for opponents: byes asked for with only voluntary ones after them are draws (16.3)."""
    total = sum(points)
    for at in range(len(kinds) - 1, -1, -1):
        if kinds[at] not in VOLUNTARY:
            break
        if kinds[at] in REQUESTED:
            total += draw - points[at]
    return total


def _scores_of_opponents(
    opponents: Sequence[Number], kinds: Sequence[RoundKind], own: int, adjusted: dict[Number, int], most: int | None
) -> tuple[int, ...]:
    """The opponents' scores as they count for an entrant; of a round not played, that of a dummy (16.4).

    The dummy has the own score, since 2026 no more than the opponent who did not come, or than `most`, a draw a round.
    """
    found = []
    for opponent, kind in zip(opponents, kinds, strict=True):
        if kind is RoundKind.PLAYED:
            found.append(adjusted[opponent])
        elif kind is RoundKind.OPEN:
            found.append(0)
        elif most is None:
            found.append(own)
        else:
            found.append(min(own, adjusted[opponent] if opponent != NOBODY else most))
    return tuple(found)


def _contributions(table: GameTable, number: Number, *, by_result: bool) -> Sequence[int]:
    """What each round contributes to Buchholz, or multiplied by the own result to Sonneborn-Berger."""
    scores = table.scores[number]
    if not by_result:
        return scores
    return [score * points // UNIT for score, points in zip(scores, table.points[number], strict=True)]


def _find_cut(table: GameTable, number: Number, values: Sequence[int]) -> int:
    """Which round Cut-1 removes: of the weakest opponent (14.1), or rather a voluntary unplayed one (16.5); else -1."""
    scores, kinds = table.scores[number], table.kinds[number]
    counted = [at for at, kind in enumerate(kinds) if kind is not RoundKind.OPEN]
    if not counted:
        return -1
    least = min(counted, key=lambda at: (scores[at], values[at]))
    voluntary = [at for at in counted if kinds[at] in VOLUNTARY]
    if not voluntary:
        return least
    lowest = min(voluntary, key=lambda at: (values[at], scores[at]))
    return lowest if values[lowest] >= values[least] else least


def opponent_values(table: GameTable, *, by_result: bool, cut: bool) -> dict[Number, int]:
    """Buchholz (8.1) or Sonneborn-Berger (9.1) of everybody, with Cut-1 or without."""
    found = {}
    for number, kinds in table.kinds.items():
        values = _contributions(table, number, by_result=by_result)
        found[number] = sum(values)
        if cut and not by_result and kinds and kinds.count(RoundKind.PLAYED) == len(kinds):
            found[number] -= min(values)
        elif cut:
            without = _find_cut(table, number, values)
            found[number] -= values[without] if without >= 0 else 0
    return found


def opponent_parts(table: GameTable, number: Number, *, by_result: bool, cut: bool) -> list[TiePart]:
    """What Buchholz or Sonneborn-Berger of one entrant is made of."""
    values = _contributions(table, number, by_result=by_result)
    without = _find_cut(table, number, values) if cut else -1
    return [part._replace(cut=at == without) for at, part in _counted_parts(table, number, values)]


def _counted_parts(table: GameTable, number: Number, values: Sequence[int]) -> Iterator[tuple[int, TiePart]]:
    """The rounds of an entrant that count, with what each contributes and its place in the row."""
    for at, kind in enumerate(table.kinds[number]):
        if kind is not RoundKind.OPEN:
            yield at, TiePart(table.rounds[at], table.opponents[number][at], values[at], kind)


def progressive_values(table: GameTable, *, cut: bool) -> dict[Number, int]:
    """The sum of the scores after each round (7.5), with Cut-1 without the first."""
    return {number: sum(list(accumulate(row))[cut:]) for number, row in table.points.items()}


def progressive_parts(table: GameTable, number: Number, *, cut: bool) -> list[TiePart]:
    """The scores after each round."""
    row = zip(table.rounds, table.opponents[number], accumulate(table.points[number]), table.kinds[number], strict=True)
    return [TiePart(*each, cut=cut and at == 0) for at, each in enumerate(row)]


def count_parts(table: GameTable, number: Number, *, kinds: frozenset[RoundKind], wins: bool) -> list[TiePart]:
    """The rounds of these kinds, or those of them that gave as much as a win."""
    points, least = table.points[number], table.win if wins else 0
    ones = [UNIT] * len(points)
    return [part for at, part in _counted_parts(table, number, ones) if part.kind in kinds and points[at] >= least]


def count_values(table: GameTable, *, kinds: frozenset[RoundKind], wins: bool) -> dict[Number, int]:
    """How many rounds of these kinds everybody has, or how many that gave as much as a win."""
    least = table.win if wins else 0
    return {
        number: UNIT
        * len([1 for points, kind in zip(row, table.kinds[number], strict=True) if points >= least and kind in kinds])
        for number, row in table.points.items()
    }


def koya_values(table: GameTable) -> dict[Number, int]:
    """What everybody made against those who have half of all points or more (9.2)."""
    strong = {number for number, total in table.totals.items() if 2 * total >= table.games * table.win}
    return {
        number: sum([points for points, one in zip(row, table.opponents[number], strict=True) if one in strong])
        for number, row in table.points.items()
    }


def koya_parts(table: GameTable, number: Number) -> list[TiePart]:
    """The rounds against those who have half of all points or more."""
    return [
        part
        for _, part in _counted_parts(table, number, table.points[number])
        if part.opponent != NOBODY and 2 * table.totals[part.opponent] >= table.games * table.win
    ]


def direct_parts(table: GameTable, number: Number, group: frozenset[Number]) -> list[TiePart]:
    """What was made against the others of a tied group; in a Swiss forfeits were never played (6.1)."""
    return [
        part
        for _, part in _counted_parts(table, number, table.points[number])
        if part.opponent in group and part.kind is RoundKind.PLAYED
    ]


def order_by_encounter(table: GameTable, group: Sequence[Number]) -> list[list[Number]]:
    """A tied group in the order of its direct encounters, those who stay level side by side (article 6)."""
    parted = _part_by_encounter(table, sorted(group))
    if len(parted) == 1:
        return parted
    return [level for each in parted for level in (order_by_encounter(table, each) if len(each) > 1 else [each])]


def _part_by_encounter(table: GameTable, group: list[Number]) -> list[list[Number]]:
    inside, others = frozenset(group), len(group) - 1
    made, met = {}, {}
    for number in group:
        games: dict[Number, list[int]] = {}
        for at, opponent in enumerate(table.opponents[number]):
            if opponent in inside and table.kinds[number][at] is RoundKind.PLAYED:
                games.setdefault(opponent, []).append(table.points[number][at])
        made[number] = sum(sum(each) // len(each) for each in games.values())
        met[number] = len(games)
    if table.robin or all(count == others for count in met.values()):
        levels: dict[int, list[Number]] = {}
        for number in group:
            levels.setdefault(made[number], []).append(number)
        return [levels[score] for score in sorted(levels, reverse=True)]
    # Not all have met: the first is alone if nobody could pass them whatever the missing games gave; so is the next.
    most = {number: made[number] + (others - met[number]) * table.win for number in group}
    order = sorted(group, key=lambda number: (-made[number], -most[number], number))
    reach, best = [0] * len(order), -1
    for at in range(len(order) - 1, -1, -1):
        reach[at], best = best, max(best, most[order[at]])
    first = 0
    while first < others and made[order[first]] > reach[first]:
        first += 1
    return [*([number] for number in order[:first]), order[first:]]
