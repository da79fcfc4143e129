"""All cards of Bardwood Grove as tables, each row marked as from the rulebook or reconstructed (house-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from engine.games.bardwood_grove.rules import motifs
from engine.games.bardwood_grove.rules.board import LEGEND_CONTENT, LEGEND_LEVEL, LEVELS, LOCATIONS, MUSES, STALLS
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, EDITION, FANS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.events import SEASON
from engine.games.bardwood_grove.texts.names import SEASON_NAMES, Pair, brief, name, pick_of
from engine.games.bardwood_grove.texts.powers import CRITERION_TEXTS, EVENT_TEXTS, MOTIF_TEXTS, POWER_TEXTS
from engine.presentation import CardTable
from engine.words import Locale, french

RULEBOOK: Pair = ("rulebook", "livret")
RULEBOOK_NAME: Pair = ("rulebook (name)", "livret (nom)")
COLUMNS: dict[str, Pair] = {
    "name": ("Name", "Nom"),
    "line": ("In lines", "Dans les coups"),
    "bard": ("Bard", "Barde"),
    "instrument": ("Instrument", "Instrument"),
    "gives": ("Gives", "Donne"),
    "power": ("Power", "Pouvoir"),
    "upper": ("Upper half", "Moitié supérieure"),
    "lower": ("Lower half", "Moitié inférieure"),
    "strip": ("Discard strip", "Bande de défausse"),
    "one": ("Side 1", "Côté 1"),
    "two": ("Side 2", "Côté 2"),
    "points": ("Points", "Points"),
    "value": ("Soothe", "Apaisement"),
    "benefits": ("Benefits", "Avantages"),
    "level": ("Level", "Niveau"),
    "criterion": ("Blue points at the end", "Points bleus à la fin"),
    "condition": ("Condition", "Condition"),
    "gems": ("Gems", "Gemmes"),
    "season": ("Season", "Saison"),
    "effect": ("Effect", "Effet"),
    "kind": ("Kind", "Genre"),
    "borders": ("Borders", "Bords"),
    "box": ("Box", "Boîte"),
    "source": ("Source", "Source"),
    "rule": ("Rule", "Règle"),
}
TITLES: dict[str, Pair] = {
    "bards": ("Bards", "Bardes"),
    "basic": ("Basic Skills", "Compétences de base"),
    "skills": ("Advanced Skills", "Compétences avancées"),
    "impros": ("Impros", "Impros"),
    "fans": ("Fans", "Fans"),
    "creatures": ("Creatures", "Créatures"),
    "legends": ("Legends", "Légendes"),
    "motifs": ("Motif tokens", "Jetons Motif"),
    "events": ("Events", "Évènements"),
    "muses": ("Muses", "Muses"),
    "locations": ("Locations", "Lieux"),
    "stalls": ("Market track", "Piste du marché"),
    "figures": ("Figures of the board", "Chiffres du plateau"),
}
KINDS: dict[str, Pair] = {
    "lair": ("creature", "créature"),
    "shop": ("shop", "boutique"),
    "bank": ("bank", "banque"),
    "performance": ("performance", "représentation"),
    "jetty": ("tell a legend", "raconter une légende"),
    "conversion": ("conversion", "conversion"),
}
SOURCES: dict[str, Pair] = {"bell-foundry": RULEBOOK, "open-stage": RULEBOOK_NAME}
"""Rows that are not reconstructed. Everything else is edition house-1."""
FIGURES: tuple[tuple[Pair, bool], ...] = (
    (("Gem pools: I 5 and II 7 for each seat", "Réserves : I 5 et II 7 par place"), True),
    (("7 crests and 8 runes for each seat", "7 écussons et 8 runes par place"), True),
    (("Helping a creature costs 1 melody", "Aider une créature coûte 1 mélodie"), True),
    (("An empty creature location: 5 melody for 1 gem", "Un lieu Créature vide : 5 mélodies pour 1 gemme"), True),
    (("Bosses: value 7 or more, 3 points", "Boss : valeur 7 ou plus, 3 points"), True),
    (("Market token starts on stall 1", "Le jeton du marché commence sur l’étal 1"), True),
    (("Crest track: 1 1 1 2 2 2 3 points", "Piste Écusson : 1 1 1 2 2 2 3 points"), False),
    (("Dial: movement 1 2 3 2 clockwise", "Cadran : déplacements 1 2 3 2 dans le sens horaire"), False),
    (("Rune bonuses: C1 V2 MV1 A1", "Bonus de runes : C1 V2 MV1 A1"), False),
    (("Volume up to 10", "Volume jusqu’à 10"), False),
    (("River of 6 spaces", "Rivière de 6 cases"), False),
    (("A challenge costs 3 melody", "Un défi coûte 3 mélodies"), False),
)


def source(slug: str, locale: Locale) -> str:
    """Return the source of a row: the rulebook, or our reconstruction."""
    return pick_of(SOURCES[slug], locale) if slug in SOURCES else EDITION


def table(title: str, columns: str, cells: Sequence[tuple[str, ...]], locale: Locale) -> CardTable:
    """Return a table with its title and header in one language."""
    header = tuple(pick_of(COLUMNS[column], locale) for column in columns.split())
    shown = tuple(tuple(french(cell) if locale == "fr" else cell for cell in row) for row in cells)
    return CardTable(pick_of(TITLES[title], locale), header, shown)


def box(slug: str, locale: Locale) -> str:
    """Return the name of the box that contains a card."""
    return pick_of(SEASON_NAMES[slug], locale)


def card_row(locale: Locale, slug: str, *cells: str) -> tuple[str, ...]:
    """Return the cells of a card between its name, its slug and its source."""
    return name(slug, locale), slug, *cells, source(slug, locale)


def lower_half(card: str) -> str:
    """Return cost and benefits of a lower half in card notation."""
    skill = SKILLS[card]
    return f"{brief(Effect(volume=skill.cost))} → {brief(skill.lower)}" if skill.has_lower else "–"


def tables(locale: Locale) -> tuple[CardTable, ...]:
    """Return all cards and the board in card notation: M melody, L lyrics, X wild, V volume, C coin, A and R stones."""
    return (*card_tables(locale), *board_rows(locale))


def card_tables(locale: Locale) -> tuple[CardTable, ...]:
    """Return the tables of bards, Skills, Impros, Fans and creatures."""
    row = partial(card_row, locale)

    def points_and_box(bard: str, content: str) -> tuple[str, str]:
        return ("0", box(DECKS[bard].content, locale)) if bard else ("1", box(content, locale))

    bards = [
        row(
            bard,
            name(deck.instrument, locale),
            brief(deck.benefits),
            pick_of(POWER_TEXTS[bard], locale),
            box(deck.content, locale),
        )
        for bard, deck in DECKS.items()
    ]
    halves = {slug: (brief(skill.upper), lower_half(slug), brief(skill.strip)) for slug, skill in SKILLS.items()}
    basic = [row(slug, name(skill.bard, locale), *halves[slug]) for slug, skill in SKILLS.items() if skill.bard]
    advanced = [
        row(slug, *halves[slug], box(skill.content, locale)) for slug, skill in SKILLS.items() if not skill.bard
    ]
    impros = [
        row(slug, brief(impro.upper), *points_and_box(impro.bard, impro.content)) for slug, impro in IMPROS.items()
    ]
    fans = [row(slug, *map(brief, fan.sides), *points_and_box(fan.bard, fan.content)) for slug, fan in FANS.items()]
    creatures = [
        row(
            slug,
            "boss" if card.boss else "–",
            str(card.value),
            str(card.points),
            brief(card.benefits),
            box(card.content, locale),
        )
        for slug, card in CREATURES.items()
    ]
    return (
        table("bards", "name line instrument gives power box source", bards, locale),
        table("basic", "name line bard upper lower strip source", basic, locale),
        table("skills", "name line upper lower strip box source", advanced, locale),
        table("impros", "name line gives points box source", impros, locale),
        table("fans", "name line one two points box source", fans, locale),
        table("creatures", "name line kind value points benefits box source", creatures, locale),
    )


def board_rows(locale: Locale) -> tuple[CardTable, ...]:
    """Return the tables of legends, motifs, events, muses, locations, the market and the figures of the board."""
    row = partial(card_row, locale)

    def text(texts: Mapping[str, Pair], slug: str) -> str:
        return pick_of(texts[slug], locale)

    legends = [
        row(slug, LEVELS[level].name, text(CRITERION_TEXTS, slug), box(LEGEND_CONTENT[slug], locale))
        for slug, level in LEGEND_LEVEL.items()
    ]
    tokens = [
        row(slug, text(MOTIF_TEXTS, slug), str(motifs.GEMS[slug]), box(motifs.CONTENT[slug], locale))
        for slug in motifs.MOTIFS
    ]
    events = [row(slug, box(season, locale), text(EVENT_TEXTS, slug)) for slug, season in SEASON.items()]
    muses = [row(slug, text(CRITERION_TEXTS, slug)) for slug in MUSES]
    places = [
        row(slug, text(KINDS, place.kind), " ".join(place.borders), location_effect(slug))
        for slug, place in LOCATIONS.items()
    ]
    stalls = [(str(at), f"{brief(cost)} → {brief(gain)}", EDITION) for at, (cost, gain) in enumerate(STALLS, 1)]
    figures = [
        (pick_of(words, locale), pick_of(RULEBOOK, locale) if printed else EDITION) for words, printed in FIGURES
    ]
    return (
        table("legends", "name line level criterion box source", legends, locale),
        table("motifs", "name line condition gems box source", tokens, locale),
        table("events", "name line season effect source", events, locale),
        table("muses", "name line criterion source", muses, locale),
        table("locations", "name line kind borders effect source", places, locale),
        table("stalls", "name effect source", stalls, locale),
        table("figures", "rule source", figures, locale),
    )


def rulebook_rows(cells: Iterable[tuple[str, ...]]) -> str:
    """Return rows of a table in the marked text of rulebooks."""
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def event_rows(locale: Locale) -> str:
    """Return the season, the name and the effect of every event, for the rulebook."""
    return rulebook_rows(
        (box(season, locale), name(slug, locale), pick_of(EVENT_TEXTS[slug], locale)) for slug, season in SEASON.items()
    )


def muse_rows(locale: Locale) -> str:
    """Return the name and the criterion of every muse, for the rulebook."""
    return rulebook_rows((name(slug, locale), pick_of(CRITERION_TEXTS[slug], locale)) for slug in MUSES)


def location_effect(slug: str) -> str:
    """Return cost and gain of a location in card notation, if it has them."""
    place = LOCATIONS[slug]
    if place.pile:
        return f"{brief(place.cost)} → {place.pile}"
    return f"{brief(place.cost)} → {brief(place.gain)}" if place.cost != Effect() else "–"
