"""Ties between entrants of matches for two, as FIDE C.07 in force since 2026-03-01 breaks them, or the version of 2024.

Each value comes with its parts: the round, the opponent, what it contributes and why, and whether a cut removes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from service.tournaments.formats.crosstable import Number, Pairing, StageRound
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


class TiePart(NamedTuple):
    """One contribution to a value: of which round, against whom, how much, what it was, and whether it is cut."""

    round: int
    opponent: Number
    value: int
    kind: RoundKind
    cut: bool = False


class EntrantRound(NamedTuple):
    """One round of one entrant."""

    round: int
    opponent: Number
    points: int
    kind: RoundKind


@dataclass(frozen=True)
class GameTable:
    """Everything that ties between two-seat entrants are computed from; `games` is the most that anybody has."""

    rows: dict[Number, tuple[EntrantRound, ...]]
    totals: dict[Number, int]
    adjusted: dict[Number, int]
    win: int
    draw: int
    games: int
    robin: bool
    rules: str

    def score_of_opponent(self, number: Number, each: EntrantRound) -> int:
        """The opponent's score as it counts for this entrant; a dummy's where nothing was played (16.4)."""
        if each.kind is RoundKind.PLAYED:
            return self.adjusted[each.opponent]
        own = self.totals[number]
        if self.rules == RULES_2024:
            return own
        if each.opponent != NOBODY:
            return min(own, self.adjusted[each.opponent])
        return min(own, self.draw * len(self.rows[number]))


def build_game_table(
    scoring: Scoring,
    rounds: Sequence[StageRound],
    points: PointsTable,
    *,
    robin: bool = False,
    rules: str = RULES_2026,
    cancelled: Iterable[Number] = (),
) -> GameTable:
    """The rounds of every entrant, with the scores that their opponents get from them."""
    rule = scoring.rule if isinstance(scoring.rule, WinPoints) else WinPoints()
    void = frozenset(cancelled)
    places: dict[Number, list[EntrantRound]] = {number: [] for number in points.by_round}
    for at, each in enumerate(rounds):
        paired = dict(_seats_of(each, void))
        for number, row in points.by_round.items():
            opponent, kind = paired.get(number, (NOBODY, RoundKind.MISSED))
            if number in each.half_byes:
                opponent, kind = NOBODY, RoundKind.HALF_BYE
            elif robin and (kind is RoundKind.MISSED or kind is RoundKind.PAIRING_BYE):
                kind = RoundKind.OPEN
            elif robin and opponent != NOBODY and kind is not RoundKind.OPEN:
                # Article 15.2: where all pairings are known beforehand, forfeits are games like others.
                kind = RoundKind.PLAYED
            places[number].append(EntrantRound(each.number, opponent, row[at], kind))
    rows = {number: tuple(row) for number, row in places.items()}
    totals = {number: points.total(number) for number in rows}
    adjusted = totals if robin else {number: _adjusted_score(row, rule.draw) for number, row in rows.items()}
    games = max(
        (sum(each.opponent != NOBODY and each.kind is not RoundKind.OPEN for each in row) for row in rows.values()),
        default=0,
    )
    return GameTable(rows, totals, adjusted, rule.win, rule.draw, games, robin, rules)


def _seats_of(each: StageRound, void: frozenset[Number]) -> Iterator[tuple[Number, tuple[Number, RoundKind]]]:
    for pairing in each.pairings:
        if pairing.is_bye:
            yield pairing.seats[0], (NOBODY, RoundKind.PAIRING_BYE)
            continue
        one, other = pairing.seats
        dropped = bool(void & {one, other})
        yield one, (other, RoundKind.OPEN if dropped else _kind_of_seat(pairing, 0))
        yield other, (one, RoundKind.OPEN if dropped else _kind_of_seat(pairing, 1))


def _kind_of_seat(pairing: Pairing, seat: int) -> RoundKind:
    if not pairing.results:
        return RoundKind.OPEN
    if not pairing.is_forfeit:
        return RoundKind.PLAYED
    return RoundKind.FORFEIT_WIN if pairing.results[seat].finished else RoundKind.FORFEIT_LOSS


def _adjusted_score(row: Sequence[EntrantRound], draw: int) -> int:
    """The score as it counts for opponents: byes asked for with only voluntary ones after them are draws (16.3)."""
    total, only_voluntary = 0, True
    for each in reversed(row):
        total += draw if only_voluntary and each.kind in REQUESTED else each.points
        only_voluntary = only_voluntary and each.kind in VOLUNTARY
    return total


def buchholz_parts(table: GameTable, number: Number) -> list[TiePart]:
    """The scores of the opponents (8.1)."""
    return [
        TiePart(each.round, each.opponent, table.score_of_opponent(number, each), each.kind)
        for each in table.rows[number]
        if each.kind is not RoundKind.OPEN
    ]


def sonneborn_berger_parts(table: GameTable, number: Number) -> list[TiePart]:
    """The scores of the opponents, each times what was made against them (9.1)."""
    return [
        TiePart(each.round, each.opponent, table.score_of_opponent(number, each) * each.points // UNIT, each.kind)
        for each in table.rows[number]
        if each.kind is not RoundKind.OPEN
    ]


def cut_least(table: GameTable, number: Number, parts: Sequence[TiePart]) -> list[TiePart]:
    """The same parts without the least significant: of the weakest opponent, or rather of a voluntary round (16.5)."""
    if not parts:
        return []
    score = {each.round: table.score_of_opponent(number, each) for each in table.rows[number]}
    least = min(parts, key=lambda part: (score[part.round], part.value, part.round))
    voluntary = [part for part in parts if part.kind in VOLUNTARY]
    if voluntary:
        lowest = min(voluntary, key=lambda part: (part.value, score[part.round], part.round))
        if lowest.value >= least.value:
            least = lowest
    return [part._replace(cut=part is least) for part in parts]


def buchholz_cut_parts(table: GameTable, number: Number) -> list[TiePart]:
    """Buchholz without the least significant opponent (14.1)."""
    return cut_least(table, number, buchholz_parts(table, number))


def sonneborn_berger_cut_parts(table: GameTable, number: Number) -> list[TiePart]:
    """Sonneborn-Berger without the least significant opponent (14.1)."""
    return cut_least(table, number, sonneborn_berger_parts(table, number))


def progressive_parts(table: GameTable, number: Number) -> list[TiePart]:
    """The score after each round (7.5)."""
    found, total = [], 0
    for each in table.rows[number]:
        total += each.points
        found.append(TiePart(each.round, each.opponent, total, each.kind))
    return found


def progressive_cut_parts(table: GameTable, number: Number) -> list[TiePart]:
    """The score after each round but the first (14.1)."""
    return [part._replace(cut=at == 0) for at, part in enumerate(progressive_parts(table, number))]


def _count(table: GameTable, number: Number, kinds: frozenset[RoundKind], *, wins: bool) -> list[TiePart]:
    return [
        TiePart(each.round, each.opponent, UNIT, each.kind)
        for each in table.rows[number]
        if each.kind in kinds and (not wins or each.points >= table.win)
    ]


_ANY = frozenset(RoundKind) - {RoundKind.OPEN}
_AT_THE_BOARD = frozenset({RoundKind.PLAYED})
_READY = frozenset({RoundKind.PLAYED, RoundKind.FORFEIT_WIN, RoundKind.PAIRING_BYE})


def win_parts(table: GameTable, number: Number) -> list[TiePart]:
    """The rounds that gave as much as a win, forfeits and byes too (7.1)."""
    return _count(table, number, _ANY, wins=True)


def won_parts(table: GameTable, number: Number) -> list[TiePart]:
    """The matches won by playing (7.2)."""
    return _count(table, number, _AT_THE_BOARD, wins=True)


def elected_parts(table: GameTable, number: Number) -> list[TiePart]:
    """The rounds in which the entrant was ready to play (7.6)."""
    return _count(table, number, _READY, wins=False)


def koya_parts(table: GameTable, number: Number) -> list[TiePart]:
    """What was made against those who have half of all points or more (9.2)."""
    return [
        TiePart(each.round, each.opponent, each.points, each.kind)
        for each in table.rows[number]
        if each.opponent != NOBODY
        and each.kind is not RoundKind.OPEN
        and 2 * table.totals[each.opponent] >= table.games * table.win
    ]


def direct_parts(table: GameTable, number: Number, group: frozenset[Number]) -> list[TiePart]:
    """What was made against the others of a tied group; in a Swiss forfeits were never played (6.1)."""
    return [
        TiePart(each.round, each.opponent, each.points, each.kind)
        for each in table.rows[number]
        if each.kind is RoundKind.PLAYED and each.opponent in group
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
        for part in direct_parts(table, number, inside):
            games.setdefault(part.opponent, []).append(part.value)
        made[number] = sum(sum(each) // len(each) for each in games.values())
        met[number] = len(games)
    if table.robin or all(met[number] == others for number in group):
        return [[one for one in group if made[one] == score] for score in sorted(set(made.values()), reverse=True)]
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
