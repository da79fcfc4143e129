"""Motif conditions and the criteria of legends and muses in Bardwood Grove, a row for each."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import winners
from engine.games.bardwood_grove.rules.motifs import GEMS, MOTIFS
from engine.games.bardwood_grove.rules.score import CAPS, CRITERIA, blue_points, holding, score
from engine.games.bardwood_grove.rules.state import Player, Song
from tests.engine.bardwood_grove.tables import GAME, give, listed, own, play, player, sings, table

MOTIF_ROWS: list[tuple[str, dict[str, Any], dict[str, Any], bool]] = [
    ("long-song", {"song": ("battle-cry", "big-boast", "headbang", "war-story")}, {}, True),
    ("long-song", {"song": ("battle-cry", "big-boast", "headbang", "war-whoop")}, {}, False),
    ("wild-impro", {"song": ("riff", "war-whoop")}, {}, True),
    ("wild-impro", {"song": ("riff",)}, {}, False),
    ("double-calm", {}, {"soothed": 2}, True),
    ("double-calm", {}, {"soothed": 1}, False),
    ("old-and-new", {"song": ("battle-cry", "bright-chorus", "war-whoop")}, {}, True),
    ("old-and-new", {"song": ("battle-cry", "bright-chorus")}, {}, False),
    ("old-and-new", {"song": ("battle-cry", "headbang", "riff")}, {}, False),
    ("full-voice", {}, {"paid": 6}, True),
    ("full-voice", {}, {"paid": 5}, False),
    ("busy-night", {}, {"used": ("bank", "open-stage", "moss-gate", "song-school")}, True),
    ("busy-night", {}, {"used": ("bank", "open-stage", "moss-gate")}, False),
    ("friend-and-foe", {}, {"helped": True, "challenged": (1,)}, True),
    ("friend-and-foe", {}, {"helped": True}, False),
    ("stage-and-story", {}, {"performed": True, "told": True}, True),
    ("stage-and-story", {}, {"performed": True}, False),
    ("heavy-purse", {"coins": 5}, {}, True),
    ("heavy-purse", {"coins": 4}, {}, False),
    ("fan-club", {"discard": ("angler", "clapper", "dancer")}, {}, True),
    ("fan-club", {"discard": ("angler", "clapper", "piper-fan")}, {}, False),
    ("deafening", {}, {"loud": True}, True),
    ("deafening", {"volume": 10}, {}, False),
    ("whisper", {}, {"lyrics": 3}, True),
    ("whisper", {"volume": 1}, {"lyrics": 3}, False),
    ("whisper", {"acoustic": 3}, {"lyrics": 1, "wild": 2}, False),
]


@pytest.mark.parametrize(("motif", "seat", "song", "holds"), MOTIF_ROWS)
def test_motif_conditions(motif: str, seat: dict[str, Any], song: dict[str, Any], holds: bool) -> None:
    assert MOTIFS[motif](Player(**seat), Song(**song)) == holds


def test_one_motif_a_phase_and_it_is_gone_for_all() -> None:
    state = table().but(motifs=("heavy-purse", "whisper"))
    state = sings(state, 0, "a2", "C5 L3")
    assert listed(state, "motif") == ["motif heavy-purse", "motif whisper"]
    state = play(state, 0, "motif heavy-purse")
    assert (own(state, 0).gems, state.motifs) == (GEMS["heavy-purse"], ("whisper",))
    assert not listed(state, "motif")


CARDS = ("angler", "clapper", "riff", "rhyme", "harmony", "hush", "crescendo", "moss-badger", "glow-wisp", "void-choir")
POSSESSIONS: dict[str, Any] = {
    "coins": 7,
    "acoustic": 2,
    "range": 1,
    "crests": 2,
    "captured_ever": 5,
    "runes": (0, 0, 1, 2),
    "gems": 9,
    "told": ("carved-stones", "torn-banners", "the-eight-runes"),
    "discard": tuple(sorted((*CARDS, "piper-fan"))),
}
POINTS = {
    "the-first-crowd": 1,
    "the-misers-song": 3,
    "torn-banners": 2,
    "the-gentle-hunter": 2,
    "carved-stones": 2,
    "the-apprentice": 1,
    "singing-crystals": 3,
    "the-thousand-hands": 2,
    "the-tamed-forest": 3,
    "the-grand-tour": 4,
    "the-masters-book": 3,
    "the-silent-wheel": 4,
    "the-proud-rival": 5,
    "the-three-gifts": 4,
    "the-five-terrors": 2,
    "the-tale-of-tales": 6,
    "the-golden-age": 8,
    "the-eight-runes": 5,
    "the-four-winds": 4,
    "the-endless-jam": 4,
    "the-emerald-hoard": 4,
    "muse-of-banners": 5,
    "muse-of-beasts": 3,
    "muse-of-craft": 5,
    "muse-of-crowds": 2,
    "muse-of-pride": 5,
    "muse-of-stages": 2,
    "muse-of-tales": 6,
    "muse-of-wealth": 3,
}


def test_every_criterion_has_a_row() -> None:
    assert POINTS.keys() == CRITERIA.keys()


@pytest.mark.parametrize(("slug", "points"), POINTS.items())
def test_criteria_of_legends_and_muses(slug: str, points: int) -> None:
    state = player(table(), 0, hand=(), pile=(), **POSSESSIONS).but(stages=((1, 0), (0, 1), (1, 0), (0, 0)))
    own_things = holding(state, 0)
    assert blue_points(own_things, slug) == points
    assert CRITERIA[slug](own_things) >= points
    assert points <= CAPS[slug]


def test_a_muse_counts_at_the_end() -> None:
    state = player(table().but(muses=("muse-of-wealth", "muse-of-pride")), 0, coins=9)
    assert [(count.label, count.points) for count in score(state, 0).counts][-1] == ("muse-of-wealth", 3)
    assert score(state, 1).counts[-1].points == 0


@pytest.mark.parametrize(
    ("one", "two", "first"),
    [
        ({"gems": 3}, {"gems": 2}, (0,)),
        ({"gems": 2}, {"gems": 1, "crests": 6}, (0,)),
        ({"gems": 2, "coins": 1}, {"gems": 2, "coins": 4}, (1,)),
        ({"gems": 2}, {"gems": 2}, (0, 1)),
    ],
)
def test_ties_go_by_gems_then_coins_then_are_shared(
    one: dict[str, int], two: dict[str, int], first: tuple[int, ...]
) -> None:
    state = player(player(table(), 0, **one), 1, **two)
    assert winners(GAME, state) == first


def test_points_count_wherever_the_card_is() -> None:
    for place in ("hand", "pile", "discard", "song"):
        assert score(give(table(), 0, "harmony", to=place), 0).counts[2].points == 1
