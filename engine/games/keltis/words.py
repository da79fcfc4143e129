"""Vocabulary of Keltis in English and French."""

from __future__ import annotations

from collections.abc import Iterable

from engine.games.keltis.cards import CARDS, COLOURS, POINT
from engine.phrases import by_locale
from engine.words import LOCALES, Locale, Words, french

COLOUR_NAMES: dict[Locale, dict[str, str]] = {
    "en": {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "P": "pink", "N": "Points"},
    "fr": {"R": "rouge", "Y": "jaune", "G": "vert", "B": "bleu", "P": "rose", "N": "Points"},
}
FEMININE = {"G": ("verte",), "B": ("bleue",)}
FRENCH_SIGNS = {"Y": "J", "G": "V", "E": "F"}
"""The letters of cards that differ in French: J jaune, V vert, F Fin."""
RULES: dict[Locale, str] = {
    "en": """\
Each turn: one play, then draw back to eight cards.
Play one of: lay a card on your row of its colour; lay a Point card (N) on your Point row, or on a colour row whose
last number it repeats; discard a card; or discard two cards of one number for the wish stone of that number.
A row goes up or down: the first change decides which. Equal numbers are always allowed.
An End card (E) closes a row; a row can have two.
Draw from the deck or from the top of a discard pile you did not use this turn.
The match stops when five rows hold an End card or the deck is empty; then everybody may lay up to two last cards.
Rows of 1, 2, 3 cards cost 4, 3, 2 points; from 4 cards on they give 1, 2, 3, 6, 7, 10. Point row: 1 each.
Stones, from none to five: -4, -1, 0, 4, 6, 10.""",
    "fr": french("""\
À chaque tour : une action, puis on complète sa main à huit cartes.
Une action : poser une carte dans sa série de la couleur ; poser une carte Point (N) dans sa série neutre, ou dans une
série de couleur dont elle répète la dernière valeur ; défausser une carte ; ou défausser deux cartes de même valeur
contre la Pierre de Vœux de cette valeur.
Une série est croissante ou décroissante : le premier changement décide, l’égalité est toujours permise. Les cartes Fin
(F) ferment la série, deux au plus.
On tire une carte de la pioche ou d’une défausse où l’on n’a rien mis pendant ce tour.
La partie s’arrête quand cinq séries ont une carte Fin ou que la pioche est vide ; chacun peut alors poser jusqu’à deux
dernières cartes.
Séries de 1, 2, 3 cartes : -4, -3, -2 ; à partir de 4 : 1, 2, 3, 6, 7, 10. Série neutre : 1 par carte.
Pierres de Vœux, de zéro à cinq : -4, -1, 0, 4, 6, 10.
Cartes : R rouge, J jaune, V vert, B bleu, P rose, N Point, F Fin ; les coups ont Y, G et E pour J, V et F."""),
}


def row_colour(pile: str, locale: Locale) -> str:
    """Return the colour of a row or discard pile, which is feminine in French."""
    return FEMININE.get(pile, (COLOUR_NAMES["fr"][pile],))[0] if locale == "fr" else COLOUR_NAMES["en"][pile]


def card_name(card: str, locale: Locale) -> str:
    """Return a card in words: red 5, red End, Point 5."""
    colour, value = COLOUR_NAMES[locale][card[0]], card[1:]
    if card[0] == POINT:
        return f"Point {value}"
    if value == "E":
        return {"en": f"{colour} End", "fr": f"Fin {colour}"}[locale]
    return f"{colour} {value}"


def card_code(card: str, locale: Locale) -> str:
    """Return a card, a lay or a colour in signs: R5, YE, N5:G in English; R5, JF, N5:V in French."""
    return "".join(FRENCH_SIGNS.get(sign, sign) for sign in card) if locale == "fr" else card


def card_codes(cards: Iterable[str], locale: Locale) -> str:
    """Return cards in signs, one space apart."""
    return " ".join(card_code(card, locale) for card in cards)


def _codes(word: str, locale: Locale) -> tuple[str, ...]:
    """Return the signs of a card if they differ from the canonical ones."""
    code = card_code(word, locale)
    return (code,) if code != word else ()


def _row_names(colour: str, locale: Locale) -> tuple[str, ...]:
    name, more = COLOUR_NAMES[locale][colour], FEMININE.get(colour, ())
    series = (f"série {more[0] if more else name}",) if locale == "fr" else ()
    return (name, *more, *series, *_codes(colour, locale))


def _names(locale: Locale) -> dict[str, tuple[str, ...]]:
    cards = {card: (card_name(card, locale), *_codes(card, locale)) for card in CARDS}
    lays = {
        f"{POINT}{value}:{colour}": (
            f"Point {value} {COLOUR_NAMES[locale][colour]}",
            f"N{value} {colour}",
            *(form for code in _codes(colour, locale) for form in (f"N{value} {code}", f"N{value}:{code}")),
        )
        for value in range(11)
        for colour in COLOURS
    }
    rows = {colour: _row_names(colour, locale) for colour in COLOURS}
    return {**cards, **lays, **rows, **VERBS[locale]}


VERBS = by_locale(
    {
        "start": (("start", "begin"), ("commencer", "commence", "début")),
        "lay": (("lay", "play", "put"), ("poser", "pose", "joue", "jouer")),
        "discard": (("discard", "drop", "throw"), ("défausser", "défausse", "jette", "jeter")),
        "stone": (("stone", "wish"), ("pierre", "vœu", "Pierre de Vœux")),
        "draw": (("draw", "take", "pick"), ("piocher", "pioche", "prends", "prendre")),
        "last": (("last", "final"), ("fin", "dernières")),
        "deck": (("deck", "stack"), ("pioche", "talon")),
        "none": (("none", "nothing"), ("aucune", "rien")),
        "N": (("Points", "point", "neutral"), ("Points", "point", "neutre")),
        "points": (("Point row",), ("série neutre", "rangée de Points")),
        "stones": (("wish stones",), ("Pierres de Vœux", "pierres")),
        "five-ends": (("five ended rows",), ("cinq séries avec une carte Fin", "cinq rangées terminées")),
        "deck-out": (("empty deck",), ("pioche vide",)),
    }
)
WORDS = Words(
    {locale: _names(locale) for locale in LOCALES},
    fields={
        "fr": {
            "first": "place",
            "card": "carte",
            "one": "carte",
            "two": "carte",
            "row": "série",
            "source": "pile",
            "lays": "cartes",
        }
    },
)
