"""The worked examples of Táin: raids, kingdom, placing, shortage, prisoners, end and wealth."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import to_act, winners
from engine.games.tain import GAME
from engine.games.tain.raids import Boards, takers
from engine.games.tain.rules import Put
from engine.games.tain.score import wealth
from engine.games.tain.state import Tain
from engine.house import objection
from engine.notation import NotALine
from engine.reading import read
from tests.engine.conserved.tain import conserved
from tests.engine.tain.tables import everybody_passes, lines, play, raid, table

WON, FAILED = ((6, 4), (4, 2)), ((5, 5), (3, 3))


@pytest.mark.parametrize(
    ("scout", "guard", "result", "captive"),
    [
        ("C", "", WON, ""),
        ("C", "X", WON, ""),
        ("C", "C", FAILED, ""),
        ("C", "W", WON, ""),
        ("C", "B", WON, ""),
        ("C", "D", FAILED, ""),
        ("W", "", WON, ""),
        ("W", "X", WON, ""),
        ("W", "C", FAILED, ""),
        ("W", "W", FAILED, ""),
        ("W", "B", WON, ""),
        ("W", "D", FAILED, "a holds bD"),
        ("B", "", WON, ""),
        ("B", "X", WON, ""),
        ("B", "C", FAILED, ""),
        ("B", "W", FAILED, "b holds aB"),
        ("B", "B", FAILED, ""),
        ("B", "D", FAILED, ""),
        *(("X", guard, FAILED, "") for guard in ("", "X", "C", "W", "B", "D")),
    ],
)
def test_raid_matrix(scout: str, guard: str, result: tuple[tuple[int, int], ...], captive: str) -> None:
    for gate, of in ((1, 0), (4, 1)):
        after = raid(table(), a=f"{scout} b{gate}", b=f"{guard} {gate}" if guard else "pass")
        assert (after.cattle, after.jewels)[of] == result[of]
        assert (after.cattle, after.jewels)[1 - of] == FAILED[1 - of]
        held = {"": ((), ()), "a holds bD": (("bD",), ()), "b holds aB": ((), ("aB",))}[captive]
        assert after.prisoners == held
        conserved(after)
        if captive:
            assert tuple(score.total for score in GAME.rules.scores(after)) == ((24, 19) if held[0] else (19, 20))


@pytest.mark.parametrize(
    ("tokens", "stock", "active", "gain", "left"),
    [
        ({}, 5, 0, (0, 0, 0, 0), 5),
        ({"a": "X"}, 5, 0, (0, 0, 0, 0), 5),
        ({"a": "X", "b": "X"}, 5, 0, (0, 0, 0, 0), 5),
        ({"a": "C"}, 5, 0, (1, 0, 0, 0), 4),
        ({"a": "W"}, 5, 0, (1, 0, 0, 0), 4),
        ({"a": "C", "b": "X"}, 5, 0, (1, 0, 0, 0), 4),
        ({"a": "C", "b": "W"}, 5, 0, (1, 0, 0, 0), 4),
        ({"a": "W", "b": "C"}, 5, 0, (0, 1, 0, 0), 4),
        ({"a": "C", "b": "C"}, 5, 0, (1, 1, 0, 0), 3),
        ({"a": "W", "b": "W"}, 5, 0, (1, 1, 0, 0), 3),
        ({"a": "C"}, 0, 0, (0, 0, 0, 0), 0),
        ({"a": "C", "d": "C"}, 1, 0, (1, 0, 0, 0), 0),
        ({"a": "C", "d": "C"}, 1, 2, (0, 0, 0, 1), 0),
        ({"a": "W", "b": "W"}, 1, 1, (0, 1, 0, 0), 0),
    ],
)
def test_kingdom(tokens: dict[str, str], stock: int, active: int, gain: tuple[int, ...], left: int) -> None:
    spare = 5 - stock
    fresh = table(4, {"first": active}, stock=stock, cattle=(5, 5, 5 + spare, 5))
    after = raid(fresh, **{clan: f"{kind} kingdom" for clan, kind in tokens.items()})
    assert tuple(new - old for new, old in zip(after.cattle, fresh.cattle, strict=True)) == gain
    assert after.stock == left
    for clan, kind in tokens.items():
        assert after.used["abcd".index(clan)] == kind
    conserved(after)


def test_the_pure_raid_function_knows_the_kingdom_by_itself() -> None:
    nothing = (".....",) * 2
    boards = Boards(1, nothing, nothing, nothing, ("aC", "bC"), (5, 5), (3, 3), 1, ((), ()), one_each=False)
    assert takers(boards) == (1,)


@pytest.mark.parametrize(
    ("before", "row"),
    [
        ("", "0 put D b1"),
        ("", "0 put D kingdom"),
        ("", "0 put B kingdom"),
        ("0 put C kingdom; 1 put X 1", "0 put W kingdom"),
        ("0 put X kingdom; 1 put X 1", "0 put C kingdom"),
        ("0 put X 1; 1 put X 1", "0 put W 1"),
        ("0 put X b1; 1 put X 1", "0 put W b1"),
        ("", "0 put W a1"),
        ("0 put X 2; 1 pass", "0 put X 2"),
        ("0 pass", "0 put W 1"),
        ("0 put C 1; 1 put X 1", "0 put C 2"),
        ("0 put W 1; 1 put X 1; 0 put W 2; 1 put X 2", "0 put W 3"),
        ("0 put X kingdom; 1 put X kingdom; 0 put X 1", "1 put C kingdom"),
        ("", "0 put W c1"),
        ("", "0 guards none"),
        ("", "0 free D b"),
        ("", "1 put W 1"),
        ("", "1 pass"),
    ],
)
def test_refused(before: str, row: str) -> None:
    state = play(table(), before) if before else table()
    seat, line = row.split(" ", 1)
    assert objection(state, int(seat), read(GAME, line, int(seat)))


@pytest.mark.parametrize(
    "line", ["put W 6", "put W e1", "put W", "put K 1", "put w 1", "guards", "guards D6", "free C b"]
)
def test_no_line_at_all(line: str) -> None:
    with pytest.raises(NotALine):
        read(GAME, line, 0)


def test_full_kingdom_is_closed_to_a_third_clan() -> None:
    state = play(table(3), "0 put X kingdom; 1 put X kingdom")
    assert not any(line.endswith("kingdom") for line in lines(state, 2))


def test_first_options_are_complete() -> None:
    assert len(lines(table(2), 0)) == 5 * 5 + 4 * 5 + 3 + 1
    assert len(lines(table(4), 0)) == 5 * 5 + 3 * 4 * 5 + 3 + 1


def test_last_one_left_goes_on_placing() -> None:
    state = play(table(3), "0 pass; 1 pass; 2 put W a1; 2 put B b4; 2 put X 3; 2 pass")
    assert (state.round, state.cattle, state.jewels) == (2, (4, 5, 6), (3, 2, 4))


def test_only_a_daughter_left_and_own_gates_full() -> None:
    state = table(2, unused=("D", "CWW"), used=("CWWBBBBBBXXX", "BBBBBBDXXXXXXXX"), guards=("XXXXX", "....."))
    assert lines(state, 0) == {"pass"}
    assert to_act(play(state, "0 pass")) == {1}


def _captives(state: Tain, *prisoners: tuple[str, ...]) -> Tain:
    """The same table with these captives, taken from their owners' unused tokens."""
    unused = list(state.unused)
    for token in (token for held in prisoners for token in held):
        seat = "abcd".index(token[0])
        unused[seat] = unused[seat].replace(token[1], "", 1)
    return state.but(unused=tuple(unused), prisoners=prisoners)


def test_shortage_is_served_from_the_active_player() -> None:
    after = raid(table(3, {"first": 2}, cattle=(1, 5, 5), stock=14), b="B a1", c="B a2")
    assert after.cattle == (0, 5, 6)
    after = raid(table(3, {"first": 1}, cattle=(1, 5, 5), stock=14), b="B a1", c="B a2")
    assert after.cattle == (0, 6, 5)


@pytest.mark.parametrize(("share", "cattle"), [("per-player", (0, 7, 5)), ("one-each", (0, 6, 6))])
def test_share(share: str, cattle: tuple[int, ...]) -> None:
    fresh = table(3, {"first": 1, "share": share}, cattle=(2, 5, 5), stock=13)
    assert raid(fresh, b="B a1, B a2", c="B a3").cattle == cattle


@pytest.mark.parametrize("share", ["per-player", "one-each"])
def test_freeing_takes_no_jewel_from_the_next_raider(share: str) -> None:
    fresh = _captives(table(3, {"first": 1, "share": share}, jewels=(1, 4, 4)), ("bB",), (), ())
    after = raid(fresh, b="B a4, B a1", c="B a5")
    assert (after.jewels, after.prisoners, after.used[1]) == ((0, 4, 5), ((), (), ()), "BBB")


def test_two_successes_with_one_captive() -> None:
    after = raid(_captives(table(), (), ("aB",)), a="C b4, W b5")
    assert (after.jewels, after.prisoners, after.used[0]) == ((4, 2), ((), ()), "CWB")


def test_a_captive_of_this_round_is_not_freed_this_round() -> None:
    after = raid(table(), a="B b1, C b4", b="W 1")
    assert (after.jewels, after.prisoners) == ((4, 2), ((), ("aB",)))
    later = raid(after, a="W b4")
    assert (later.jewels, later.prisoners, later.used[0]) == ((4, 2), ((), ()), "CWB")


def test_choice_of_a_captive() -> None:
    state = raid(_captives(table(), (), ("aB", "aD")), a="W b4")
    assert to_act(state) == {0}
    assert lines(state, 0) == {"free D b", "free B b"}
    after = play(state, "0 free D b")
    assert (after.round, after.prisoners, after.used[0], after.jewels) == (2, ((), ("aB",)), "WD", (3, 3))
    assert play(state, "0 free B b").prisoners == ((), ("aD",))


def test_other_clans_captives_stay() -> None:
    after = raid(_captives(table(3), (), ("cD",), ()), a="W b4")
    assert (after.jewels, after.prisoners) == ((4, 2, 3), ((), ("cD",), ()))


def test_stolen_cattle_are_not_stolen_again() -> None:
    after = raid(table(2, cattle=(1, 0), stock=24), a="B b1", b="B a1")
    assert after.cattle == (0, 1)
    assert raid(table(), a="B b1", b="B a1").cattle == (5, 5)


def test_refill() -> None:
    state = table(2, unused=("", "CWWBBBBBBDXXXXXXXX"), used=("CWWBBBBBDXXXXXXXX", ""), prisoners=((), ("aB",)))
    after = everybody_passes(state.but(agenda=play(table(), "0 put X 1").agenda))
    assert (len(after.unused[0]), after.used[0]) == (17, "")


def test_no_refill_with_one_token_left() -> None:
    state = table(2, round=3, unused=("X", "CWWBBBBBBDXXXXXXXX"), used=("CWWBBBBBBDXXXXXXX", ""))
    after = everybody_passes(state)
    assert (after.round, after.unused[0], len(after.used[0])) == (4, "X", 17)
    after = play(after, "1 pass; 0 put X b1")
    assert (after.round, len(after.unused[0])) == (5, 18), "a seat without tokens is out, and its screen refills"


@pytest.mark.parametrize(
    ("cattle", "jewels", "held", "total"),
    [
        (5, 3, (), 19),
        (7, 5, ("bB", "cB", "cD"), 36),
        (11, 3, (), 34),
        (10, 3, (), 29),
        (12, 0, (), 27),
    ],
)
def test_wealth(cattle: int, jewels: int, held: tuple[str, ...], total: int) -> None:
    assert wealth(cattle, jewels, held, 0).total == total


def test_eleven_cattle_end_the_match_at_once() -> None:
    state = table(
        2, round=5, cattle=(10, 5), stock=10, unused=("C", "CWWBBBBBBDXXXXXXXX"), used=("WWBBBBBBDXXXXXXXX", "")
    )
    after = play(state, "0 put C b1; 1 pass")
    assert after.over
    assert (after.cattle, after.round, after.unused[0], len(after.used[0])) == ((11, 4), 5, "", 18)


def test_only_the_balance_counts_for_eleven() -> None:
    after = raid(table(2, cattle=(10, 5), stock=10), a="B b1", b="B a1")
    assert (after.over, after.cattle) == (False, (10, 5))


def test_eight_rounds() -> None:
    state = table(3)
    for number in range(1, 9):
        assert (state.round, state.over) == (number, False)
        assert state.active == (number - 1) % 3
        state = everybody_passes(state)
    assert state.over
    assert winners(GAME, state) == (0, 1, 2), "all equal: a draw"


@pytest.mark.parametrize(
    ("changes", "won"),
    [
        ({"cattle": (11, 5), "jewels": (1, 7)}, (1,)),  # 28 against 31: the great herd does not win by itself
        ({"cattle": (5, 5), "jewels": (4, 3), "prisoners": ((), ("aB", "aB", "aB"))}, (0,)),
        ({"cattle": (6, 3), "jewels": (3, 5)}, (0,)),
        ({"unused": ("CWWBBB", "CW")}, (0,)),
        ({"unused": ("CWWBBB", "CWWBBB")}, (0, 1)),
        ({"cattle": (9, 12), "jewels": (6, 3)}, (1,)),
    ],
)
def test_ties(changes: dict[str, Any], won: tuple[int, ...]) -> None:
    assert winners(GAME, table(2, **changes)) == won


def test_two_great_herds_get_the_bonus_each() -> None:
    totals = [score.total for score in GAME.rules.scores(table(2, cattle=(11, 12)))]
    assert totals == [34, 36]


def test_put_lines_are_interned_where_lists_are_hot() -> None:
    state = table()
    first, second = ([*state.agenda[0].options(state, 0)] for _ in range(2))
    assert all(one is two for one, two in zip(first, second, strict=True))
    assert Put("W", "3") in first
