"""The cost and gain of a line for the seat that is asked, in words, with discounts and stones."""

from __future__ import annotations

from engine.game import Seat
from engine.games.bardwood_grove.rules.board import (
    DISTANCE,
    HELP_COST,
    LAIR_DISTANCE,
    LULL_COST,
)
from engine.games.bardwood_grove.rules.creature_actions import lair_of
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.prices import song_of, soothe_cost, stones_due
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.games.bardwood_grove.texts.names import amount
from engine.words import Locale


def payment(state: Bardwood, seat: Seat, cost: Effect, locale: Locale) -> str:
    """Return a cost in words, with the acoustic stones that replace melody or lyrics in brackets."""
    song, player = song_of(state), state.players[seat]
    wild, parts = song.wild, []
    for kind, number in cost._asdict().items():
        if not number:
            continue
        said = amount(kind, number, locale)
        if kind in ("melody", "lyrics"):
            short = max(number - (song.melody if kind == "melody" else song.lyrics), 0)
            stones = max(short - wild, 0)
            wild -= short - stones
            said += f" ({amount('stones', stones, locale)})" if stones and stones <= player.acoustic else ""
        parts.append(said)
    return ", ".join(parts)


def price_words(state: Bardwood, seat: Seat, cost: Effect, benefit: str, locale: Locale) -> str:
    """Return an exchange such as `4 melody (1 stone) for 1 gem`, or that it is free."""
    free = {"en": "free", "fr": "gratuit"}[locale]
    paid = payment(state, seat, cost, locale)
    if not paid:
        return f"{free}, {benefit}" if benefit else free
    return {"en": f"{paid} for {benefit}", "fr": f"{paid} pour {benefit}"}[locale] if benefit else paid


def soothe_price(state: Bardwood, seat: Seat, creature: str) -> Effect:
    """Melody and range stones for soothing a creature from where the seat's bard stands."""
    player, lair = state.players[seat], lair_of(state, creature)
    stones = stones_due(state, player, LAIR_DISTANCE[player.region][lair])
    return Effect(melody=soothe_cost(state, lair), range=stones)


def help_price(state: Bardwood, seat: Seat, creature: str) -> Effect:
    """Melody and range stones for helping a creature from where the seat's bard stands."""
    player, lair = state.players[seat], lair_of(state, creature)
    return Effect(melody=HELP_COST, range=stones_due(state, player, LAIR_DISTANCE[player.region][lair]))


def challenge_price(state: Bardwood, seat: Seat, other: Seat, melody: int) -> Effect:
    """Melody and range stones for challenging another seat."""
    player = state.players[seat]
    distance = DISTANCE[player.region][state.players[other].region]
    return Effect(melody=melody, range=stones_due(state, player, distance))


LULL_PRICE = Effect(melody=LULL_COST)
