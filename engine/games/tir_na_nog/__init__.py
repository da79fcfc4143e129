"""Tír na nÓg, for two to five seats, and the solo game against Balor."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Bots, Game, Rules
from engine.games.tir_na_nog.bots import BOTS, balor
from engine.games.tir_na_nog.bots.stand_in import PAGE, STAND_IN
from engine.games.tir_na_nog.bots.steady import strong
from engine.games.tir_na_nog.emblem import EMBLEM
from engine.games.tir_na_nog.figures import figures
from engine.games.tir_na_nog.marks import mark_name, marks
from engine.games.tir_na_nog.picture import picture
from engine.games.tir_na_nog.rules.actions import ALL
from engine.games.tir_na_nog.rules.effects import ongoing, phases, when_played
from engine.games.tir_na_nog.rules.score import scores
from engine.games.tir_na_nog.rules.setup import OPTIONS, setup
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.games.tir_na_nog.rules.steps import STEPS
from engine.games.tir_na_nog.texts import rulebook_en, rulebook_fr
from engine.games.tir_na_nog.texts.cards import tables
from engine.games.tir_na_nog.texts.lesson import LESSON
from engine.games.tir_na_nog.texts.menu import say, short, task
from engine.games.tir_na_nog.texts.names import WORDS
from engine.games.tir_na_nog.texts.refusals import refusal
from engine.games.tir_na_nog.texts.rules_summary import RULES
from engine.games.tir_na_nog.texts.story import tell
from engine.games.tir_na_nog.texts.table_prose import prose
from engine.games.tir_na_nog.texts.table_text import INKS, board, compact, text
from engine.games.tir_na_nog.view import redeal, view
from engine.presentation import Presentation
from engine.words import LOCALES, Locale

EFFECTS = (when_played, ongoing, phases)
"""The modules of card effects; importing them makes their cards work."""

ABOUT: Mapping[Locale, str] = {
    "en": "Send Storytellers into the Otherworld, bring home a Saga in three rows, and keep your Geas.",
    "fr": "Envoyez vos bardes dans l’Autre Monde, rapportez-en une saga en trois rangées, et respectez vos Geis.",
}

GAME = Game(
    rules=Rules(
        slug="tir-na-nog",
        seats=range(2, 6),
        revision=3,
        options=OPTIONS,
        actions=ALL,
        steps=STEPS,
        state=TirNaNog,
        setup=setup,
        view=view,
        redeal=redeal,
        scores=scores,
        refusal=refusal,
    ),
    presentation=Presentation(
        title={"en": "Tír na nÓg", "fr": "Tír na nÓg"},
        about=ABOUT,
        rules_summary={locale: f"{RULES[locale]}\n{PAGE[locale]}" for locale in LOCALES},
        rulebook={"en": rulebook_en.RULEBOOK, "fr": rulebook_fr.RULEBOOK},
        lesson=LESSON,
        tables=tables,
        words=WORDS,
        say=say,
        task=task,
        short=short,
        tell=tell,
        text=text,
        prose=prose,
        board=board,
        compact=compact,
        picture=picture,
        emblem=EMBLEM,
        inks=INKS,
        marks=marks,
        mark_name=mark_name,
    ),
    bots=Bots(
        by_name={**BOTS, "strong": strong, "balor": balor.bot},
        stand_in=STAND_IN,
        versions={"strong": 2},
        figures=figures,
    ),
)
