"""Task lines of Tír na nÓg."""

from __future__ import annotations

from engine.games.tir_na_nog.rules.state import ROUNDS, STORYTELLERS
from engine.games.tir_na_nog.texts.names import card_name
from engine.games.tir_na_nog.view import View
from engine.task import Task, Tasks, fill_task
from engine.words import Locale

TASKS: Tasks = {
    "mark": {
        "en": Task("Setup", "Put Balor’s marker on a space. He looks from there."),
        "fr": Task("Mise en place", "Posez le pion Premier joueur : c’est de là que Balor regarde."),
    },
    "place": {
        "en": Task("Journey", "Place a Storyteller between two cards. {left} left."),
        "fr": Task("Voyage", "Placez un barde entre deux cartes. Il en reste {left}."),
    },
    "place-last": {
        "en": Task("Journey", "Place your last Storyteller between two cards."),
        "fr": Task("Voyage", "Placez votre dernier barde entre deux cartes."),
    },
    "take": {
        "en": Task("Saga", "Take a card that one of your Storytellers touches, then play a card."),
        "fr": Task("Saga", "Prenez une carte que touche l’un de vos bardes, puis jouez une carte."),
    },
    "far": {
        "en": Task("Saga", "Take any card of the Otherworld, then play a card."),
        "fr": Task("Saga", "Prenez n’importe quelle carte de l’Autre Monde, puis jouez une carte."),
    },
    "echtra": {
        "en": Task("Echtra Quest", "Take any card for your Lost Storyteller, then play a card."),
        "fr": Task("Quête de l’Echtra", "Prenez n’importe quelle carte pour votre barde égaré, puis jouez une carte."),
    },
    "keep": {
        "en": Task("Echtra Quest", "Keep the card you drew, or discard it and take another."),
        "fr": Task("Quête de l’Echtra", "Gardez la carte piochée, ou défaussez-la et prenez-en une autre."),
    },
    "play": {
        "en": Task("Saga", "Play a card from your hand to your Saga."),
        "fr": Task("Saga", "Jouez une carte de votre main dans votre saga."),
    },
    "after": {
        "en": Task("Saga", "Move a card of your Saga once more, or stay."),
        "fr": Task("Saga", "Déplacez encore une carte de votre saga, ou restez là."),
    },
    "resolve": {
        "en": Task("Saga", "Choose what {card} does."),
        "fr": Task("Saga", "Choisissez l’effet de la carte {card}."),
    },
    "keen": {
        "en": Task("Saga", "Say where your Storyteller just lost at {about} goes."),
        "fr": Task("Saga", "Dites où va votre barde qui vient de s’égarer en {about}."),
    },
    "cleanup": {
        "en": Task("Cleanup", "Discard one card and keep {keep}. Others choose at the same time."),
        "fr": Task("Entretien", "Défaussez une carte, gardez-en {keep}. Les autres choisissent en même temps."),
    },
    "cleanup-solo": {
        "en": Task("Cleanup", "Discard one card and keep {keep}."),
        "fr": Task("Entretien", "Défaussez une carte, gardez-en {keep}."),
    },
    "scoring": {
        "en": Task("Scoring", "Choose the colour of {card} for the final count."),
        "fr": Task("Décompte", "Choisissez la couleur de la carte {card} pour le décompte."),
    },
    "spare": {
        "en": Task("Scoring", "Discard a card from Balor’s pile. {left} to go."),
        "fr": Task("Décompte", "Défaussez une carte de la pile de Balor. Encore {left}."),
    },
}


def task(view: View, locale: Locale) -> Task:
    """Return what the viewer has to do now."""
    asking, situation = view.asking, view.asking.what
    left = STORYTELLERS - len(view.out[view.seat or 0]) if situation == "place" else asking.left
    if situation == "place" and left == 1:
        situation = "place-last"
    if situation == "cleanup" and view.solo:
        situation = "cleanup-solo"
    card = card_name(asking.card, locale) if asking.card else ""
    return fill_task(TASKS, situation, locale, left=left, card=card, about=asking.about, keep=ROUNDS - view.round)
