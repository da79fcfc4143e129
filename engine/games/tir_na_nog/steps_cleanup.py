"""Cleanup and Scoring: discards of all seats at once, the last choices before the count."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.game import ONLY, Action, Seal, Seat, Step
from engine.games.tir_na_nog.actions import DISCARDS, Discard
from engine.games.tir_na_nog.balor import DIFFICULTIES
from engine.games.tir_na_nog.effects.registry import SCORING
from engine.games.tir_na_nog.saga import PLACE, POINT, Here
from engine.games.tir_na_nog.state import ROUNDS, Asking, Asks, TirNaNog
from engine.tuples import put, without


@dataclass(frozen=True)
class Cleanup(Asks, Step[TirNaNog]):
    """Seats with more cards than rounds to come choose one to discard; all are shown when the last one is in."""

    sealed = Seal.UNTIL_REVEAL

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("cleanup")

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        left = ROUNDS - state.round
        return frozenset(
            [seat for seat, hand in enumerate(state.hands) if len(hand) > left > 0 and not state.answers[seat]]
        )

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return [DISCARDS[card] for card in dict.fromkeys(state.hands[seat])]

    def take(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        return state.but(answers=put(state.answers, seat, action.card)) if isinstance(action, Discard) else state

    def run(self, state: TirNaNog) -> TirNaNog:
        hands, gone = list(state.hands), list(state.discards)
        for seat, hand in enumerate(hands):
            leaving = hand if state.round == ROUNDS else tuple(filter(None, (state.answers[seat],)))
            for card in leaving:
                hands[seat] = without(hands[seat], card)
            gone += leaving
        return state.but(
            hands=tuple(hands),
            discards=(*gone, *filter(None, state.grid)),
            grid=(),
            answers=("",) * state.seats,
            reveals=state.reveals + (len(gone) > len(state.discards)),
            round=min(state.round + 1, ROUNDS),
            token=state.token if state.solo else (state.token + 1) % state.seats,
        )


@dataclass(frozen=True)
class Scoring(Step[TirNaNog]):
    """Scoring begins: cards with a choice ask their owners clockwise from the token, then Balor's pile is thinned."""

    def run(self, state: TirNaNog) -> TirNaNog:
        asked: list[Step[TirNaNog]] = []
        for at in range(state.seats):
            seat = (state.token + at) % state.seats
            saga = state.sagas[seat]
            asked += [ScoreCard(seat, PLACE[point]) for point in saga.powers if saga.card(point).card in SCORING]
        asked += [Spare(left) for left in range(DIFFICULTIES.get(state.balor, 0), 0, -1)]
        return state.but(phase="scoring").first(*asked)


@dataclass(frozen=True)
class ScoreCard(Asks, Step[TirNaNog]):
    """A card asks its owner before the count."""

    seat: Seat
    place: str

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("scoring", self.place, state.sagas[self.seat].card(POINT[self.place]).card)

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[self.seat]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        here = Here(state.sagas[seat], POINT[self.place])
        return list(SCORING[here.card](state, seat, here))


@dataclass(frozen=True)
class Spare(Asks, Step[TirNaNog]):
    """The person discards a card of Balor's pile; `left` cards are still to go."""

    left: int

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("spare", left=self.left)

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[0]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return [DISCARDS[card] for card in sorted(set(state.pile))]

    def take(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        state = state.but(agenda=state.agenda[1:])
        if not isinstance(action, Discard):
            return state
        return state.but(pile=without(state.pile, action.card), discards=(*state.discards, action.card))
