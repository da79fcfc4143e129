"""The notation of costs and benefits: `M2 V1` is two melody and one volume; a text is parsed once into an Effect."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Effect(NamedTuple):
    """The amounts of a cost or a benefit."""

    melody: int = 0
    lyrics: int = 0
    wild: int = 0
    volume: int = 0
    coins: int = 0
    acoustic: int = 0
    range: int = 0
    movement: int = 0
    tempo: int = 0
    fans: int = 0
    gems: int = 0


SIGNS = {
    "M": "melody",
    "L": "lyrics",
    "X": "wild",
    "V": "volume",
    "C": "coins",
    "A": "acoustic",
    "R": "range",
    "MV": "movement",
    "T": "tempo",
    "G": "gems",
}
NOTHING = Effect()


@cache
def parse(text: str) -> Effect:
    """Parse an effect in card notation; `-` means none."""
    amounts: dict[str, int] = {}
    for part in text.split():
        if part == "FAN":
            amounts["fans"] = 1
        elif part != "-":
            sign = part.rstrip("-0123456789")
            amounts[SIGNS[sign]] = int(part[len(sign) :])
    return Effect(**amounts)


def rows(table: str) -> tuple[tuple[str, ...], ...]:
    """Return the cells of a text table, row by row."""
    return tuple(tuple(cell.strip() for cell in row.split("|")) for row in table.strip().splitlines())
