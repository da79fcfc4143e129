"""The events: one small function for each rule they change, and the costs and gains of their offers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.games.bardwood_grove.rules import board_tables
from engine.games.bardwood_grove.rules.cards import SEASONS, Creature
from engine.games.bardwood_grove.rules.effects import Effect, parse, rows

SEASON: dict[str, str] = {slug: season for slug, _, season in rows(board_tables.EVENTS)}
EVENTS: tuple[str, ...] = tuple(sorted(SEASON))

OFFERS: dict[str, tuple[Effect, Effect]] = {
    "young-crowd": (parse("V3"), parse("FAN")),
    "gem-fair": (parse("C4"), parse("G1")),
    "crystal-harvest": (parse("A1"), parse("C2")),
    "harvest-hymn": (parse("L5"), parse("G1")),
    "midwinter-carol": (parse("M5"), parse("G1")),
}
"""What may be done once per Sing phase, anywhere, while the event is in force: cost and gain."""

Rule = Callable[..., Any]
SHOP: dict[str, Rule] = {}
CREATURE: dict[str, Rule] = {}
PERFORMANCE: dict[str, Rule] = {}
CHALLENGE: dict[str, Rule] = {}
LEGEND: dict[str, Rule] = {}
LEGEND_GEMS: dict[str, Rule] = {}
STONES: dict[str, Rule] = {}
MOVEMENT: dict[str, Rule] = {}
BOAT: dict[str, Rule] = {}
DRIFT: dict[str, Rule] = {}
STAYED: dict[str, Rule] = {}
"""By rule: the events that change it. A rule that no event changes holds as printed."""


def changes(rule: dict[str, Rule], event: str) -> Callable[[Rule], Rule]:
    """Register the function by which an event changes a rule."""

    def register(function: Rule) -> Rule:
        rule[event] = function
        return function

    return register


def follows(first: str, second: str) -> bool:
    """Whether two events may be those of Acts I and II: of one season, or the second of the season after."""
    if first == second:
        return False
    at = SEASONS.index(SEASON[first])
    return SEASON[second] in (SEASONS[at], SEASONS[(at + 1) % len(SEASONS)])


def following(first: str) -> tuple[str, ...]:
    """The events that may be in Act II after this one, in alphabetical order."""
    return tuple(event for event in EVENTS if follows(first, event))


@changes(SHOP, "spring-fair")
def spring_fair(price: int) -> int:
    """Shops cost one coin less."""
    return price - 1


@changes(BOAT, "snowmelt")
def snowmelt(points: int) -> tuple[int, ...]:
    """In Compose, k points on the boat move it k + 1 spaces."""
    return (0, *range(2, points + 2))


@changes(CREATURE, "nesting-time")
def nesting_time(creature: Creature, cost: int) -> int:
    """Small creatures cost one melody less."""
    return cost if creature.boss else cost - 1


@changes(PERFORMANCE, "open-air-season")
def open_air_season(cost: int) -> int:
    """Performances cost one lyrics less."""
    return cost - 1


@changes(MOVEMENT, "long-days")
def long_days(points: int) -> int:
    """One more movement point in each Compose phase."""
    return points + 1


@changes(CHALLENGE, "contest-week")
def contest_week(cost: int) -> int:
    """Challenges cost one melody less."""
    return cost - 1


@changes(LEGEND, "fireside-tales")
def fireside_tales(cost: int) -> int:
    """Legends cost one lyrics less."""
    return cost - 1


@changes(STONES, "clear-air")
def clear_air(due: int) -> int:
    """Each interaction at a distance needs one range stone less."""
    return due - 1 if due else 0


@changes(BOAT, "frozen-river")
def frozen_river(points: int) -> tuple[int, ...]:
    """The boat needs two points per space."""
    return tuple(range(points // 2 + 1))


@changes(DRIFT, "frozen-river")
def frozen_drift(movement: int) -> int:
    """Outside Compose the movement of each card is halved for the boat."""
    return movement // 2


@changes(LEGEND_GEMS, "frozen-river")
def frozen_tale(gems: int) -> int:
    """Telling a legend gives one more gem."""
    return gems + 1


@changes(STAYED, "snowed-in")
def snowed_in() -> Effect:
    """One volume if the bard ends Compose in the region where it began."""
    return parse("V1")


@changes(CREATURE, "drowsy-giants")
def drowsy_giants(creature: Creature, cost: int) -> int:
    """Bosses cost two melody less."""
    return cost - 2 if creature.boss else cost
