"""A Saga: three rows of placed cards with their tokens, and everything derived from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS
from engine.games.tir_na_nog.rules.effects.registry import ONGOING

ROWS = ("top", "middle", "bottom")
LATER = frozenset(slug for slug, card in CARDS.items() if card.timing in {"journey", "saga", "scoring"})
MOST_PLAYED = 5
MOST_SLOTS = 9
"""Maximum number of plays in a round: five, the Valley's move and the Cobblers make seven. Whenever the Dock swaps the
Cobblers out, they may come back for one more, and the Dock can be played twice if it was eaten and drawn again."""

Place = str  # top1 to bottom9
Point = tuple[int, int]  # row and slot, both from 0

PLACE: dict[Point, Place] = {
    (row, slot): f"{name}{slot + 1}" for row, name in enumerate(ROWS) for slot in range(MOST_SLOTS)
}
POINT: dict[Place, Point] = {place: point for point, place in PLACE.items()}


@dataclass(frozen=True)
class Placed:
    """A card in a Saga with its tokens: a colour that covers the printed one, and an addition to its value."""

    card: str
    colour: str = ""
    extra: int = 0

    def __hash__(self) -> int:  # quick, and equal for equal cards
        return hash(self.card)


@dataclass(frozen=True)
class Standing:
    """One card of a Saga as it counts now, with its printed values."""

    place: Place
    card: str
    colour: str
    value: int
    printed_colour: str
    printed_value: int


Row = tuple[Placed | None, ...]
UNTOUCHED: dict[str, Placed] = {slug: Placed(slug) for slug in CARDS}


@dataclass(frozen=True)
class Saga:
    """Three rows from top to bottom. None is a hole, and no row ends with one. Derived values are cached."""

    rows: tuple[Row, ...] = ((), (), ())

    def at(self, point: Point) -> Placed | None:
        """Return the card at a point, or None."""
        row, slot = point
        if not 0 <= row < len(ROWS) or not 0 <= slot < len(self.rows[row]):
            return None
        return self.rows[row][slot]

    def card(self, point: Point) -> Placed:
        """Return the card at a point. Raise `LookupError` if there is none."""
        placed = self.at(point)
        if placed is None:
            raise LookupError(f"no card lies at {PLACE[point]}")
        return placed

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The points with cards: top, middle, bottom, each from the left."""
        return tuple((at, slot) for at, row in enumerate(self.rows) for slot, placed in enumerate(row) if placed)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The cards in the order of their points."""
        return tuple([placed.card for row in self.rows for placed in row if placed])

    @cached_property
    def powers(self) -> tuple[Point, ...]:
        """The points of cards that may do something later, in a phase or at Scoring."""
        if LATER.isdisjoint(self.cards):
            return ()
        return tuple(point for point, card in zip(self.points, self.cards, strict=True) if card in LATER)

    @cached_property
    def open(self) -> tuple[int, ...]:
        """The rows with fewer than five cards, to which cards may be played."""
        return tuple([at for at, row in enumerate(self.rows) if len(row) - row.count(None) < MOST_PLAYED])

    def slot(self, row: int) -> int:
        """Return the first open slot of a row."""
        cards = self.rows[row]
        return cards.index(None) if None in cards else len(cards)

    def near(self, point: Point) -> list[Point]:
        """Return the points with cards next to this one: above, left, right, below."""
        row, slot = point
        around = ((row - 1, slot), (row, slot - 1), (row, slot + 1), (row + 1, slot))
        return [other for other in around if self.at(other)]

    @cached_property
    def colours(self) -> tuple[tuple[str, ...], ...]:
        """The current colours in the shape of the rows, with an empty string for a hole."""
        return tuple(
            tuple((placed.colour or CARDS[placed.card].colour) if placed else "" for placed in row) for row in self.rows
        )

    @cached_property
    def values(self) -> tuple[tuple[int, ...], ...]:
        """The current values in the shape of the rows, with -1 for a hole. Values are never below 0.

        They are computed from left to right, since a card may copy the value on its left.
        """
        return tuple(tuple(self._values(at)) for at in range(len(ROWS)))

    @cached_property
    def standing(self) -> tuple[tuple[Standing | None, ...], ...]:
        """The cards as they count now in the shape of the rows, with None for a hole."""
        return tuple(
            tuple(
                Standing(
                    PLACE[at, slot], placed.card, colour, value, CARDS[placed.card].colour, CARDS[placed.card].value
                )
                if placed
                else None
                for slot, (placed, colour, value) in enumerate(zip(*columns, strict=True))
            )
            for at, columns in enumerate(zip(self.rows, self.colours, self.values, strict=True))
        )

    def _values(self, row: int) -> Iterator[int]:
        left = -1
        for slot, placed in enumerate(self.rows[row]):
            if placed is None:
                left = -1
            else:
                worth = ONGOING.get(placed.card)
                value = worth(Here(self, (row, slot), left)) if worth else CARDS[placed.card].value
                left = max(0, value + placed.extra)
            yield left

    @cached_property
    def regions(self) -> dict[str, int]:
        """The size of the largest connected region of each colour."""
        largest = dict.fromkeys(COLOURS, 0)
        left = set(self.points)
        while left:
            colour, size = self._region(left)
            largest[colour] = max(largest[colour], size)
        return largest

    def _region(self, left: set[Point]) -> tuple[str, int]:
        start = left.pop()
        colours, edge, size = self.colours, [start], 0
        colour = colours[start[0]][start[1]]
        while edge:
            row, slot = edge.pop()
            size += 1
            for other in ((row - 1, slot), (row, slot - 1), (row, slot + 1), (row + 1, slot)):
                if other in left and colours[other[0]][other[1]] == colour:
                    left.remove(other)
                    edge.append(other)
        return colour, size

    def play(self, row: int, card: str) -> Saga:
        """Return the Saga with a card played to a row, where it fills the first open slot."""
        return self.put((row, self.slot(row)), UNTOUCHED[card])

    def put(self, point: Point, placed: Placed | None) -> Saga:
        """Return the Saga with this card, or a hole, at a point."""
        at, slot = point
        row = self.rows[at]
        changed = (*row[:slot], placed, *row[slot + 1 :])
        while changed and changed[-1] is None:
            changed = changed[:-1]
        return Saga((*self.rows[:at], changed, *self.rows[at + 1 :]))

    def move(self, start: Point, row: int) -> Saga:
        """Return the Saga with a card moved to another row, to the slot that was open before the card left its own."""
        end = (row, self.slot(row))
        return self.put(end, self.at(start)).put(start, None)

    def swap(self, one: Point, other: Point) -> Saga:
        """Return the Saga with two cards swapped."""
        return self.put(one, self.at(other)).put(other, self.at(one))


NO_SAGA = Saga()


@dataclass(frozen=True)
class Here:
    """A placed card in its place. `left` is the current value of the card on its left, or -1."""

    saga: Saga
    point: Point
    left: int = -1

    @property
    def place(self) -> Place:
        """The place as lines name it."""
        return PLACE[self.point]

    @property
    def card(self) -> str:
        """The card at this point."""
        placed = self.saga.at(self.point)
        return placed.card if placed else ""

    @property
    def printed(self) -> int:
        """The printed value."""
        return CARDS[self.card].value

    @property
    def colour(self) -> str:
        """The current colour."""
        return self.colour_at(self.point)

    def near(self) -> list[Point]:
        """Return the points next to this card where cards lie."""
        return self.saga.near(self.point)

    def near_colours(self) -> list[str]:
        """Return the different current colours next to this card, in their usual order."""
        near = {self.colour_at(point) for point in self.near()}
        return [colour for colour in COLOURS if colour in near]

    def colour_at(self, point: Point) -> str:
        """Return the current colour of another card of the Saga, or an empty string."""
        return self.saga.colours[point[0]][point[1]] if self.saga.at(point) else ""
