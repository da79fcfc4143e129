"""The Geas, the regions and the count of Tír na nÓg, on Sagas written as text."""

from __future__ import annotations

import pytest

from engine.game import winners
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.geas import BY_ROW, FIRST, GEAS
from engine.games.tir_na_nog.rules.score import awards, region_prizes, tally
from tests.engine.tir_na_nog.tables import saga, table

EXAMPLE = "R7 R2 G5 G6 R8 / Y6=red Y4=red G5 R4 B2 / dullaghan dullaghan R1 Y3 Y6"
EXAMPLE_POINTS = (
    "oisin 26 fionn 10 cathbad 10 benandonner 21 diarmuid 14 etain 15 knockgrafton 10 deirdre 11 gollerus 15"
)
EXAMPLE_POINTS += " lir 9 fergus 12 owney 5"


def points(text: str) -> dict[str, int]:
    """Points by Geas: `oisin 26 fionn 10`."""
    words = text.split()
    return {slug: int(number) for slug, number in zip(words[::2], words[1::2], strict=True)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EXAMPLE, EXAMPLE_POINTS),
        # Columns: which card is highest, second, lowest.
        ("R8 / B8 / G1", "knockgrafton 0 benandonner 0 fergus 4"),
        ("R8 / B5 / G1", "knockgrafton 5 benandonner 8 fergus 4"),
        ("R5 / B5 / G5", "knockgrafton 0 benandonner 0 fergus 0"),
        (". / B4 / G6", "knockgrafton 4 benandonner 0 fergus 0"),
        ("R6 / B4 / G4", "knockgrafton 4 benandonner 6 fergus 0"),
        ("R6 / B4", "knockgrafton 4 benandonner 6 fergus 0"),
        ("R6", "knockgrafton 0 benandonner 6 fergus 0"),
        (" / B4", "knockgrafton 0 benandonner 0 fergus 0"),
        (" / / G4", "knockgrafton 0 benandonner 0 fergus 0"),
        ("R6 / / G4", "knockgrafton 0 benandonner 6 fergus 4"),
        ("R6 R1 / . B4 / . G3", "knockgrafton 0 benandonner 6 fergus 0"),
        ("R6 R2 / . B4 / . G3", "knockgrafton 0 benandonner 6 fergus 0"),
        ("R6 R5 / . B4 / . G3", "knockgrafton 4 benandonner 11 fergus 4"),
        # One row against its neighbours, without and with a hole.
        ("R7 B2 G5 Y6 R8", "oisin 26 etain 15"),
        (" / R7 B2 G5 Y6 R8", "fionn 2 deirdre 9"),
        (" / / R7 B2 G5 Y6 R8", "owney 5 cathbad 0"),
        ("R3 . G5 Y6", "oisin 9 etain 9"),
        (" / R3 . G5 Y6", "fionn 0 deirdre 6"),
        (" / / R3 . G5 Y6", "owney 5"),
        (". G5 Y6", "oisin 6 etain 6"),
        # Values that tie.
        ("R4 B4", "oisin 4 etain 0"),
        (" / R4 B4 G3", "fionn 3 deirdre 11"),
        ("cailleachs-crag . cailleachs-crag", "oisin 0 etain 0"),
        # Sets and colours.
        (" / / B4 B4 sea-cave R3 dullaghan", "cathbad 14 lir 9 owney 20"),
        (" / B4 B4 sea-cave R3 dullaghan", "deirdre 18"),
        ("B4 B4 sea-cave R3 dullaghan", "diarmuid 7"),
        (" / / B3 . G3 . R3 Y3", "cathbad 18 lir 0 owney 5"),
        (" / / B3 G3 R3 Y3 B3 G3", "cathbad 40 lir 0 owney 25"),
        (" / / B1 B2 . B3 B4 B5", "lir 9 owney 15"),
        (" / / B1 B2 G3 B3 B4", "lir 4"),
        (" / / B1 . B4", "lir 0 cathbad 0 owney 0"),
        (" / / B1 R1=blue Y1=blue", "lir 9"),
        ("B1 G2 R3 Y4 B5 G6", "diarmuid 18"),
        ("B8 B1 G2 . R3 Y4 B5", "diarmuid 12"),
        ("B1 G2 . R3 Y1", "diarmuid 4"),
        ("B8 G2 Y2=blue R3 Y1", "diarmuid 10"),
        (" / R2 R8 G7 Y7 . B8", "deirdre 22"),
        (" / R2 R8 . G7 Y7 B1", "deirdre 15"),
        # The row above or below, once even if both.
        ("R1 B1 / R2 R3 / R3 R4", "gollerus 5"),
        ("R1 / R2 R3", "gollerus 2"),
        ("R1 R1 / . R3 / . .", "gollerus 3"),
        ("R1 / B2=red", "gollerus 2"),
        (". R1 / R5", "gollerus 0"),
        ("", " ".join(f"{slug} 0" for slug in GEAS)),
    ],
)
def test_a_saga_scores(text: str, expected: str) -> None:
    drawn = saga(text)
    assert {slug: GEAS[slug].score(drawn) for slug in points(expected)} == points(expected)


def test_there_are_four_geas_for_each_row_and_a_first_trio() -> None:
    assert BY_ROW == (
        ("oisin", "benandonner", "diarmuid", "etain"),
        ("fionn", "knockgrafton", "deirdre", "gollerus"),
        ("cathbad", "lir", "fergus", "owney"),
    )
    assert FIRST == ("oisin", "fionn", "cathbad")
    assert {slug: geas.solo for slug, geas in GEAS.items()} == points(
        "oisin 21 benandonner 29 diarmuid 25 etain 20 fionn 12 knockgrafton 21 deirdre 28 gollerus 24"
        " cathbad 12 lir 13 fergus 17 owney 16"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EXAMPLE, "blue 1 green 3 red 7 yellow 2"),
        ("R1 R2 . R3 / . . . R4", "blue 0 green 0 red 2 yellow 0"),
        ("R1 . R3 / R1 R2 R3", "blue 0 green 0 red 5 yellow 0"),
        ("R1 / . / R3", "blue 0 green 0 red 1 yellow 0"),
        ("R1 B2=red / G3 Y4=red", "blue 0 green 1 red 3 yellow 0"),
        ("R1 R2 G1 R3 R4 R5", "blue 0 green 1 red 3 yellow 0"),
        ("", "blue 0 green 0 red 0 yellow 0"),
    ],
)
def test_regions_are_connected_cards_of_one_current_colour(text: str, expected: str) -> None:
    assert saga(text).regions == points(expected)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ("6 6 4 3", "6 6 2 0"),
        ("6 5 5 3", "8 3 3 0"),
        ("4 4 4 3 2", "6 6 6 2 0"),
        ("5 3 3", "8 1 1"),
        ("5 3", "8 3"),
        ("3 5", "3 8"),
        ("4 4", "5 5"),
        ("2 1", "8 0"),
        ("1 1", "0 0"),
        ("1 0 0", "0 0 0"),
        ("4 4 4", "5 5 5"),
        ("4 4 3", "5 5 0"),
        ("5 4 3", "8 3 0"),
        ("6 5 4 3", "8 5 2 0"),
        ("6 5 4 4", "8 5 1 1"),
        ("6 6 5 5", "6 6 1 1"),
        ("6 6 6 6 6", "6 6 6 6 6"),
        ("6 5 5 5 2", "8 3 3 3 0"),
        ("5 1 1 1 1", "8 0 0 0 0"),
        ("2 6 3 6 1", "0 6 2 6 0"),
    ],
)
def test_who_ties_for_a_region_shares_its_award_and_the_next(sizes: str, expected: str) -> None:
    given = [int(size) for size in sizes.split()]
    assert awards(given, region_prizes("house-2", len(given))) == [int(points) for points in expected.split()]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ("4 3", "8 3"),
        ("4 4", "5 5"),
        ("5 4 3", "8 3 1"),
        ("5 4 1", "8 3 0"),
        ("4 4 3", "5 5 1"),
        ("5 4 4", "8 1 1"),
        ("4 4 4", "5 5 5"),
        ("6 5 4 3 2", "8 3 1 0 0"),
        ("6 5 4 4 2", "8 3 0 0 0"),
        ("6 6 5 5 2", "5 5 0 0 0"),
        ("6 6 4 3", "5 5 1 0"),
    ],
)
def test_the_third_edition_has_three_awards_for_three_and_more_seats(sizes: str, expected: str) -> None:
    given = [int(size) for size in sizes.split()]
    assert awards(given, region_prizes("house-3", len(given))) == [int(points) for points in expected.split()]


def test_the_worked_example_counts_57() -> None:
    others = [saga("R1 R2 / G1 G2 / Y1 Y2 Y3"), saga("G1 G2 G3 G4 / Y1 Y2 Y3 Y4"), saga("Y1 Y2 Y3 Y5")]
    score = tally((saga(EXAMPLE), *others), ("oisin", "fionn", "cathbad"), "house-3")[0]
    assert score.total == 57
    assert {count.label: count.points for count in score.counts} == points(
        "oisin 26 fionn 10 cathbad 10 blue 0 green 3 red 8 yellow 0 misc 0"
    )
    assert score.ties == (7,)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("R2 R3", "G2 G3", (0, 1)),
        ("R8", "B7", (0,)),
        ("R1 B1", "G1", (0, 1)),
    ],
)
def test_a_tie_goes_to_the_largest_region_and_is_shared_after_that(
    one: str, other: str, expected: tuple[int, ...]
) -> None:
    state = table(sagas=(one, other)).but(agenda=())
    assert winners(GAME, state) == expected


def test_the_largest_single_region_breaks_a_tie() -> None:
    # Both have 16: 1 + 3 + 4 and the red award, 8 and the green award.
    state = table(sagas=("R1 R3 R4 / / B1", "G8 . Y1 / G1")).but(agenda=())
    totals = [score.total for score in GAME.rules.scores(state)]
    assert totals[0] == totals[1]
    assert [score.ties for score in GAME.rules.scores(state)] == [(3,), (2,)]
    assert winners(GAME, state) == (0,)


def test_tur_bhalair_counts_red_cards_under_misc() -> None:
    score = tally((saga("tur-bhalair B1=red / R3 G1 / tur-bhalair=blue"), saga("")), FIRST, "house-3")[0]
    assert {count.label: count.points for count in score.counts}["misc"] == 6
