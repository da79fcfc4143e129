"""What the Geas of Tír na nÓg ask, in our own words, and the tables of all cards in English and French."""

from __future__ import annotations

from typing import NamedTuple

from engine.game import CardTable
from engine.games.tir_na_nog.abilities import EFFECTS
from engine.games.tir_na_nog.cards import CARDS, COLOURS, Card
from engine.games.tir_na_nog.geas import GEAS
from engine.games.tir_na_nog.names import (
    COLOUR_NAMES,
    ROW_NAMES,
    TIMING_NAMES,
    Pair,
    card_name,
    geas_name,
    pick_of,
)
from engine.words import Locale, french


class Vow(NamedTuple):
    """The wording of a Geas: what it asks of a card played, how its row scores, and what the rulebooks tell of it."""

    placement: Pair
    scoring: Pair
    known: tuple[str, ...] = ("guide",)


FREE: Pair = ("", "")
VOWS: dict[str, Vow] = {
    "oisin": Vow(
        FREE,
        (
            "The first card and every card above its left neighbour score their value.",
            "La première carte et toute carte plus forte que sa voisine de gauche rapportent leur valeur.",
        ),
        ("name", "example"),
    ),
    "benandonner": Vow(
        FREE,
        (
            "Every card that alone is the strongest of its column scores its value.",
            "Toute carte qui est seule la plus forte de sa colonne rapporte sa valeur.",
        ),
    ),
    "diarmuid": Vow(
        (
            "A card must differ in colour from the one on its left.",
            "La carte jouée n’a pas la couleur de celle de gauche.",
        ),
        (
            "The best unbroken stretch in which no colour comes twice scores the total of its values.",
            "La meilleure suite sans trou où aucune couleur ne revient rapporte le total de ses valeurs.",
        ),
    ),
    "etain": Vow(
        FREE,
        (
            "Every card that tops its left and its right neighbour scores its value; a missing one does not matter.",
            (
                "Toute carte plus forte que ses voisines de gauche et de droite rapporte sa valeur ; une voisine "
                "absente ne gêne pas."
            ),
        ),
    ),
    "fionn": Vow(
        FREE,
        (
            "Every card below its left neighbour scores its value.",
            "Toute carte plus faible que sa voisine de gauche rapporte sa valeur.",
        ),
        ("name", "example"),
    ),
    "knockgrafton": Vow(
        FREE,
        (
            "Every card with the second-highest value of its column scores that value.",
            "Toute carte qui a la deuxième valeur de sa colonne rapporte cette valeur.",
        ),
        ("name", "rule"),
    ),
    "deirdre": Vow(
        (
            "A card may not be stronger than the one on its left.",
            "La carte jouée n’est pas plus forte que celle de gauche.",
        ),
        (
            "The best unbroken stretch that never rises scores the total of its values.",
            "La meilleure suite sans trou qui ne monte jamais rapporte le total de ses valeurs.",
        ),
    ),
    "gollerus": Vow(
        FREE,
        (
            "Every card of the colour of the card right above or right below it scores its value.",
            "Toute carte de la couleur de celle juste au-dessus ou juste au-dessous rapporte sa valeur.",
        ),
    ),
    "cathbad": Vow(
        FREE,
        (
            "Cards of one value, wherever they lie in the row: two give 4, three 10, four 18, five 28.",
            "Cartes de même valeur, n’importe où dans la rangée : deux rapportent 4, trois 10, quatre 18, cinq 28.",
        ),
        ("name", "example"),
    ),
    "lir": Vow(
        FREE,
        (
            "The longest stretch of one colour: two cards give 4, three 9, four 16, five 25.",
            "La plus longue suite d’une même couleur : deux cartes rapportent 4, trois 9, quatre 16, cinq 25.",
        ),
    ),
    "fergus": Vow(
        FREE,
        (
            "4 for every card that alone is the weakest of its column, if it is not the only one there.",
            "4 pour toute carte qui est seule la plus faible de sa colonne, si elle n’y est pas l’unique carte.",
        ),
    ),
    "owney": Vow(
        FREE,
        (
            "5 for every two neighbours whose values are equal or next to each other.",
            "5 pour chaque couple de voisines de valeurs égales ou qui se suivent.",
        ),
    ),
}

KNOWN: dict[str, Pair] = {
    "name": ("name", "nom"),
    "guide": ("word in the pronunciation guide", "mot du guide de prononciation"),
    "colour": ("colour", "couleur"),
    "value": ("value", "valeur"),
    "copies": ("copies", "exemplaires"),
    "timing": ("timing", "moment"),
    "effect": ("effect", "effet"),
    "rule": ("scoring", "décompte"),
    "example": ("worked example", "exemple chiffré"),
}
SOURCES: dict[str, Pair] = {
    "rulebook": ("rulebook", "livret"),
    "partly": ("partly", "en partie"),
    "reconstructed": ("reconstructed", "reconstitué"),
}
MEANINGS: dict[str, Pair] = {
    "rulebook": (
        "What it does is told in the rulebooks, like all that stands in brackets; the rest is reconstructed.",
        (
            "Ce qu’elle fait est dit dans les livrets de règles, comme tout ce qui est entre parenthèses ; "
            "le reste est reconstitué."
        ),
    ),
    "partly": (
        "The rulebooks tell what stands in brackets and no more; the rest is reconstructed.",
        "Les livrets de règles ne disent que ce qui est entre parenthèses ; le reste est reconstitué.",
    ),
    "reconstructed": (
        "Nothing of it is known to us; name, numbers and text are ours.",
        "Nous n’en connaissons rien ; le nom, les nombres et le texte sont de nous.",
    ),
}
TITLES: tuple[Pair, ...] = (
    ("The Encounter deck, edition house-1: {count} cards", "Les cartes Rencontre, édition house-1 : {count} cartes"),
    ("The Geas", "Les Geis"),
    ("Where this comes from", "D’où viennent ces données"),
)
HEADERS: tuple[tuple[Pair, ...], ...] = (
    (
        ("Name", "Nom"),
        ("Colour", "Couleur"),
        ("Value", "Valeur"),
        ("Ailm", "Ailm"),
        ("Copies", "Exemplaires"),
        ("Timing", "Moment"),
        ("Text", "Texte"),
        ("Source", "Source"),
    ),
    (
        ("Row", "Rangée"),
        ("Name", "Nom"),
        ("Placement", "Pose"),
        ("Scoring", "Décompte"),
        ("Solo", "Solo"),
        ("Source", "Source"),
    ),
    (("Source", "Source"), ("Meaning", "Sens")),
)


def effect_text(slug: str, locale: Locale) -> str:
    """What the card does; empty for a plain card."""
    return _said(EFFECTS[slug].text, locale) if slug in EFFECTS else ""


def hint(slug: str, locale: Locale) -> str:
    """What the card does in a few words; empty for a plain card."""
    return _said(EFFECTS[slug].hint, locale) if slug in EFFECTS else ""


def geas_text(slug: str, locale: Locale) -> str:
    """All that a Geas says: first what it asks of a card played, if anything, then how it scores."""
    vow = VOWS[slug]
    return " ".join(filter(None, (_said(vow.placement, locale), _said(vow.scoring, locale))))


def tables(locale: Locale) -> tuple[CardTable, ...]:
    """The deck, the Geas, and what the words of their source columns mean."""
    cards = sorted(CARDS.values(), key=lambda card: (COLOURS.index(card.colour), card.value, card.slug))
    every = (
        tuple(_card(card, locale) for card in cards),
        tuple(_geas(slug, locale) for slug in VOWS),
        tuple((pick_of(SOURCES[word], locale), _said(meaning, locale)) for word, meaning in MEANINGS.items()),
    )
    count = sum(card.copies for card in cards)
    return tuple(
        CardTable(_said(title, locale).format(count=count), tuple(pick_of(cell, locale) for cell in header), rows)
        for title, header, rows in zip(TITLES, HEADERS, every, strict=True)
    )


def _said(pair: Pair, locale: Locale) -> str:
    return french(pair[1]) if locale == "fr" else pair[0]


def _source(known: tuple[str, ...], told: str, locale: Locale) -> str:
    word = "rulebook" if told in known else "partly" if known else "reconstructed"
    facts = ", ".join(pick_of(KNOWN[each], locale) for each in known)
    return pick_of(SOURCES[word], locale) + (f" ({facts})" if facts else "")


def _card(card: Card, locale: Locale) -> tuple[str, ...]:
    return (
        card_name(card.slug, locale),
        pick_of(COLOUR_NAMES[card.colour], locale),
        str(card.value),
        "Ailm" if card.ailm else "",
        str(card.copies),
        pick_of(TIMING_NAMES[card.timing], locale) if card.timing else "",
        effect_text(card.slug, locale),
        _source(card.known, "effect", locale),
    )


def _geas(slug: str, locale: Locale) -> tuple[str, ...]:
    vow, geas = VOWS[slug], GEAS[slug]
    return (
        pick_of(ROW_NAMES[geas.row], locale),
        geas_name(slug, locale),
        _said(vow.placement, locale) or "–",
        _said(vow.scoring, locale),
        str(geas.solo),
        _source(vow.known, "rule", locale),
    )
