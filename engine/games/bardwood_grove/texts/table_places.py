"""What lies at the locations of the board, in words, and what it costs the viewer now."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.bardwood_grove.rules.board import (
    FIRST_LAIR,
    JETTIES,
    LAIR_DISTANCE,
    LAIRS,
    LEVELS,
    LOCATIONS,
    LULL_COST,
    MARKET,
    PILE_AT,
    SHOPS,
    STAGES,
    STALLS,
)
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.motifs import GEMS
from engine.games.bardwood_grove.rules.prices import (
    STAGE_AT,
    legend_cost,
    performance_cost,
    shop_price,
    soothe_cost,
    stones_due,
)
from engine.games.bardwood_grove.texts.names import (
    amount,
    name,
    pick_of,
)
from engine.games.bardwood_grove.texts.powers import CRITERION_TEXTS, MOTIF_TEXTS
from engine.games.bardwood_grove.texts.table_phrases import INDENT, fold, say
from engine.games.bardwood_grove.view import BardwoodView
from engine.words import Locale

Effects = Callable[[Effect], str]


def place_words(slug: str, locale: Locale) -> dict[str, str]:
    """The name and the borders of a location."""
    return {"place": name(slug, locale), "borders": " ".join(LOCATIONS[slug].borders)}


def lairs(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """What lies at the five creature locations, and what it would cost the viewer now."""
    lines = [say("lairs", locale)]
    for at, lair in enumerate(LAIRS):
        creature = view.tops[FIRST_LAIR + at]
        place = place_words(lair, locale)
        if not creature:
            cost = effects(Effect(melody=LULL_COST))
            key = "next-creature" if view.left[FIRST_LAIR + at] else "empty-lair"
            lines += fold(say(key, locale, cost=cost, **place), width, INDENT) if view.act else []
            continue
        card = CREATURES[creature]
        seats = ", ".join(view.called(seat, locale) for seat in view.crests[at])
        words = {
            "name": name(creature, locale),
            "boss": say("boss", locale) if card.boss else "",
            "value": card.value,
            "gain": effects(card.benefits),
            "left": view.left[FIRST_LAIR + at],
            "crests": say("crests", locale, seats=seats) if seats else "",
            "price": say("price", locale, price=effects(soothing(view, at))) if shows_prices(view) else "",
        }
        lines += fold(say("creature", locale, **place, **words), width, INDENT)
    return lines


def shows_prices(view: BardwoodView) -> bool:
    """Whether the viewer has a bard on the board and the match goes on."""
    return view.seat is not None and not view.over and bool(view.act) and view.players[view.seat].bard in DECKS


def soothing(view: BardwoodView, lair: int) -> Effect:
    """What soothing the creature of a lair would cost the viewer from where the bard stands."""
    table, seat = view.table, view.seat or 0
    player = table.players[seat]
    if view.turn != seat:
        table = table.but(singing=None)
    distance = LAIR_DISTANCE[player.region][lair]
    return Effect(melody=soothe_cost(table, lair), range=stones_due(table, player, distance))


def skill_words(card: str, locale: Locale, effects: Effects) -> str:
    """Both halves and the discard strip of a Skill, or what an Impro gives."""
    if card in IMPROS:
        return effects(IMPROS[card].upper)
    return say("shop-skill", locale, **skill_parts(card, locale, effects))


def skill_parts(card: str, locale: Locale, effects: Effects) -> dict[str, str]:
    """The halves and the strip of a Skill in words."""
    skill = SKILLS[card]
    cost = effects(Effect(volume=skill.cost))
    lower = say("lower", locale, cost=cost, lower=effects(skill.lower)) if skill.has_lower else ""
    return {"upper": effects(skill.upper), "lower": lower, "strip": effects(skill.strip)}


def shops(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """The cards on sale and their prices for the viewer now."""
    lines = [say("shops", locale)]
    seat = view.seat or 0
    for shop in SHOPS:
        at = PILE_AT[LOCATIONS[shop].pile]
        card, place = view.tops[at], place_words(shop, locale)
        if not card:
            key = "next-card" if view.left[at] else "sold-out"
            lines += fold(say(key, locale, **place), width, INDENT) if view.act else []
            continue
        price = LOCATIONS[shop].cost.coins
        if shows_prices(view):
            table = view.table if view.turn == seat else view.table.but(singing=None)
            price = shop_price(table, table.players[seat], shop)
        words = {"name": name(card, locale), "card": skill_words(card, locale, effects), "left": view.left[at]}
        lines += fold(say("shop", locale, **place, **words, price=effects(Effect(coins=price))), width, INDENT)
    return lines


def stages(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """The performance locations: lyrics for the viewer now, gain, runes, and the top Fan."""
    lines = [say("stages", locale)]
    seat = view.seat or 0
    for stage in STAGES:
        location, runes = LOCATIONS[stage], view.stages[STAGE_AT[stage]]
        cost = performance_cost(view.table, seat, stage) if shows_prices(view) else location.cost.lyrics
        shown = ", ".join(f"{view.called(at, locale)} {count}" for at, count in enumerate(runes) if count)
        words = {
            "price": effects(Effect(lyrics=cost)),
            "gain": effects(location.gain),
            "fan": fan_words(view, locale, effects) if location.gain.fans else "",
            "runes": say("runes", locale, runes=shown) if shown else "",
        }
        lines += fold(say("stage", locale, **place_words(stage, locale), **words), width, INDENT)
    return lines


def fan_words(view: BardwoodView, locale: Locale, effects: Effects) -> str:
    """The top Fan of the Open Stage and how many are left."""
    card = view.tops[0]
    if not card:
        return say("no-fan", locale) if view.act else ""
    sides = " / ".join(map(effects, FANS[card].sides))
    return say("fan", locale, name=name(card, locale), sides=sides, left=view.left[0])


def legends(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """The open legends by level with their criteria and who told them."""
    places = ", ".join(f"{name(jetty, locale)} ({' '.join(LOCATIONS[jetty].borders)})" for jetty in JETTIES)
    lines = fold(say("legends", locale, places=places), width)
    for at, level in enumerate(LEVELS):
        lyrics = legend_cost(view.table, at) if shows_prices(view) else level.lyrics
        words = {
            "level": level.name,
            "boat": level.boat,
            "lyrics": effects(Effect(lyrics=lyrics)),
            "gems": effects(Effect(gems=level.gems)),
            "cap": level.cap,
            "left": view.legends_left[at],
        }
        lines += fold(say("level", locale, **words), width, INDENT)
        for legend in view.legends[at]:
            by = [view.called(seat, locale) for seat in range(view.seats) if legend in view.players[seat].told]
            told = say("told", locale, seats=", ".join(by)) if by else ""
            text = pick_of(CRITERION_TEXTS[legend], locale)
            lines += fold(say("legend", locale, name=name(legend, locale), text=text, told=told), width, INDENT * 2)
    return lines


def conversions(view: BardwoodView, locale: Locale, width: int, effects: Effects) -> list[str]:
    """The bank, the fixed conversions, and the market with its present and next stall."""
    parts = [say("bank", locale, **place_words("bank", locale))]
    for slug, location in LOCATIONS.items():
        if location.kind == "conversion" and slug != MARKET:
            words = {"cost": effects(location.cost), "gain": effects(location.gain)}
            parts.append(say("conversion", locale, **place_words(slug, locale), **words))
    (cost, gain), (later, more) = STALLS[view.stall - 1], STALLS[view.stall % len(STALLS)]
    words = {"cost": effects(cost), "gain": effects(gain), "next_cost": effects(later), "next_gain": effects(more)}
    parts.append(say("market", locale, **place_words(MARKET, locale), stall=str(view.stall), **words))
    return [say("conversions", locale), *(line for part in parts for line in fold(part, width, INDENT))]


def motifs(view: BardwoodView, locale: Locale, width: int) -> list[str]:
    """The motif tokens on the board with their conditions."""
    lines = [say("motifs", locale)]
    for motif in view.motifs:
        words = {"text": pick_of(MOTIF_TEXTS[motif], locale), "gems": amount("gems", GEMS[motif], locale)}
        lines += fold(say("motif", locale, name=name(motif, locale), **words), width, INDENT)
    return lines if view.motifs else [f"{lines[0]} – {say('none', locale)}"]
