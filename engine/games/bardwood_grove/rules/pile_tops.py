"""The cards on top of the piles: which may come next, and how chance names one."""

from __future__ import annotations

from engine.dealing import OnePick
from engine.game import Action, Pick, Seat
from engine.games.bardwood_grove.rules.board import FIRST_LAIR, LEGEND_LEVEL, LEGEND_PILES, PILE_AT, PILES
from engine.games.bardwood_grove.rules.cards import ADVANCED
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.notation import word
from engine.tuples import put, without

LAID = frozenset((*ADVANCED, *LEGEND_LEVEL))
KIND_AT = {"fan": 0, "impro": 1, "skill": 2, "small": 3, "boss": 4}
"""Index of each kind among the unseen cards of the state."""
LEGENDS_AT = len(KIND_AT)
LAID_KINDS = ("fan", "impro", "impro", "skill", "skill", *("small",) * 5)
LAID_AT = (*(KIND_AT[kind] for kind in LAID_KINDS), *range(LEGENDS_AT, LEGENDS_AT + len(LEGEND_PILES)))
"""For each card of the `lay` line the index of its kind among the unseen cards."""


def unseen_at(card: str) -> int:
    """Return the index of a card's kind among the unseen cards."""
    return LEGENDS_AT + LEGEND_LEVEL[card] if card in LEGEND_LEVEL else KIND_AT[ADVANCED[card]]


def reveal(state: Bardwood, *cards: str) -> tuple[tuple[str, ...], ...]:
    """Return the unseen cards without these."""
    unseen = list(state.unseen)
    for card in cards:
        at = unseen_at(card)
        unseen[at] = without(unseen[at], card)
    return tuple(unseen)


class Top(Action[Bardwood]):
    """Chance names the next card of a pile whose top card has gone, or the next legend of a level."""

    verb = "top"
    pile: str = word(frozenset((*PILES, *LEGEND_PILES)))
    card: str = word(LAID)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        unseen = reveal(state, self.card)
        if self.pile in PILE_AT:
            at = PILE_AT[self.pile]
            return state.but(unseen=unseen, tops=put(state.tops, at, self.card))
        level = LEGEND_PILES.index(self.pile)
        legends, left = state.legends, state.legends_left
        return state.but(
            unseen=unseen,
            legends=put(legends, level, (*legends[level], self.card)),
            legends_left=put(left, level, left[level] - 1),
        )


class TurnTop(OnePick[Bardwood]):
    """Chance names the next card of a pile, or the next legend of a level."""

    pile: str

    def cards(self, state: Bardwood) -> tuple[str, ...]:
        """Return the cards that it may be: for a lair small creatures, and a boss as the last card."""
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


TURNS = {pile: TurnTop(pile) for pile in (*PILES, *LEGEND_PILES)}
