"""The deck, which has no order, and the cards that leave it for hands and table."""

from __future__ import annotations

from collections import Counter

from engine.game import Pick
from engine.games.tir_na_nog.state import TirNaNog


def held(hand: tuple[str, ...], *cards: str) -> tuple[str, ...]:
    """The hand with these cards, in the canonical order."""
    return tuple(sorted(hand + cards))


def draw(state: TirNaNog, pick: Pick, count: int) -> tuple[str, ...]:
    """Cards out of the deck, one pick each; an empty deck is made anew from the discards."""
    deck, cards = list(state.deck), []
    for _ in range(count):
        deck = deck or sorted(state.discards)
        cards.append(deck.pop(pick(len(deck))))
    return tuple(cards)


def drawable(state: TirNaNog, cards: tuple[str, ...], count: int) -> bool:
    """Whether some picks draw just these cards."""
    rest = len(state.deck)
    return (
        len(cards) == count
        and Counter(cards[:rest]) <= Counter(state.deck)
        and Counter(cards[rest:]) <= Counter(state.discards)
    )


def drawn_from(state: TirNaNog, cards: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Deck and discards after these cards were drawn one by one; an empty deck is made anew from the discards."""
    deck, discards = list(state.deck), state.discards
    for card in cards:
        if not deck:
            deck, discards = sorted(discards), ()
        deck.remove(card)
    return tuple(deck), discards
