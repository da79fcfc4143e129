"""Invariants of Bardwood Grove: every card, rune, crest and gem is in exactly one place."""

from __future__ import annotations

from collections import Counter
from functools import cache

from engine.games.bardwood_grove.rules.board import LEGEND_CONTENT, LEGEND_LEVEL
from engine.games.bardwood_grove.rules.cards import ADVANCED, DECKS, open_boxes, supply
from engine.games.bardwood_grove.rules.decks import cards_of
from engine.games.bardwood_grove.rules.state import Bardwood, Player

KINDS = ("fan", "impro", "skill", "small", "boss")


def conserved(state: Bardwood) -> None:
    """Cards, runes, crests and gems are all there, and nothing is where it cannot be."""
    _cards(state)
    _legends(state)
    people = list(state.people)
    crests = sum(player.crests + player.captured for player in state.players)
    assert crests + sum(map(len, state.crests)) + state.gone == 7 * state.seats
    gems = sum(player.gems for player in state.players)
    assert gems + sum(state.pools) - state.outside == 12 * state.seats
    assert not state.outside or not any(state.pools)
    assert not (state.pools[1] < 7 * state.seats and state.pools[0]), "a gem of pool II before pool I was empty"
    for seat in people:
        player = state.players[seat]
        placed = sum(runes[seat] for runes in state.stages) + len(player.told)
        assert sum(player.runes) + placed == 8
        assert all(runes[seat] <= 3 for runes in state.stages)
        _player(player)
    for lair, crest_seats in enumerate(state.crests):
        assert len(set(crest_seats)) == len(crest_seats)
        assert state.tops[5 + lair] or not crest_seats


def _cards(state: Bardwood) -> None:
    found = Counter(card for cards in state.unseen[:5] for card in cards)
    found.update(card for card in state.tops if card)
    for seat, player in enumerate(state.players):
        cards = cards_of(player)
        found.update(card for card in cards if card in ADVANCED)
        basic = sorted(card for card in cards if card not in ADVANCED)
        deck = DECKS.get(player.bard)
        assert basic == (sorted((*deck.skills, deck.impro, deck.fan)) if deck else []), seat
    assert found == all_cards(state.content)
    laid = any(state.tops)
    turning = {type(step).__name__ for step in state.agenda[:3]}
    for top, left in zip(state.tops, state.left, strict=True):
        assert left >= 0
        assert not laid or bool(top) == bool(left) or "TurnTop" in turning


@cache
def all_cards(content: str) -> Counter[str]:
    """Every card that can be acquired in a match with this content."""
    return Counter(card for kind in KINDS for card in supply(content, kind))


@cache
def all_legends(content: str, level: int) -> list[str]:
    """Every legend of a level in a match with this content."""
    boxes = open_boxes(content)
    return sorted(slug for slug in LEGEND_LEVEL if LEGEND_LEVEL[slug] == level and LEGEND_CONTENT[slug] in boxes)


def _legends(state: Bardwood) -> None:
    for level in range(3):
        assert sorted((*state.unseen[5 + level], *state.legends[level])) == all_legends(state.content, level)
        up = len(state.legends[level])
        assert not up or up + state.legends_left[level] == 5


def _player(player: Player) -> None:
    for cards in (player.hand, player.pile, player.discard, player.song):
        assert list(cards) == sorted(cards)
    assert len(player.hand) <= 2
    assert 0 <= player.volume <= (12 if player.bard == "wardrummer" else 10)
    assert min(player.coins, player.acoustic, player.range, player.crests, player.captured, *player.runes) >= 0
    assert 0 <= player.boat <= 6
    assert 0 <= player.dial <= 3
