"""Táin, the cattle raid, for two to four seats."""

from __future__ import annotations

from engine.game import Bots, Game, Rules
from engine.games.tain import rulebook_en, rulebook_fr
from engine.games.tain.bots import random, steady
from engine.games.tain.emblem import EMBLEM
from engine.games.tain.lesson import LESSON
from engine.games.tain.marks import mark_name, marks
from engine.games.tain.picture import picture
from engine.games.tain.refusals import refusal
from engine.games.tain.rules import ACTIONS, STEPS, setup
from engine.games.tain.score import scores
from engine.games.tain.short import short
from engine.games.tain.state import Tain
from engine.games.tain.strong import strong
from engine.games.tain.telling import option_kind, say, task, tell
from engine.games.tain.text import INKS, board, compact, text
from engine.games.tain.view import redeal, view
from engine.games.tain.words import RULES, WORDS
from engine.options import Option
from engine.playout import make_gentle
from engine.presentation import Presentation
from engine.starting_seat import starting_seat_option

OPTIONS = (
    Option(
        "marker",
        "rotate",
        {"en": "the active player’s marker after a round", "fr": "le marqueur du joueur actif après un tour"},
        ("rotate", "fixed"),
        labels={
            "rotate": {"en": "passes on", "fr": "passe au suivant"},
            "fixed": {"en": "stays", "fr": "ne bouge pas"},
        },
    ),
    starting_seat_option("first"),
    Option(
        "share",
        "per-player",
        {"en": "how scarce loot is shared out", "fr": "partage d’un butin trop petit"},
        ("per-player", "one-each"),
        labels={
            "per-player": {"en": "player by player", "fr": "joueur par joueur"},
            "one-each": {"en": "one piece each in turn", "fr": "une pièce chacun à tour de rôle"},
        },
    ),
    Option(
        "speedup",
        default=True,
        title={
            "en": "last guards all at once when every other place is taken",
            "fr": "derniers gardiens tous à la fois quand tout autre emplacement est pris",
        },
        choices=(True, False),
    ),
    Option(
        "free-default",
        "ask",
        {"en": "which captive comes home first", "fr": "quel prisonnier est libéré d’abord"},
        ("ask", "daughter-first"),
        labels={
            "ask": {"en": "the player chooses", "fr": "le joueur choisit"},
            "daughter-first": {"en": "the daughter first", "fr": "la fille d’abord"},
        },
    ),
)

GAME: Game[Tain] = Game(
    rules=Rules(
        slug="tain",
        seats=range(2, 5),
        revision=2,
        options=OPTIONS,
        actions=ACTIONS,
        steps=STEPS,
        state=Tain,
        setup=setup,
        view=view,
        redeal=redeal,
        scores=scores,
        score_bounds=(0, 999),
        refusal=refusal,
    ),
    presentation=Presentation(
        title={"en": "Táin, the cattle raid", "fr": "Táin, la razzia"},
        about={
            "en": "The great cattle raid: tokens face down, bluffs and captives, in eight rounds.",
            "fr": "La grande razzia\N{NO-BREAK SPACE}: jetons face cachée, bluffs et prisonniers, en huit tours.",
        },
        rules_summary=RULES,
        rulebook={"en": rulebook_en.RULEBOOK, "fr": rulebook_fr.RULEBOOK},
        lesson=LESSON,
        words=WORDS,
        say=say,
        task=task,
        kind=option_kind,
        short=short,
        tell=tell,
        text=text,
        board=board,
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
