"""Transition from one stage to the next: qualifiers by place, by section or by advancing, and their seeds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from service.tournaments.formats.crosstable import Number, StageRound, lot_places
from service.tournaments.formats.knockout import decide_table
from service.tournaments.formats.tiebreaks import Standing


def order_standings(standings: Iterable[Standing], lots: Sequence[Number]) -> tuple[Number, ...]:
    """Return the entrants of a ranking, best first. The draw decides shared ranks."""
    place = lot_places(lots)
    ranked = sorted(standings, key=lambda line: (line.rank, place.get(line.number, len(place)), line.number))
    return tuple(line.number for line in ranked)


def take_places(
    sections: Iterable[Sequence[Number]],
    first: int,
    last: int,
    *,
    each_section: bool = False,
    withdrawn: Iterable[Number] = (),
) -> tuple[Number, ...]:
    """Return the entrants in places `first` to `last` of ordered sections, skipping those who withdrew.

    With `each_section` take these places from every section, all firsts before all seconds.
    """
    gone = frozenset(withdrawn)
    orders = [[number for number in order if number not in gone] for order in sections]
    if not each_section:
        return tuple([number for order in orders for number in order][first - 1 : last])
    return tuple(order[place - 1] for place in range(first, last + 1) for order in orders if place <= len(order))


def take_advancers(
    last_round: StageRound, seeds: Sequence[Number], advance: int, withdrawn: Iterable[Number] = ()
) -> tuple[Number, ...]:
    """Return the best of each table of a knockout's last round, by seed, skipping those who withdrew."""
    gone = frozenset(withdrawn)
    best = {number for pairing in last_round.pairings for number in decide_table(pairing, seeds, advance).advancing}
    return tuple(seed for seed in seeds if seed in best and seed not in gone)
