"""What chance does: the first seat, events, motifs, the cards laid out, muses, bards, and single cards."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Action, Seal, Seat
from engine.games.bardwood_grove.rules.board import (
    LEGEND_LEVEL,
    LEGEND_PILES,
    MUSES,
    PILE_AT,
    PILES,
)
from engine.games.bardwood_grove.rules.cards import ADVANCED, CREATURES, DECKS, FANS, IMPROS, MET, SKILLS
from engine.games.bardwood_grove.rules.decks import add_card, assign_bard, draw_from_pile, remove_card
from engine.games.bardwood_grove.rules.events import SEASON
from engine.games.bardwood_grove.rules.gains import When, brag_place, gain
from engine.games.bardwood_grove.rules.motifs import MOTIFS
from engine.games.bardwood_grove.rules.rival_cards import RIVAL_CARDS
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.notation import SEAT, Hidden, word, words

LAID = frozenset((*ADVANCED, *LEGEND_LEVEL))
KIND_AT = {"fan": 0, "impro": 1, "skill": 2, "small": 3, "boss": 4}
"""Where the unseen cards of a kind stand in the state."""
LEGENDS_AT = len(KIND_AT)


def unseen_at(card: str) -> int:
    """Where a card stands among the unseen ones."""
    return LEGENDS_AT + LEGEND_LEVEL[card] if card in LEGEND_LEVEL else KIND_AT[ADVANCED[card]]


def reveal(state: Bardwood, *cards: str) -> tuple[tuple[str, ...], ...]:
    """The unseen cards without these."""
    unseen = list(state.unseen)
    for card in cards:
        at = unseen_at(card)
        unseen[at] = remove_card(unseen[at], card)
    return tuple(unseen)


@dataclass(frozen=True)
class Start(Action[Bardwood]):
    """Chance names the first seat."""

    verb = "start"
    seat: int = word(SEAT)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state.but(starter=self.seat, turn=self.seat)


@dataclass(frozen=True)
class Events(Action[Bardwood]):
    """Chance names the events of Acts I and II."""

    verb = "events"
    one: str = word(SEASON)
    two: str = word(SEASON)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state.but(events=(self.one, self.two))


@dataclass(frozen=True)
class Motifs(Action[Bardwood]):
    """Chance names the motif tokens on the board."""

    verb = "motifs"
    motifs: tuple[str, ...] = words(MOTIFS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state.but(motifs=tuple(sorted(self.motifs)))


@dataclass(frozen=True)
class Lay(Action[Bardwood]):
    """Chance names the first card of every pile: Fans, Impros, Skills, lairs, legends."""

    verb = "lay"
    cards: tuple[str, ...] = words(LAID)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        tops, legends = self.cards[: len(PILES)], self.cards[len(PILES) :]
        return state.but(unseen=reveal(state, *self.cards), tops=tops, legends=tuple((each,) for each in legends))


@dataclass(frozen=True)
class Muses(Action[Bardwood]):
    """Chance names a muse for each person."""

    verb = "muses"
    muses: tuple[str, ...] = words(MUSES)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state.but(muses=self.muses)


@dataclass(frozen=True)
class Bards(Action[Bardwood]):
    """Chance names a bard for each person."""

    verb = "bards"
    bards: tuple[str, ...] = words(DECKS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        for at, bard in enumerate(self.bards):
            state = assign_bard(state, at, bard)
        return state


@dataclass(frozen=True)
class Draw(Action[Bardwood]):
    """A seat draws a Skill, which only its owner sees."""

    verb, sealed = "draw", Seal.UNTIL_END
    to: int = word(SEAT)
    card: str = word(SKILLS, hidden=Hidden.EACH)

    def owner(self, seat: Seat) -> Seat:
        return self.to

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player = draw_from_pile(state.players[self.to], self.card)
        return state.with_player(self.to, player.but(hand=add_card(player.hand, self.card)))


@dataclass(frozen=True)
class Meet(Action[Bardwood]):
    """A seat draws an Impro (to its song), a Fan (to its discard pile) or a creature (to its brag area)."""

    verb = "meet"
    to: int = word(SEAT)
    card: str = word(frozenset(MET))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        from engine.games.bardwood_grove.rules.steps import STACKS, ChooseSide  # steps need actions

        player = draw_from_pile(state.players[self.to], self.card)
        if self.card in IMPROS:
            return state.with_player(self.to, player.but(song=add_card(player.song, self.card)))
        if self.card in FANS:
            player = player.but(discard=add_card(player.discard, self.card))
            return state.with_player(self.to, player).first(ChooseSide(self.to, self.card))
        player, waits = brag_place(player, self.card)
        state = state.with_player(self.to, player)
        state = gain(state, self.to, CREATURES[self.card].benefits, When.REST)
        return state.first(STACKS[self.to]) if waits else state


@dataclass(frozen=True)
class Top(Action[Bardwood]):
    """Chance names the next card of a pile whose top card has gone, or the next legend of a level."""

    verb = "top"
    pile: str = word(frozenset((*PILES, *LEGEND_PILES)))
    card: str = word(LAID)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        unseen = reveal(state, self.card)
        if self.pile in PILE_AT:
            at = PILE_AT[self.pile]
            return state.but(unseen=unseen, tops=(*state.tops[:at], self.card, *state.tops[at + 1 :]))
        level = LEGEND_PILES.index(self.pile)
        legends, left = state.legends, state.legends_left
        return state.but(
            unseen=unseen,
            legends=(*legends[:level], (*legends[level], self.card), *legends[level + 1 :]),
            legends_left=(*left[:level], left[level] - 1, *left[level + 1 :]),
        )


@dataclass(frozen=True)
class RivalDraws(Action[Bardwood]):
    """Chance names the rival's next card."""

    verb = "rival"
    card: str = word(RIVAL_CARDS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        assert state.rival is not None  # noqa: S101  # asked in solo matches only
        left = remove_card(state.rival.left, self.card)
        return state.but(rival=state.rival.but(card=self.card, left=left))


CHANCE_ACTIONS = (Start, Events, Motifs, Lay, Muses, Bards, Draw, Meet, Top, RivalDraws)
