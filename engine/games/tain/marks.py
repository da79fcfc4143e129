"""Marks of Táin: tokens, gates, the kingdom and captives, which are touched to make a line."""

from __future__ import annotations

from typing import Any

from engine.game import Action
from engine.games.tain.posts import POSTS
from engine.games.tain.rules import Free, Guards, Put
from engine.games.tain.tokens import KINGDOM, LETTERS
from engine.games.tain.view import TainView
from engine.games.tain.words import KIND_NAMES, letters_in
from engine.phrases import Phrases
from engine.presentation import Marks
from engine.words import Locale

PASS, NONE = "say:pass", "say:none"
NAMES = Phrases(
    {
        PASS: ("Pass", "Passer"),
        NONE: ("No guard", "Aucun gardien"),
        KINGDOM: ("foreign kingdom", "Royaume étranger"),
        "gate": ("gate {word}", "entrée {word}"),
        "captive": ("{name} held by {who}", "{name}, chez {who}"),
    }
)


def marks(view: TainView, action: Action[Any]) -> Marks:  # noqa: ARG001  # the same whoever is asked
    """Return a token and its place, each guard as one word; a captive alone; a button for the rest."""
    if isinstance(action, Put):
        return (token_mark(action.kind),), (place_mark(action.place),)
    if isinstance(action, Guards):
        return tuple([GUARD_WORDS[post] for post in action.posts]) or ((NONE,),)
    if isinstance(action, Free):
        return ((captive_mark(action.holder, action.kind),),)
    return ((PASS,),)


def token_mark(kind: str) -> str:
    """Return the mark of the viewer's tokens of a kind behind the screen."""
    return f"token:{kind}"


def place_mark(place: str) -> str:
    """Return the mark of the viewer's gate (`3`), of a rival's gate (`b4`), or of the kingdom."""
    return place if place == KINGDOM else f"gate:{place}"


GUARD_WORDS = {post: (token_mark(post[0]), place_mark(post[1])) for post in POSTS}
"""A guard as a word, made once because lists of guards are long."""


def captive_mark(holder: str, kind: str) -> str:
    """Return the mark of the viewer's captives of a kind in the house of a clan."""
    return f"captive:{holder}{kind}"


def mark_name(view: TainView, mark: str, locale: Locale) -> str:
    """Return the label of a mark's button."""
    names, (sort, _, word) = NAMES[locale], mark.partition(":")
    if sort == "token":
        return f"{KIND_NAMES[locale][word]} {letters_in(word, locale)}"
    if sort == "captive":
        name, who = KIND_NAMES[locale][word[1]], view.called(LETTERS.index(word[0]), locale)
        return names[sort].format(name=name, who=who)
    return names[sort].format(word=word) if sort == "gate" else names.get(mark, mark)
