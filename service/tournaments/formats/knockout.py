"""Knockout: tables of two to five until one is left, and double elimination, where one loss is forgiven.

Seeds are entrants, best first. Tables of two follow a fixed bracket (1-16, 8-9, 4-13, 5-12, ...); larger ones are
filled anew each round, to and fro over the tables. A seat that its entrant did not finish does not advance, nor who
withdrew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from service.tournaments.formats.crosstable import BOT, TWO_SEATS, Number, Pairing, StageRound, count_meetings
from service.tournaments.formats.pods import table_sizes
from service.tournaments.formats.rulesets import NEWEST, Ruleset
from service.tournaments.formats.seating import count_seats, price_seats, seat_table
from service.tournaments.formats.swiss_matching import SwissEntrant, pair_brackets

_NONE = 0
_LIVES = 2


@dataclass(frozen=True, slots=True)
class KnockoutRules:
    """What a knockout or a double elimination fixes beforehand; without `rounds` it goes on until one table is left.

    `double` gives everybody two lives; with `reset` the undefeated finalist may lose the final once.
    """

    seats: int = TWO_SEATS
    advance: int = 1
    rounds: int | None = None
    double: bool = False
    reset: bool = False
    ruleset: Ruleset = NEWEST


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """Who of a table goes on, best first, who is out, and whether the better seed decided between people level."""

    advancing: tuple[Number, ...]
    out: tuple[Number, ...]
    by_seed: bool = False


def bracket_order(size: int) -> tuple[int, ...]:
    """The seeds of a bracket from top to bottom, for a power of two: 1, 16, 8, 9, 4, 13, 5, 12, ..."""
    order = [1]
    while len(order) < size:
        order = [seed for each in order for seed in (each, 2 * len(order) + 1 - each)]
    return tuple(order)


def decide_table(pairing: Pairing, seeds: Sequence[Number], advance: int = 1) -> TableOutcome:
    """Who goes on from a table that is over: the best places of seats finished, of people level the better seed."""
    people = [number for number in pairing.seats if number != BOT]
    if pairing.is_bye:
        return TableOutcome(tuple(people), ())
    rank = {number: at for at, number in enumerate(seeds)}
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
    """Whether people level at this table would be parted by their seeds alone, so that `replay: 1` plays it again."""
    return decide_table(pairing, seeds, advance).by_seed


def pair_knockout(
    played: Sequence[StageRound],
    seeds: Sequence[Number],
    rules: KnockoutRules,
    lots: Sequence[Number],
    withdrawn: Iterable[Number] = (),
) -> tuple[Pairing, ...]:
    """The tables of the next round, byes as tables of one; none when the stage is over."""
    gone = frozenset(withdrawn)
    if rules.rounds is not None and len(played) >= rules.rounds:
        return ()
    if rules.seats == TWO_SEATS:
        tables = _next_of_bracket(played, seeds, gone)
    else:
        tables = _next_tables(played, seeds, rules, gone)
    if not any(len(table) > 1 for table in tables):
        return ()
    return _seat_tables(tables, played, seeds, lots)


def _seat_tables(
    tables: Iterable[Sequence[Number]], played: Sequence[StageRound], seeds: Sequence[Number], lots: Sequence[Number]
) -> tuple[Pairing, ...]:
    place = {number: at for at, number in enumerate((*lots, *(seed for seed in seeds if seed not in set(lots))))}
    prices = price_seats(count_seats(played, seeds))
    return tuple(Pairing(seat_table(table, prices, place) if len(table) > 1 else tuple(table)) for table in tables)


def _first_slots(seeds: Sequence[Number]) -> list[Number]:
    size = 1
    while size < len(seeds):
        size *= 2
    return [seeds[seed - 1] if seed <= len(seeds) else _NONE for seed in bracket_order(size)]


def _play_slots(slots: Sequence[Number], each: StageRound, seeds: Sequence[Number]) -> list[Number]:
    """Who comes out of each pair of neighbours in the bracket, as the round was really paired."""
    tables = {number: pairing for pairing in each.pairings for number in pairing.seats if number != BOT}
    found = []
    for one, other in zip(slots[::2], slots[1::2], strict=True):
        pairing = tables.get(one) or tables.get(other)
        going = decide_table(pairing, seeds).advancing if pairing is not None and pairing.is_over else ()
        found.append(going[0] if going else _NONE)
    return found


def _next_of_bracket(
    played: Sequence[StageRound], seeds: Sequence[Number], gone: frozenset[Number]
) -> list[tuple[Number, ...]]:
    slots = _first_slots(seeds)
    for each in played:
        if len(slots) == 1:
            return []
        slots = _play_slots(slots, each, seeds)
    slots = [_NONE if number in gone else number for number in slots]
    pairs = (tuple(number for number in pair if number != _NONE) for pair in zip(slots[::2], slots[1::2], strict=False))
    return [pair for pair in pairs if pair]


def survivors(
    played: Sequence[StageRound], seeds: Sequence[Number], rules: KnockoutRules, withdrawn: Iterable[Number] = ()
) -> tuple[Number, ...]:
    """Who is still in after these rounds, by seed."""
    gone, left = frozenset(withdrawn), set(seeds)
    for each in played:
        for pairing in each.pairings:
            if pairing.is_over:
                left -= set(decide_table(pairing, seeds, rules.advance).out)
    return tuple(seed for seed in seeds if seed in left and seed not in gone)


def _next_tables(
    played: Sequence[StageRound], seeds: Sequence[Number], rules: KnockoutRules, gone: frozenset[Number]
) -> list[tuple[Number, ...]]:
    left = survivors(played, seeds, rules, gone)
    # The last table has been played when a round had one only and nobody rested.
    if played and len(played[-1].pairings) == 1:
        return []
    if len(left) <= rules.seats:
        return [left] if len(left) > 1 else []
    full, short, byes = table_sizes(len(left), rules.seats)
    resting, playing = left[:byes], left[byes:]
    count = full + short
    tables: list[list[Number]] = [[] for _ in range(count)]
    for at, number in enumerate(playing):
        row, column = divmod(at, count)
        tables[column if row % 2 == 0 else count - 1 - column].append(number)
    return [*(tuple(table) for table in tables), *((number,) for number in resting)]


def rank_knockout(
    played: Sequence[StageRound],
    seeds: Sequence[Number],
    rules: KnockoutRules,
    departures: Sequence[Number] = (),
) -> tuple[tuple[int, Number], ...]:
    """Return everybody with a place. Whoever is out in the same round shares a place; the last table is ranked.

    `departures` lists those who are no longer in, in the order in which they left.
    """
    lives = _LIVES if rules.double and rules.ruleset.counts_losses else 1
    losses, left = dict.fromkeys(seeds, 0), list(seeds)
    levels: list[list[Number]] = []
    for each in played:
        seated = {number for pairing in each.pairings for number in pairing.seats} or set(left)
        out = {number for number in left if number not in seated}
        if is_last_table(each):
            # Whoever left before the last table ranks behind everybody who sat at it.
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
    found, place = [], 1
    for level in reversed([each for each in levels if each]):
        found += [(place, number) for number in level]
        place += len(level)
    return tuple(found)


def is_last_table(each: StageRound) -> bool:
    """Return True if nobody plays or rests beside the one table of this round."""
    return len(each.pairings) == 1 and not each.pairings[0].is_bye


def _part_table(
    table: Pairing, left: Sequence[Number], seeds: Sequence[Number], rules: KnockoutRules
) -> list[list[Number]]:
    """Return who shares a place at the last table, worst first."""
    results = dict(zip(table.seats, table.results, strict=True))
    champion = decide_table(table, seeds).advancing if rules.ruleset.names_one_champion else ()

    def rank(number: Number) -> tuple[bool, bool, int]:
        result = results[number]
        if not rules.ruleset.names_one_champion:
            return (False, False, result.place)
        # The place of an unfinished seat was made by somebody else, so it does not count.
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
    """Return who shares a place among those whom no table put out, worst first."""
    if not rules.ruleset.names_one_champion or (rules.rounds is not None and rounds >= rules.rounds):
        return [list(left)]
    away = frozenset(departures)
    staying = [number for number in left if number not in away]
    # Whoever was there last has won, and keeps that place after leaving a later stage.
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
    """The next round with two lives each: the winners' bracket, then those with one loss, without avoidable repeats.

    When one of each is left they play the final; with `reset` the undefeated one may lose it once.
    """
    gone = frozenset(withdrawn)
    losses = count_losses(played, seeds)
    winners = [seed for seed in seeds if losses[seed] == 0 and seed not in gone]
    losers = [seed for seed in seeds if losses[seed] == 1 and seed not in gone]
    if _is_final_over(played, losses, rules) or len(winners) + len(losers) < TWO_SEATS:
        return ()
    if len(winners) <= 1 and len(losers) <= 1:
        tables = [(*winners, *losers)]
    elif not winners and len(losers) == TWO_SEATS:
        tables = [tuple(losers)]
    else:
        first = (
            _winners_tables(played, seeds, losses, gone) if len(winners) > 1 else [tuple(winners)] if winners else []
        )
        tables = [*first, *_losers_tables(played, losers, seeds)]
    return _seat_tables(tables, played, seeds, lots)


def count_losses(played: Iterable[StageRound], seeds: Sequence[Number]) -> dict[Number, int]:
    """How many matches everybody has lost; both have where nobody finished."""
    losses = dict.fromkeys(seeds, 0)
    for each in played:
        for pairing in each.pairings:
            if pairing.results:
                for number in decide_table(pairing, seeds).out:
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
    # The first rules also counted those who had withdrawn, and then played a reset that nobody had asked for.
    return rules.ruleset.counts_losses or all(
        number in final.seats for number, count in losses.items() if count < _LIVES
    )


def is_single_final(each: StageRound, losses: Mapping[Number, int], rules: KnockoutRules) -> bool:
    """Return True for a final that is played once: one undefeated, one with a loss before it, and no `reset`."""
    if not rules.double or rules.reset or not is_last_table(each):
        return False
    return sorted(losses[number] for number in each.pairings[0].seats) == [0, 1]


def _winners_tables(
    played: Sequence[StageRound], seeds: Sequence[Number], losses: Mapping[Number, int], gone: frozenset[Number]
) -> list[tuple[Number, ...]]:
    """The next tables of the undefeated, along their bracket."""
    slots = _first_slots(seeds)
    for each in played:
        if len(slots) > 1:
            slots = _play_slots(slots, each, seeds)
    slots = [number if number != _NONE and losses[number] == 0 and number not in gone else _NONE for number in slots]
    pairs = (tuple(n for n in pair if n != _NONE) for pair in zip(slots[::2], slots[1::2], strict=False))
    return [pair for pair in pairs if pair]


def _losers_tables(
    played: Sequence[StageRound], losers: Sequence[Number], seeds: Sequence[Number]
) -> list[tuple[Number, ...]]:
    """Those with one loss, paired anew: who has not met, then the fold by seed; in an odd field one rests."""
    if len(losers) < TWO_SEATS:
        return [tuple(losers)] if losers else []
    rank = {number: at + 1 for at, number in enumerate(seeds)}
    met: dict[Number, list[int]] = {number: [] for number in losers}
    for (one, other), times in count_meetings(played).items():
        if one in met and other in met:
            met[one] += [rank[other]] * times
            met[other] += [rank[one]] * times
    rested = {pairing.seats[0] for each in played[1:] for pairing in each.pairings if pairing.is_bye}
    field = [SwissEntrant(rank[one], 0, opponents=tuple(met[one]), had_bye=one in rested) for one in losers]
    return [tuple(seeds[place - 1] for place in pair) for pair in pair_brackets(field)]
