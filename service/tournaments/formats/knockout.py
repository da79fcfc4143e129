"""Knockout with tables of two to five until one table is left, and double elimination, which forgives one loss.

Seeds are entrants, best first. Tables of two follow a fixed bracket (1-16, 8-9, 4-13, 5-12, ...). Larger tables are
refilled each round in snake order. Nobody advances from a seat they did not finish, or after withdrawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from service.tournaments.formats.crosstable import (
    BOT,
    TWO_SEATS,
    Number,
    Pairing,
    StageRound,
    count_meetings,
    list_pairings,
    lot_places,
    people_of,
)
from service.tournaments.formats.pods import table_sizes
from service.tournaments.formats.rulesets import NEWEST, Ruleset
from service.tournaments.formats.seating import count_seats, price_seats, seat_table
from service.tournaments.formats.swiss_matching import SwissEntrant, pair_brackets

_NONE = 0
_LIVES = 2


@dataclass(frozen=True, slots=True)
class KnockoutRules:
    """Rules of a knockout or double elimination. Without `rounds` it continues until one table is left.

    `double` gives everybody two lives. With `reset` the undefeated finalist may lose the final once.
    """

    seats: int = TWO_SEATS
    advance: int = 1
    rounds: int | None = None
    double: bool = False
    reset: bool = False
    ruleset: Ruleset = NEWEST


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """Players who advance from a table, best first, and those who are out. `by_seed`: seeds decided between ties."""

    advancing: tuple[Number, ...]
    out: tuple[Number, ...]
    by_seed: bool = False


def bracket_order(size: int) -> tuple[int, ...]:
    """Return the seeds of a bracket from top to bottom, for a power of two: 1, 16, 8, 9, 4, 13, 5, 12, ..."""
    order = [1]
    while len(order) < size:
        order = [seed for better in order for seed in (better, 2 * len(order) + 1 - better)]
    return tuple(order)


def decide_table(pairing: Pairing, seeds: Sequence[Number], advance: int = 1) -> TableOutcome:
    """Return the outcome of a finished table: the best places of finished seats advance, the better seed of ties."""
    people = people_of(pairing.seats)
    if pairing.is_bye:
        return TableOutcome(people, ())
    rank = lot_places(seeds)
    places = {
        number: result.place
        for number, result in zip(pairing.seats, pairing.results, strict=True)
        if number != BOT and result.finished
    }
    order = sorted(places, key=lambda number: (places[number], rank[number]))
    going = tuple(order[:advance])
    tied = len(order) > advance > 0 and places[order[advance - 1]] == places[order[advance]]
    return TableOutcome(going, tuple(number for number in people if number not in going), by_seed=tied)


def needs_replay(pairing: Pairing, seeds: Sequence[Number], advance: int = 1) -> bool:
    """Return True if only seeds would decide who advances, so that `replay: 1` replays the table."""
    return decide_table(pairing, seeds, advance).by_seed


def pair_knockout(
    played: Sequence[StageRound],
    seeds: Sequence[Number],
    rules: KnockoutRules,
    lots: Sequence[Number],
    withdrawn: Iterable[Number] = (),
) -> tuple[Pairing, ...]:
    """Return the tables of the next round, byes as tables of one. An empty tuple means that the stage is over."""
    if rules.rounds is not None and len(played) >= rules.rounds:
        return ()
    if rules.seats == TWO_SEATS:
        tables = _bracket_tables(played, seeds, frozenset(seeds).difference(withdrawn))
    else:
        tables = _next_tables(played, survivors(played, seeds, rules, withdrawn), rules)
    if not any(len(table) > 1 for table in tables):
        return ()
    return _seat_tables(tables, played, seeds, lots)


def _seat_tables(
    tables: Iterable[Sequence[Number]], played: Sequence[StageRound], seeds: Sequence[Number], lots: Sequence[Number]
) -> tuple[Pairing, ...]:
    place, prices = lot_places(lots, seeds), price_seats(count_seats(played, seeds))
    return tuple(Pairing(seat_table(table, prices, place) if len(table) > 1 else tuple(table)) for table in tables)


def _bracket_tables(
    played: Sequence[StageRound], seeds: Sequence[Number], left: frozenset[Number]
) -> list[tuple[Number, ...]]:
    """Return the next tables of the players left in the bracket. One without an opponent has a bye."""
    size = 1 << (len(seeds) - 1).bit_length()
    slots = [seeds[seed - 1] if seed <= len(seeds) else _NONE for seed in bracket_order(size)]
    for each in played:
        if len(slots) > 1:
            slots = _play_slots(slots, each, seeds)
    pairs = (tuple(number for number in pair if number in left) for pair in zip(slots[::2], slots[1::2], strict=False))
    return [pair for pair in pairs if pair]


def _play_slots(slots: Sequence[Number], each: StageRound, seeds: Sequence[Number]) -> list[Number]:
    """Return the winner of each pair of neighbours in the bracket, by the pairings that were really played."""
    tables = {number: pairing for pairing in each.pairings for number in people_of(pairing.seats)}
    winners = []
    for one, other in zip(slots[::2], slots[1::2], strict=True):
        pairing = tables.get(one) or tables.get(other)
        advancing = decide_table(pairing, seeds).advancing if pairing is not None and pairing.is_over else ()
        winners.append(advancing[0] if advancing else _NONE)
    return winners


def survivors(
    played: Sequence[StageRound], seeds: Sequence[Number], rules: KnockoutRules, withdrawn: Iterable[Number] = ()
) -> tuple[Number, ...]:
    """Return the players who are still in after these rounds, by seed."""
    losses, gone = count_losses(played, seeds, rules.advance), frozenset(withdrawn)
    return tuple(seed for seed in seeds if not losses[seed] and seed not in gone)


def _next_tables(
    played: Sequence[StageRound], left: Sequence[Number], rules: KnockoutRules
) -> list[tuple[Number, ...]]:
    """Return the next larger tables, filled in snake order so that the best seeds are spread over all tables."""
    # A round with a single pairing was the last table: nobody else played or had a bye.
    if played and len(played[-1].pairings) == 1:
        return []
    if len(left) <= rules.seats:
        return [tuple(left)]
    full, short, byes = table_sizes(len(left), rules.seats)
    count = full + short
    tables: list[list[Number]] = [[] for _ in range(count)]
    for index, number in enumerate(left[byes:]):
        row, column = divmod(index, count)
        tables[column if row % 2 == 0 else count - 1 - column].append(number)
    return [*map(tuple, tables), *((number,) for number in left[:byes])]


def rank_knockout(
    played: Sequence[StageRound],
    seeds: Sequence[Number],
    rules: KnockoutRules,
    departures: Sequence[Number] = (),
) -> tuple[tuple[int, Number], ...]:
    """Return everybody with a place. Players who are out in the same round share a place; the last table is ranked.

    `departures` lists the entrants who left, in the order in which they left.
    """
    # The first ruleset ranked double elimination like a knockout, by the first loss.
    lives = _LIVES if rules.double and rules.ruleset.counts_losses else 1
    losses, left = dict.fromkeys(seeds, 0), list(seeds)
    levels: list[list[Number]] = []
    for each in played:
        seated = {number for pairing in each.pairings for number in pairing.seats} or set(left)
        out = {number for number in left if number not in seated}
        if is_last_table(each):
            # A player who left before the last table ranks behind everybody who sat at it.
            levels.append([number for number in left if number in out])
            left, out = [number for number in left if number in seated], set()
            if lives == 1 and each.pairings[0].is_over:
                levels += _part_table(each.pairings[0], left, seeds, rules)
                left = []
                break
        ends_all = is_single_final(each, losses, rules)
        for pairing in each.pairings:
            if pairing.is_over:
                for number in decide_table(pairing, seeds, rules.advance).out:
                    losses[number] += 1
                    if losses[number] >= lives or ends_all:
                        out.add(number)
        levels.append([number for number in left if number in out])
        left = [number for number in left if number not in out]
    levels += _part_survivors(left, losses, rules, departures, rounds=len(played))
    ranked: list[tuple[int, Number]] = []
    for level in reversed(levels):
        place = len(ranked) + 1
        ranked += [(place, number) for number in level]
    return tuple(ranked)


def is_last_table(each: StageRound) -> bool:
    """Return True if the round has a single table and no bye."""
    return len(each.pairings) == 1 and not each.pairings[0].is_bye


def _part_table(
    table: Pairing, left: Sequence[Number], seeds: Sequence[Number], rules: KnockoutRules
) -> list[list[Number]]:
    """Return the groups that share a place at the last table, worst first."""
    results = dict(zip(table.seats, table.results, strict=True))
    champion = decide_table(table, seeds).advancing if rules.ruleset.names_one_champion else ()

    def rank(number: Number) -> tuple[bool, bool, int]:
        result = results[number]
        if not rules.ruleset.names_one_champion:
            return (False, False, result.place)
        # Somebody else played an unfinished seat to its place, so that place does not count.
        return (number not in champion, not result.finished, result.place if result.finished else 0)

    ranks = sorted({rank(number) for number in left}, reverse=True)
    return [[number for number in left if rank(number) == one] for one in ranks]


def _part_survivors(
    left: Sequence[Number],
    losses: Mapping[Number, int],
    rules: KnockoutRules,
    departures: Sequence[Number],
    rounds: int,
) -> list[list[Number]]:
    """Return the groups that share a place among players whom no table eliminated, worst first."""
    if not rules.ruleset.names_one_champion or (rules.rounds is not None and rounds >= rules.rounds):
        return [list(left)]
    away = frozenset(departures)
    staying = [number for number in left if number not in away]
    # If all have left, the last to leave was the winner, and keeps that place after leaving during a later stage.
    champion = [] if staying else [number for number in departures if number in left][-1:]
    leaving = [number for number in left if number in away and number not in champion]
    return [
        leaving,
        champion,
        *([number for number in staying if losses[number] == count] for count in reversed(range(_LIVES))),
    ]


def pair_double_elimination(
    played: Sequence[StageRound],
    seeds: Sequence[Number],
    rules: KnockoutRules,
    lots: Sequence[Number],
    withdrawn: Iterable[Number] = (),
) -> tuple[Pairing, ...]:
    """Return the next round with two lives each: the winners' bracket, then the players with one loss.

    Players with one loss meet again only if that cannot be avoided. When one of each is left they play the final; with
    `reset` the undefeated finalist may lose it once.
    """
    gone = frozenset(withdrawn)
    losses = count_losses(played, seeds)
    winners = [seed for seed in seeds if losses[seed] == 0 and seed not in gone]
    losers = [seed for seed in seeds if losses[seed] == 1 and seed not in gone]
    if _is_final_over(played, losses, rules) or len(winners) + len(losers) < TWO_SEATS:
        return ()
    if len(winners) <= 1 and len(winners) + len(losers) == TWO_SEATS:
        tables = [(*winners, *losers)]
    else:
        # A single undefeated player waits for the final.
        first = [tuple(winners)] if len(winners) == 1 else _bracket_tables(played, seeds, frozenset(winners))
        tables = [*first, *_losers_tables(played, losers, seeds)]
    return _seat_tables(tables, played, seeds, lots)


def count_losses(played: Iterable[StageRound], seeds: Sequence[Number], advance: int = 1) -> dict[Number, int]:
    """Count the tables from which each player did not advance. If nobody finished a table, all at it have lost."""
    losses = dict.fromkeys(seeds, 0)
    for pairing in list_pairings(played):
        if pairing.results:
            for number in decide_table(pairing, seeds, advance).out:
                losses[number] += 1
    return losses


def _is_final_over(played: Sequence[StageRound], losses: Mapping[Number, int], rules: KnockoutRules) -> bool:
    """Return True if the last round was a final that ended the stage with both finalists on one loss."""
    if not played or not is_last_table(played[-1]):
        return False
    final = played[-1].pairings[0]
    out = decide_table(final, tuple(losses)).out
    if not is_single_final(played[-1], {number: losses[number] - (number in out) for number in final.seats}, rules):
        return False
    # The first ruleset also counted players who had withdrawn, and then played a reset that nobody had asked for.
    return rules.ruleset.counts_losses or all(
        number in final.seats for number, count in losses.items() if count < _LIVES
    )


def is_single_final(each: StageRound, losses: Mapping[Number, int], rules: KnockoutRules) -> bool:
    """Return True for a final that is played once: one undefeated, one with a loss before it, and no `reset`."""
    if not rules.double or rules.reset or not is_last_table(each):
        return False
    return sorted(losses[number] for number in each.pairings[0].seats) == [0, 1]


def _losers_tables(
    played: Sequence[StageRound], losers: Sequence[Number], seeds: Sequence[Number]
) -> list[tuple[Number, ...]]:
    """Pair the players with one loss: first those who have not met, then by the fold of seeds. One may have a bye."""
    if len(losers) < TWO_SEATS:
        return [tuple(losers)] if losers else []
    rank = {number: place + 1 for number, place in lot_places(seeds).items()}
    met: dict[Number, list[int]] = {number: [] for number in losers}
    for (one, other), times in count_meetings(played).items():
        if one in met and other in met:
            met[one] += [rank[other]] * times
            met[other] += [rank[one]] * times
    # Byes of round 1 fill up the bracket and do not count against anybody.
    rested = {pairing.seats[0] for pairing in list_pairings(played[1:]) if pairing.is_bye}
    field = [SwissEntrant(rank[one], 0, opponents=tuple(met[one]), had_bye=one in rested) for one in losers]
    return [tuple(seeds[place - 1] for place in pair) for pair in pair_brackets(field)]
