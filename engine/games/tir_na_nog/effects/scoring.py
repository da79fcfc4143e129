"""Scoring effects: a last choice before the count, and points of a card by itself."""

# ruff: noqa: ARG001  # effects of one timing share one signature, whether or not they need all of it

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Action, Seat
from engine.games.tir_na_nog.actions import PAINTS
from engine.games.tir_na_nog.cards import COLOURS
from engine.games.tir_na_nog.effects.registry import POINTS, SCORING, registered
from engine.games.tir_na_nog.saga import Here
from engine.games.tir_na_nog.state import TirNaNog


@registered(SCORING, "selkie-cove")
def selkie_cove(state: TirNaNog, seat: Seat, here: Here) -> Iterator[Action[TirNaNog]]:
    """Choose any of the four colours: this card has it in the count."""
    yield from (PAINTS[here.point, colour] for colour in COLOURS)


@registered(POINTS, "tur-bhalair")
def tur_bhalair(here: Here) -> int:
    """1 point for each card of your Saga that is red now."""
    return sum(row.count("red") for row in here.saga.colours)
