"""The solo rival: its twelve cards, the one line that each brings, and what the line does."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.bardwood_grove.rules.board import (
    DISTANCE,
    FIRST_LAIR,
    IMPRO_PILES,
    LAIRS,
    LEVELS,
    LOCATIONS,
    PILE_AT,
    REGIONS,
    SKILL_PILES,
    STAGES,
)
from engine.games.bardwood_grove.rules.cards import CREATURES
from engine.games.bardwood_grove.rules.state import RIVAL_SEAT, Bardwood, Player

RIVER, SCHOOL, DUEL = "river", "school", "duel"
RIVAL_CARDS: tuple[str, ...] = tuple(sorted((*LAIRS, *STAGES, RIVER, SCHOOL, DUEL)))
DIFFICULTIES = {"easy": 5, "normal": 5, "hard": 10}
"""Points that the rival gets at the end besides gems and cards."""
PERSON = 0
STEPS = 2
RIVER_REGION, SCHOOL_REGION = "b3", "b2"


def cards_this_turn(level: str, turn: int) -> int:
    """How many cards the rival resolves in its turn, counted from 1."""
    return 1 if level == "easy" and turn % 2 else 2


def destination(state: Bardwood, card: str) -> str:
    """Where the pawn goes for a card: the nearest fitting region, among equals the first in the alphabet."""
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


def fuller_pile(state: Bardwood, piles: tuple[str, ...]) -> str:
    """The pile with more cards, the first if equal; nothing if all are empty."""
    best = max(piles, key=lambda pile: (state.left[PILE_AT[pile]], -PILE_AT[pile]))
    return best if state.left[PILE_AT[best]] else ""


def lair_line(state: Bardwood, lair: str) -> tuple[str, ...]:
    """Soothe what its power allows, else help; lull an empty lair."""
    at = LAIRS.index(lair)
    creature, crests = state.tops[FIRST_LAIR + at], state.crests[at]
    if not creature:
        return ("lull", lair)
    assert state.rival is not None  # noqa: S101  # asked in solo matches only
    if CREATURES[creature].value - len(crests) <= state.rival.power:
        return ("soothe", creature)
    if RIVAL_SEAT not in crests and state.players[RIVAL_SEAT].crests:
        return ("help", creature)
    return ("idle",)


def stage_line(state: Bardwood, stage: str) -> tuple[str, ...]:  # noqa: ARG001  # always the same
    """Perform there."""
    return ("perform", stage)


def river_line(state: Bardwood, card: str) -> tuple[str, ...]:  # noqa: ARG001
    """Tell the newest legend of the level whose turn it is."""
    assert state.rival is not None  # noqa: S101  # asked in solo matches only
    return ("tell", state.legends[state.rival.level][-1])


def school_line(state: Bardwood, card: str) -> tuple[str, ...]:  # noqa: ARG001
    """Buy a Skill and an Impro, each from the fuller pile."""
    piles = [fuller_pile(state, piles) for piles in (SKILL_PILES, IMPRO_PILES)]
    bought = [state.tops[PILE_AT[pile]] for pile in piles if pile]
    return ("buy", *bought) if bought else ("idle",)


def duel_line(state: Bardwood, card: str) -> tuple[str, ...]:
    """Challenge the person from at most one step away."""
    person = state.players[PERSON]
    near = DISTANCE[destination(state, card)][person.region] <= 1
    return ("challenge", str(PERSON)) if near and person.crests else ("idle",)


LINES: dict[str, Callable[[Bardwood, str], tuple[str, ...]]] = {
    **dict.fromkeys(LAIRS, lair_line),
    **dict.fromkeys(STAGES, stage_line),
    RIVER: river_line,
    SCHOOL: school_line,
    DUEL: duel_line,
}


def only_line(state: Bardwood) -> tuple[str, ...]:
    """The words of the one line that the rival's present card brings."""
    assert state.rival is not None  # noqa: S101  # asked in solo matches only
    return LINES[state.rival.card](state, state.rival.card)


def after_line(state: Bardwood) -> Bardwood:
    """The table after the rival's line: once all twelve cards were used they are back, and its power rises."""
    rival = state.rival
    assert rival is not None  # noqa: S101  # asked in solo matches only
    rival = rival.but(card="")
    return state.but(rival=rival if rival.left else rival.but(left=RIVAL_CARDS, power=rival.power + 1))


def move_pawn(state: Bardwood) -> Bardwood:
    """The table after the pawn went where the present card says."""
    assert state.rival is not None  # noqa: S101  # asked in solo matches only
    player: Player = state.players[RIVAL_SEAT]
    return state.with_player(RIVAL_SEAT, player.but(region=destination(state, state.rival.card)))


NEXT_LEVEL = {at: (at + 1) % len(LEVELS) for at in range(len(LEVELS))}
