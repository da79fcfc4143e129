"""The steps of chance: setup, tops of piles, and the rival's cards."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from engine.game import Action, Chance, Pick
from engine.games.bardwood_grove.rules.actions_chance import (
    Bards,
    Events,
    Lay,
    Motifs,
    Muses,
    NamesSeveral,
    RivalDraws,
    Start,
)
from engine.games.bardwood_grove.rules.board import MOTIFS_LAID, MUSES
from engine.games.bardwood_grove.rules.cards import bards
from engine.games.bardwood_grove.rules.events import EVENTS, following, follows
from engine.games.bardwood_grove.rules.motifs import motifs
from engine.games.bardwood_grove.rules.pile_tops import LAID_AT, TurnTop
from engine.games.bardwood_grove.rules.state import Bardwood


class Begin(Chance[Bardwood]):
    """Chance names the first seat; a solo match begins with the person."""

    def roll(self, state: Bardwood, pick: Pick) -> Start:
        return Start(0 if state.solo else pick(state.seats))

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, Start) and action.seat in (range(1) if state.solo else range(state.seats))

    def picks(self, state: Bardwood) -> int:
        return 0 if state.solo else 1


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


class DrawSeveral(Chance[Bardwood]):
    """Chance names several different things, by default one for each person."""

    drawn_by: ClassVar[type[NamesSeveral]]

    @abstractmethod
    def choices(self, state: Bardwood) -> tuple[str, ...]:
        """Return what chance may name."""

    def roll(self, state: Bardwood, pick: Pick) -> NamesSeveral:
        left = list(self.choices(state))
        return self.drawn_by(tuple(left.pop(pick(len(left))) for _ in range(self.picks(state))))

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        if not isinstance(action, self.drawn_by):
            return False
        names = set(action.names)
        return len(action.names) == len(names) == self.picks(state) and names <= set(self.choices(state))

    def picks(self, state: Bardwood) -> int:
        return len(state.people)


class DrawMotifs(DrawSeveral):
    """Chance names six of the unlocked motif tokens."""

    drawn_by = Motifs

    def choices(self, state: Bardwood) -> tuple[str, ...]:
        return motifs(state.content)

    def picks(self, state: Bardwood) -> int:
        return MOTIFS_LAID


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


class DrawMuses(DrawSeveral):
    """Chance names a muse for each person."""

    drawn_by = Muses

    def choices(self, state: Bardwood) -> tuple[str, ...]:
        return MUSES


class DrawBards(DrawSeveral):
    """Chance names a bard for each person."""

    drawn_by = Bards

    def choices(self, state: Bardwood) -> tuple[str, ...]:
        return bards(state.content)


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


CHANCE_STEPS = (Begin, DrawEvents, DrawMotifs, LayCards, DrawMuses, DrawBards, TurnTop, RivalCard)
