"""Task lines of Keltis."""

from __future__ import annotations

from engine.games.keltis.cards import VALUE, alike
from engine.games.keltis.view import KeltisView
from engine.task import Task, Tasks, fill_task
from engine.words import Locale

TASKS: Tasks = {
    "play": {
        "en": Task("Play", "Lay or discard one card."),
        "fr": Task("Jouer", "Posez ou défaussez une carte."),
    },
    "trade": {
        "en": Task("Play", "Lay or discard one card, or swap two equal cards for a wish stone."),
        "fr": Task("Jouer", "Posez ou défaussez une carte, ou échangez deux cartes égales contre une Pierre de Vœux."),
    },
    "draw": {
        "en": Task("Draw", "Draw a card from the deck or from a discard pile."),
        "fr": Task("Piocher", "Piochez une carte, dans la pioche ou sur une défausse."),
    },
    "draw-two": {
        "en": Task("Draw", "Draw two cards, one after the other."),
        "fr": Task("Piocher", "Piochez deux cartes, l’une après l’autre."),
    },
    "last": {
        "en": Task("Last cards", "Lay up to two last cards. Everybody answers at the same time."),
        "fr": Task("Dernières cartes", "Posez jusqu’à deux dernières cartes. Tout le monde répond en même temps."),
    },
}


def task(view: KeltisView, locale: Locale) -> Task:
    """Return what the viewer has to do now."""
    return fill_task(TASKS, _situation(view), locale)


def _situation(view: KeltisView) -> str:
    if view.phase == "draw":
        return "draw-two" if view.draws > 1 else "draw"
    if view.phase == "last":
        return "last"
    tradable = any(len(cards) > 1 and VALUE[cards[0]] in view.line for cards in alike(view.hand).values())
    return "trade" if tradable else "play"
