"""The board: regions and distances, locations, piles, the dial, the river and the market track."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.bardwood_grove.rules import board_tables
from engine.games.bardwood_grove.rules.effects import Effect, parse, rows

REGIONS: tuple[str, ...] = tuple(f"{row}{column}" for row in "abc" for column in range(1, 5))
START = "c2"
RIVAL_START = "c3"
RIVER_END = 6
CRESTS = 7
CREST_POINTS = (1, 1, 1, 2, 2, 2, 3)
"""Blue points of the spaces of the crest track, left to right, once uncovered."""
RUNES_A_QUARTER = 2
MOST_RUNES_AT_A_STAGE = 3
POOL_GEMS = (5, 7)
"""Gems in pools I and II for each seat."""
FANS_LAID, SHOP_CARDS, LEGENDS_A_LEVEL = 12, 6, 5
MOTIFS_LAID = 6
HELP_COST, CHALLENGE_COST, LULL_COST = 1, 3, 5
MOST_BANKED = 3


def distance(one: str, two: str) -> int:
    """Return the steps between two regions."""
    return abs(ord(one[0]) - ord(two[0])) + abs(int(one[1]) - int(two[1]))


DISTANCE: dict[str, dict[str, int]] = {one: {two: distance(one, two) for two in REGIONS} for one in REGIONS}


@dataclass(frozen=True)
class Location:
    """A place on the border of regions. `pile` is the pile that a shop sells from."""

    slug: str
    kind: str
    borders: tuple[str, ...]
    cost: Effect
    gain: Effect
    pile: str = ""


def _locations() -> dict[str, Location]:
    locations = {}
    for slug, _, _, kind, borders, cost, gain in rows(board_tables.LOCATIONS):
        pile = gain if kind == "shop" else ""
        effect = parse("-" if pile else gain)
        locations[slug] = Location(slug, kind, tuple(borders.split()), parse(cost), effect, pile)
    return locations


LOCATIONS: dict[str, Location] = _locations()


def _kind(kind: str) -> tuple[str, ...]:
    return tuple(slug for slug, location in LOCATIONS.items() if location.kind == kind)


LAIRS, SHOPS, STAGES, JETTIES, CONVERSIONS = map(_kind, ("lair", "shop", "performance", "jetty", "conversion"))
BANK, MARKET, OPEN_STAGE = "bank", "market-row", "open-stage"
BELOW_POOLS = ("moss-gate", "owl-cliff")
"""The lairs that start with one creature fewer when two seats play."""


def _here(slugs: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {region: tuple(slug for slug in slugs if region in LOCATIONS[slug].borders) for region in REGIONS}


HERE: dict[str, tuple[str, ...]] = _here(tuple(LOCATIONS))
SHOPS_HERE, STAGES_HERE, JETTIES_HERE, CONVERSIONS_HERE = map(_here, (SHOPS, STAGES, JETTIES, CONVERSIONS))
LAIR_DISTANCE: dict[str, tuple[int, ...]] = {
    region: tuple(min(DISTANCE[region][border] for border in LOCATIONS[lair].borders) for lair in LAIRS)
    for region in REGIONS
}
"""For each region the steps to the lairs, in order."""

FAN_PILE = "fans"
IMPRO_PILES, SKILL_PILES = ("impro1", "impro2"), ("skill1", "skill2")
PILES: tuple[str, ...] = (FAN_PILE, *IMPRO_PILES, *SKILL_PILES, *LAIRS)
PILE_AT: dict[str, int] = {pile: at for at, pile in enumerate(PILES)}
FIRST_LAIR = PILE_AT[LAIRS[0]]
LEGEND_PILES = ("legend1", "legend2", "legend3")


@dataclass(frozen=True)
class Quarter:
    """A quarter of the dial: its movement, and its bonus once both runes are gone."""

    slug: str
    movement: int
    bonus: Effect


QUARTERS: tuple[Quarter, ...] = tuple(
    Quarter(slug, int(movement), parse(bonus)) for slug, movement, bonus in rows(board_tables.QUARTERS)
)
QUARTER_AT: dict[str, int] = {quarter.slug: at for at, quarter in enumerate(QUARTERS)}


@dataclass(frozen=True)
class Level:
    """A level of legends: its requirements and its gems."""

    name: str
    boat: int
    lyrics: int
    gems: int
    cap: int


LEVELS: tuple[Level, ...] = tuple(
    Level(name, int(boat), int(lyrics), int(gems), int(cap))
    for name, boat, lyrics, gems, cap in rows(board_tables.LEVELS)
)
LEGEND_LEVEL: dict[str, int] = {
    slug: [level.name for level in LEVELS].index(name) for slug, _, name, _ in rows(board_tables.LEGENDS)
}
LEGEND_CONTENT: dict[str, str] = {row[0]: row[3] for row in rows(board_tables.LEGENDS)}
MUSES: tuple[str, ...] = tuple(row[0] for row in rows(board_tables.MUSES))

STALLS: tuple[tuple[Effect, Effect], ...] = tuple(
    (parse(cost), parse(gain)) for _, cost, gain in rows(board_tables.STALLS)
)
SPENDINGS: dict[str, tuple[int, Effect]] = {
    word: (int(count), parse(gain)) for word, count, gain in rows(board_tables.CRESTS)
}
"""Benefits for captured crests: the number of crests, and the benefit."""
