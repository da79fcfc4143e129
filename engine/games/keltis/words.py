"""How people say the words of Keltis in English and French."""

from __future__ import annotations

from engine.games.keltis.cards import CARDS, COLOURS, POINT
from engine.words import Locale, Words, french

COLOUR_NAMES: dict[Locale, dict[str, str]] = {
    "en": {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "P": "pink", "N": "Points"},
    "fr": {"R": "rouge", "Y": "jaune", "G": "vert", "B": "bleu", "P": "rose", "N": "Points"},
}
FEMININE = {"G": ("verte",), "B": ("bleue",)}
RULES: dict[Locale, str] = {
    "en": """\
Each turn: one play, then draw back to eight cards.
Play one of: lay a card on your row of its colour; lay a Point card (N) on your Point row, or on a colour row whose
last number it repeats; discard a card; or discard two cards of one number for the wish stone of that number.
A row goes up or down: its first change decides, equal numbers are always allowed.
End cards (E) close a row, two at most.
Draw from the deck or from the top of a discard pile you did not use this turn.
The match stops when five rows hold an End card or the deck is empty; then everybody may lay up to two last cards.
Rows of 1, 2, 3 cards cost 4, 3, 2 points; 4 and more give 1, 2, 3, 6, 7, 10. Point row: 1 each. Stones, from none to
five: -4, -1, 0, 4, 6, 10.""",
    "fr": french("""\
À chaque tour : une action, puis on complète sa main à huit cartes.
Une action : poser une carte sur sa rangée de la couleur ; poser une carte Point (N) sur sa rangée de Points, ou sur une
rangée de couleur dont elle répète le dernier nombre ; défausser une carte ; ou défausser deux cartes de même nombre
contre la pierre de ce nombre.
Une rangée monte ou descend : le premier changement décide, l’égalité est toujours permise. Les cartes Fin (E) ferment
la rangée, deux au plus.
On pioche dans la pioche ou sur une défausse que l’on n’a pas utilisée ce tour-ci.
La partie s’arrête quand cinq rangées ont une carte Fin ou que la pioche est vide ; chacun peut alors poser jusqu’à deux
dernières cartes.
Rangée de 1, 2, 3 cartes : -4, -3, -2 ; à partir de 4 : 1, 2, 3, 6, 7, 10. Rangée de Points : 1 par carte.
Pierres, de zéro à cinq : -4, -1, 0, 4, 6, 10."""),
}


def card_name(card: str, locale: Locale) -> str:
    """A card in words: red 5, red End, Point 5."""
    colour, value = COLOUR_NAMES[locale][card[0]], card[1:]
    if card[0] == POINT:
        return f"Point {value}"
    if value == "E":
        return {"en": f"{colour} End", "fr": f"Fin {colour}"}[locale]
    return f"{colour} {value}"


def _names(locale: Locale, verbs: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    cards = {card: (card_name(card, locale),) for card in CARDS}
    lays = {
        f"{POINT}{value}:{colour}": (f"Point {value} {COLOUR_NAMES[locale][colour]}", f"N{value} {colour}")
        for value in range(11)
        for colour in COLOURS
    }
    rows = {colour: (COLOUR_NAMES[locale][colour], *FEMININE.get(colour, ())) for colour in COLOURS}
    return {**cards, **lays, **rows, **verbs}


WORDS = Words(
    {
        "en": _names(
            "en",
            {
                "lay": ("lay", "play", "put"),
                "discard": ("discard", "drop", "throw"),
                "stone": ("stone", "wish"),
                "draw": ("draw", "take", "pick"),
                "last": ("last", "final"),
                "deck": ("deck", "stack"),
                "none": ("none", "nothing"),
                "N": ("Points", "point", "neutral"),
                "points": ("Point row",),
                "stones": ("wish stones",),
                "five-ends": ("five ended rows",),
                "deck-out": ("empty deck",),
            },
        ),
        "fr": _names(
            "fr",
            {
                "lay": ("poser", "pose", "joue", "jouer"),
                "discard": ("défausser", "défausse", "jette", "jeter"),
                "stone": ("pierre", "vœu"),
                "draw": ("piocher", "pioche", "prends", "prendre"),
                "last": ("fin", "dernières"),
                "deck": ("pioche", "talon"),
                "none": ("aucune", "rien"),
                "N": ("Points", "point", "neutre"),
                "points": ("rangée de Points",),
                "stones": ("pierres",),
                "five-ends": ("cinq rangées terminées",),
                "deck-out": ("pioche vide",),
            },
        ),
    }
)
