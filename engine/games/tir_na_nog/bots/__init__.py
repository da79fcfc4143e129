"""Bots of Tír na nÓg: `random`, `gentle`, `steady`, which looks one turn ahead, and `strong`, which plays on."""

from __future__ import annotations

from typing import Any

from engine.game import Action, Bot, Options, Pick
from engine.games.tir_na_nog.bots.steady import steady
from engine.games.tir_na_nog.view import View
from engine.playout import make_gentle


def random(view: View, options: Options, pick: Pick) -> Action[Any]:  # noqa: ARG001  # it does not even look
    """Choose any listed line."""
    listed = tuple(options)
    return listed[pick(len(listed))]


BOTS: dict[str, Bot] = {"random": random, "gentle": make_gentle(steady, random), "steady": steady}
