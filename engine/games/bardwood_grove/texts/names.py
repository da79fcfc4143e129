"""Names and amounts of Bardwood Grove in English and French."""

from __future__ import annotations

from functools import lru_cache

from engine import phrases
from engine.games.bardwood_grove.rules import advanced_cards, board_tables, starting_decks
from engine.games.bardwood_grove.rules.effects import Effect, rows
from engine.words import Locale

Pair = phrases.Pair
pick_of = phrases.localise
SMALL_WORDS = {"and", "of", "the"}
SPELLED = {
    "patrons-gift": "Patron’s Gift",
    "devils-wager": "Devil’s Wager",
    "soldiers-pay": "Soldiers’ Pay",
    "buskers-jig": "Busker’s Jig",
    "the-misers-song": "The Miser’s Song",
    "the-masters-book": "The Master’s Book",
}
"""English names that are more than their slug."""


def english(slug: str) -> str:
    """Return the slug in title case, or with its apostrophe."""
    first, *rest = slug.split("-")
    plain = " ".join([first.capitalize(), *(word if word in SMALL_WORDS else word.capitalize() for word in rest)])
    return SPELLED.get(slug, plain)


def _names() -> dict[str, Pair]:
    found: dict[str, Pair] = {}
    for bard, name, instrument, instrument_name, _, impro, impro_name, *_ in rows(starting_decks.BARDS):
        found |= {bard: (english(bard), name), instrument: (english(instrument), instrument_name)}
        found[impro] = (english(impro), impro_name)
        found[f"{bard}-fan"] = (f"Super Fan ({english(bard)})", f"Super fan ({name})")
    found |= {row[1]: (english(row[1]), row[2]) for row in rows(starting_decks.BASIC_SKILLS)}
    for table in (advanced_cards.SKILLS, advanced_cards.IMPROS, advanced_cards.FANS):
        found |= {row[0]: (english(row[0]), row[1]) for row in rows(table)}
    for table in (board_tables.CREATURES, board_tables.LEGENDS, board_tables.MOTIFS):
        found |= {row[0]: (english(row[0]), row[1]) for row in rows(table)}
    found |= {row[0]: (english(row[0]), row[1]) for row in (*rows(board_tables.EVENTS), *rows(board_tables.MUSES))}
    return found | {row[0]: (row[1], row[2]) for row in rows(board_tables.LOCATIONS)}


NAMES: dict[str, Pair] = _names()
QUARTER_NAMES: dict[str, Pair] = {
    "ur": ("upper right", "supérieur droit"),
    "lr": ("lower right", "inférieur droit"),
    "ll": ("lower left", "inférieur gauche"),
    "ul": ("upper left", "supérieur gauche"),
}
QUARTER_CODES: dict[str, Pair] = {"ur": ("ur", "sd"), "lr": ("lr", "id"), "ll": ("ll", "ig"), "ul": ("ul", "sg")}
RIVAL_CARD_NAMES: dict[str, Pair] = {
    "river": ("river", "rivière"),
    "school": ("school", "école"),
    "duel": ("duel", "duel"),
}
SPENDING_NAMES: dict[str, Pair] = {
    "gem": ("gem", "gemme"),
    "coins": ("coins", "pièces"),
    "volume": ("volume", "volume"),
    "stones": ("stones", "pierres"),
}
SEASON_NAMES: dict[str, Pair] = {
    "base": ("base", "base"),
    "spring": ("spring", "printemps"),
    "summer": ("summer", "été"),
    "autumn": ("autumn", "automne"),
    "winter": ("winter", "hiver"),
}
LEVEL_NAMES: dict[str, Pair] = {
    "easy": ("easy", "facile"),
    "normal": ("normal", "normale"),
    "hard": ("hard", "difficile"),
}
AMOUNTS: dict[str, tuple[Pair, Pair]] = {
    "melody": (("melody", "melody"), ("mélodie", "mélodies")),
    "lyrics": (("lyrics", "lyrics"), ("parole", "paroles")),
    "wild": (("wild", "wild"), ("joker", "jokers")),
    "volume": (("volume", "volume"), ("volume", "volumes")),
    "coins": (("coin", "coins"), ("pièce", "pièces")),
    "acoustic": (("acoustic stone", "acoustic stones"), ("pierre acoustique", "pierres acoustiques")),
    "range": (("range stone", "range stones"), ("pierre de portée", "pierres de portée")),
    "movement": (("movement", "movement"), ("déplacement", "déplacements")),
    "tempo": (("tempo", "tempo"), ("tempo", "tempos")),
    "fans": (("top Fan", "top Fans"), ("Fan du dessus", "Fans du dessus")),
    "gems": (("gem", "gems"), ("gemme", "gemmes")),
    "crests": (("crest", "crests"), ("écusson", "écussons")),
    "cards": (("card", "cards"), ("carte", "cartes")),
    "runes": (("rune", "runes"), ("rune", "runes")),
    "points": (("point", "points"), ("point", "points")),
    "spaces": (("space", "spaces"), ("case", "cases")),
    "steps": (("step", "steps"), ("pas", "pas")),
    "stones": (("stone", "stones"), ("pierre", "pierres")),
}
"""Each amount in English and French, for one and for several."""
SIGNS: dict[str, str] = {
    "melody": "M",
    "lyrics": "L",
    "wild": "X",
    "volume": "V",
    "coins": "C",
    "acoustic": "A",
    "range": "R",
    "movement": "MV",
    "tempo": "T",
    "fans": "FAN",
    "gems": "G",
}


def name(slug: str, locale: Locale) -> str:
    """Return the name of a card, place, legend, motif, event, muse or bard."""
    found = NAMES.get(slug)
    return found[locale == "fr"] if found else slug


def quarter(slug: str, locale: Locale) -> str:
    """Return the name of a quarter of the dial."""
    return pick_of(QUARTER_NAMES[slug], locale)


def rival_card(slug: str, locale: Locale) -> str:
    """Return the name of a card of the rival."""
    return pick_of(RIVAL_CARD_NAMES[slug], locale) if slug in RIVAL_CARD_NAMES else name(slug, locale)


@lru_cache(maxsize=1024)
def amount(kind: str, number: int, locale: Locale) -> str:
    """Return a number of something: `1 coin`, `3 pièces`. In French 0 and 1 are singular."""
    one, many = AMOUNTS[kind][locale == "fr"]
    single = abs(number) <= 1 if locale == "fr" else abs(number) == 1
    return f"{number} {one if single else many}".replace("-", "−")


@lru_cache(maxsize=1024)
def effect(value: Effect, locale: Locale) -> str:
    """Return an effect in words, gems last; an empty string for no effect."""
    return ", ".join(amount(kind, number, locale) for kind, number in value._asdict().items() if number)


def brief(value: Effect) -> str:
    """Return an effect in the notation of the cards, such as `M2 V1`; a dash for no effect."""
    parts = [
        SIGNS[kind] + ("" if kind == "fans" else str(number)) for kind, number in value._asdict().items() if number
    ]
    return " ".join(parts) or "–"
