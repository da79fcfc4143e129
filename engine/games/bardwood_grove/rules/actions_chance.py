"""Actions of chance: the first seat, events, motifs, the first cards of piles, muses, bards, and single cards."""

from __future__ import annotations

from engine.game import Action, Seal, Seat
from engine.games.bardwood_grove.rules.board import (
    MUSES,
    PILES,
)
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, FANS, IMPROS, MET, SKILLS
from engine.games.bardwood_grove.rules.decks import add_card, assign_bard, draw_from_pile, remove_card
from engine.games.bardwood_grove.rules.events import SEASON
from engine.games.bardwood_grove.rules.gains import When, brag_place, gain
from engine.games.bardwood_grove.rules.motifs import MOTIFS
from engine.games.bardwood_grove.rules.pile_tops import LAID, Top, reveal
from engine.games.bardwood_grove.rules.rival_cards import RIVAL_CARDS
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.notation import SEAT, Hidden, word, words


class Start(Action[Bardwood]):
    """Chance names the first seat."""

    verb = "start"
    seat: int = word(SEAT)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state.but(starter=self.seat, turn=self.seat)


class Events(Action[Bardwood]):
    """Chance names the events of Acts I and II."""

    verb = "events"
    one: str = word(SEASON)
    two: str = word(SEASON)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state.but(events=(self.one, self.two))


class NamesSeveral(Action[Bardwood]):
    """Chance names several different things."""

    names: tuple[str, ...]


class Motifs(NamesSeveral):
    """Chance names the motif tokens on the board."""

    verb = "motifs"
    names: tuple[str, ...] = words(MOTIFS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state.but(motifs=tuple(sorted(self.names)))


class Lay(Action[Bardwood]):
    """Chance names the first card of every pile: Fans, Impros, Skills, lairs, legends."""

    verb = "lay"
    cards: tuple[str, ...] = words(LAID)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        tops, legends = self.cards[: len(PILES)], self.cards[len(PILES) :]
        return state.but(unseen=reveal(state, *self.cards), tops=tops, legends=tuple((each,) for each in legends))


class Muses(NamesSeveral):
    """Chance names a muse for each person."""

    verb = "muses"
    names: tuple[str, ...] = words(MUSES)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state.but(muses=self.names)


class Bards(NamesSeveral):
    """Chance names a bard for each person."""

    verb = "bards"
    names: tuple[str, ...] = words(DECKS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        for at, bard in enumerate(self.names):
            state = assign_bard(state, at, bard)
        return state


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


class Meet(Action[Bardwood]):
    """A seat draws an Impro (to its song), a Fan (to its discard pile) or a creature (to its brag area)."""

    verb = "meet"
    to: int = word(SEAT)
    card: str = word(frozenset(MET))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player = draw_from_pile(state.players[self.to], self.card)
        if self.card in IMPROS:
            return state.with_player(self.to, player.but(song=add_card(player.song, self.card)))
        if self.card in FANS:
            return state.with_player(self.to, player.but(discard=add_card(player.discard, self.card)))
        state = state.with_player(self.to, brag_place(player, self.card))
        return gain(state, self.to, CREATURES[self.card].benefits, When.REST)


class RivalDraws(Action[Bardwood]):
    """Chance names the rival's next card."""

    verb = "rival"
    card: str = word(RIVAL_CARDS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        assert state.rival is not None  # noqa: S101  # asked in solo matches only
        left = remove_card(state.rival.left, self.card)
        return state.but(rival=state.rival.but(card=self.card, left=left))


CHANCE_ACTIONS = (Start, Events, Motifs, Lay, Muses, Bards, Draw, Meet, Top, RivalDraws)
