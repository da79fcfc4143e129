"""The steps of chance: setup, cards drawn by a seat, tops of piles, and the rival's cards."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import NOBODY, ONLY_CHANCE, Action, Chance, Pick, Seat
from engine.games.bardwood_grove.rules.actions_chance import (
    KIND_AT,
    LEGENDS_AT,
    Bards,
    Draw,
    Events,
    Lay,
    Meet,
    Motifs,
    Muses,
    RivalDraws,
    Start,
    Top,
)
from engine.games.bardwood_grove.rules.board import FIRST_LAIR, LEGEND_PILES, MOTIFS_LAID, MUSES, PILE_AT, PILES
from engine.games.bardwood_grove.rules.cards import SKILLS, bards
from engine.games.bardwood_grove.rules.decks import draw_source
from engine.games.bardwood_grove.rules.events import EVENTS, following, follows
from engine.games.bardwood_grove.rules.motifs import motifs
from engine.games.bardwood_grove.rules.state import HAND, Bardwood

LAID_KINDS = ("fan", "impro", "impro", "skill", "skill", *("small",) * 5)
LAID_AT = (*(KIND_AT[kind] for kind in LAID_KINDS), *range(LEGENDS_AT, LEGENDS_AT + len(LEGEND_PILES)))
"""For each card of the `lay` line where the unseen cards of its kind stand."""


def pick_some(cards: tuple[str, ...], count: int, pick: Pick) -> tuple[str, ...]:
    """So many of these cards, in the order drawn."""
    left = list(cards)
    return tuple(left.pop(pick(len(left))) for _ in range(count))


def are_different_of(cards: tuple[str, ...], some: tuple[str, ...], count: int) -> bool:
    """Whether these are so many different ones of the cards."""
    return len(some) == len(set(some)) == count and set(some) <= set(cards)


@dataclass(frozen=True)
class Begin(Chance[Bardwood]):
    """Chance names the first seat; a solo match begins with the person."""

    def roll(self, state: Bardwood, pick: Pick) -> Start:
        return Start(0 if state.solo else pick(state.seats))

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, Start) and action.seat in (range(1) if state.solo else range(state.seats))

    def picks(self, state: Bardwood) -> int:
        return 0 if state.solo else 1


@dataclass(frozen=True)
class DrawEvents(Chance[Bardwood]):
    """Chance names two events that may follow each other."""

    def roll(self, state: Bardwood, pick: Pick) -> Events:
        first = EVENTS[pick(len(EVENTS))]
        second = following(first)
        return Events(first, second[pick(len(second))])

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, Events) and follows(action.one, action.two)

    def picks(self, state: Bardwood) -> int:
        return 2


@dataclass(frozen=True)
class DrawMotifs(Chance[Bardwood]):
    """Chance names six of the unlocked motif tokens."""

    def roll(self, state: Bardwood, pick: Pick) -> Motifs:
        return Motifs(pick_some(motifs(state.content), MOTIFS_LAID, pick))

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, Motifs) and are_different_of(motifs(state.content), action.motifs, MOTIFS_LAID)

    def picks(self, state: Bardwood) -> int:
        return MOTIFS_LAID


@dataclass(frozen=True)
class LayCards(Chance[Bardwood]):
    """Chance names the first card of every pile."""

    def roll(self, state: Bardwood, pick: Pick) -> Lay:
        unseen = [list(cards) for cards in state.unseen]
        return Lay(tuple(unseen[at].pop(pick(len(unseen[at]))) for at in LAID_AT))

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        if not isinstance(action, Lay) or len(action.cards) != len(LAID_AT):
            return False
        return len(set(action.cards)) == len(LAID_AT) and all(
            card in state.unseen[at] for card, at in zip(action.cards, LAID_AT, strict=True)
        )

    def picks(self, state: Bardwood) -> int:
        return len(LAID_AT)


@dataclass(frozen=True)
class DrawMuses(Chance[Bardwood]):
    """Chance names a muse for each person."""

    def roll(self, state: Bardwood, pick: Pick) -> Muses:
        return Muses(pick_some(MUSES, len(state.people), pick))

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, Muses) and are_different_of(MUSES, action.muses, len(state.people))

    def picks(self, state: Bardwood) -> int:
        return len(state.people)


@dataclass(frozen=True)
class DrawBards(Chance[Bardwood]):
    """Chance names a bard for each person."""

    def roll(self, state: Bardwood, pick: Pick) -> Bards:
        return Bards(pick_some(bards(state.content), len(state.people), pick))

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, Bards) and are_different_of(bards(state.content), action.bards, len(state.people))

    def picks(self, state: Bardwood) -> int:
        return len(state.people)


@dataclass(frozen=True)
class DrawHand(Chance[Bardwood]):
    """A seat draws card by card until it holds two Skills."""

    seat: Seat

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY_CHANCE if len(state.players[self.seat].hand) < HAND else NOBODY

    def roll(self, state: Bardwood, pick: Pick) -> Action[Bardwood]:
        cards = draw_source(state.players[self.seat])
        card = cards[pick(len(cards))]
        return Draw(self.seat, card) if card in SKILLS else Meet(self.seat, card)

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        if not isinstance(action, Draw | Meet) or action.to != self.seat:
            return False
        return action.card in draw_source(state.players[self.seat])

    def picks(self, state: Bardwood) -> int:
        return 1

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        return action.do(state.but(picks=state.picks + 1), seat)


@dataclass(frozen=True)
class TurnTop(Chance[Bardwood]):
    """Chance names the next card of a pile, or the next legend of a level."""

    pile: str

    def cards(self, state: Bardwood) -> tuple[str, ...]:
        """The cards that it may be: of a lair's last card a boss, before that small creatures."""
        at = PILE_AT.get(self.pile)
        if at is None:
            return state.unseen[LEGENDS_AT + LEGEND_PILES.index(self.pile)]
        if at >= FIRST_LAIR and state.left[at] == 1:
            return state.unseen[KIND_AT["boss"]]
        return state.unseen[LAID_AT[at]]

    def roll(self, state: Bardwood, pick: Pick) -> Top:
        cards = self.cards(state)
        return Top(self.pile, cards[pick(len(cards))])

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, Top) and action.pile == self.pile and action.card in self.cards(state)

    def picks(self, state: Bardwood) -> int:
        return 1


@dataclass(frozen=True)
class RivalCard(Chance[Bardwood]):
    """Chance names the rival's next card."""

    def roll(self, state: Bardwood, pick: Pick) -> RivalDraws:
        assert state.rival is not None  # noqa: S101  # asked in solo matches only
        left = state.rival.left
        return RivalDraws(left[pick(len(left))])

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, RivalDraws) and state.rival is not None and action.card in state.rival.left

    def picks(self, state: Bardwood) -> int:
        return 1


TURNS = {pile: TurnTop(pile) for pile in (*PILES, *LEGEND_PILES)}
CHANCE_STEPS = (Begin, DrawEvents, DrawMotifs, LayCards, DrawMuses, DrawBards, DrawHand, TurnTop, RivalCard)
