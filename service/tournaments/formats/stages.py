"""From one stage to the next: who qualifies by place, by section, or by advancing, and how they are seeded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from service.tournaments.formats.crosstable import Number, StageRound
from service.tournaments.formats.knockout import decide_table
from service.tournaments.formats.tiebreaks import Standing


def order_standings(standings: Iterable[Standing], lots: Sequence[Number]) -> tuple[Number, ...]:
    """Everybody of a ranking, best first; ranks that are shared by the draw."""
    place = {number: at for at, number in enumerate(lots)}
    last = len(place)
    return tuple(
        line.number
        for line in sorted(standings, key=lambda line: (line.rank, place.get(line.number, last), line.number))
    )


def take_places(
    sections: Iterable[Sequence[Number]],
    first: int,
    last: int,
    *,
    each_section: bool = False,
    withdrawn: Iterable[Number] = (),
) -> tuple[Number, ...]:
    """Who takes the places `first` to `last` of ordered sections, passing over who withdrew.

    With `each_section` these places are taken from every section, all firsts before all seconds.
    """
    gone = frozenset(withdrawn)
    orders = [[number for number in order if number not in gone] for order in sections]
    if not each_section:
        return tuple([number for order in orders for number in order][first - 1 : last])
    return tuple(order[place - 1] for place in range(first, last + 1) for order in orders if place <= len(order))


def take_advancers(
    last_round: StageRound, seeds: Sequence[Number], advance: int, withdrawn: Iterable[Number] = ()
) -> tuple[Number, ...]:
    """The first of each table of a knockout's last round, by seed, passing over who withdrew."""
    gone = frozenset(withdrawn)
    found = {number for pairing in last_round.pairings for number in decide_table(pairing, seeds, advance).advancing}
    return tuple(seed for seed in seeds if seed in found and seed not in gone)
