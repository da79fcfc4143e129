"""How people say the words of Bardwood Grove in English and French."""

from __future__ import annotations

import re

from engine.games.bardwood_grove.rules.cards import DECKS
from engine.games.bardwood_grove.texts.names import (
    NAMES,
    QUARTER_CODES,
    QUARTER_NAMES,
    RIVAL_CARD_NAMES,
    SPENDING_NAMES,
    pick_of,
)
from engine.phrases import by_locale
from engine.words import BOTS, LOCALES, Locale, Words

VERBS = by_locale(
    {
        "bard": (("bard", "choose"), ("barde", "choisir", "choisis")),
        "compose": (("compose",), ("composer", "compose")),
        "move": (("move", "go"), ("déplacer", "déplace", "aller", "va")),
        "swell": (("swell", "raise"), ("monter", "monte")),
        "lower": (("lower", "unlock"), ("débloquer", "débloque")),
        "turn": (("turn", "change"), ("changer", "change")),
        "help": (("help",), ("aider", "aide")),
        "soothe": (("soothe", "calm"), ("apaiser", "apaise")),
        "lull": (("lull",), ("bercer", "berce")),
        "buy": (("buy",), ("acheter", "achète")),
        "bank": (("bank",), ("banque",)),
        "perform": (("perform",), ("jouer", "joue")),
        "tell": (("tell",), ("raconter", "raconte")),
        "trade": (("trade", "convert"), ("convertir", "convertis")),
        "challenge": (("challenge",), ("défier", "défie")),
        "spend": (("spend",), ("dépenser", "dépense")),
        "brag": (("brag",), ("fanfaronner", "fanfaronne")),
        "motif": (("motif",), ("motif",)),
        "offer": (("offer",), ("offre",)),
        "done": (("done", "finish"), ("fini", "terminer", "terminé")),
        "fan": (("fan",), ("fan",)),
        "stack": (("stack",), ("empiler", "empile")),
        "idle": (("idle",), ("rien",)),
    }
)
LABELS: dict[str, tuple[str, str]] = {
    "gems": ("green gems", "gemmes vertes"),
    "crests": ("crest track", "piste Écusson"),
    "cards": ("cards", "cartes"),
    "bonus": ("rival’s bonus", "bonus du rival"),
    "legends": ("legends", "légendes"),
    "muse": ("muse", "muse"),
    "rounds": ("rounds", "manches"),
    "songs": ("songs a seat", "chansons par place"),
    "points-gems": ("points from gems", "points des gemmes"),
    "points-crests": ("points from crests", "points des écussons"),
    "points-cards": ("points from cards", "points des cartes"),
    "points-legends": ("points from legends", "points des légendes"),
    "points-muse": ("points from muses", "points des muses"),
    "fans": ("Fans of the Open Stage", "Fans de la Scène ouverte"),
    "impro1": ("first Impro pile", "première pile d’Impros"),
    "impro2": ("second Impro pile", "seconde pile d’Impros"),
    "skill1": ("first Skill pile", "première pile de Compétences"),
    "skill2": ("second Skill pile", "seconde pile de Compétences"),
    "legend1": ("legends of level I", "légendes de niveau I"),
    "legend2": ("legends of level II", "légendes de niveau II"),
    "legend3": ("legends of level III", "légendes de niveau III"),
    "last-gem": ("last gem", "dernière gemme"),
    "round-40": ("round 40", "manche 40"),
}
"""Labels of scores and simulations, and of the piles that lines name."""
PLACE_LABEL: tuple[str, str] = ("wins in place {place}", "victoires en place {place}")
BARD_LABEL: tuple[str, str] = ("wins of {bard}", "victoires : {bard}")
MOST_SEATS = 4


ARTICLE = re.compile(r"^(?:the|le|la|les|l’)\s*\b", re.IGNORECASE)


def _names(locale: Locale) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {slug: (pick_of(pair, locale),) for slug, pair in NAMES.items()}
    found |= {slug: (pick_of(pair, locale),) for slug, pair in RIVAL_CARD_NAMES.items()}
    found |= {slug: (pick_of(pair, locale),) for slug, pair in SPENDING_NAMES.items()}
    for slug, pair in QUARTER_NAMES.items():
        code = pick_of(QUARTER_CODES[slug], locale)
        found[slug] = (pick_of(pair, locale), f"quart {pick_of(pair, locale)}" if locale == "fr" else code, code)
    for slug, pair in NAMES.items():
        bare = ARTICLE.sub("", pick_of(pair, locale))
        found[slug] = tuple(dict.fromkeys((*found[slug], bare[:1].upper() + bare[1:], slug.removeprefix("the-"))))
    for slug, pair in LABELS.items():
        found[slug] = (*found.get(slug, ()), pick_of(pair, locale))
    for bard in DECKS:
        found[f"win-{bard}"] = (pick_of(BARD_LABEL, locale).format(bard=pick_of(NAMES[bard], locale)),)
    for place in range(1, MOST_SEATS + 1):
        found[f"win-place-{place}"] = (pick_of(PLACE_LABEL, locale).format(place=place),)
    for verb, ways in VERBS[locale].items():
        found[verb] = tuple(dict.fromkeys((*ways, *found.get(verb, ()))))
    return found


FIELDS: dict[str, str] = {
    "amounts": "montants",
    "bard": "barde",
    "bards": "bardes",
    "benefit": "avantage",
    "boat": "cases",
    "card": "carte",
    "cards": "cartes",
    "creature": "créature",
    "discard": "défausse",
    "event": "évènement",
    "fan": "fan",
    "lair": "lieu",
    "legend": "légende",
    "location": "lieu",
    "melody": "mélodie",
    "motif": "motif",
    "motifs": "motifs",
    "muses": "muses",
    "one": "carte",
    "pile": "pile",
    "quarter": "quart",
    "region": "région",
    "seat": "place",
    "second": "carte",
    "side": "côté",
    "skill": "compétence",
    "song": "chanson",
    "space": "emplacement",
    "stage": "lieu",
    "stall": "étal",
    "to": "place",
    "two": "carte",
}
"""French words for the words after a verb."""
WORDS = Words(
    {"en": _names("en"), "fr": _names("fr")},
    {locale: {**BOTS[locale], "rival": "Rival"} for locale in LOCALES},
    {"fr": FIELDS},
)
