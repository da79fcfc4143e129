"""Why the engine refuses something: each reason in both languages, with the same values, and used."""

from __future__ import annotations

import ast
import pickle
from pathlib import Path
from string import Formatter

import pytest

from engine.game import CHANCE, HOUSE
from engine.games import GAMES
from engine.house import seat_name
from engine.notation import NotALine
from engine.options import BadSetting
from engine.reasons import REASONS, Localised, reason
from engine.words import LOCALES

ENGINE = Path(__file__).parents[2] / "engine"


def values_of(text: str) -> set[str | None]:
    """The names of the values in a text."""
    return {name for _, name, _, _ in Formatter().parse(text)} - {None}


@pytest.mark.parametrize("key", REASONS)
def test_a_reason_has_the_same_values_in_each_language(key: str) -> None:
    assert set(REASONS[key]) == set(LOCALES)
    assert values_of(REASONS[key]["en"]) == values_of(REASONS[key]["fr"])


def test_every_reason_is_used_and_exists() -> None:
    used = {f"{form}.{name}" for form in ("seat", "of_seat") for name in ("chance", "house", "number")}
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "reason":
                keys = [node.args[0].body, node.args[0].orelse] if isinstance(node.args[0], ast.IfExp) else node.args
                used |= {str(key.value) for key in keys if isinstance(key, ast.Constant)}
    assert used == set(REASONS)


def test_values_are_said_in_the_language_of_the_reason() -> None:
    both = reason("line.not_your_turn", of_seat=seat_name(CHANCE, "of_seat"), actors=(seat_name(0), seat_name(HOUSE)))
    assert str(both) == "it is not the turn of chance; waiting for seat 0 and the house"
    assert both.text("fr") == "ce n'est pas le tour du hasard : on attend la place 0 et la maison"
    values = Localised({"en": "a seat", "fr": "une place"})
    assert reason("file.option_value", option="start", value="x", values=values).text("fr") == (
        "l'option start ne peut pas être x ; elle admet : une place"
    )


def test_errors_carry_their_reason() -> None:
    with pytest.raises(BadSetting, match="keltis is for 2 to 4 seats, not 9") as refused:
        GAMES["keltis"].rules.start(9)
    assert refused.value.reason.text("fr") == "keltis se joue de 2 à 4 places, pas à 9"
    again = pickle.loads(pickle.dumps(NotALine(reason("line.verb", verb="zap"))))  # noqa: S301  # our own
    assert (str(again), again.reason) == ("no line begins with zap", reason("line.verb", verb="zap"))
