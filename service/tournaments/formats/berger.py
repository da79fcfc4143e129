"""Round robin: FIDE Berger tables, further cycles with seats exchanged, and sections of a large field.

Numbers here are start numbers within a section, from 1. Seat 0 plays white. In an odd field the missing highest number
is a bye without points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from service.tournaments.formats.crosstable import Number, Pairing, StageRound, lot_places

LEAST_PLAYERS = 2


@dataclass(frozen=True, slots=True)
class Section:
    """A group with its own ranking: its number from 1, and its entrants in the order of their start numbers."""

    number: int
    entrants: tuple[Number, ...]


def berger_round(players: int, number: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of one round of the Berger table, white first, in the order of the handbook.

    `players` is even.
    """
    last = players - 1
    # Modulo `last`, the start numbers of every pair add up to the round plus 1. The opponent of the highest number is
    # the one that would meet itself.
    middle = next(one for one in range(1, players) if (2 * one - number - 1) % last == 0)
    first = (middle, players) if middle <= players // 2 else (players, middle)
    others = (((middle + step - 1) % last + 1, (middle - step - 1) % last + 1) for step in range(1, players // 2))
    return (first, *others)


def berger_rounds(players: int, cycles: int = 1) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return all rounds as start numbers by seat. In an odd field a single number has a bye."""
    if players < LEAST_PLAYERS:
        return ()
    even = players + players % 2
    rounds = []
    for cycle in range(cycles):
        for number in range(1, even):
            pairs = (pair[::-1] if cycle % 2 else pair for pair in berger_round(even, number))
            rounds.append(tuple(tuple(one for one in pair if one <= players) for pair in pairs))
    return tuple(rounds)


def cut_sections(order: Iterable[Number], size: int) -> tuple[Section, ...]:
    """Cut the order into as few sections as `size` allows. Sizes differ by at most one, larger sections first."""
    entrants = tuple(order)
    count = -(-len(entrants) // size)
    sections, start = [], 0
    for index in range(count):
        end = start + len(entrants) // count + (index < len(entrants) % count)
        sections.append(Section(index + 1, entrants[start:end]))
        start = end
    return tuple(sections)


def count_rounds(players: int, cycles: int = 1) -> int:
    """Return the number of rounds of a section with this number of players."""
    return (players + players % 2 - 1) * cycles if players > 1 else 0


def count_certain_rounds(least: int, size: int, cycles: int = 1) -> int:
    """Return the number of rounds that are certain if at least `least` players enter. Without sections `size` is 0."""
    fields = range(least, least + 2 * size) if size else (least,)
    return min(count_rounds(-(-many // -(-many // size)) if size else many, cycles) for many in fields)


def order_sections(sections: Iterable[Section], lots: Sequence[Number]) -> tuple[Section, ...]:
    """Return the sections with start numbers by the draw: earlier in the lot order means a smaller start number."""
    place = lot_places(lots)
    return tuple(Section(each.number, tuple(sorted(each.entrants, key=place.__getitem__))) for each in sections)


def pair_round_robin(sections: Iterable[Section], cycles: int = 1) -> tuple[StageRound, ...]:
    """Return all rounds of a stage: the sections side by side, each by its own Berger table."""
    rounds: list[list[Pairing]] = []
    for section in sections:
        for index, pairs in enumerate(berger_rounds(len(section.entrants), cycles)):
            if index == len(rounds):
                rounds.append([])
            for pair in pairs:
                seats = tuple(section.entrants[number - 1] for number in pair)
                rounds[index].append(Pairing(seats, section=section.number))
    return tuple(StageRound(number, tuple(pairings)) for number, pairings in enumerate(rounds, 1))
