"""Task lines of Táin."""

from __future__ import annotations

from engine.games.tain.tokens import EMPTY
from engine.games.tain.view import TainView
from engine.task import Task, Tasks, fill_task
from engine.words import Locale

TASKS: Tasks = {
    "recon": {
        "en": Task("Reconnaissance", "Place one token face down, or pass for this round."),
        "fr": Task("Reconnaissance", "Posez un jeton face cachée, ou passez jusqu’à la fin du tour."),
    },
    "guards": {
        "en": Task("Guards", "Post guards at your free gates. Everybody chooses at the same time."),
        "fr": Task("Gardes", "Postez des gardes à vos portes libres. Tout le monde choisit en même temps."),
    },
    "guards-full": {
        "en": Task("Guards", "Your gates are full: confirm that you post nobody."),
        "fr": Task("Gardes", "Vos portes sont toutes gardées : confirmez que vous ne postez personne."),
    },
    "free": {
        "en": Task("Prisoners", "Choose whom to bring home from {who}."),
        "fr": Task("Prisonniers", "Choisissez qui vous ramenez de chez {who}."),
    },
}


def task(view: TainView, locale: Locale) -> Task:
    """Return what the viewer has to do now."""
    if view.phase == "free":
        holder = next(choice.holder for choice in view.choices if choice.seat == view.seat)
        return fill_task(TASKS, "free", locale, who=view.called(holder, locale))
    if view.phase == "guards":
        full = view.seat is not None and EMPTY not in view.clans[view.seat].guards
        return fill_task(TASKS, "guards-full" if full else "guards", locale)
    return fill_task(TASKS, "recon", locale)
