"""Round robin: the FIDE Berger tables, further cycles with seats exchanged, and sections of a large field.

Numbers here are start numbers within a section, from 1; seat 0 plays white. In an odd field the absent highest number
is a bye without points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from service.tournaments.formats.crosstable import Number, Pairing, StageRound

LEAST_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Section:
    """A group that is ranked apart: its number from 1, and its entrants in the order of their start numbers."""

    number: int
    entrants: tuple[Number, ...]


def berger_round(players: int, number: int) -> tuple[tuple[int, int], ...]:
    """The pairs of one round of the Berger table, white first, in the order of the handbook; `players` is even."""
    last = players - 1
    # Whom the highest number meets: twice their start number is the round's sum, modulo the others.
    middle = next(one for one in range(1, players) if (2 * one - number - 1) % last == 0)
    first = (middle, players) if middle <= players // 2 else (players, middle)
    others = (((middle + step - 1) % last + 1, (middle - step - 1) % last + 1) for step in range(1, players // 2))
    return (first, *others)


def berger_rounds(players: int, cycles: int = 1) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """All rounds of start numbers by seat; in an odd field a single number has a bye."""
    if players < LEAST_PLAYERS:
        return ()
    even = players + players % 2
    found = []
    for cycle in range(cycles):
        for number in range(1, even):
            pairs = (pair[::-1] if cycle % 2 else pair for pair in berger_round(even, number))
            found.append(tuple(tuple(one for one in pair if one <= players) for pair in pairs))
    return tuple(found)


def cut_sections(order: Iterable[Number], size: int) -> tuple[Section, ...]:
    """As few sections as `size` allows, sizes differing by one at most, larger first, cut from the given order."""
    entrants = tuple(order)
    count = -(-len(entrants) // size)
    sections, start = [], 0
    for at in range(count):
        end = start + len(entrants) // count + (at < len(entrants) % count)
        sections.append(Section(at + 1, entrants[start:end]))
        start = end
    return tuple(sections)


def count_rounds(players: int, cycles: int = 1) -> int:
    """How many rounds a section of so many has."""
    return (players + players % 2 - 1) * cycles if players > 1 else 0


def count_certain_rounds(least: int, size: int, cycles: int = 1) -> int:
    """How many rounds there are at least, whoever enters, where at least so many do; without sections `size` is 0."""
    fields = range(least, least + 2 * size) if size else (least,)
    return min(count_rounds(-(-many // -(-many // size)) if size else many, cycles) for many in fields)


def order_sections(sections: Iterable[Section], lots: Sequence[Number]) -> tuple[Section, ...]:
    """The sections with their start numbers given by the draw: earlier in the lot order, smaller start number."""
    place = {number: at for at, number in enumerate(lots)}
    return tuple(Section(each.number, tuple(sorted(each.entrants, key=place.__getitem__))) for each in sections)


def pair_round_robin(sections: Iterable[Section], cycles: int = 1) -> tuple[StageRound, ...]:
    """All rounds of a stage: the sections side by side, each by its own Berger table."""
    tables = [(each, berger_rounds(len(each.entrants), cycles)) for each in sections]
    longest = max((len(rounds) for _, rounds in tables), default=0)
    return tuple(
        StageRound(
            at + 1,
            tuple(
                Pairing(tuple(section.entrants[one - 1] for one in pair), section=section.number)
                for section, rounds in tables
                if at < len(rounds)
                for pair in rounds[at]
            ),
        )
        for at in range(longest)
    )
