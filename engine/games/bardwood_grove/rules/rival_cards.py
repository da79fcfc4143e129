"""The solo rival: its twelve cards, and where its pawn goes."""

from __future__ import annotations

from engine.games.bardwood_grove.rules.board import (
    DISTANCE,
    LAIRS,
    LOCATIONS,
    REGIONS,
    STAGES,
)
from engine.games.bardwood_grove.rules.state import RIVAL_SEAT, Bardwood, replace_at

RIVER, SCHOOL, DUEL = "river", "school", "duel"
RIVAL_CARDS: tuple[str, ...] = tuple(sorted((*LAIRS, *STAGES, RIVER, SCHOOL, DUEL)))
DIFFICULTIES = {"easy": 5, "normal": 5, "hard": 10}
"""Points of the rival at the end besides gems and cards."""
PERSON = 0
STEPS = 2
RIVER_REGION, SCHOOL_REGION = "b3", "b2"


def cards_this_turn(level: str, turn: int) -> int:
    """Return how many cards the rival resolves in this turn, counted from 1."""
    return 1 if level == "easy" and turn % 2 else 2


def destination(state: Bardwood, card: str) -> str:
    """Return where the pawn goes for a card: the nearest fitting region, the alphabetically first of several."""
    rival, person = state.players[RIVAL_SEAT], state.players[PERSON]
    near = DISTANCE[rival.region]
    if card == RIVER:
        return RIVER_REGION
    if card == SCHOOL:
        return SCHOOL_REGION
    if card == DUEL:
        within = [region for region in REGIONS if near[region] <= STEPS]
        return min(within, key=lambda region: (DISTANCE[region][person.region], near[region], region))
    return min(LOCATIONS[card].borders, key=lambda region: (near[region], region))


def after_line(state: Bardwood) -> Bardwood:
    """End the rival's line; once all twelve cards were used, they come back and its power rises."""
    rival = state.rival
    assert rival is not None  # noqa: S101  # asked in solo matches only
    rival = rival.but(card="")
    return state.but(rival=rival if rival.left else rival.but(left=RIVAL_CARDS, power=rival.power + 1))


def move_pawn(state: Bardwood) -> Bardwood:
    """Move the pawn where the present card says."""
    assert state.rival is not None  # noqa: S101  # asked in solo matches only
    player = state.players[RIVAL_SEAT]
    origins = replace_at(state.origins, RIVAL_SEAT, player.region)
    return state.with_player(RIVAL_SEAT, player.but(region=destination(state, state.rival.card)), origins=origins)
