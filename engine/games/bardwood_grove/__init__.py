"""Bardwood Grove, for two to four seats, and the solo game against the rival."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Bots, Game, Rules
from engine.games.bardwood_grove.bots.steady import BOTS, rival
from engine.games.bardwood_grove.bots.strong import strong
from engine.games.bardwood_grove.emblem import EMBLEM
from engine.games.bardwood_grove.marks import mark_name, marks
from engine.games.bardwood_grove.picture import picture
from engine.games.bardwood_grove.rules.actions import ChooseBard, Compose, Fan, Idle, Move, Stack
from engine.games.bardwood_grove.rules.chance import CHANCE_ACTIONS, CHANCE_STEPS
from engine.games.bardwood_grove.rules.score import scores
from engine.games.bardwood_grove.rules.setup import OPTIONS, setup
from engine.games.bardwood_grove.rules.song_actions import SONG_ACTIONS
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.games.bardwood_grove.rules.steps import SEAT_STEPS
from engine.games.bardwood_grove.texts import rulebook_en, rulebook_fr
from engine.games.bardwood_grove.texts.card_tables import tables
from engine.games.bardwood_grove.texts.figures import figures
from engine.games.bardwood_grove.texts.lesson import LESSON
from engine.games.bardwood_grove.texts.menu import option_kind, say, task
from engine.games.bardwood_grove.texts.refusals import refusal
from engine.games.bardwood_grove.texts.rules_summary import RULES
from engine.games.bardwood_grove.texts.short import short
from engine.games.bardwood_grove.texts.story import tell
from engine.games.bardwood_grove.texts.table_compact import compact
from engine.games.bardwood_grove.texts.table_text import INKS, board, prose, text
from engine.games.bardwood_grove.texts.words import WORDS
from engine.games.bardwood_grove.view import redeal, view
from engine.presentation import Presentation
from engine.words import Locale

ABOUT: Mapping[Locale, str] = {
    "en": "Compose a song card by card, then sing it where it soothes creatures, fills stages and tells legends.",
    "fr": "Composez une chanson carte à carte, puis chantez-la là où elle apaise, fait salle comble et raconte.",
}

GAME = Game(
    rules=Rules(
        slug="bardwood-grove",
        seats=range(2, 5),
        revision=1,
        options=OPTIONS,
        actions=(*CHANCE_ACTIONS, ChooseBard, Compose, Move, *SONG_ACTIONS, Fan, Stack, Idle),
        steps=(*CHANCE_STEPS, *SEAT_STEPS),
        state=Bardwood,
        setup=setup,
        view=view,
        redeal=redeal,
        scores=scores,
        refusal=refusal,
        lapsing_verbs=frozenset({"fan", "stack"}),
    ),
    presentation=Presentation(
        title={"en": "Bardwood Grove", "fr": "Bardwood Grove"},
        about=ABOUT,
        rules_summary=RULES,
        rulebook={"en": rulebook_en.RULEBOOK, "fr": rulebook_fr.RULEBOOK},
        lesson=LESSON,
        tables=tables,
        words=WORDS,
        say=say,
        task=task,
        kind=option_kind,
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
        by_name={**BOTS, "strong": strong, "rival": rival},
        stand_in="steady",
        figures=figures,
    ),
)
