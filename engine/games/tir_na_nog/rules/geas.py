"""The twelve Geas: their rows, their placement rules, and their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.saga import ROWS, Saga

TOP, MIDDLE, BOTTOM = range(len(ROWS))
LOWEST_POINTS = 4
PAIR_POINTS = 5

Allows = Callable[[Saga, int, int, str], bool]
"""Rule that says if a card may be played at this row and slot."""


@dataclass(frozen=True)
class Geas:
    """One Geas. `solo` is Balor's score for it in edition house-1; `first` marks the trio for a first match."""

    slug: str
    row: str
    score: Callable[[Saga], int]
    solo: int
    first: bool = False
    allows: Allows | None = None


GEAS: dict[str, Geas] = {}


def geas(
    slug: str, row: int, solo: int, *, first: bool = False, allows: Allows | None = None
) -> Callable[[Callable[[Saga], int]], Callable[[Saga], int]]:
    """Return a decorator that registers the function that scores this Geas."""

    def register(score: Callable[[Saga], int]) -> Callable[[Saga], int]:
        GEAS[slug] = Geas(slug, ROWS[row], score, solo, first, allows)
        return score

    return register


def other_colour(saga: Saga, row: int, slot: int, card: str) -> bool:
    """Return True if the printed colour is not the current one of the card on the left."""
    return slot == 0 or CARDS[card].colour != saga.colours[row][slot - 1]


def not_higher(saga: Saga, row: int, slot: int, card: str) -> bool:
    """Return True if the printed value is at most the current one of the card on the left."""
    return slot == 0 or CARDS[card].value <= saga.values[row][slot - 1]


def _neighbours(saga: Saga, row: int) -> Iterator[tuple[int, int]]:
    """Yield each card's value with that of the card on its left; -1 for none."""
    left = -1
    for value in saga.values[row]:
        if value >= 0:
            yield value, left
        left = value


def _columns(saga: Saga, row: int) -> Iterator[tuple[int, list[int]]]:
    """Yield each card's value with the values of the other cards of its column."""
    for slot, value in enumerate(saga.values[row]):
        if value >= 0:
            others = [values[slot] for at, values in enumerate(saga.values) if at != row and slot < len(values)]
            yield value, [other for other in others if other >= 0]


def _best_total(values: tuple[int, ...], fits: Callable[[int, int], bool]) -> int:
    """Return the best total of neighbouring cards that all fit after one another.

    `fits` gets the first and last slot.
    """
    best = 0
    for start in range(len(values)):
        total = 0
        for slot in range(start, len(values)):
            if values[slot] < 0 or not fits(start, slot):
                break
            total += values[slot]
            best = max(best, total)
    return best


@geas("oisin", TOP, 21, first=True)
def oisin(saga: Saga) -> int:
    """Cards above the card on their left score, and so does the first slot; not a card right after a hole."""
    values = saga.values[TOP]
    first = max(0, values[0]) if values else 0
    return first + sum(value for value, left in _neighbours(saga, TOP) if 0 <= left < value)


@geas("benandonner", TOP, 29)
def benandonner(saga: Saga) -> int:
    """Cards above every other card of their column score."""
    return sum(value for value, others in _columns(saga, TOP) if all(other < value for other in others))


@geas("diarmuid", TOP, 25, allows=other_colour)
def diarmuid(saga: Saga) -> int:
    """The best neighbouring cards in which no colour comes twice score their total."""
    colours = saga.colours[TOP]
    return _best_total(saga.values[TOP], lambda start, slot: colours[slot] not in colours[start:slot])


@geas("etain", TOP, 20)
def etain(saga: Saga) -> int:
    """Cards above the cards on both sides score; a missing one is no obstacle."""
    around = (-1, *saga.values[TOP], -1)
    return sum(
        value for at, value in enumerate(around[1:-1], 1) if value >= 0 and around[at - 1] < value > around[at + 1]
    )


@geas("fionn", MIDDLE, 12, first=True)
def fionn(saga: Saga) -> int:
    """Cards below the card on their left score."""
    return sum(value for value, left in _neighbours(saga, MIDDLE) if value < left)


@geas("knockgrafton", MIDDLE, 21)
def knockgrafton(saga: Saga) -> int:
    """Cards with the second-highest different value of their column score."""
    return sum(
        value for value, others in _columns(saga, MIDDLE) if len({other for other in others if other > value}) == 1
    )


@geas("deirdre", MIDDLE, 28, allows=not_higher)
def deirdre(saga: Saga) -> int:
    """The best neighbouring cards that never rise score their total."""
    values = saga.values[MIDDLE]
    return _best_total(values, lambda start, slot: slot == start or values[slot] <= values[slot - 1])


@geas("gollerus", MIDDLE, 24)
def gollerus(saga: Saga) -> int:
    """Cards of the colour of the card above or below score."""
    top, middle, bottom = saga.colours
    return sum(
        saga.values[MIDDLE][slot]
        for slot, colour in enumerate(middle)
        if colour and (top[slot : slot + 1] == (colour,) or bottom[slot : slot + 1] == (colour,))
    )


@geas("cathbad", BOTTOM, 12, first=True)
def cathbad(saga: Saga) -> int:
    """Each value that n cards share scores 4 for two, 10 for three, 18 for four, and so on."""
    counts = Counter(value for value in saga.values[BOTTOM] if value >= 0)
    return sum(count * count + count - 2 for count in counts.values())


@geas("lir", BOTTOM, 13)
def lir(saga: Saga) -> int:
    """The longest run of one colour scores its length squared, from two cards on."""
    longest, run, last = 0, 0, ""
    for colour in saga.colours[BOTTOM]:
        run = run + 1 if colour and colour == last else bool(colour)
        longest, last = max(longest, run), colour
    return longest * longest if longest > 1 else 0


@geas("fergus", BOTTOM, 17)
def fergus(saga: Saga) -> int:
    """Cards below every other card of their column score 4 each, if there is another."""
    return LOWEST_POINTS * sum(
        bool(others) and all(other > value for other in others) for value, others in _columns(saga, BOTTOM)
    )


@geas("owney", BOTTOM, 16)
def owney(saga: Saga) -> int:
    """Each pair of neighbours with equal values, or one apart, scores 5."""
    return PAIR_POINTS * sum(left >= 0 and abs(value - left) <= 1 for value, left in _neighbours(saga, BOTTOM))


BY_ROW: tuple[tuple[str, ...], ...] = tuple(
    tuple(slug for slug, each in GEAS.items() if each.row == row) for row in ROWS
)
FIRST: tuple[str, ...] = tuple(slug for slug, each in GEAS.items() if each.first)
