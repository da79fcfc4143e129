"""The special cards of Tír na nÓg: values on Sagas written as text, and the lines that a card offers."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.effects import registry
from engine.games.tir_na_nog.rules.saga import POINT
from tests.engine.tir_na_nog.tables import after, colours, lines, playing, saga, table, values

VECTOR = "far-darrig Y6 far-darrig / water-kelpie cu-sidhe-kennel sidhe-court Y3 Y4 / cailleachs-crag B1 dolmen B7 R5"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (VECTOR, "2 6 6 / 2 14 5 3 4 / 3 1 7 7 5"),
        # Water Kelpie loses 6 once beside green, whatever the colour was printed as, and gets it back.
        ("water-kelpie", "8 /  / "),
        ("water-kelpie G1", "2 1 /  / "),
        ("G1 water-kelpie G1 / . G1", "1 2 1 / . 1 / "),
        ("water-kelpie G1=red", "8 1 /  / "),
        ("water-kelpie R1=green", "2 1 /  / "),
        ("water-kelpie . G1", "8 . 1 /  / "),
        ("water-kelpie / B1 / G1", "8 / 1 / 1"),
        ("water-kelpie-4 G1", "0 1 /  / "),
        # Cailleach's Crag counts colours beside it, its own only on another card.
        ("cailleachs-crag", "0 /  / "),
        ("Y1 cailleachs-crag", "1 3 /  / "),
        (". R1 / B1 cailleachs-crag G1 / . Y1", ". 1 / 1 12 1 / . 1"),
        (". R1 / R1 cailleachs-crag R1 / . R1", ". 1 / 1 3 1 / . 1"),
        ("R1 cailleachs-crag=red", "1 3 /  / "),
        ("R1 . cailleachs-crag", "1 . 0 /  / "),
        ("cailleachs-crag cailleachs-crag", "3 3 /  / "),
        # Cú Sidhe Kennel counts other Ailm cards of the whole Saga, a second Kennel too.
        ("cu-sidhe-kennel", "2 /  / "),
        ("cu-sidhe-kennel . cu-sidhe-kennel", "4 . 4 /  / "),
        ("cu-sidhe-kennel / B1 / B1 dolmen", "4 / 1 / 1 3"),
        ("cu-sidhe-kennel+3 / far-darrig", "7 / 2 / "),
        # Far Darrig copies the current value on its left and adds its own tokens.
        ("far-darrig far-darrig", "2 2 /  / "),
        ("R8 far-darrig far-darrig", "8 8 8 /  / "),
        ("R8+2 far-darrig", "10 10 /  / "),
        ("R8 . far-darrig", "8 . 2 /  / "),
        ("R8 far-darrig+2", "8 10 /  / "),
        ("R1-2 far-darrig-2", "0 0 /  / "),
        ("R1-2 far-darrig+2", "0 2 /  / "),
        (" / R8 / far-darrig", " / 8 / 2"),
        ("far-darrig+2", "4 /  / "),
        # Dolmen wants two neighbours of one colour, of any colour.
        ("R1 dolmen R2", "1 7 2 /  / "),
        ("R1 dolmen B2=red", "1 7 2 /  / "),
        ("R1 dolmen B2", "1 3 2 /  / "),
        ("R1 dolmen", "1 3 /  / "),
        (". dolmen R1", ". 3 1 /  / "),
        ("dolmen", "3 /  / "),
        # Sídhe Court counts cards of its current colour in its row; the floor is applied once, to the sum.
        ("sidhe-court Y1 . Y2", "5 1 . 2 /  / "),
        ("sidhe-court=red Y1 R2", "3 1 2 /  / "),
        ("sidhe-court R1=yellow", "3 1 /  / "),
        ("sidhe-court / Y1", "1 / 1 / "),
        ("sidhe-court-2", "0 /  / "),
        ("sidhe-court-2 Y1", "1 1 /  / "),
        # Tokens on plain cards; values may pass 8 and never fall below 0.
        ("R8+2 R1-2 R1", "10 0 1 /  / "),
    ],
)
def test_values_are_read_off_the_saga(text: str, expected: str) -> None:
    assert values(table(sagas=(text,))) == expected


@pytest.mark.parametrize(
    ("text", "hand", "row", "offered"),
    [
        # Painters: neighbours of another current colour; none, nothing is asked.
        ("R1 / B1", "fomoire-raiders", "top", "paint top1 blue, stay"),
        ("R1 / G1 G2", "fomoire-raiders", "top", "paint top1 blue, paint middle2 blue, stay"),
        ("B1 / R1", "fomoire-raiders", "top", ""),
        ("", "fomoire-raiders", "top", ""),
        ("R1=blue", "fomoire-raiders", "top", ""),
        ("B1=red", "fomoire-raiders", "top", "paint top1 blue, stay"),
        ("R1", "wandering-puca", "top", "paint top1 green, stay"),
        ("B1", "dullaghan", "top", "paint top1 red, stay"),
        ("B1", "glastonbury-tor", "top", "paint top1 yellow, stay"),
        # Filling a hole has a neighbour on its right as well.
        ("R1 . G1", "fomoire-raiders", "top", "paint top1 blue, paint top3 blue, stay"),
        # The Brewery: one colour happens by itself, several are asked, no stay.
        ("R1 / B1 G1", "clurachan-brewery", "top", "paint top2 green, paint top2 red"),
        ("R1 / B1", "clurachan-brewery", "top", ""),
        ("R1 / B1 R2", "clurachan-brewery", "top", ""),
        ("", "clurachan-brewery", "top", ""),
        ("R1 / B1 Y1 / ", "clurachan-brewery", "top", "paint top2 red, paint top2 yellow"),
        # The Dock: any two cards in the order of the rows, equal ones too.
        ("", "manannans-dock", "top", ""),
        ("R1", "manannans-dock", "bottom", "swap top1 bottom1, stay"),
        ("R1 R1", "manannans-dock", "middle", "swap top1 top2, swap top1 middle1, swap top2 middle1, stay"),
        # The Valley: any other card, if the slot on its right is empty.
        ("R1 / B1 G1", "gancanaghs-valley", "top", "shift top1 top, shift middle1 top, shift middle2 top, stay"),
        ("R1 . R3 / B1 G1", "gancanaghs-valley", "top", ""),
        ("", "gancanaghs-valley", "top", ""),
        ("R1 . . R3", "gancanaghs-valley", "top", "shift top1 top, shift top4 top, stay"),
        ("R1 R2 R3 R4", "gancanaghs-valley", "top", ", ".join(f"shift top{n} top" for n in (1, 2, 3, 4)) + ", stay"),
        # Oilliphéist and Bodach: a card beside them.
        ("R1 / B1 B2", "hungry-oillipheist", "top", "eat top1, eat middle2, stay"),
        ("", "hungry-oillipheist", "top", ""),
        ("R1", "sly-bodach", "top", "adjust top1 +2, adjust top1 -2, stay"),
        ("", "sly-bodach", "top", ""),
        ("cailleachs-crag", "sly-bodach", "top", "adjust top1 +2, adjust top1 -2, stay"),
        # Cards without an effect when played.
        ("R1 / B1", "water-kelpie", "top", ""),
        ("R1 / B1", "mag-mell", "top", ""),
        ("R1 / B1", "keening-banshee", "top", ""),
        ("R1 / B1", "selkie-cove", "top", ""),
        ("R1 / B1", "lugh", "top", ""),
    ],
)
def test_a_card_just_played_offers(text: str, hand: str, row: str, offered: str) -> None:
    state = after(table(*playing(), sagas=(text,), hands=(hand,)), f"0 play {hand} {row}")
    assert lines(state) == sorted(filter(None, offered.split(", ")))


@pytest.mark.parametrize(
    ("text", "hand", "made", "shown", "worth"),
    [
        ("R1 / B1", "fomoire-raiders", "play fomoire-raiders top, paint top1 blue", "B B / B / ", "1 3 / 1 / "),
        ("R1 / B1", "fomoire-raiders", "play fomoire-raiders top, stay", "R B / B / ", "1 3 / 1 / "),
        ("B1=red", "fomoire-raiders", "play fomoire-raiders top, paint top1 blue", "B B /  / ", "1 3 /  / "),
        ("R1 / B1", "clurachan-brewery", "play clurachan-brewery top", "R R / B / ", "1 5 / 1 / "),
        ("G1", "clurachan-brewery", "play clurachan-brewery top", "G G /  / ", "1 5 /  / "),
        ("", "clurachan-brewery", "play clurachan-brewery top", "G /  / ", "5 /  / "),
        (
            "R1 / B1 G1",
            "clurachan-brewery",
            "play clurachan-brewery top, paint top2 green",
            "R G / B G / ",
            "1 5 / 1 1 / ",
        ),
        # The Brewery does not look again: its neighbour is repainted later.
        (
            "R1",
            "clurachan-brewery fomoire-raiders",
            "play clurachan-brewery top, play fomoire-raiders middle, paint top1 blue",
            "B R / B / ",
            "1 5 / 3 / ",
        ),
        # Swapping moves tokens along, and values are computed again.
        (
            "R8=blue far-darrig / R1+2",
            "manannans-dock",
            "play manannans-dock bottom, swap top1 middle1",
            "R R / B / B",
            "3 3 / 8 / 5",
        ),
        # A swap may break the placement of a hole: the Dock itself moves too.
        ("R1 / B2", "manannans-dock", "play manannans-dock top, swap top2 middle1", "R B / B / ", "1 2 / 5 / "),
        # The Valley draws a card in and may leave a hole, also from its own row.
        ("R1 R2 / B1", "gancanaghs-valley", "play gancanaghs-valley middle, shift top1 middle", ". R / B G R / ", None),
        ("R1 R2", "gancanaghs-valley", "play gancanaghs-valley top, shift top1 top", ". R G R /  / ", None),
        ("R1 . . B2", "gancanaghs-valley", "play gancanaghs-valley top, shift top4 top", "R G B /  / ", None),
        (
            "R1 R2 R3 R4 / B1",
            "gancanaghs-valley",
            "play gancanaghs-valley top, shift middle1 top",
            "R R R R G B /  / ",
            None,
        ),
        # A moved painter or Brewery does nothing again.
        (
            "dullaghan / B1 B2",
            "gancanaghs-valley",
            "play gancanaghs-valley middle, shift top1 middle",
            " / B B G R / ",
            None,
        ),
        # Oilliphéist gains what its prey is worth with itself already there; the slot is empty, maybe a hole.
        (
            "R1 / B4 B5",
            "hungry-oillipheist",
            "play hungry-oillipheist top, eat middle2",
            "R R / B / ",
            "1 6 / 4 / ",
        ),
        ("R8 / B4", "hungry-oillipheist", "play hungry-oillipheist top, eat top1", ". R / B / ", ". 9 / 4 / "),
        (
            "cailleachs-crag / B4",
            "hungry-oillipheist",
            "play hungry-oillipheist top, eat top1",
            ". R / B / ",
            ". 7 / 4 / ",
        ),
        ("R1-2", "hungry-oillipheist", "play hungry-oillipheist top, eat top1", ". R /  / ", ". 1 /  / "),
        ("R8", "hungry-oillipheist", "play hungry-oillipheist top, stay", "R R /  / ", "8 1 /  / "),
        # Bodach gives permanent tokens that travel, and may lower a 0.
        ("R1", "sly-bodach", "play sly-bodach top, adjust top1 -2", "R R /  / ", "0 5 /  / "),
        ("R8 . B1", "sly-bodach", "play sly-bodach top, adjust top3 +2", "R R B /  / ", "8 5 3 /  / "),
        ("cailleachs-crag", "sly-bodach", "play sly-bodach top, adjust top1 -2", "Y R /  / ", "1 5 /  / "),
        ("far-darrig", "sly-bodach", "play sly-bodach top, adjust top1 +2", "R R /  / ", "4 5 /  / "),
        # Kelpie: a green neighbour leaves, the 6 come back.
        (
            "water-kelpie G1",
            "hungry-oillipheist",
            "play hungry-oillipheist middle, eat top1",
            ". G / R / ",
            ". 1 / 3 / ",
        ),
        ("water-kelpie G1", "dullaghan", "play dullaghan top, paint top2 red", "B R R /  / ", "8 1 3 /  / "),
    ],
)
def test_what_a_card_does_when_played(text: str, hand: str, made: str, shown: str, worth: str | None) -> None:
    state = table(*playing(), *playing(), sagas=(text,), hands=(hand,))
    state = after(state, *(f"0 {line}" for line in made.split(", ")))
    assert colours(state) == shown
    assert worth is None or values(state) == worth


def test_a_card_eaten_lies_on_the_discards_without_its_tokens() -> None:
    state = table(*playing(), *playing(), sagas=("cu-sidhe-kennel=red+4",), hands=("hungry-oillipheist",))
    state = after(state, "0 play hungry-oillipheist top", "0 eat top1")
    assert state.discards == ("cu-sidhe-kennel",)
    assert state.sagas[0] == saga(". hungry-oillipheist+8")  # 2, 4 of tokens, and 2 for the Oilliphéist's own Ailm


@pytest.mark.parametrize(
    ("grid", "out", "offered"),
    [
        # Any Storyteller to any free space with both cards; with none, nothing is asked.
        ("R1 R2 R3 B1 B3 . . .", ("a1a2", "b1c1"), "a1a2 a1b1, a1a2 a2a3, a1a2 a3b3, b1c1 a1b1, b1c1 a2a3, b1c1 a3b3"),
        ("R1 . R3 B1 B3 . . .", ("a1b1", "a3b3"), ""),
        ("R1 . R3 B1 B3 . . .", ("a1b1", ""), "a1b1 a3b3"),
        # A Lost one, and one on a corner.
        ("R1 R2 R3 . B3 . . .", ("c1c2", "a1a2b1b2"), None),
        # A shared space names the seat.
        ("R1 R2 . B1 . . . .", ("a1a2", "a1a2"), "a1a2 a1b1 0, a1a2 a1b1 1"),
        ("R1 R2 . B1 . . . .", ("a1a2 a1a2", "c1c2"), "a1a2 a1b1, c1c2 a1b1"),
        ("R1 R2 . B1 . . . .", ("", ""), ""),
    ],
)
def test_dobhar_chu_loch_moves_any_storyteller(grid: str, out: tuple[str, str], offered: str | None) -> None:
    state = after(table(*playing(), grid=grid, out=out, hands=("dobhar-chu-loch",)), "0 play dobhar-chu-loch top")
    if offered is None:
        offered = ", ".join(f"{spot} {end}" for spot in ("a1a2b1b2", "c1c2") for end in ("a1a2", "a2a3", "a3b3"))
    expected = [f"wander {each}" for each in offered.split(", ") if each]
    assert lines(state, 0, "wander") == sorted(expected)
    assert ("stay" in lines(state)) == bool(expected)


def test_the_loch_moves_the_storyteller_of_the_seat_named() -> None:
    grid, out = "R1 R2 . B1 . . . .", ("a1a2 c1c2", "a1a2 c1c2")
    state = after(table(*playing(), grid=grid, out=out, hands=("dobhar-chu-loch",)), "0 play dobhar-chu-loch top")
    assert after(state, "0 wander a1a2 a1b1 1").out == (("a1a2", "c1c2"), ("a1b1", "c1c2"))
    assert after(state, "0 wander a1a2 a1b1 0").out == (("a1b1", "c1c2"), ("a1a2", "c1c2"))


def test_the_loch_sends_one_of_two_of_a_seat() -> None:
    state = table(*playing(), grid="R1 R2 . B1 . . . .", out=("a1a2 a1a2",), hands=("dobhar-chu-loch",))
    state = after(state, "0 play dobhar-chu-loch top", "0 wander a1a2 a1b1")
    assert state.out[0] == ("a1a2", "a1b1")


def test_every_special_card_has_its_effect_and_every_effect_its_card() -> None:
    timings: dict[str, tuple[dict[str, Any], ...]] = {
        "when-played": (registry.WHEN_PLAYED,),
        "ongoing": (registry.ONGOING,),
        "journey": (registry.JOURNEY_PHASE,),
        "saga": (registry.SAGA_PHASE, registry.FROM_HAND, registry.ECHTRA, registry.LOST),
        "scoring": (registry.SCORING, registry.POINTS),
    }
    for timing, effects in timings.items():
        cards = [slug for slug, each in CARDS.items() if each.timing == timing]
        assert sorted(slug for found in effects for slug in found) == cards
    assert len([slug for slug, each in CARDS.items() if each.timing]) == 24
    for effects in timings.values():
        assert all(effect.__doc__ for found in effects for effect in found.values())


def test_a_place_has_one_name() -> None:
    assert list(POINT) == [f"{row}{slot}" for row in ("top", "middle", "bottom") for slot in range(1, 10)]
