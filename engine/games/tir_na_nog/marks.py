"""Marks of Tír na nÓg: the parts of the picture that are touched to make a line, and the labels of buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.game import Action
from engine.games.tir_na_nog.rules import actions
from engine.games.tir_na_nog.rules.cards import COLOURS
from engine.games.tir_na_nog.texts.labels import deck_label, place_label, row_label, spot_label
from engine.games.tir_na_nog.texts.menu import FEMININE, card_title, say
from engine.games.tir_na_nog.texts.names import WORDS
from engine.games.tir_na_nog.texts.phrases import who
from engine.games.tir_na_nog.view import View
from engine.phrases import localise
from engine.presentation import Marks
from engine.words import Locale

DISCARDS, DRAWN = "discards", "drawn"


def marks(view: View, action: Action[Any]) -> Marks:
    """Return cards, cells and spots as the line names them. Colours, steps of value and owners are buttons."""
    return _card_marks(view, action) or _teller_marks(action) or _saga_marks(action) or ((f"say:{action.verb}",),)


def _card_marks(view: View, action: Action[Any]) -> Marks:
    """Return the marks of an action on a card of the Otherworld, the hand or a pile."""
    match action:
        case actions.Take(cell, spot):
            return (f"cell:{cell}",), (f"spot:{spot}",)
        case actions.Keep(spot):
            return (DRAWN,), (f"spot:{spot}",)
        case actions.Play(card, row):
            return (f"hand:{card}",), (f"row:{row}",)
        case actions.Discard(card):
            return (_discard_mark(view, card),), (DISCARDS,)
    return ()


def _teller_marks(action: Action[Any]) -> Marks:
    """Return the marks of the target of a Storyteller or of Balor's marker."""
    match action:
        case actions.Mark(spot) | actions.Place(spot):
            return ((f"spot:{spot}",),)
        case actions.Wander(start, end, None):
            return (f"spot:{start}",), (f"spot:{end}",)
        case actions.Wander(start, end, whose):
            return (f"spot:{start}",), (f"spot:{end}",), (f"say:seat{whose}",)
    return ()


def _saga_marks(action: Action[Any]) -> Marks:
    """Return the marks of a change to the viewer's Saga."""
    match action:
        case actions.Paint(place, colour):
            return (f"at:{place}",), (f"say:{colour}",)
        case actions.Adjust(place, by):
            return (f"at:{place}",), (f"say:{by}",)
        case actions.Swap(one, other):
            return (f"at:{one}",), (f"at:{other}",)
        case actions.Shift(place, row):
            return (f"at:{place}",), (f"row:{row}",)
        case actions.Eat(place):
            return ((f"at:{place}",),)
    return ()


def _discard_mark(view: View, card: str) -> str:
    """Return the place of the discarded card: just drawn, in Balor's pile, or in the hand."""
    kind = {"keep": DRAWN, "spare": f"pile:{card}"}
    return kind.get(view.asking.what, f"hand:{card}")


def mark_name(view: View, mark: str, locale: Locale) -> str:
    """Return the name of a mark."""
    kind, _, word = mark.partition(":")
    name = NAMES.get(kind)
    if name:
        return name(view, word, locale)
    return card_title(view.drawn, locale) if kind == DRAWN and view.drawn else deck_label(mark, locale)


def _cell(view: View, cell: str, locale: Locale) -> str:
    return f"{card_title(view.cards[cell], locale)} ({cell})" if cell in view.cards else cell


def _button_name(view: View, word: str, locale: Locale) -> str:
    if word == actions.STAY.verb:
        return say(view, actions.STAY, locale)
    if word in COLOURS:
        return localise(FEMININE[word], locale)
    if word.startswith("seat"):
        return who(view, int(word.removeprefix("seat")), locale)
    return word.replace("-", "−") if word in actions.STEPS_OF_VALUE else WORDS.name(word, locale)


NAMES: dict[str, Callable[[View, str, Locale], str]] = {
    "say": _button_name,
    "hand": lambda _view, card, locale: card_title(card, locale),
    "pile": lambda _view, card, locale: card_title(card, locale),
    "cell": _cell,
    "spot": spot_label,
    "row": lambda view, row, locale: row_label(view.sagas[view.seat or 0], row, locale),
    "at": lambda view, place, locale: place_label(view.sagas[view.seat or 0], place, locale),
}
"""The name of a mark's word, by the kind of the mark."""
