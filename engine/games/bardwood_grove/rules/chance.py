"""Lines and steps of chance: setup, the tops of piles, single cards of seats, and the rival's cards."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from engine.dealing import DealToSeat, OnePick
from engine.game import Action, Chance, Pick, Seat
from engine.games.bardwood_grove.rules.board import MOTIFS_LAID, MUSES, PILES
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, FANS, IMPROS, MET, SKILLS, bards
from engine.games.bardwood_grove.rules.decks import add_card, assign_bard, draw_from_pile
from engine.games.bardwood_grove.rules.events import EVENTS, SEASON, following, follows
from engine.games.bardwood_grove.rules.gains import When, brag_place, gain
from engine.games.bardwood_grove.rules.motifs import MOTIFS, motifs
from engine.games.bardwood_grove.rules.pile_tops import LAID, LAID_AT, Top, TurnTop, reveal
from engine.games.bardwood_grove.rules.rival import RIVAL_CARDS
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.notation import SEAT, Hidden, word, words
from engine.tuples import without


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


class Draw(DealToSeat[Bardwood]):
    """A seat draws a Skill, which only its owner sees."""

    verb = "draw"
    card: str = word(SKILLS, hidden=Hidden.EACH)

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
        left = without(state.rival.left, self.card)
        return state.but(rival=state.rival.but(card=self.card, left=left))


CHANCE_ACTIONS = (Start, Events, Motifs, Lay, Muses, Bards, Draw, Meet, Top, RivalDraws)


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
        """Return the items that chance may name."""

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


class RivalCard(OnePick[Bardwood]):
    """Chance names the rival's next card."""

    def roll(self, state: Bardwood, pick: Pick) -> RivalDraws:
        assert state.rival is not None  # noqa: S101  # asked in solo matches only
        left = state.rival.left
        return RivalDraws(left[pick(len(left))])

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        return isinstance(action, RivalDraws) and state.rival is not None and action.card in state.rival.left


CHANCE_STEPS = (Begin, DrawEvents, DrawMotifs, LayCards, DrawMuses, DrawBards, TurnTop, RivalCard)
