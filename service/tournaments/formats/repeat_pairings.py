"""People who meet again in a stage: how many pairs in each of its rounds, and how many of them are certain beforehand.

A pair meets again in a round if both sat at one table in an earlier round of the stage; a match of two that a forfeit
prevented is no meeting. `count_certain_repeats` knows only how many play and how many rounds there are, and gives what
no pairing can avoid: after enough rounds nobody is left to meet, and two tables of four cannot be mixed without people
of the same table sitting together again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from service.tournaments.formats.crosstable import BOT, Number, StageRound
from service.tournaments.formats.pods import table_sizes
from service.tournaments.formats.stage_rules import DOUBLE, DUPLICATE, PODS, SWISS

COUNTED_FORMATS = frozenset({SWISS, PODS, DUPLICATE, DOUBLE})
"""Formats that avoid repeats; in others people meet again because the rules say so."""


def count_repeats(rounds: Iterable[StageRound]) -> dict[int, int]:
    """How many pairs of people meet again in each round, by its number."""
    met: set[tuple[Number, Number]] = set()
    found: dict[int, int] = {}
    for each in rounds:
        new: list[tuple[Number, Number]] = []
        repeats = 0
        for pairing in each.pairings:
            if pairing.is_bye:
                continue
            pairs = list(combinations(sorted(seat for seat in pairing.seats if seat != BOT), 2))
            repeats += sum(pair in met for pair in pairs)
            if not pairing.is_forfeit:
                new += pairs
        met.update(new)
        found[each.number] = repeats
    return found


def count_certain_repeats(format_: str, entrants: int, seats: int, rounds: int) -> tuple[int, ...]:
    """How many pairs must meet again in each round at least, whatever the results, when so many play all rounds."""
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
    """The people at each full table where bots fill the rest, as evenly as can be: so the fewest meet."""
    tables = -(-entrants // seats) or 1
    return [entrants // tables + (at < entrants % tables) for at in range(tables)]


def _count_pairs(people: int) -> int:
    return people * (people - 1) // 2


def _count_mixed(size: int, before: Sequence[int]) -> int:
    """The fewest pairs at a table of this size who sat together the round before, at tables of these sizes."""
    taken, repeats = [0] * len(before), 0
    for _ in range(size):
        room = [at for at, most in enumerate(before) if taken[at] < most]
        table = min(room, key=taken.__getitem__)
        repeats += taken[table]
        taken[table] += 1
    return repeats
