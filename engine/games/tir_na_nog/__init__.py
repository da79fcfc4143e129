"""Tír na nÓg, for two to five seats, and the solo game against Balor."""

from __future__ import annotations

from engine.game import Game
from engine.games.tir_na_nog import balor
from engine.games.tir_na_nog.actions import ALL
from engine.games.tir_na_nog.bots import BOTS
from engine.games.tir_na_nog.brief import RULES
from engine.games.tir_na_nog.effects import journey_phase, ongoing, saga_phase, scoring, when_played
from engine.games.tir_na_nog.figures import figures
from engine.games.tir_na_nog.menu import say
from engine.games.tir_na_nog.picture import picture
from engine.games.tir_na_nog.prose import prose
from engine.games.tir_na_nog.redeal import redeal
from engine.games.tir_na_nog.score import scores
from engine.games.tir_na_nog.setup import OPTIONS, setup
from engine.games.tir_na_nog.short import short
from engine.games.tir_na_nog.stand_in import PAGE, STAND_IN
from engine.games.tir_na_nog.state import TirNaNog
from engine.games.tir_na_nog.steps_chance import Begin, DealHand, DrawCard, LayOtherworld, TurnCard
from engine.games.tir_na_nog.steps_cleanup import Cleanup, ScoreCard, Scoring, Spare
from engine.games.tir_na_nog.steps_effects import Keen, Resolve
from engine.games.tir_na_nog.steps_journey import BalorPlaces, Journey, MarkSpace, PlaceStoryteller
from engine.games.tir_na_nog.steps_saga import BalorTakes, EndTurn, KeepCard, PlayCard, SagaPhase, TakeCard
from engine.games.tir_na_nog.telling import tell
from engine.games.tir_na_nog.text import INKS, text
from engine.games.tir_na_nog.view import view
from engine.games.tir_na_nog.wording import tables
from engine.games.tir_na_nog.words import WORDS
from engine.words import LOCALES

EFFECTS = (when_played, ongoing, journey_phase, saga_phase, scoring)
"""One module for each printed timing; importing them makes their cards work."""

GAME = Game(
    slug="tir-na-nog",
    title={"en": "Tír na nÓg", "fr": "Tír na nÓg"},
    seats=range(2, 6),
    revision=1,
    options=OPTIONS,
    actions=ALL,
    steps=(
        *(Begin, DealHand, LayOtherworld, MarkSpace, Journey, TurnCard, BalorPlaces, PlaceStoryteller),
        *(SagaPhase, BalorTakes, DrawCard, KeepCard, TakeCard, Keen, PlayCard, Resolve, EndTurn),
        *(Cleanup, Scoring, ScoreCard, Spare),
    ),
    state=TirNaNog,
    setup=setup,
    view=view,
    say=say,
    tell=tell,
    text=text,
    picture=picture,
    scores=scores,
    bots={**BOTS, "balor": balor.bot},
    stand_in=STAND_IN,
    words=WORDS,
    redeal=redeal,
    short=short,
    inks=INKS,
    figures=figures,
    prose=prose,
    tables=tables,
    rules={locale: f"{RULES[locale]}\n{PAGE[locale]}" for locale in LOCALES},
    about={
        "en": "Send Storytellers into the Otherworld, bring home a Saga in three rows, and keep your Geas.",
        "fr": "Envoyez vos bardes dans l’Autre Monde, rapportez-en une saga en trois rangées, et tenez vos geis.",
    },
)
