"""Keltis, the card game, for two to four seats."""

from __future__ import annotations

from engine.game import Bots, Game, Rules
from engine.games.keltis import rulebook_en, rulebook_fr
from engine.games.keltis.bots import random, steady
from engine.games.keltis.emblem import EMBLEM
from engine.games.keltis.lesson import LESSON
from engine.games.keltis.marks import mark_name, marks
from engine.games.keltis.picture import picture
from engine.games.keltis.refusals import refusal
from engine.games.keltis.rules import ACTIONS, STEPS, Keltis, setup
from engine.games.keltis.score import BOUNDS, scores
from engine.games.keltis.short import short
from engine.games.keltis.strong import strong
from engine.games.keltis.text import INKS, compact, say, task, tell, text
from engine.games.keltis.view import redeal, view
from engine.games.keltis.words import RULES, WORDS
from engine.options import Option
from engine.playout import make_gentle
from engine.presentation import Presentation
from engine.starting_seat import starting_seat_option

OPTIONS = (
    starting_seat_option("start"),
    Option(
        "end-may-open",
        default=True,
        title={"en": "an End card may open a row", "fr": "une carte Fin peut ouvrir une série"},
        choices=(True, False),
    ),
    Option(
        "short-second-draw",
        "from-discards",
        {
            "en": "when a stone turn takes the last deck card, the second card",
            "fr": "quand un tour à Pierre de Vœux prend la dernière carte de la pioche, la seconde carte",
        },
        ("from-discards", "none"),
        labels={
            "from-discards": {"en": "comes from the discards", "fr": "vient d’une défausse"},
            "none": {"en": "is not drawn", "fr": "n’est pas piochée"},
        },
    ),
    Option(
        "last-cards",
        "simultaneous",
        {"en": "who chooses last cards when", "fr": "ordre du choix des dernières cartes"},
        ("simultaneous", "seat-order"),
        labels={
            "simultaneous": {"en": "all at once", "fr": "tous à la fois"},
            "seat-order": {"en": "one after the other", "fr": "l’un après l’autre"},
        },
    ),
)

GAME: Game[Keltis] = Game(
    rules=Rules(
        slug="keltis",
        seats=range(2, 5),
        revision=2,
        options=OPTIONS,
        actions=ACTIONS,
        steps=STEPS,
        state=Keltis,
        setup=setup,
        view=view,
        redeal=redeal,
        scores=scores,
        score_bounds=BOUNDS,
        refusal=refusal,
    ),
    presentation=Presentation(
        title={"en": "Keltis, the card game", "fr": "Keltis, le jeu de cartes"},
        about={
            "en": "Rows that rise or fall, wish stones, and the question of when to end it.",
            "fr": "Des séries croissantes ou décroissantes, des Pierres de Vœux, et la question de savoir quand finir.",
        },
        rules_summary=RULES,
        rulebook={"en": rulebook_en.RULEBOOK, "fr": rulebook_fr.RULEBOOK},
        lesson=LESSON,
        words=WORDS,
        say=say,
        task=task,
        short=short,
        tell=tell,
        text=text,
        compact=compact,
        picture=picture,
        emblem=EMBLEM,
        inks=INKS,
        marks=marks,
        mark_name=mark_name,
    ),
    bots=Bots(
        by_name={"random": random, "gentle": make_gentle(steady, random), "steady": steady, "strong": strong},
        stand_in="steady",
        versions={"steady": 2, "strong": 2},
    ),
)
