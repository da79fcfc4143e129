"""The locations of the board in words, with the current costs for the viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from engine.games.bardwood_grove.rules import board, prices
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.motifs import GEMS
from engine.games.bardwood_grove.texts.names import amount, name, pick_of
from engine.games.bardwood_grove.texts.powers import CRITERION_TEXTS, MOTIF_TEXTS
from engine.games.bardwood_grove.texts.table_phrases import INDENT, fold, say
from engine.games.bardwood_grove.view import BardwoodView
from engine.words import Locale

Effects = Callable[[Effect], str]


@lru_cache(maxsize=128)
def place_words(slug: str, locale: Locale) -> Mapping[str, str]:
    """Return the name and the borders of a location."""
    return {"place": name(slug, locale), "borders": " ".join(board.LOCATIONS[slug].borders)}


def lairs(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """Return the creatures of the five lairs, and the current costs for the viewer."""
    words = [lair_words(view, at, locale, effects) for at in range(len(board.LAIRS))]
    return [say("lairs", locale), *(line for each in words if each for line in fold(each, width, INDENT))]


def lair_words(view: BardwoodView, at: int, locale: Locale, effects: Effects) -> str:
    """Return the creature of a lair, or an empty string before the setup."""
    creature, place = view.tops[board.FIRST_LAIR + at], place_words(board.LAIRS[at], locale)
    if not creature:
        key = "next-creature" if view.left[board.FIRST_LAIR + at] else "empty-lair"
        return say(key, locale, cost=effects(Effect(melody=board.LULL_COST)), **place) if view.act else ""
    card = CREATURES[creature]
    seats = ", ".join(view.called(seat, locale) for seat in view.crests[at])
    words = {
        "name": name(creature, locale),
        "boss": say("boss", locale) if card.boss else "",
        "value": card.value,
        "gain": effects(card.benefits),
        "left": view.left[board.FIRST_LAIR + at],
        "crests": say("crests", locale, seats=seats) if seats else "",
        "price": say("price", locale, price=effects(soothing(view, at))) if shows_prices(view) else "",
    }
    return say("creature", locale, **place, **words)


def shows_prices(view: BardwoodView) -> bool:
    """Return True if the viewer has a bard on the board and the match is running."""
    return view.seat is not None and not view.over and bool(view.act) and view.players[view.seat].bard in DECKS


def soothing(view: BardwoodView, lair: int) -> Effect:
    """Return the cost of soothing the creature of a lair from the viewer's region."""
    table, seat = view.table, view.seat or 0
    player = table.players[seat]
    if view.turn != seat:
        table = table.but(singing=None)
    distance = board.LAIR_DISTANCE[player.region][lair]
    return Effect(melody=prices.soothe_cost(table, lair), range=prices.stones_due(table, player, distance))


def skill_words(card: str, locale: Locale, effects: Effects) -> str:
    """Return both halves and the discard strip of a Skill, or the gain of an Impro."""
    if card in IMPROS:
        return effects(IMPROS[card].upper)
    return say("shop-skill", locale, **skill_parts(card, locale, effects))


def skill_parts(card: str, locale: Locale, effects: Effects) -> dict[str, str]:
    """Return the halves and the strip of a Skill in words."""
    skill = SKILLS[card]
    cost = effects(Effect(volume=skill.cost))
    lower = say("lower", locale, cost=cost, lower=effects(skill.lower)) if skill.has_lower else ""
    return {"upper": effects(skill.upper), "lower": lower, "strip": effects(skill.strip)}


def shops(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """Return the cards on sale and their prices for the viewer now."""
    words = [shop_words(view, shop, locale, effects) for shop in board.SHOPS]
    return [say("shops", locale), *(line for each in words if each for line in fold(each, width, INDENT))]


def shop_words(view: BardwoodView, shop: str, locale: Locale, effects: Effects) -> str:
    """Return the card on sale at a shop, or an empty string before the setup."""
    at = board.PILE_AT[board.LOCATIONS[shop].pile]
    card, place = view.tops[at], place_words(shop, locale)
    if not card:
        return say("next-card" if view.left[at] else "sold-out", locale, **place) if view.act else ""
    words = {"name": name(card, locale), "card": skill_words(card, locale, effects), "left": view.left[at]}
    return say("shop", locale, **place, **words, price=effects(Effect(coins=coins_due(view, shop))))


def coins_due(view: BardwoodView, shop: str) -> int:
    """Return the coins for the card of a shop: the viewer's current price, or the printed one."""
    seat = view.seat or 0
    if not shows_prices(view):
        return board.LOCATIONS[shop].cost.coins
    table = view.table if view.turn == seat else view.table.but(singing=None)
    return prices.shop_price(table, table.players[seat], shop)


def stages(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """Return the performance locations: lyrics for the viewer now, gain, runes, and the top Fan."""
    words = [stage_words(view, stage, locale, effects) for stage in board.STAGES]
    return [say("stages", locale), *(line for each in words for line in fold(each, width, INDENT))]


def stage_words(view: BardwoodView, stage: str, locale: Locale, effects: Effects) -> str:
    """Return a performance location with the viewer's current price and its runes."""
    location, runes = board.LOCATIONS[stage], view.stages[prices.STAGE_AT[stage]]
    shown = ", ".join(f"{view.called(at, locale)} {count}" for at, count in enumerate(runes) if count)
    words = {
        "price": effects(Effect(lyrics=lyrics_due(view, stage))),
        "gain": effects(location.gain),
        "fan": fan_words(view, locale, effects) if location.gain.fans else "",
        "runes": say("runes", locale, runes=shown) if shown else "",
    }
    return say("stage", locale, **place_words(stage, locale), **words)


def lyrics_due(view: BardwoodView, stage: str) -> int:
    """Return the lyrics for performing: the viewer's current price, or the printed one."""
    if not shows_prices(view):
        return board.LOCATIONS[stage].cost.lyrics
    return prices.performance_cost(view.table, view.seat or 0, stage)


def fan_words(view: BardwoodView, locale: Locale, effects: Effects) -> str:
    """Return the top Fan of the Open Stage and how many are left."""
    card = view.tops[0]
    if not card:
        return say("no-fan", locale) if view.act else ""
    sides = " / ".join(map(effects, FANS[card].sides))
    return say("fan", locale, name=name(card, locale), sides=sides, left=view.left[0])


def legends(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """Return the open legends by level with their criteria and the seats that told them."""
    lines = fold(say("legends", locale, places=jetty_names(locale)), width)
    for at in range(len(board.LEVELS)):
        lines += fold(level_words(view, at, locale, effects), width, INDENT)
        for legend in view.legends[at]:
            lines += fold(legend_words(view, legend, locale), width, INDENT * 2)
    return lines


@lru_cache(maxsize=2)
def jetty_names(locale: Locale) -> str:
    """Return the jetties with their borders."""
    return ", ".join(f"{name(jetty, locale)} ({' '.join(board.LOCATIONS[jetty].borders)})" for jetty in board.JETTIES)


def level_words(view: BardwoodView, at: int, locale: Locale, effects: Effects) -> str:
    """Return the requirements and the gain of a level of legends."""
    level = board.LEVELS[at]
    words = {
        "level": level.name,
        "boat": level.boat,
        "lyrics": effects(Effect(lyrics=tale_lyrics(view, at))),
        "gems": effects(Effect(gems=level.gems)),
        "cap": level.cap,
        "left": view.legends_left[at],
    }
    return say("level", locale, **words)


def tale_lyrics(view: BardwoodView, at: int) -> int:
    """Return the lyrics for a legend of a level: the viewer's current price, or the printed one."""
    return prices.legend_cost(view.table, at) if shows_prices(view) else board.LEVELS[at].lyrics


def legend_words(view: BardwoodView, legend: str, locale: Locale) -> str:
    """Return a legend with its criterion and the seats that told it."""
    by = [view.called(seat, locale) for seat in range(view.seats) if legend in view.players[seat].told]
    told = say("told", locale, seats=", ".join(by)) if by else ""
    return say("legend", locale, name=name(legend, locale), text=pick_of(CRITERION_TEXTS[legend], locale), told=told)


def conversions(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """Return the bank, the fixed conversions, and the market with its current and next stall."""
    fixed = [slug for slug in board.CONVERSIONS if slug != board.MARKET]
    words = [conversion_words(view, slug, locale, effects) for slug in (board.BANK, *fixed, board.MARKET)]
    return [say("conversions", locale), *(line for each in words for line in fold(each, width, INDENT))]


def conversion_words(view: BardwoodView, slug: str, locale: Locale, effects: Effects) -> str:
    """Return the offer of the bank, of a fixed conversion, or of the current stall of the market."""
    place = place_words(slug, locale)
    if slug == board.BANK:
        return say("bank", locale, **place)
    if slug != board.MARKET:
        location = board.LOCATIONS[slug]
        return say("conversion", locale, **place, cost=effects(location.cost), gain=effects(location.gain))
    (cost, gain), (later, more) = board.STALLS[view.stall - 1], board.STALLS[view.stall % len(board.STALLS)]
    words = {"cost": effects(cost), "gain": effects(gain), "next_cost": effects(later), "next_gain": effects(more)}
    return say("market", locale, **place, stall=str(view.stall), **words)


def motifs(view: BardwoodView, locale: Locale, width: int) -> list[str]:
    """Return the motif tokens on the board with their conditions."""
    lines = [say("motifs", locale)]
    for motif in view.motifs:
        lines += fold(motif_words(motif, locale), width, INDENT)
    return lines if view.motifs else [f"{lines[0]} – {say('none', locale)}"]


@lru_cache(maxsize=128)
def motif_words(motif: str, locale: Locale) -> str:
    """Return a motif token with its condition and its gems."""
    words = {"text": pick_of(MOTIF_TEXTS[motif], locale), "gems": amount("gems", GEMS[motif], locale)}
    return say("motif", locale, name=name(motif, locale), **words)
