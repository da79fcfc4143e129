"""A seat's cards: its starting deck, its pile, and sorted lists of cards."""

from __future__ import annotations

from bisect import bisect_left

from engine.game import Seat
from engine.games.bardwood_grove.rules.cards import DECKS
from engine.games.bardwood_grove.rules.state import Bardwood, Player
from engine.tuples import without

Cards = tuple[str, ...]


def add_card(cards: Cards, card: str) -> Cards:
    """Add a card to a sorted list."""
    at = bisect_left(cards, card)
    return (*cards[:at], card, *cards[at:])


def draw_source(player: Player) -> Cards:
    """Return the cards for the next draw: the pile, or the whole discard pile once the pile is empty."""
    return player.pile or player.discard


def draw_from_pile(player: Player, card: str) -> Player:
    """Draw a card from the pile; an empty pile is first refilled with the discard pile."""
    if player.pile:
        return player.but(pile=without(player.pile, card))
    return player.but(pile=without(player.discard, card), discard=())


def assign_bard(state: Bardwood, seat: Seat, bard: str) -> Bardwood:
    """Give a seat its bard and starting deck, with the Super fan in the discard pile."""
    deck = DECKS[bard]
    pile = tuple(sorted((*deck.skills, deck.impro)))
    return state.with_player(seat, state.players[seat].but(bard=bard, pile=pile, discard=(deck.fan,)))


def cards_of(player: Player) -> Cards:
    """Return all cards of a seat, except the Instrument and the Bard card."""
    arriving = (player.arriving,) if player.arriving else ()
    return (*player.hand, *player.pile, *player.discard, *player.song, *player.brag[0], *player.brag[1], *arriving)
