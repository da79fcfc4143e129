"""The same table with everything dealt anew that a seat cannot see."""

from __future__ import annotations

from engine.game import Pick, Seat
from engine.games.tir_na_nog.deck import held
from engine.games.tir_na_nog.state import TirNaNog


def redeal(state: TirNaNog, seat: Seat | None, pick: Pick) -> TirNaNog:
    """Deck, other hands, another's drawn card and other seats' sealed answers, all as this seat might imagine them."""
    others = [other for other in range(state.seats) if other != seat]
    foreign = bool(state.drawn) and state.drawer != seat
    unseen = [*state.deck, *(card for other in others for card in state.hands[other])]
    unseen += [state.drawn] if foreign else []
    unseen.sort()
    hands, answers = list(state.hands), list(state.answers)
    for other in others:
        hand = tuple(unseen.pop(pick(len(unseen))) for _ in state.hands[other])
        hands[other] = held(hand)
        answers[other] = hand[pick(len(hand))] if state.answers[other] else ""
    drawn = unseen.pop(pick(len(unseen))) if foreign else state.drawn
    return state.but(deck=tuple(unseen), hands=tuple(hands), answers=tuple(answers), drawn=drawn)
