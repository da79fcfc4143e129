"""Labels of the parts of the picture of Bardwood Grove, for touching and for screen readers."""

from __future__ import annotations

from functools import lru_cache

from engine.game import Seat
from engine.games.bardwood_grove.rules.board import BANK, JETTIES, LAIRS, LOCATIONS, SHOPS, STAGES
from engine.games.bardwood_grove.rules.cards import DECKS, IMPROS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.texts import names
from engine.games.bardwood_grove.texts.names import amount, name, quarter
from engine.games.bardwood_grove.texts.powers import EVENT_TEXTS, POWER_TEXTS
from engine.games.bardwood_grove.texts.table_phrases import say as phrase
from engine.games.bardwood_grove.texts.table_places import (
    conversion_words,
    lair_words,
    place_words,
    shop_words,
    skill_parts,
    stage_words,
)
from engine.games.bardwood_grove.texts.table_seats import seat_lines
from engine.games.bardwood_grove.view import BardwoodView
from engine.phrases import Phrases, typeset_pair
from engine.words import Locale

LABELS = Phrases(
    {
        "act": ("Act {act}: {name}", "Acte {act} : {name}"),
        "next": ("Act II: {name}", "Acte II : {name}"),
        "round": ("round {round}", "manche {round}"),
        "over": ("the match is over", "la partie est finie"),
        "pool": ("pool {pool}: {gems}", "réserve {pool} : {gems}"),
        "legends": ("legends", "légendes"),
        "place": ("{place} ({borders}): {more}", "{place} ({borders}) : {more}"),
        "region": ("region {region}{here}", "région {region}{here}"),
        "river": ("river space {space}{level}{boats}", "case {space} de la rivière{level}{boats}"),
        "level": (", level {level}", ", niveau {level}"),
        "impro": ("Impro", "Impro"),
        "instrument": ("Instrument", "Instrument"),
        "fan": ("Fan", "Fan"),
        "card": ("{name}: {gain} ({kind})", "{name} : {gain} ({kind})"),
        "bard": ("{name}, {instrument}: {gain}. {power}", "{name}, {instrument} : {gain}. {power}"),
        "rune": ("{quarter} quarter: {runes}, {movement}", "quart {quarter} : {runes}, {movement}"),
        "bonus": ("{quarter} quarter: bonus {bonus}, {movement}", "quart {quarter} : bonus {bonus}, {movement}"),
        "brag": ("brag space {space}: {cards}", "emplacement {space} de fanfaronnade : {cards}"),
        "side": ("side {side}", "côté {side}"),
        "one-side": ("side {side} · {name}: {gain}", "côté {side} · {name} : {gain}"),
        "purse-melody": ("melody", "mélodie"),
        "purse-lyrics": ("lyrics", "paroles"),
        "purse-wild": ("wild", "joker"),
        "purse-waiting": ("waits", "attend"),
        "at": ("At {region}", "En {region}"),
        "challenge": ("Challenge {name}", "Défier {name}"),
        "cap": ("max. {cap}", "max. {cap}"),
        "fold-motifs": ("Motifs {count}", "Motifs {count}"),
        "fold-legends": ("Legends {count}", "Légendes {count}"),
        "fold-brag": ("Brag {count}", "Trophées {count}"),
        "fold-song": ("Song +{count}", "Chanson +{count}"),
        "song": ("Song", "Chanson"),
        "hand": ("Your hand", "Votre main"),
        "captured": ("captured", "pris"),
        "due": ("song due", "chanson due"),
        "counts": ("song {song}, hand {hand}, pile {pile}", "chanson {song}, main {hand}, pioche {pile}"),
        "rival": ("Rival, power {power}; cards left {left}", "Rival, force {power} ; cartes restantes {left}"),
    }
)
Pawn = tuple[Seat, str, str]
"""A seat, the sign of its pieces, and the name of its player."""
LONG = 1 << 20
"""Wide enough that no words are broken."""


label = LABELS.say
said = typeset_pair


@lru_cache(maxsize=1024)
def effect_words(value: Effect, locale: Locale) -> str:
    """Return an effect in words, with the numbers that are drawn."""
    return names.effect(value, locale)


def place_label(view: BardwoodView, place: str, locale: Locale) -> str:
    """Return everything about a place at this moment."""

    def effects(value: Effect) -> str:
        return effect_words(value, locale)

    found = ""
    if place in LAIRS:
        found = lair_words(view, LAIRS.index(place), locale, effects)
    elif place in SHOPS:
        found = shop_words(view, place, locale, effects)
    elif place in STAGES:
        found = stage_words(view, place, locale, effects)
    elif place == BANK or LOCATIONS[place].kind == "conversion":
        found = conversion_words(view, place, locale, effects)
    return found or label(
        "place", locale, **place_words(place, locale), more=label("legends", locale) if place in JETTIES else "–"
    )


def event_label(act: int, events: tuple[str, ...], locale: Locale) -> str:
    """Return the event in force with its text, and the one after it."""
    found = f"{act_words(act, events, locale)}. {said(EVENT_TEXTS[events[act - 1]], locale)}."
    if act > 1:
        return found
    event = events[1]
    return f"{found} {label('next', locale, name=name(event, locale))}. {said(EVENT_TEXTS[event], locale)}."


def act_words(act: int, events: tuple[str, ...], locale: Locale) -> str:
    """Return the act and its event."""
    return label("act", locale, act="I" * act, name=name(events[act - 1], locale))


def region_label(region: str, pawns: tuple[Pawn, ...], locale: Locale) -> str:
    """Return a region and the bards in it."""
    here = "".join(f", {letter} {who}" for _, letter, who in pawns)
    return label("region", locale, region=region, here=here)


@lru_cache(maxsize=1024)
def skill_label(card: str, locale: Locale) -> str:
    """Return the whole text of a Skill."""
    return phrase(
        "skill", locale, name=name(card, locale), **skill_parts(card, locale, lambda value: effect_words(value, locale))
    )


@lru_cache(maxsize=512)
def impro_label(card: str, locale: Locale) -> str:
    """Return the whole text of an Impro."""
    gain = effect_words(IMPROS[card].upper, locale)
    return label("card", locale, name=name(card, locale), gain=gain, kind=label("impro", locale))


def instrument_label(bard: str, locale: Locale) -> str:
    """Return the gain of a bard's Instrument in each song."""
    gain, title = effect_words(DECKS[bard].benefits, locale), name(DECKS[bard].instrument, locale)
    return label("card", locale, name=title, gain=gain, kind=label("instrument", locale))


def bard_label(bard: str, locale: Locale) -> str:
    """Return a bard with instrument and power."""
    return label(
        "bard",
        locale,
        name=name(bard, locale),
        instrument=name(DECKS[bard].instrument, locale),
        gain=effect_words(DECKS[bard].benefits, locale),
        power=said(POWER_TEXTS[bard], locale),
    )


@lru_cache(maxsize=256)
def quarter_label(slug: str, runes: int, movement: int, bonus: Effect, locale: Locale) -> str:
    """Return a quarter of the dial: its runes, or its bonus once they are gone."""
    words = {"quarter": quarter(slug, locale), "movement": amount("movement", movement, locale)}
    if runes:
        return label("rune", locale, runes=amount("runes", runes, locale), **words)
    return label("bonus", locale, bonus=effect_words(bonus, locale), **words)


def seat_label(view: BardwoodView, seat: Seat, locale: Locale) -> str:
    """Return everything that everybody sees of a seat."""
    return ". ".join(line.strip() for line in seat_lines(view, seat, locale, LONG))
