"""Setup and Journey Phase of Tír na nÓg: options, picks, spaces, and who is asked when."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, apply
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.cards import DECK
from engine.games.tir_na_nog.rules.otherworld import otherworld
from engine.games.tir_na_nog.rules.steps import Journey, PlaceStoryteller, SagaPhase
from engine.options import BadSetting
from engine.playout import roll_chance
from tests.engine.tir_na_nog.tables import after, asked, begun, lines, refusal, table

SPACES = {2: 8, 3: 17, 4: 22, 5: 27}


@pytest.mark.parametrize(("seats", "spaces"), SPACES.items())
def test_the_first_storyteller_may_go_to_any_space(seats: int, spaces: int) -> None:
    state = begun(seats)
    assert len(lines(state, asked(state))) == spaces
    assert len(otherworld(seats).corners) == {2: 4, 3: 6, 4: 8, 5: 10}[seats]


@pytest.mark.parametrize(
    ("seats", "spot", "touched"),
    [
        (2, "a1a2b1b2", "a1 a2 b1"),
        (2, "b2b3c2c3", "b3 c2 c3"),
        (3, "a1a2b1b2", "a1 a2 b1 b2"),
        (3, "b2c2", "b2 c2"),
        (5, "b5b6c5c6", "b5 b6 c5 c6"),
    ],
)
def test_a_spot_touches_the_cards_of_its_name(seats: int, spot: str, touched: str) -> None:
    world = otherworld(seats)
    assert [world.cells[at] for at in world.touched[spot]] == touched.split()


def test_with_two_seats_no_space_leads_to_the_hole() -> None:
    assert otherworld(2).spaces == tuple("a1a2 a1b1 a2a3 a3b3 b1c1 b3c3 c1c2 c2c3".split())


@pytest.mark.parametrize(
    ("options", "seats", "line"),
    [
        ({"geas": "first"}, 3, "start 2"),
        ({"geas": "diarmuid,deirdre,owney"}, 2, "start 0"),
        ({}, 2, "start 1 oisin fionn cathbad"),
        ({}, 5, "start 4 etain gollerus owney"),
    ],
)
def test_chance_says_who_begins_and_random_geas(options: dict[str, str], seats: int, line: str) -> None:
    state = after(GAME.rules.start(seats, options), f"* {line}")
    assert state.token == int(line.split()[1])
    named = {"geas": "oisin,fionn,cathbad"} if options == {"geas": "first"} else options
    assert " ".join(state.geas) == named.get("geas", ",".join(line.split()[2:])).replace(",", " ")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"geas": "first"}, "start 2"),
        ({"geas": "first"}, "start 0 oisin fionn cathbad"),
        ({}, "start 0"),
        ({}, "start 0 oisin fionn"),
        ({}, "start 0 fionn oisin cathbad"),
        ({}, "start 0 oisin fionn cathbad lir"),
        ({"geas": "first"}, "deal 0 lugh lugh macha macha nuada"),
    ],
)
def test_chance_can_begin_in_no_other_way(options: dict[str, str], line: str) -> None:
    assert refusal(GAME.rules.start(2, options), f"* {line}")


def test_picks_are_the_seat_then_the_geas_then_one_for_each_card() -> None:
    state, numbers = GAME.rules.start(2), iter([1, 0, 1, 2, *[0] * 100])
    asked_for: list[int] = []

    def pick(n: int) -> int:
        asked_for.append(n)
        return next(numbers)

    rows = []
    for _ in range(4):
        action = roll_chance(state, pick)
        rows.append(action.line)
        state = apply(state, CHANCE, action)
    assert rows[0] == "start 1 oisin knockgrafton fergus"
    assert rows[1] == f"deal 0 {' '.join(DECK[:5])}"
    assert rows[3] == f"lay {' '.join(DECK[10:18])}"
    assert asked_for == [2, 4, 4, 4, *range(96, 78, -1)]
    assert state.picks == 22


@pytest.mark.parametrize(
    ("given", "seats"),
    [
        ({"geas": "oisin,fionn"}, 2),
        ({"geas": "fionn,oisin,cathbad"}, 2),
        ({"geas": "oisin,fionn,nobody"}, 2),
        ({"geas": "second"}, 2),
        ({"edition": "house-4"}, 2),
        ({"balor": "hard"}, 3),
        ({"balor": "mild"}, 2),
    ],
)
def test_other_options_are_refused_with_what_to_write(given: dict[str, str], seats: int) -> None:
    with pytest.raises(BadSetting, match="it takes: "):
        GAME.rules.start(seats, given)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_journey_goes_clockwise_and_the_saga_the_other_way(seats: int) -> None:
    for token in range(seats):
        state = table(Journey(), SagaPhase(), seats=seats, token=token, hands=["R1"] * seats)
        for at in range(3 * seats):
            assert asked(state) == (token + at) % seats
            state = after(state, f"{asked(state)} {lines(state, asked(state))[0]}")
        assert state.phase == "saga"
        assert asked(state) == (token - 1) % seats


def test_turns_go_counter_clockwise() -> None:
    state = table(SagaPhase(), seats=3, token=1, out=("a1a2 c1c2", "b1b2", "a3a4"), hands=("R1", "R1", "B1"))
    order = []
    while asked(state) in range(3) and state.phase == "saga":
        seat = asked(state)
        order.append(seat)
        take = next(line for line in lines(state, seat, "take"))
        state = after(state, f"{seat} {take}")
        state = after(state, f"{seat} {lines(state, seat, 'play')[0]}")
        if len(order) == 4:
            break
    assert order == [0, 2, 1, 0]


def test_bru_na_boinne_and_milliners_in_one_journey() -> None:
    steps = [PlaceStoryteller(seat) for seat in (0, 1, 0, 1)]
    state = table(*steps, sagas=("bru-na-boinne merrow-milliners",))
    assert len(lines(state)) == 12
    state = after(state, "0 place a1a2b1b2")
    assert len(lines(state, 1)) == 8
    state = after(state, "1 place a1a2")
    assert len(lines(state)) == 8
    assert "place a1a2" in lines(state)
    assert "place a2a3b2b3" not in lines(state), "one corner in a Journey Phase"
    state = after(state, "0 place a1a2")
    assert len(lines(state, 1)) == 7
    assert "place a1a2" not in lines(state, 1)


@pytest.mark.parametrize(
    ("own", "out", "open_", "closed"),
    [
        # Brú na Bóinne joins anyone, oneself too, but makes no third; never on a corner.
        ("bru-na-boinne", ("a1a2", ""), "a1a2", ""),
        ("bru-na-boinne", ("", "a1a2 a1a2b1b2"), "a1a2", "a1a2b1b2"),
        ("bru-na-boinne", ("a1a2", "a1a2 c1c2"), "c1c2", "a1a2"),
        ("bru-na-boinne merrow-milliners", ("", "a1a2b1b2"), "a2a3b2b3", "a1a2b1b2"),
        # A corner does not block the spaces that meet there, nor they the corner.
        ("merrow-milliners", ("a1a2 a1b1", ""), "a1a2b1b2", "a1a2"),
        ("", ("", "a1a2b1b2"), "a1a2 a1b1", "a2a3b2b3"),
    ],
)
def test_where_a_storyteller_may_go(own: str, out: tuple[str, str], open_: str, closed: str) -> None:
    state = table(PlaceStoryteller(0), sagas=(own,), out=out)
    assert {f"place {spot}" for spot in open_.split()} <= set(lines(state))
    assert not {f"place {spot}" for spot in closed.split()} & set(lines(state))
