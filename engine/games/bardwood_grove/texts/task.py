"""Task lines of Bardwood Grove."""

from __future__ import annotations

from engine.games.bardwood_grove.view import BardwoodView
from engine.task import Task, Tasks, fill_task
from engine.words import Locale

TASKS: Tasks = {
    "bards": {
        "en": Task("Bards", "Choose the bard you play."),
        "fr": Task("Bardes", "Choisissez le barde que vous jouez."),
    },
    "compose": {
        "en": Task("Compose", "Choose a Skill for the song. The other one pays its strip."),
        "fr": Task("Composer", "Choisissez une Compétence pour la chanson. L’autre paie sa bande."),
    },
    "move": {
        "en": Task("Move", "Move your bard and boat: {points}."),
        "fr": Task("Se déplacer", "Déplacez barde et bateau : {points}."),
    },
    "sing": {
        "en": Task("Sing", "Use what is around {region}: {melody}, {lyrics}. Then end the song."),
        "fr": Task("Chanter", "Utilisez ce qui entoure {region} : {melody}, {lyrics}. Puis finissez la chanson."),
    },
    "fan": {
        "en": Task("Fan", "Choose what your Fan brings you."),
        "fr": Task("Fan", "Choisissez ce que votre Fan vous apporte."),
    },
    "stack": {
        "en": Task("Brag", "Choose the brag space for your creature."),
        "fr": Task("Fanfaronnade", "Choisissez l’emplacement de Fanfaronnade de votre créature."),
    },
}


UNITS: dict[Locale, dict[str, tuple[str, str]]] = {
    "en": {"points": ("step", "steps"), "melody": ("melody", "melody"), "lyrics": ("lyrics", "lyrics")},
    "fr": {"points": ("pas", "pas"), "melody": ("mélodie", "mélodies"), "lyrics": ("parole", "paroles")},
}


def task(view: BardwoodView, locale: Locale) -> Task:
    """Return what the viewer has to do now."""
    song, seat = view.singing, view.players[view.seat or 0]
    counts = {"points": view.points, "melody": song.melody if song else 0, "lyrics": song.lyrics if song else 0}
    values = {name: _count(name, number, locale) for name, number in counts.items()}
    return fill_task(TASKS, view.phase, locale, region=seat.region, **values)


def _count(name: str, number: int, locale: Locale) -> str:
    one, many = UNITS[locale][name]
    is_one = number == 1 or (locale == "fr" and number == 0)
    return f"{number} {one if is_one else many}"
