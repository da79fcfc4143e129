"""Repeated pairings of a stage: the number in each round, and the number that is certain in advance.

A pair meets again in a round if both sat at one table in an earlier round of the stage. A forfeited match of two does
not count as a meeting. `count_certain_repeats` uses only the numbers of players and rounds, and returns the repeats
that no pairing can avoid: after enough rounds nobody is left to meet, and two tables of four cannot be mixed without
people of the same table sitting together again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from service.tournaments.formats.crosstable import Number, StageRound, count_meetings
from service.tournaments.formats.pods import table_sizes
from service.tournaments.formats.stage_rules import DOUBLE, DUPLICATE, PODS, SWISS

COUNTED_FORMATS = frozenset({SWISS, PODS, DUPLICATE, DOUBLE})
"""Formats that avoid repeats. In other formats the rules make people meet again."""


def count_repeats(rounds: Iterable[StageRound]) -> dict[int, int]:
    """Count the pairs of people who meet again in each round, by the number of the round."""
    met: set[tuple[Number, Number]] = set()
    repeats: dict[int, int] = {}
    for each in rounds:
        repeats[each.number] = sum(pair in met for pairing in each.pairings for pair in pairing.list_meetings())
        met.update(count_meetings([each]))
    return repeats


def count_certain_repeats(format_: str, entrants: int, seats: int, rounds: int) -> tuple[int, ...]:
    """Return the least number of pairs who must meet again in each round if everybody plays all rounds."""
    if format_ == DUPLICATE:
        tables, byes = _spread_evenly(entrants, seats), 0
    elif format_ == PODS:
        full, short, byes = table_sizes(entrants, seats)
        tables = [seats] * full + [seats - 1] * short
    else:
        tables, byes = [2] * (entrants // 2), entrants % 2
    meetings = sum(map(_count_pairs, tables))
    again = sum(times * _count_mixed(size, [*tables, *[1] * byes]) for size, times in Counter(tables).items())
    totals = [0]
    for number in range(1, rounds + 1):
        # Either there are more meetings than pairs of people, or the tables of the round before cannot be mixed.
        beyond = number * meetings - _count_pairs(entrants)
        totals.append(max(totals[-1] + (again if number > 1 else 0), beyond))
    return tuple(after - before for before, after in pairwise(totals))


def _spread_evenly(entrants: int, seats: int) -> list[int]:
    """Return the number of people at each table if bots fill the rest. An even spread causes the fewest meetings."""
    tables = -(-entrants // seats) or 1
    return [entrants // tables + (index < entrants % tables) for index in range(tables)]


def _count_pairs(people: int) -> int:
    return people * (people - 1) // 2


def _count_mixed(size: int, before: Sequence[int]) -> int:
    """Return the least number of pairs at a table of this size who sat together in the round before."""
    taken, repeats = [0] * len(before), 0
    for _ in range(size):
        room = [index for index, most in enumerate(before) if taken[index] < most]
        table = min(room, key=taken.__getitem__)
        repeats += taken[table]
        taken[table] += 1
    return repeats
