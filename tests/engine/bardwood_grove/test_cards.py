"""The card tables of Bardwood Grove: numbers, control totals, names, and what each box brings."""

from __future__ import annotations

import re

import pytest

from engine.games.bardwood_grove import GAME
from engine.games.bardwood_grove.rules import events, motifs
from engine.games.bardwood_grove.rules.board import (
    HERE,
    JETTIES,
    LAIRS,
    LEGEND_CONTENT,
    LOCATIONS,
    MUSES,
    SHOPS,
    STAGES,
)
from engine.games.bardwood_grove.rules.cards import CONTENTS, CREATURES, DECKS, FANS, IMPROS, SKILLS, bards, supply
from engine.games.bardwood_grove.rules.effects import Effect, parse
from engine.games.bardwood_grove.texts.card_tables import tables
from engine.games.bardwood_grove.texts.names import NAMES, name
from engine.games.bardwood_grove.texts.powers import CRITERION_TEXTS, EVENT_TEXTS, MOTIF_TEXTS, POWER_TEXTS
from engine.rulebook import Grid, print_rulebook
from engine.words import LOCALES, Locale, plain

TOTALS = {
    "bardbarian": (7, 7, 7, 11, 9),
    "sword-dancer": (9, 4, 4, 11, 9),
    "wardrummer": (7, 7, 7, 12, 9),
    "piper": (7, 6, 6, 10, 9),
    "harper": (7, 7, 7, 11, 9),
    "flautist": (8, 5, 5, 10, 9),
    "lutenist": (8, 5, 5, 11, 9),
    "fiddler": (7, 7, 7, 11, 9),
}


@pytest.mark.parametrize(("bard", "totals"), TOTALS.items())
def test_control_totals_of_starting_decks(bard: str, totals: tuple[int, ...]) -> None:
    skills = [SKILLS[slug] for slug in DECKS[bard].skills]
    assert len(skills) == 6
    found = (
        sum(sum(skill.upper) for skill in skills),
        sum(sum(skill.lower) for skill in skills),
        sum(skill.cost for skill in skills),
        sum(skill.strip.volume for skill in skills),
        sum(skill.strip.tempo for skill in skills),
    )
    assert found == totals


def test_numbers_of_cards() -> None:
    assert len(DECKS) == 8
    assert [len(bards(content)) for content in ("base", "spring", "summer", "autumn", "winter")] == [4, 5, 6, 7, 8]
    for kind, base, all_boxes in (
        ("skill", 12, 24),
        ("impro", 12, 24),
        ("fan", 12, 24),
        ("small", 10, 16),
        ("boss", 5, 8),
    ):
        assert (len(supply("base", kind)), len(supply("winter", kind))) == (base, all_boxes)
    assert len(LEGEND_CONTENT) == 21
    assert sum(content == "base" for content in LEGEND_CONTENT.values()) == 15
    assert [len(motifs.motifs(content)) for content in ("base", "spring", "winter")] == [4, 6, 12]
    assert (len(events.EVENTS), len(MUSES)) == (16, 8)


def test_every_skill_turns_the_dial_and_every_boss_is_worth_three() -> None:
    assert all(skill.strip.tempo >= 1 for skill in SKILLS.values())
    for creature in CREATURES.values():
        assert creature.boss == (creature.value >= 7)
        assert creature.points == 3 if creature.boss else creature.points < 3


def test_locations_by_kind_and_by_region() -> None:
    kinds = [location.kind for location in LOCATIONS.values()]
    assert len(LOCATIONS) == 23
    assert (len(LAIRS), len(SHOPS), kinds.count("bank"), len(STAGES), len(JETTIES)) == (5, 4, 1, 4, 2)
    assert kinds.count("conversion") == 7
    assert sum(map(len, HERE.values())) == 40
    assert set(map(len, HERE.values())) == {3, 4}
    for places in HERE.values():
        assert sum(place in STAGES for place in places) <= 1
        assert sum(place in JETTIES for place in places) <= 1
    assert LOCATIONS["bell-foundry"].cost == Effect(coins=2)
    assert LOCATIONS["bell-foundry"].gain == Effect(volume=4)


def test_notation_is_parsed() -> None:
    assert parse("M2 V1") == Effect(melody=2, volume=1)
    assert parse("M1 T-1") == Effect(melody=1, tempo=-1)
    assert parse("G1 FAN") == Effect(gems=1, fans=1)
    assert parse("-") == Effect()


def test_events_follow_each_other_by_season() -> None:
    assert all(len(events.following(event)) == 7 for event in events.EVENTS)
    assert events.follows("drowsy-giants", "spring-fair")
    assert not events.follows("spring-fair", "drowsy-giants")
    assert not events.follows("gem-fair", "gem-fair")


def test_every_name_has_its_slug_and_a_french_name() -> None:
    for slug, (english, french) in NAMES.items():
        assert french
        assert "'" not in english + french
        if not slug.endswith("-fan") and slug != "hollow-oak":
            assert plain(english).replace(" ", "-") == slug
    for kind in (SKILLS, IMPROS, FANS, CREATURES, LOCATIONS, LEGEND_CONTENT, motifs.MOTIFS, events.SEASON, MUSES):
        assert set(kind) <= set(NAMES)
    for at in range(2):
        spoken = [pair[at] for pair in NAMES.values()]
        assert len(set(spoken)) == len(spoken), [each for each in spoken if spoken.count(each) > 1]


def test_every_wording_is_there_in_both_languages() -> None:
    assert set(POWER_TEXTS) == set(DECKS)
    assert set(EVENT_TEXTS) == set(events.EVENTS)
    assert set(MOTIF_TEXTS) == set(motifs.MOTIFS)
    assert set(CRITERION_TEXTS) == {*LEGEND_CONTENT, *MUSES}


def test_printed_tables_name_every_card_and_its_source() -> None:
    for locale in LOCALES:
        rows = [row for table in tables(locale) for row in table.rows]
        slugs = {cell for row in rows for cell in row}
        for kind in (DECKS, SKILLS, IMPROS, FANS, CREATURES, LOCATIONS, LEGEND_CONTENT, motifs.MOTIFS, events.SEASON):
            assert set(kind) <= slugs
        assert all(re.match(r"house-1$|rulebook|livret", row[-1]) for row in rows)
        assert any(row[-1].startswith(("rulebook", "livret")) for row in rows)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_rulebook_counts_what_is_in_each_box(locale: Locale) -> None:
    grids = [
        block for section in GAME.presentation.rulebook[locale] for block in section.blocks if isinstance(block, Grid)
    ]
    boxes = next(grid for grid in grids if len(grid.rows) == len(CONTENTS) and grid.rows[0][0] == "base")
    for content, row in zip(CONTENTS, boxes.rows, strict=True):
        skills = [skill.content for skill in SKILLS.values() if not skill.bard]
        impros = [impro.content for impro in IMPROS.values() if not impro.bard]
        fans = [fan.content for fan in FANS.values() if not fan.bard]
        creatures = [card.boss for card in CREATURES.values() if card.content == content]
        counts = [
            creatures.count(False),
            creatures.count(True),
            list(LEGEND_CONTENT.values()).count(content),
            list(motifs.CONTENT.values()).count(content),
        ]
        assert {cards.count(content) for cards in (skills, impros, fans)} == {int(row[2].split()[0])}
        assert [int(number) for number in re.findall(r"\d+", row[3])] == [count for count in counts if count]
        assert (len([deck for deck in DECKS.values() if deck.content == content]) == 1) == (content != "base")


@pytest.mark.parametrize("locale", LOCALES)
def test_the_rulebook_lists_every_event_and_muse(locale: Locale) -> None:
    printed = print_rulebook(GAME.presentation.rulebook[locale], locale, 1000)
    for slug in (*events.EVENTS, *MUSES):
        assert name(slug, locale) in printed
