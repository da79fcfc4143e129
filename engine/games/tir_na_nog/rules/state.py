"""The table of Tír na nÓg, with its deck, which has no order: a card is drawn when it is needed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from engine.game import Pick, State
from engine.games.tir_na_nog.rules.saga import Saga

BALOR = 1
"""In a solo match seat 0 is the person and seat 1 is Balor."""
ROUNDS = 5
STORYTELLERS = 3
HAND = 5
HIGHEST, LOWEST = "highest", "lowest"
OTHER_SIDE = {HIGHEST: LOWEST, LOWEST: HIGHEST}


@dataclass(frozen=True)
class Gaze:
    """The reasons for Balor's last action, in plain values.

    `tied` are the spaces, or the cells of the cards, that share the best sum or printed value, in the order of the walk
    from the marker: the first is the one he chose. `passed` are the occupied spaces he would have preferred. `tellers`
    are his Storytellers that could take the card, in the order of the walk: the first went home.
    """

    side: str
    verb: str
    best: int
    tied: tuple[str, ...]
    passed: tuple[str, ...] = ()
    tellers: tuple[str, ...] = ()
    echtra: bool = False


@dataclass(frozen=True)
class Asking:
    """The question on the table.

    `what` is one of: start deal lay turn draw (chance) · mark place take far echtra keep play after resolve keen
    cleanup scoring spare (seats) · an empty text once the match is over. `far` is the take after Mag Mell, `echtra` the
    take of an Echtra turn, `after` the Cobblers after the play, `resolve` a When Played effect, `keen` the Banshee,
    `scoring` the Selkie, `spare` a card out of Balor's pile. `about` is the place of the card that asks (resolve,
    scoring), or the spot of the Storyteller just lost (keen). `card` is the card whose effect asks. `left` is how many
    cards are still to be discarded (spare).
    """

    what: str = ""
    about: str = ""
    card: str = ""
    left: int = 0


@dataclass(frozen=True, kw_only=True)
class TirNaNog(State):
    """The whole table. The deck has no order, and hands are kept in the canonical order of cards."""

    edition: str
    geas_option: str
    balor: str
    geas: tuple[str, ...]
    deck: tuple[str, ...]
    discards: tuple[str, ...] = ()
    round: int = 1
    phase: str = "setup"
    token: int = 0
    grid: tuple[str, ...] = ()
    out: tuple[tuple[str, ...], ...]
    used: tuple[tuple[str, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    sagas: tuple[Saga, ...]
    played: str = ""
    drawn: str = ""
    drawer: int = -1
    answers: tuple[str, ...]
    pile: tuple[str, ...] = ()
    side: str = HIGHEST
    marker: str = ""
    turned: str = ""
    flipped: bool = False
    gaze: Gaze | None = None

    @property
    def solo(self) -> bool:
        """True if seat 1 is Balor."""
        return self.balor != "off"


class Asks:
    """A step of this game that says what the table waits for."""

    what: ClassVar[str] = ""

    def asking(self, state: TirNaNog) -> Asking:
        """Return the current question, without anything hidden."""
        return Asking(self.what)


def hand_with(hand: tuple[str, ...], *cards: str) -> tuple[str, ...]:
    """Return the hand with these cards, in the canonical order."""
    return tuple(sorted(hand + cards))


def draw_cards(state: TirNaNog, pick: Pick, count: int) -> tuple[str, ...]:
    """Draw cards from the deck, one pick each. An empty deck is refilled from the discards."""
    deck, cards = list(state.deck), []
    for _ in range(count):
        deck = deck or sorted(state.discards)
        cards.append(deck.pop(pick(len(deck))))
    return tuple(cards)


def can_draw(state: TirNaNog, cards: tuple[str, ...], count: int) -> bool:
    """Return True if some picks draw exactly these cards."""
    rest = len(state.deck)
    return (
        len(cards) == count
        and Counter(cards[:rest]) <= Counter(state.deck)
        and Counter(cards[rest:]) <= Counter(state.discards)
    )


def remove_drawn(state: TirNaNog, cards: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return deck and discards after these cards were drawn one by one. An empty deck is refilled from the discards."""
    deck, discards = list(state.deck), state.discards
    for card in cards:
        if not deck:
            deck, discards = sorted(discards), ()
        deck.remove(card)
    return tuple(deck), discards
