"""The cards of Keltis, and which cards fit on a row."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement

Card = str  # R0 to R10 and RE, then Y, G, B, P; Point cards are N0 to N10
Row = tuple[Card, ...]

COLOURS = "RYGBP"
POINT = "N"
PILES = COLOURS + POINT
POINTS = PILES.index(POINT)
HAND, ENDED_ROWS, ENDS_IN_A_ROW = 8, 5, 2
ASIDE = {2: 30, 3: 0, 4: 0}
STONES = frozenset(range(1, 10))

CARDS: tuple[Card, ...] = (
    *(f"{colour}{value}" for colour in COLOURS for value in (*range(11), "E")),
    *(f"{POINT}{value}" for value in range(11)),
)
ORDER = {card: at for at, card in enumerate(CARDS)}
PILE = {card: PILES.index(card[0]) for card in CARDS}
VALUE = {card: int(card[1:]) for card in CARDS if card[1:] != "E"}
ENDS = frozenset(CARDS) - VALUE.keys()
COPIES = {card: 2 if card[0] != POINT and VALUE.get(card, 3) in range(3, 8) else 1 for card in CARDS}
DECK: tuple[Card, ...] = tuple(card for card in CARDS for _ in range(COPIES[card]))
EQUALS = tuple(
    pair for pair in combinations_with_replacement(CARDS, 2) if VALUE.get(pair[0]) == VALUE.get(pair[1]) in STONES
)
LAYS = (*CARDS, *(f"{POINT}{value}:{colour}" for value in range(11) for colour in COLOURS))


@lru_cache(maxsize=1 << 16)
def fitting_cards(row: Row, pile: int, end_may_open: bool) -> frozenset[Card]:
    """Return the cards that may be laid on this row."""
    if pile == POINTS:
        return frozenset(card for card in CARDS if card[0] == POINT)
    colour, values = COLOURS[pile], [VALUE[card] for card in row if card in VALUE]
    ends = len(row) - len(values)
    end = {f"{colour}E"} if ends < ENDS_IN_A_ROW and (row or end_may_open) else set()
    if ends:
        return frozenset(end)
    if not values:
        return frozenset(end | {f"{colour}{value}" for value in range(11)})
    rising = next((value > values[0] for value in values if value != values[0]), None)
    low, high = values[-1] if rising else 0, values[-1] if rising is False else 10
    return frozenset(end | {f"{colour}{value}" for value in range(low, high + 1)} | {f"{POINT}{values[-1]}"})


def lays(hand: tuple[Card, ...], rows: tuple[Row, ...], end_may_open: bool) -> list[str]:
    """Return the rows for each different hand card: `R5`, `N5` for the Point row, `N5:R` for a colour row."""
    fits = [fitting_cards(row, pile, end_may_open) for pile, row in enumerate(rows)]
    places = []
    for card in dict.fromkeys(hand):
        pile = PILE[card]
        if card in fits[pile]:
            places.append(card)
        if pile == POINTS:
            places += [f"{card}:{colour}" for at, colour in enumerate(COLOURS) if card in fits[at]]
    return places


def alike(hand: tuple[Card, ...]) -> dict[int, list[Card]]:
    """Group the hand cards by value, for values that have a wish stone."""
    groups: dict[int, list[Card]] = {}
    for card in hand:
        if card in VALUE and VALUE[card] in STONES:
            groups.setdefault(VALUE[card], []).append(card)
    return groups
