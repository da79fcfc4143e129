"""The flow of Táin: who is in, the guards phase, freeing, resolution, options, and the log."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.game import Seal, apply, legal, seal, to_act, winners
from engine.games.tain import GAME
from engine.games.tain.rules import Free, Guards, Pass, PostGuards, Postings, Put
from engine.games.tain.state import Tain
from engine.log import Log, Move, parse, replay
from engine.options import BadSetting, Settings
from tests.engine.conserved.tain import conserved
from tests.engine.tain.tables import everybody_passes, lines, play, raid, random_match, table

FULL = "CWWBBBBBBDXXXXXXXX"


def crowded(gates: tuple[str, str] = (".....", "....."), settings: dict[str, bool] | None = None) -> Tain:
    """Two seats, every scout and kingdom place taken but one: a kingdom place, which seat 0 may take."""
    owners = ("bbbbb", "aaaaa")
    unused = tuple(_less(FULL, "XXXXX" + row.replace(".", "") + own) for row, own in zip(gates, ("", "X"), strict=True))
    return table(
        2,
        settings or {},
        owners=owners,
        scouts=("XXXXX", "XXXXX"),
        guards=gates,
        kingdom=("bX",),
        unused=unused,
    )


def _less(tokens: str, gone: str) -> str:
    for kind in gone:
        assert kind in tokens
        tokens = tokens.replace(kind, "", 1)
    return tokens


def test_the_stretch_of_a_log() -> None:
    rows = "0 put W b1; 1 put X 1; 0 put D 4; 1 put C kingdom; 0 pass; 1 put B a5; 1 pass; 1 put B 2"
    state = play(table(), rows)
    assert (state.round, state.active, state.cattle, state.jewels) == (2, 1, (6, 5), (2, 4))
    conserved(state)


def test_an_evident_pass_is_not_asked() -> None:
    state = table(3, unused=(FULL, "X", FULL), used=("", _less(FULL, "X"), ""))
    state = play(state, "0 put X 1; 1 put X 1; 2 put X 1")
    assert to_act(state) == {0}
    assert to_act(play(state, "0 put X 2")) == {2}, "seat 1 has no token left, so it is out without a row"


def test_a_seat_without_a_free_place_is_out() -> None:
    full = table(3, {"speedup": False}, owners=("bbbbb", "aaaaa", "....."), scouts=("XXXXX", "XXXXX", "....."))
    full = full.but(guards=("XX...", "BBBBB", "....."), kingdom=("aX", "bX"))
    assert not full.but(owners=("bbbbb", "aaaaa", "ababa")).is_in(1)
    assert full.is_in(1), "the third board is free"
    assert full.but(owners=("bbbbb", "aaaaa", "ababa")).is_in(0), "own gates are free"


def test_a_hidden_forced_pass_is_asked_and_looks_like_any_pass() -> None:
    state = table(2, unused=("D", FULL), used=(_less(FULL, "DXXXXX"), ""), guards=("XXXXX", "....."))
    assert to_act(state) == {0}
    assert [action.line for action in legal(state, 0)] == ["pass"]
    assert Pass().seen_by(0, 1) == "pass"
    assert seal(state, Pass()) is Seal.NEVER


def test_guards_phase_begins_when_every_other_place_is_taken() -> None:
    state = play(crowded(), "0 put C kingdom")
    assert to_act(state) == {0, 1}
    assert isinstance(state.agenda[0], PostGuards)
    assert len(legal(state, 0)) == len({action.line for action in legal(state, 0)})
    after = play(state, "1 guards D4 X5")
    assert to_act(after) == {0}
    assert (after.guards, after.unused) == (state.guards, state.unused), "nothing moves yet"
    assert not legal(after, 1), "each answers once, for good"
    done = play(after, "0 guards none")
    assert (done.round, done.report is not None and done.report.guards) == (2, (".....", "...DX"))
    conserved(done)


def test_guards_phase_asks_a_single_seat_too_and_leaves_out_who_passed() -> None:
    state = table(
        3, passed=(False, True, False), owners=("bbbbb", "aaaaa", "aaaa."), scouts=("XXXXX",) * 2 + ("XXXX.",)
    )
    state = state.but(kingdom=("aX", "bX"), guards=("XXXXX", ".....", "....."), agenda=table(3).agenda)
    state = play(state, "0 put X c5")
    assert to_act(state) == {2}


def test_without_the_speedup_guards_come_one_by_one() -> None:
    state = play(crowded(settings={"speedup": False}), "0 put C kingdom")
    assert to_act(state) == {1}
    assert "put D 4" in lines(state, 1)


def test_all_guard_lists_of_a_whole_screen() -> None:
    options = Postings(FULL, "12345")
    assert len(options) == 4608
    made = list(options)
    assert len(set(made)) == len(made) == 4608
    assert made[0].line == "guards none"
    assert all(options[at] is made[at] for at in range(0, 4608, 97))
    assert options[-1] is made[-1]
    with pytest.raises(IndexError):
        options[4608]


@pytest.mark.parametrize(
    ("posts", "fits"),
    [
        ((), True),
        (("D4", "X5"), True),
        (("X5", "D4"), False),
        (("D4", "X4"), False),
        (("D1",), False),
        (("D2", "D4"), False),
        (("W2", "W4", "W5"), False),
        (("W2", "W4", "X5"), True),
    ],
)
def test_guard_lists_know_their_members(posts: tuple[str, ...], fits: bool) -> None:
    options = Postings("CWWDXX", "245")
    assert (Guards(posts) in options) is fits
    assert (Guards(posts) in list(options)) is fits
    assert Pass() not in options


def test_guard_lists_are_lazy() -> None:
    options = Postings(FULL, "12345")
    assert [action.line for action in islice(options, 3)] == ["guards none", "guards C5", "guards W5"]


def captive(seats: int, *prisoners: tuple[str, ...]) -> Tain:
    """A fresh table with these captives."""
    unused = [FULL] * seats
    for token in (token for held in prisoners for token in held):
        seat = "abcd".index(token[0])
        unused[seat] = unused[seat].replace(token[1], "", 1)
    return table(seats, prisoners=prisoners, unused=tuple(unused))


@pytest.mark.parametrize(
    ("held", "scouts", "asked", "rows", "left"),
    [
        (("aB",), "C b4", False, "", ()),
        (("aB", "aB"), "C b4", False, "", ("aB",)),
        (("aB", "aD"), "C b4, W b5", False, "", ()),
        (("aB", "aD"), "C b4", True, "0 free B b", ("aD",)),
        (("aB", "aB", "aD"), "C b4, W b5", True, "0 free D b", ("aB",)),
        (("aB", "aB", "aD"), "C b4, W b5", True, "0 free B b; 0 free B b", ("aD",)),
        (("aB", "aB", "aD"), "C b4, W b5", True, "0 free B b; 0 free D b", ("aB",)),
        (("aB", "aD", "cD"), "C b4", True, "0 free D b", ("aB", "cD")),
    ],
)
def test_freeing(held: tuple[str, ...], scouts: str, asked: bool, rows: str, left: tuple[str, ...]) -> None:
    state = raid(captive(3, (), held, ()), a=scouts)
    assert (to_act(state) == {0} and state.round == 1) is asked
    if asked:
        assert lines(state, 0) == {"free B b", "free D b"}
        conserved(state)
        state = play(state, rows)
    assert (state.round, state.prisoners[1]) == (2, left)
    conserved(state)


def test_all_seats_with_a_choice_are_asked_together() -> None:
    state = raid(captive(3, ("cB", "cD"), ("aB", "aD"), ()), a="C b4", c="W a4")
    assert to_act(state) == {0, 2}
    assert lines(state, 2) == {"free B a", "free D a"}
    one = play(play(state, "2 free B a"), "0 free D b")
    assert one == play(play(state, "0 free D b"), "2 free B a").but(report=one.report)
    assert (one.round, one.prisoners) == (2, (("cD",), ("aB",), ()))


def test_one_kind_alone_is_no_choice() -> None:
    state = raid(captive(3, (), ("aB", "aD"), ("aB", "aB")), a="C b4, W c4")
    assert lines(state, 0) == {"free B b", "free D b"}
    assert play(state, "0 free D b").prisoners == ((), ("aB",), ("aB",))


def test_daughter_first_by_option() -> None:
    fresh = captive(2, (), ("aB", "aD")).but(daughter_first=True)
    state = raid(fresh, a="C b4")
    assert (state.round, state.prisoners) == (2, ((), ("aB",)))
    assert GAME.rules.start(2, {"free-default": "daughter-first"}).daughter_first


@pytest.mark.parametrize(("marker", "active"), [("rotate", (1, 2, 0)), ("fixed", (1, 1, 1))])
def test_marker(marker: str, active: tuple[int, ...]) -> None:
    state = table(3, {"marker": marker, "first": 1})
    for expected in active:
        assert state.active == expected
        assert to_act(state) == {expected}
        state = everybody_passes(state)


@pytest.mark.parametrize(
    ("seats", "settings"),
    [(1, {}), (5, {}), (3, {"first": 3}), (3, {"marker": "round"}), (3, {"speedup": "on"}), (3, {"color": "red"})],
)
def test_bad_settings(seats: int, settings: dict[str, object]) -> None:
    with pytest.raises(BadSetting):
        GAME.rules.start(seats, settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_setup(seats: int) -> None:
    state = table(seats)
    assert (state.stock, state.cattle, state.jewels) == (25 - 5 * seats, (5,) * seats, (3,) * seats)
    assert state.unused == (FULL,) * seats


def test_resigning_leaves_the_wealth_as_it_stands() -> None:
    state = raid(captive(2, (), ("aB", "aD")), a="C b4, W b1")
    assert to_act(state) == {0}
    state = play(state, "0 resign")
    assert [score.total for score in GAME.rules.scores(state)] == [19, 5 * 2 - 2 + 9 + 6], (
        "loot beside the boards is not counted"
    )
    assert winners(GAME, state) == (1,)


def test_header_and_rows() -> None:
    settings: Settings = {"first": 2, "speedup": False, "free-default": "daughter-first"}
    entries = random_match(3, 5, settings)[1:]
    totals = tuple(score.total for score in GAME.rules.scores(entries[-1][2]))
    log = Log(GAME, 3, settings, tuple(Move(seat, line) for seat, line, _ in entries), totals)
    text = str(log)
    assert text.startswith("game tain · revision 1 · seats 3 · first 2 · speedup off · free-default daughter-first\n")
    again = replay(parse(text, {"tain": GAME}))
    assert again.fault is None
    assert again.state == entries[-1][2]


def test_a_listed_free_is_the_only_way_to_take_a_choice() -> None:
    state = raid(captive(2, (), ("aB", "aD")), a="C b4")
    after = apply(state, 0, Free("D", "b"))
    assert after.report is not None
    assert [(each.seat, each.holder, each.kind) for each in after.report.released] == [(0, 1, "D")]
    assert Put("W", "1") not in legal(state, 0)


def test_chance_draws_who_begins_unless_the_option_names_the_seat() -> None:
    for seat in range(3):
        assert to_act(play(GAME.rules.start(3), f"-1 start {seat}")) == {seat}
        assert to_act(GAME.rules.start(3, {"first": seat})) == {seat}
        assert play(GAME.rules.start(3), f"-1 start {seat}").active == seat
    assert to_act(GAME.rules.start(3, revision=1)) == {0}
