"""The short form of Tír na nÓg for letters: a card is taken by its name, `take water kelpie, play great oak top`."""

from __future__ import annotations

from engine.game import Options
from engine.games.tir_na_nog.actions import PLAYS, Take
from engine.games.tir_na_nog.view import View
from engine.games.tir_na_nog.words import WORDS
from engine.reading import SEPARATORS, Unclear, chosen, fits, typed

WAYS = ((True, True), (True, False), (False, True), (False, False))
"""Full names before beginnings, with the Storyteller's spot before without it."""


def short(view: View, options: Options, text: str) -> tuple[str, ...] | None:
    """The canonical lines of a take by name and what may follow it, or None if the text is no such thing."""
    parts = [part.strip() for part in SEPARATORS.split(text) if part.strip()]
    takes = [option for option in options if type(option) is Take]
    take = _named(view, takes, parts[0]) if parts and takes else None
    if take is None:
        return None
    hand = dict.fromkeys((*view.hand, view.cards[take.cell]))
    plays = [play for card in hand for play in PLAYS[card]]
    return (take.line, *(chosen(WORDS, part, plays).line for part in parts[1:]))


def _named(view: View, takes: list[Take], text: str) -> Take | None:
    said = typed(WORDS, text)
    if len(said.tokens) < 2 or any(token in view.world.at for token in said.tokens):  # noqa: PLR2004  # a verb and a name
        return None
    first = next((at for at in range(len(said.tokens)) if at not in said.idle), len(said.tokens) - 1)
    if not any(said.taken(at, Take.verb, exact=False) for at in range(first + 1)):
        return None
    for exact, whole in WAYS:
        found = [
            take for take in takes if fits(said, f"take {view.cards[take.cell]} {take.spot}", exact=exact, whole=whole)
        ]
        if len(found) == 1:
            return found[0]
        if found:
            raise Unclear(text, tuple(take.line for take in found))
    return None
