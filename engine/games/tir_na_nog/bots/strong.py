"""The strong bot of Tír na nÓg: it plays its candidates on to the end of the round, as steady would at every seat."""

from __future__ import annotations

from typing import Any

from engine.game import Action, Options, Pick, Seat, legal
from engine.games.tir_na_nog.bots.steady import Thought, judge_options, steady
from engine.games.tir_na_nog.rules.score import scores
from engine.games.tir_na_nog.rules.state import BALOR, TirNaNog
from engine.games.tir_na_nog.view import View, view
from engine.search import SearchBot, final_lead, lead

WIN = 5.0
"""Bonus for winning."""
HAND = 0.5
"""Share at which the cards in hand count."""


def candidates(seen: View, options: Options, pick: Pick) -> list[Action[Any]]:  # noqa: ARG001  # no ties by lot
    """Return the options, the best first by the judgement of `steady`."""
    marks = judge_options(seen, list(options))
    return [option for _, option in sorted(marks, key=lambda pair: -pair[0])]


def policy(state: TirNaNog, seat: Seat, pick: Pick) -> Action[Any]:
    """Choose what `steady` would do."""
    return steady(view(state, seat), legal(state, seat), pick)


def far_enough(before: TirNaNog, now: TirNaNog) -> bool:
    """Return True once the round is over."""
    return now.round > before.round


def worth(state: TirNaNog, seat: Seat) -> float:
    """Return the lead over the best rival, counted or estimated, with a bonus for winning.

    Against Balor only the lead counts, so that the bot plays the same whatever points he has for a Geas.
    """
    if state.over and not state.solo:
        return final_lead(scores(state), seat, WIN)
    return lead([expected_total(state, other) for other in range(state.seats)], seat)


def expected_total(state: TirNaNog, seat: Seat) -> float:
    """Return the total of a seat, or an estimate of it. Balor's points depend only on his pile."""
    if state.over or (state.solo and seat == BALOR):
        return float(scores(state)[seat].total)
    thought = Thought(view(state, seat))
    return thought.now + HAND * thought.pool(state.hands[seat])


strong = SearchBot(candidates, policy, far_enough, worth, playouts=96, width=6)
