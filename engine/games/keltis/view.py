"""The view of a seat or spectator of Keltis, and the table with everything else dealt again."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dealing import deal_cards
from engine.game import Pick, Score, Seat
from engine.games.keltis.cards import ASIDE, ORDER, Card, Row
from engine.games.keltis.rules import Deal, Draw, Keltis, Last, Name, hand_with
from engine.games.keltis.score import scores
from engine.starting_seat import DrawStart
from engine.tuples import put
from engine.view import View, shared_fields


@dataclass(frozen=True, kw_only=True)
class KeltisView(View):
    """The table as one seat sees it."""

    turn: int
    phase: str  # deal, play, draw, last or over
    draws: int
    closed: str
    deck: int
    aside: int
    hand: tuple[Card, ...]
    held: tuple[int, ...]
    rows: tuple[tuple[Row, ...], ...]
    piles: tuple[Row, ...]
    line: tuple[int, ...]
    stones: tuple[tuple[int, ...], ...]
    answered: tuple[Seat, ...]
    answer: tuple[str, ...] | None
    cause: str
    left: tuple[tuple[Card, ...], ...]  # the cards left in every hand, once the match is over
    scores: tuple[Score, ...]


def view(state: Keltis, seat: Seat | None) -> KeltisView:
    """Return the view of a seat, or of a spectator."""
    step = state.agenda[0] if state.agenda else None
    draw = step if isinstance(step, Draw) else None
    waiting = isinstance(step, Last)
    return KeltisView(
        **shared_fields(state, seat),
        turn=state.turn,
        phase=phase(state),
        draws=draw.left if draw else 0,
        closed=draw.closed if draw else "",
        deck=state.deck,
        aside=ASIDE[state.seats],
        hand=() if seat is None else state.hands[seat],
        held=tuple(map(len, state.hands)),
        rows=state.rows,
        piles=state.piles,
        line=tuple(sorted(state.line)),
        stones=state.stones,
        answered=tuple(at for at, answer in enumerate(state.answers) if answer is not None) if waiting else (),
        answer=state.answers[seat] if waiting and seat is not None else None,
        cause=state.cause,
        left=state.hands if state.over else (),
        scores=scores(state),
    )


def phase(state: Keltis) -> str:
    """Return the phase of the match."""
    if state.over:
        return "over"
    step = state.agenda[0]
    if isinstance(step, DrawStart | Deal):
        return "deal"
    if isinstance(step, Draw | Name):
        return "draw"
    return "last" if isinstance(step, Last) else "play"


def redeal(state: Keltis, seat: Seat | None, pick: Pick) -> Keltis:
    """Deal the other hands, the deck and sealed answers again.

    The sealed answers of other seats become empty: an answer names cards that the new hand may not have.
    """
    if state.over:
        return state
    others = [each for each in range(state.seats) if each != seat]
    pool = sorted((*state.unseen, *(card for other in others for card in state.hands[other])), key=ORDER.__getitem__)
    for other in others:
        hand = deal_cards(pool, len(state.hands[other]), pick)
        state = state.but(hands=put(state.hands, other, hand_with((), *hand)))
        if state.answers[other] is not None:
            state = state.but(answers=put(state.answers, other, ()))
    return state.but(unseen=tuple(pool))
