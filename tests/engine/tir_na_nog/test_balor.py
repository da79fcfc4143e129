"""Balor's Gaze: his only line and why, flips, the marker, and the end of a solo match."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, Step, apply, legal, settle, to_act, winners
from engine.games import GAMES
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.bots.balor import bot
from engine.games.tir_na_nog.rules.balor_points import HOUSE_2, LEVELS
from engine.games.tir_na_nog.rules.chance import LayOtherworld, TurnCard
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.rules.state import Gaze, TirNaNog
from engine.games.tir_na_nog.rules.steps import (
    BalorPlaces,
    BalorTakes,
    EndTurn,
    Journey,
    PlaceStoryteller,
    SagaPhase,
    Scoring,
)
from engine.log import parse
from engine.playout import answer, roll_chance
from tests.engine.tir_na_nog.second_balor import READING, RING
from tests.engine.tir_na_nog.tables import after, card, cards, lines, playing, refusal, table, turn

TRIO = ("oisin", "deirdre", "owney")
SPACES = [place for place in RING if len(place) == 4]
EQUAL = "R5 G5 Y5 B5 aengus-bru clurachan-brewery manannans-dock sly-bodach"
"""Eight cards of value 5."""
STORY = "R7 R6 R3 R1 R2 B2 B5 G5"
"""Clockwise from a1: 7 6 3 2 5 5 2 1."""


def solo(*steps: Step[Any], marker: str = "a1a2", **fields: Any) -> TirNaNog:  # noqa: ANN401  # fields of table
    """A solo table."""
    return table(*steps, balor=fields.pop("balor", "hard"), marker=marker, **fields)


def laps(*seats: int) -> list[Step[Any]]:
    """Steps of a Journey Phase without the cards turned."""
    return [BalorPlaces() if seat else PlaceStoryteller(0) for seat in seats]


def test_a_solo_match_begins_with_the_marker() -> None:
    state = after(GAME.rules.start(2, {"balor": "easy", "geas": "first"}), "* start 1")
    assert state.picks == 0
    pick = seeded_pick(1)
    while to_act(state) == {CHANCE}:
        state = apply(state, CHANCE, roll_chance(state, pick))
    assert to_act(state) == {0}
    assert state.picks == 13
    assert lines(state) == [f"mark {space}" for space in sorted(SPACES)]
    state = after(state, "0 mark b3c3")
    assert to_act(state) == {CHANCE}
    assert state.hands[1] == ()
    state = after(state, "* turn lugh")
    assert to_act(state) == {1}
    assert state.discards == ("lugh",)


def test_only_seat_1_can_begin_a_solo_match() -> None:
    state = GAME.rules.start(2, {"balor": "easy"})
    assert roll_chance(state, lambda _: 0).line == "start 1 oisin fionn cathbad"
    assert after(state, "* start 1 etain fionn owney").geas == ("etain", "fionn", "owney")
    assert refusal(state, "* start 0 etain fionn owney")


def test_the_worked_example() -> None:
    state = solo(*laps(1, 0, 1), grid=STORY, marker="a2a3")
    assert lines(state, 1) == ["place a1a2"]
    state = after(state, "1 place a1a2", "0 place a2a3")
    assert lines(state, 1) == ["place c2c3"]
    state = solo(BalorTakes(), BalorTakes(), grid=STORY, marker="a2a3", out=("a2a3", "a1a2 c2c3"))
    assert lines(state, 1) == ["take a1 a1a2"]
    state = after(state, "1 take a1 a1a2")
    assert lines(state, 1) == ["take c3 c2c3"]
    state = after(state, "1 take c3 c2c3")
    assert state.pile == cards("R7 G5")


@pytest.mark.parametrize("marker", SPACES)
@pytest.mark.parametrize("side", ["highest", "lowest"])
def test_equal_sums_go_by_the_walk_from_every_marker(marker: str, side: str) -> None:
    at = SPACES.index(marker)
    walk = SPACES[at:] + SPACES[:at]
    for taken in range(6):
        out = " ".join(walk[:taken])
        state = solo(BalorPlaces(), grid=EQUAL, marker=marker, side=side, out=(out,))
        assert lines(state, 1) == [f"place {walk[taken]}"]


@pytest.mark.parametrize("marker", SPACES)
@pytest.mark.parametrize("side", ["highest", "lowest"])
def test_equal_cards_and_storytellers_go_by_the_walk_from_every_marker(marker: str, side: str) -> None:
    at = RING.index(marker)
    walk = RING[at:] + RING[:at]
    for out in ("a1a2 c2c3", "a1a2 a2a3 b1c1", "a3b3 b3c3", "a1b1 a1a2", "c1c2"):
        mine = sorted(out.split(), key=walk.index)
        cell = next(place for place in walk if len(place) == 2 and any(place in spot for spot in mine))
        spot = next(spot for spot in mine if cell in spot)
        state = solo(BalorTakes(), grid=EQUAL, marker=marker, side=side, out=("", out))
        assert lines(state, 1) == [f"take {cell} {spot}"]


@pytest.mark.parametrize(
    ("marker", "grid", "side", "out", "line"),
    [
        # The card after the marker comes before the one ahead of it: a2 from a1a2, a1 last of all.
        ("a1a2", EQUAL, "highest", "a1a2", "take a2 a1a2"),
        ("a1b1", EQUAL, "highest", "a1b1", "take a1 a1b1"),
        ("c2c3", EQUAL, "lowest", "c2c3", "take c2 c2c3"),
        # Both beside the card: the first on the walk goes home.
        ("a1a2", "R1 R8 R2 R3 R4 B1 B2 B3", "highest", "a1a2 a2a3", "take a2 a1a2"),
        ("a2a3", "R1 R8 R2 R3 R4 B1 B2 B3", "highest", "a1a2 a2a3", "take a2 a2a3"),
        ("a3b3", "R1 R8 R2 R3 R4 B1 B2 B3", "highest", "a1a2 a2a3", "take a2 a1a2"),
        # Lowest; and only what he touches while he touches anything.
        ("a1a2", "R5 R8 R2 R3 R4 B1 B2 B3", "lowest", "a1a2 a2a3", "take a3 a2a3"),
        ("a1a2", ". . R2 R3 R8 B1 B2 B3", "highest", "a1a2 a2a3", "take a3 a2a3"),
        # All Lost: the best of all cards, the first Lost one on the walk.
        ("a1a2", ". . . R3 R8 B1 B2 B3", "highest", "a1a2 a2a3", "take b3 a1a2"),
        ("a2a3", ". . . R3 R8 B1 B2 B3", "highest", "a1a2 a2a3", "take b3 a2a3"),
        ("c2c3", ". . . R3 R8 B1 B2 B3", "lowest", "a1a2 a2a3", "take c1 a1a2"),
        ("c2c3", ". . . B3 R8 R1 B1 R3", "lowest", "a1a2 a2a3", "take c2 a1a2"),
        # Printed values only: Crag 0, Kelpie 8, Far Darrig 2, with any neighbours.
        ("a1a2", "cailleachs-crag R1 R2 R3 R4 B1 B2 B3", "lowest", "a1a2", "take a1 a1a2"),
        ("a1a2", "water-kelpie G7 R2 R3 R4 B1 B2 B3", "highest", "a1a2", "take a1 a1a2"),
    ],
)
def test_what_balor_takes(marker: str, grid: str, side: str, out: str, line: str) -> None:
    state = solo(BalorTakes(), grid=grid, marker=marker, side=side, out=("", out))
    assert lines(state, 1) == [line]
    done = after(state, f"1 {line}")
    assert done.pile == (state.grid[READING.index(line.split()[1])],)
    assert done.hands == ((), ())


@pytest.mark.parametrize(
    ("grid", "side", "out", "line"),
    [
        (STORY, "highest", "", "place a1a2"),
        (STORY, "lowest", "", "place b1c1"),
        (STORY, "lowest", "b1c1", "place a3b3"),
        (STORY, "highest", "a1a2 c2c3", "place a2a3"),
        ("cailleachs-crag R8 R1 R2 R3 B1 B2 B8", "lowest", "", "place a1b1"),
        # Corners of the person block nothing, the marker neither.
        (STORY, "highest", "a1a2b1b2", "place a1a2"),
    ],
)
def test_where_balor_places(grid: str, side: str, out: str, line: str) -> None:
    state = solo(BalorPlaces(), grid=grid, marker="a1a2", side=side, out=(out,))
    assert lines(state, 1) == [line]


def test_why_he_did_it_is_kept_in_plain_values() -> None:
    state = solo(*laps(1), grid=EQUAL, marker="a3b3", out=("a3b3",))
    state = after(state, "1 place b3c3")
    assert GAME.rules.view(state, 0).gaze == Gaze(
        "highest", "place", 10, tuple("b3c3 c2c3 c1c2 b1c1 a1b1 a1a2 a2a3".split()), passed=("a3b3",)
    )
    state = solo(BalorTakes(), grid="R1 R8 R2 R3 R4 B1 B2 B3", marker="a2a3", out=("", "a1a2 a2a3"))
    state = after(state, "1 take a2 a2a3")
    assert state.gaze == Gaze("highest", "take", 8, ("a2",), tellers=("a2a3", "a1a2"))
    state = solo(BalorTakes(), grid=". . . R3 R8 B1 B8 B3", marker="a2a3", out=("", "a1a2"))
    state = after(state, "1 take b3 a1a2")
    assert state.gaze == Gaze("highest", "take", 8, ("b3", "c2"), tellers=("a1a2",), echtra=True)


@pytest.mark.parametrize(
    ("turned", "side", "flipped", "then"),
    [
        ("lugh", "highest", False, "place a1a2"),
        ("dolmen", "lowest", True, "place b1c1"),
        ("water-kelpie", "lowest", True, "place b1c1"),
        ("hungry-oillipheist", "lowest", True, "place b1c1"),
        ("mag-mell", "highest", False, "place a1a2"),
    ],
)
def test_an_ailm_flips_his_card_before_he_acts(turned: str, side: str, flipped: bool, then: str) -> None:
    state = after(solo(TurnCard(), BalorPlaces(), grid=STORY, marker="a2a3"), f"* turn {turned}")
    assert (state.side, state.flipped, state.turned) == (side, flipped, turned)
    assert state.discards == (turned,)
    assert lines(state, 1) == [then]


def test_his_card_flips_with_every_new_otherworld_but_the_first() -> None:
    state = solo(grid=EQUAL).but(agenda=(LayOtherworld(),), grid=(), round=1)
    deck = " ".join(state.deck[:8])
    assert after(state, f"* lay {deck}").side == "highest"
    assert after(state.but(round=2), f"* lay {deck}").side == "lowest"
    assert after(state.but(round=5, side="lowest"), f"* lay {deck}").side == "highest"


def test_balor_begins_both_phases_and_the_token_stays() -> None:
    state = solo(Journey(), SagaPhase(), grid=EQUAL, token=1, hands=("R1",))
    seats: list[int] = []
    pick = seeded_pick(3)
    while state.phase != "saga" or len(seats) < 8:
        (seat,) = to_act(state)
        if seat == CHANCE:
            state = apply(state, seat, roll_chance(state, pick))
            assert to_act(state) == {1}, "a card is turned for Balor alone"
            continue
        seats.append(seat)
        state = apply(state, seat, next(iter(legal(state, seat))))
    assert seats[:7] == [1, 0, 1, 0, 1, 0, 1]
    finished = solo(EndTurn(0), token=1, round=2)
    assert finished.token == 1


def test_nothing_is_turned_when_balor_is_passed_over() -> None:
    grid = ". . R3 B1 B3 G1 G2 G3"
    state = solo(EndTurn(0), grid=grid, out=("a3b3", "a1a2"), hands=("R1 R2",))
    assert to_act(state) == {0}
    state = after(state, "0 take a3 a3b3", "0 play ember-sprite top")
    assert to_act(state) == {CHANCE}, "the Echtra: a card is turned"
    state = after(state, "* turn lugh")
    assert lines(state, 1) == ["take b3 a1a2"]


def test_brú_na_bóinne_may_join_his_space() -> None:  # noqa: PLC2401  # the card is written like this
    state = solo(PlaceStoryteller(0), sagas=("bru-na-boinne",), out=("", "a1a2"))
    assert "place a1a2" in lines(state)


def test_the_loch_moves_his_storyteller_and_he_takes_from_there() -> None:
    state = solo(*playing(), grid=STORY, marker="a2a3", out=("", "a1a2"), hands=("dobhar-chu-loch",))
    state = after(state, "0 play dobhar-chu-loch top", "0 wander a1a2 b1c1", "* turn lugh")
    assert lines(state, 1) == ["take c1 b1c1"]


def test_the_loch_saves_his_lost_storyteller() -> None:
    state = solo(*playing(), grid=". . R3 R1 R2 B2 B5 G5", out=("c1c2", "a1a2"), hands=("dobhar-chu-loch R8",))
    state = after(state, "0 play dobhar-chu-loch top", "0 wander a1a2 b3c3", "* turn lugh")
    assert lines(state, 1) == ["take c3 b3c3"]


def test_his_take_calls_the_banshee_before_anything_else() -> None:
    grid = "R7 . R3 R1 R2 B2 B5 G5"
    state = solo(BalorTakes(), EndTurn(1), grid=grid, out=("a1a2", "a1b1"), sagas=("keening-banshee",), hands=("R8",))
    state = after(state, "1 take a1 a1b1")
    assert to_act(state) == {0}
    assert "wander a1a2 a1b1" in lines(state)
    state = after(state, "0 wander a1a2 a1b1")
    assert lines(state) == ["take b1 a1b1"]


def test_mag_mell_may_take_the_card_he_waits_for() -> None:
    state = solo(*turn(0), grid=STORY, out=("c1c2", "a1a2"), hands=("mag-mell R8",))
    state = after(state, "0 discard mag-mell", "0 take a1 c1c2", f"0 play {card('R8')} top", "* turn lugh")
    assert lines(state, 1) == ["take a2 a1a2"]


def test_aengus_draws_from_the_deck_that_turns_for_balor() -> None:
    state = solo(EndTurn(1), grid=". . R3 . . . . .", out=("a1a2",), sagas=("aengus-bru",), hands=("R8",))
    assert to_act(state) == {CHANCE}
    state = after(state, "* draw 0 lugh", "0 keep a1a2", "0 play lugh top")
    assert state.phase == "cleanup"


@pytest.mark.parametrize(
    ("balor", "spared"), [("gentle", 5), ("easy", 3), ("normal", 2), ("hard", 1), ("impossible", 0)]
)
def test_the_person_discards_from_his_pile_by_difficulty(balor: str, spared: int) -> None:
    pile = cards("R1 R1 R2 B1 B2 G1 Y1")
    state = solo(EndTurn(0), balor=balor, pile=pile, round=5).but(agenda=(Scoring(),))
    state = settle(state)
    for left in range(spared, 0, -1):
        assert to_act(state) == {0}
        assert GAME.rules.view(state, 0).asking.left == left
        assert lines(state) == sorted({f"discard {each}" for each in state.pile})
        state = after(state, f"0 {lines(state)[0]}")
    assert state.over
    assert len(state.pile) == len(pile) - spared
    assert len(state.discards) >= spared


def test_the_selkie_chooses_before_his_pile_is_thinned() -> None:
    state = solo(sagas=("selkie-cove",), pile=cards("R1 R2"), balor="hard").but(agenda=(Scoring(),))
    state = settle(state)
    assert [line.split()[0] for line in lines(state)] == ["paint"] * 4
    state = after(state, "0 paint top1 red")
    assert {line.split()[0] for line in lines(state)} == {"discard"}


@pytest.mark.parametrize(
    ("text", "pile", "expected"),
    [
        ("R1 R2 R3", "R4 R5", "8 3"),
        ("R1 R2", "R4 R5", "5 5"),
        ("R1 R2", "R4 R5 R6", "3 8"),
        ("R1 . R2", "R4 R5", "0 8"),
        ("R1 R2", "R4", "8 0"),
        ("R1", "R4", "0 0"),
        ("R1 B1=red", "R4 R5", "5 5"),
    ],
)
def test_regions_against_his_pile(text: str, pile: str, expected: str) -> None:
    state = solo(sagas=(text,), pile=cards(pile))
    red = [{count.label: count.points for count in score.counts}["red"] for score in GAME.rules.scores(state)]
    assert red == [int(points) for points in expected.split()]


@pytest.mark.parametrize(
    ("edition", "level", "geas"),
    [
        *[("house-1", level, 21 + 28 + 16) for level in LEVELS],
        *[("house-2", level, sum(HOUSE_2[slug][at] for slug in TRIO)) for at, level in enumerate(LEVELS)],
        ("house-2", "gentle", sum(HOUSE_2[slug][0] for slug in TRIO)),
        *[("house-3", level, sum(HOUSE_2[slug][0] for slug in TRIO)) for level in ("gentle", *LEVELS)],
    ],
)
def test_his_score_is_that_of_the_edition_for_the_geas_and_his_regions(edition: str, level: str, geas: int) -> None:
    state = solo(sagas=("R8",), pile=cards("R4 R5 B1 B2 B3"), geas=",".join(TRIO), balor=level)
    mine, his = GAME.rules.scores(state.but(edition=edition))
    assert mine.total == 8
    assert his.total == geas + 8 + 8
    assert his.ties == (3,)
    assert mine.ties == (1,)


def test_his_points_never_fall_with_the_difficulty() -> None:
    assert list(HOUSE_2) == list(GEAS)
    assert all(list(points) == sorted(points) for points in HOUSE_2.values())


def test_texts_of_each_revision_mean_its_edition_and_new_matches_the_newest() -> None:
    head = "game tir-na-nog · revision {} · seats 2 · balor hard\n"
    old, middle, new = (parse(head.format(number), GAMES).start() for number in (1, 2, 3))
    editions = [getattr(state, "edition", "") for state in (old, middle, new)]
    assert editions == ["house-1", "house-2", "house-3"]
    assert GAME.rules.start(2, {"balor": "hard"}) == new
    text = "game tir-na-nog · revision 2 · seats 2 · edition house-1 · balor hard\n"
    assert parse(text, GAMES).start() == old
    assert str(parse(text, GAMES)) == text


@pytest.mark.parametrize(("pile", "expected"), [("", (0,)), ("R4", (0, 1)), ("R4 R5", (1,))])
def test_equal_totals_go_to_the_largest_region(pile: str, expected: tuple[int, ...]) -> None:
    # Balor has 21 + 12 + 12 by the Geas, the person 28 + 7 + 10 and no region.
    state = solo(sagas=("R1 G2 R3 G4 R5 G6 R7 / B8 Y7 / R3 G3 R3",), pile=cards(pile))
    state = state.but(agenda=(), edition="house-1")
    assert GAME.rules.scores(state)[0].total == 45
    assert GAME.rules.scores(state)[1].total == (45 if len(pile) < 3 else 53)
    assert winners(GAME, state) == expected


def test_his_bot_plays_his_only_line() -> None:
    state = solo(BalorPlaces(), grid=STORY, marker="a2a3")
    assert answer(GAME, state, 1, bot, seeded_pick(0)).line == "place a1a2"
