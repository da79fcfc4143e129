"""Before the first move: the options of a match and its whole agenda."""

from __future__ import annotations

from engine.game import Step
from engine.games.tir_na_nog.bots.balor import DIFFICULTIES
from engine.games.tir_na_nog.rules.cards import EDITIONS
from engine.games.tir_na_nog.rules.chance import Begin, DealHand, LayOtherworld
from engine.games.tir_na_nog.rules.geas import FIRST, GEAS
from engine.games.tir_na_nog.rules.saga import NO_SAGA, ROWS
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS, TirNaNog
from engine.games.tir_na_nog.rules.steps import Cleanup, Journey, MarkSpace, SagaPhase, Scoring
from engine.options import Option, OptionPart, Setting, Settings
from engine.words import Locale

OFF = "off"
SOLO_SEATS = 2
ROW_TITLES: tuple[dict[Locale, str], ...] = (
    {"en": "top row", "fr": "rangée du haut"},
    {"en": "middle row", "fr": "rangée du milieu"},
    {"en": "bottom row", "fr": "rangée du bas"},
)


def is_geas(value: Setting, seats: int) -> bool:  # noqa: ARG001  # Geas are the same for all seats
    """Return True if this chooses Geas: by chance, the first trio, or one named for each row."""
    if value in ("random", "first"):
        return True
    return tuple(GEAS[slug].row if slug in GEAS else "" for slug in str(value).split(",")) == ROWS


def is_balor(value: Setting, seats: int) -> bool:
    """Return True if a match of this many seats may have Balor at this difficulty."""
    return value == OFF or (value in DIFFICULTIES and seats == SOLO_SEATS)


OPTIONS = (
    Option(
        "geas",
        "random",
        {"en": "the Geas of the three rows", "fr": "les Geis des trois rangées"},
        ("random", "first"),
        is_geas,
        {
            "en": "random, first, or the names for top, middle and bottom with commas, such as oisin,fionn,cathbad",
            "fr": "random, first, ou les noms pour haut, milieu et bas avec des virgules, comme oisin,fionn,cathbad",
        },
        first_match="first",
        labels={"first": {"en": "as in a first match", "fr": "comme à la première partie"}},
        parts=tuple(
            OptionPart(title, tuple(slug for slug, geas in GEAS.items() if geas.row == row))
            for row, title in zip(ROWS, ROW_TITLES, strict=True)
        ),
    ),
    Option(
        "edition",
        "house-3",
        {"en": "the edition of the cards", "fr": "l’édition des cartes"},
        tuple(EDITIONS),
        earlier={1: "house-1", 2: "house-2"},
        labels={name: {"en": f"{number}", "fr": f"{number}"} for number, name in enumerate(EDITIONS, 1)},
    ),
    Option(
        "balor",
        OFF,
        {"en": "a solo match against Balor", "fr": "une partie solo contre Balor"},
        (OFF, *DIFFICULTIES),
        is_balor,
        {
            "en": "off, or with two seats gentle, easy, normal, hard, impossible",
            "fr": "off, ou à deux places gentle, easy, normal, hard, impossible",
        },
    ),
)


def setup(seats: int, settings: Settings, revision: int) -> TirNaNog:  # noqa: ARG001  # revisions differ in their default edition
    """Return an empty table with the whole match on its agenda. Chance begins."""
    balor, geas, edition = str(settings["balor"]), str(settings["geas"]), str(settings["edition"])
    solo = balor != OFF
    chosen = {"random": (), "first": FIRST}.get(geas, tuple(geas.split(",")))
    return TirNaNog(
        seats=seats,
        agenda=_agenda(seats, solo),
        edition=edition,
        geas_option=geas,
        balor=balor,
        geas=chosen,
        deck=EDITIONS[edition],
        out=((),) * seats,
        used=((),) * seats,
        hands=((),) * seats,
        sagas=(NO_SAGA,) * seats,
        answers=("",) * seats,
    )


def _agenda(seats: int, solo: bool) -> tuple[Step[TirNaNog], ...]:
    steps: list[Step[TirNaNog]] = [Begin()]
    steps += [DealHand(seat) for seat in range(seats) if not (solo and seat == BALOR)]
    for number in range(ROUNDS):
        steps.append(LayOtherworld())
        if solo and number == 0:
            steps.append(MarkSpace())
        steps += [Journey(), SagaPhase(), Cleanup()]
    return (*steps, Scoring())
