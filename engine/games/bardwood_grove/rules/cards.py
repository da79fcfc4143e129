"""Every card of edition house-1 as a value, parsed from the text tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.games.bardwood_grove.rules import advanced_cards, board_tables, starting_decks
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect, parse, rows

EDITION = "house-1"
CONTENTS = ("base", "spring", "summer", "autumn", "winter")
"""The boxes in the order in which they are opened."""
SEASONS = CONTENTS[1:]


@dataclass(frozen=True)
class Skill:
    """A Skill: benefits of the upper half, cost and benefits of the lower half, and the strip paid when discarded."""

    slug: str
    upper: Effect
    cost: int
    lower: Effect
    strip: Effect
    bard: str = ""
    """The bard of its starting deck; empty for an advanced card."""
    content: str = "base"

    @property
    def has_lower(self) -> bool:
        """True if the card has a lower half."""
        return self.lower != NOTHING


@dataclass(frozen=True)
class Impro:
    """An Impro: its gain in the Sing phase."""

    slug: str
    upper: Effect
    bard: str = ""
    content: str = "base"


@dataclass(frozen=True)
class Fan:
    """A Fan: two sides, one of them is gained when it is drawn."""

    slug: str
    sides: tuple[Effect, Effect]
    bard: str = ""
    content: str = "base"


@dataclass(frozen=True)
class Creature:
    """A creature: soothe value, points, and the benefits for soothing or meeting it."""

    slug: str
    boss: bool
    value: int
    points: int
    benefits: Effect
    content: str


@dataclass(frozen=True)
class Deck:
    """A bard with everything that belongs to the starting deck."""

    bard: str
    instrument: str
    benefits: Effect
    impro: str
    fan: str
    skills: tuple[str, ...]
    content: str


def _cost(cell: str) -> int:
    return 0 if cell == "-" else int(cell)


def _skills() -> dict[str, Skill]:
    found = {}
    for bard, slug, _, upper, cost, lower, strip in rows(starting_decks.BASIC_SKILLS):
        found[slug] = Skill(slug, parse(upper), _cost(cost), parse(lower), parse(strip), bard)
    for slug, _, upper, cost, lower, strip, content in rows(advanced_cards.SKILLS):
        found[slug] = Skill(slug, parse(upper), _cost(cost), parse(lower), parse(strip), content=content)
    return found


def _impros() -> dict[str, Impro]:
    found = {row[5]: Impro(row[5], parse(row[7]), row[0]) for row in rows(starting_decks.BARDS)}
    return found | {row[0]: Impro(row[0], parse(row[2]), content=row[3]) for row in rows(advanced_cards.IMPROS)}


def _fans() -> dict[str, Fan]:
    found = {
        f"{row[0]}-fan": Fan(f"{row[0]}-fan", (parse(row[8]), parse(row[9])), row[0])
        for row in rows(starting_decks.BARDS)
    }
    return found | {
        slug: Fan(slug, (parse(one), parse(two)), content=content)
        for slug, _, one, two, content in rows(advanced_cards.FANS)
    }


def _decks() -> dict[str, Deck]:
    found = {}
    for row in rows(starting_decks.BARDS):
        skills = tuple(sorted(skill.slug for skill in SKILLS.values() if skill.bard == row[0]))
        found[row[0]] = Deck(row[0], row[2], parse(row[4]), row[5], f"{row[0]}-fan", skills, row[10])
    return found


SKILLS: dict[str, Skill] = _skills()
IMPROS: dict[str, Impro] = _impros()
FANS: dict[str, Fan] = _fans()
CREATURES: dict[str, Creature] = {
    slug: Creature(slug, kind == "boss", int(value), int(points), parse(benefits), content)
    for slug, _, kind, value, points, benefits, content in rows(board_tables.CREATURES)
}
DECKS: dict[str, Deck] = _decks()
MET: tuple[str, ...] = (*IMPROS, *FANS, *CREATURES)
"""Every card that is shown to all when it is drawn."""

POINTS: dict[str, int] = {
    **{slug: int(not card.bard) for slug, card in SKILLS.items()},
    **{slug: int(not card.bard) for slug, card in IMPROS.items()},
    **{slug: int(not card.bard) for slug, card in FANS.items()},
    **{slug: creature.points for slug, creature in CREATURES.items()},
}
"""Blue points of each card at the end."""
ADVANCED: dict[str, str] = {
    **{slug: "skill" for slug, card in SKILLS.items() if not card.bard},
    **{slug: "impro" for slug, card in IMPROS.items() if not card.bard},
    **{slug: "fan" for slug, card in FANS.items() if not card.bard},
    **{slug: "boss" if creature.boss else "small" for slug, creature in CREATURES.items()},
}
"""The kind of each card that is acquired during play."""


def open_boxes(content: str) -> frozenset[str]:
    """Return the boxes of a match with this content."""
    return frozenset(CONTENTS[: CONTENTS.index(content) + 1])


@cache
def supply(content: str, kind: str) -> tuple[str, ...]:
    """Return the acquirable cards of a kind (skill, impro, fan, small, boss) in this content, sorted."""
    boxes = open_boxes(content)
    sets: dict[str, str] = {
        slug: card.content for table in (SKILLS, IMPROS, FANS, CREATURES) for slug, card in table.items()
    }
    return tuple(sorted(slug for slug, each in ADVANCED.items() if each == kind and sets[slug] in boxes))


@cache
def bards(content: str) -> tuple[str, ...]:
    """Return the bards of this content in alphabetical order."""
    boxes = open_boxes(content)
    return tuple(sorted(bard for bard, deck in DECKS.items() if deck.content in boxes))
