"""The events: their changes of costs and movement, and their offers."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.bardwood_grove.rules import board_tables
from engine.games.bardwood_grove.rules.cards import SEASONS
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect, parse, rows

SEASON: dict[str, str] = {slug: season for slug, _, season in rows(board_tables.EVENTS)}
EVENTS: tuple[str, ...] = tuple(sorted(SEASON))

OFFERS: dict[str, tuple[Effect, Effect]] = {
    "young-crowd": (parse("V3"), parse("FAN")),
    "gem-fair": (parse("C4"), parse("G1")),
    "crystal-harvest": (parse("A1"), parse("C2")),
    "harvest-hymn": (parse("L5"), parse("G1")),
    "midwinter-carol": (parse("M5"), parse("G1")),
}
"""Cost and benefit of an offer, open once in each Sing phase, anywhere, while the event is in force."""


@dataclass(frozen=True)
class EventRules:
    """Changes of costs and movement while an event is in force; zero by default."""

    shop: int = 0
    small_creature: int = 0
    boss: int = 0
    performance: int = 0
    challenge: int = 0
    legend: int = 0
    legend_gems: int = 0
    stones: int = 0
    """Range stones of each interaction at a distance."""
    movement: int = 0
    """Movement points of each Compose phase."""
    boat_points: int = 1
    """Movement points that the boat needs for a space."""
    boat_bonus: int = 0
    """Spaces that the boat goes further in a Compose phase in which it moves."""
    stayed: Effect = NOTHING
    """The benefit if the bard ends Compose in the region where it began."""


RULES: dict[str, EventRules] = {
    **dict.fromkeys(EVENTS, EventRules()),
    "spring-fair": EventRules(shop=-1),
    "snowmelt": EventRules(boat_bonus=1),
    "nesting-time": EventRules(small_creature=-1),
    "open-air-season": EventRules(performance=-1),
    "long-days": EventRules(movement=1),
    "contest-week": EventRules(challenge=-1),
    "fireside-tales": EventRules(legend=-1),
    "clear-air": EventRules(stones=-1),
    "frozen-river": EventRules(boat_points=2, legend_gems=1),
    "snowed-in": EventRules(stayed=parse("V1")),
    "drowsy-giants": EventRules(boss=-2),
}
"""The rules of each event. An event with an offer changes nothing else."""


def follows(first: str, second: str) -> bool:
    """Return True if two events may be those of Acts I and II: of one season, or the second of the next season."""
    if first == second:
        return False
    at = SEASONS.index(SEASON[first])
    return SEASON[second] in (SEASONS[at], SEASONS[(at + 1) % len(SEASONS)])


def following(first: str) -> tuple[str, ...]:
    """Return the events that may be in Act II after this one, in alphabetical order."""
    return tuple(event for event in EVENTS if follows(first, event))
