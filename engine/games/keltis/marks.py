"""Marks of Keltis: the parts of the picture that are touched to make a line, and the labels of buttons."""

from __future__ import annotations

from engine.game import Action
from engine.games.keltis.cards import PILES, POINT
from engine.games.keltis.rules import Discard, DrawFrom, Keltis, LastCards, Lay, Stone
from engine.games.keltis.text import ROW_NAMES
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import COLOUR_NAMES, WORDS, card_name
from engine.phrases import Phrases
from engine.presentation import Marks
from engine.words import Locale, french

NONE = "say:none"
NAMES = Phrases(
    {
        "row": ("{name} row", "série : {name}"),
        "pile": ("{name} discards", "défausse : {name}"),
        "stone": ("wish stone {word}", "Pierre de Vœux {word}"),
        "deck": ("deck", "pioche"),
        "none": ("no last cards", "aucune dernière carte"),
    }
)


def marks(view: KeltisView, action: Action[Keltis]) -> Marks:  # noqa: ARG001  # every table is touched alike
    """Return the card and its row. A last card of a colour needs no row, since only one takes it."""
    if isinstance(action, Lay):
        return (f"hand:{action.card}",), (f"row:{action.row or action.card[0]}",)
    if isinstance(action, Discard):
        return (f"hand:{action.card}",), (f"pile:{action.card[0]}",)
    if isinstance(action, Stone):
        return (f"hand:{action.one}",), (f"hand:{action.two}",), (f"stone:{action.one[1:]}",)
    if isinstance(action, DrawFrom):
        return (("deck",),) if action.source == "deck" else ((f"pile:{action.source}",),)
    if isinstance(action, LastCards):
        return tuple(map(_last_card, action.lays)) or ((NONE,),)
    return ((f"say:{action.verb}",),)


def _last_card(lay: str) -> tuple[str, ...]:
    card, _, colour = lay.partition(":")
    return (f"hand:{card}", f"row:{colour or POINT}") if card[0] == POINT else (f"hand:{card}",)


def mark_name(view: KeltisView, mark: str, locale: Locale) -> str:  # noqa: ARG001  # the same at every table
    """Return the name of a mark."""
    kind, _, word = mark.partition(":")
    if kind == "hand":
        return card_name(word, locale)
    names = NAMES[locale]
    if kind == "row" and word in PILES:
        return french(names["row"].format(name=ROW_NAMES[locale][word].lower()))
    if kind == "pile" and word in PILES:
        return french(names["pile"].format(name=COLOUR_NAMES[locale][word].lower()))
    if kind == "stone":
        return names["stone"].format(word=word)
    return names.get(word or kind) or WORDS.name(word or kind, locale)
