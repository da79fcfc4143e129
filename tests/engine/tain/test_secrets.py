"""The secrets of Táin: other seats see owner and place of a face-down token, and counts, but nothing more."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from engine.chance import seeded_pick
from engine.game import Seal, apply, legal, seal, to_act
from engine.games.tain import GAME
from engine.games.tain.rules import Guards, Postings, Put
from engine.games.tain.state import Tain
from tests.engine.conserved.tain import conserved
from tests.engine.tain.tables import play, random_match, table

VIEWERS = (0, 1, None)


@pytest.mark.parametrize(
    ("action", "redacted"),
    [
        (Put("W", "3"), "put ? 3"),
        (Put("B", "b4"), "put ? b4"),
        (Put("C", "kingdom"), "put ? kingdom"),
        (Guards(()), "guards ?"),
        (Guards(("D4", "X5")), "guards ?"),
    ],
)
def test_sealed_lines(action: Put | Guards, redacted: str) -> None:
    state = table()
    assert seal(state, action) is Seal.UNTIL_REVEAL
    assert action.seen_by(0, 0) == action.line
    assert [action.seen_by(0, viewer) for viewer in (1, None)] == [redacted] * 2


def test_the_reveal_opens_and_counts() -> None:
    state = play(table(), "0 put W b1; 1 pass")
    assert state.reveals == 0
    assert play(state, "0 pass").reveals == 1


def test_views_show_own_kinds_and_others_backs() -> None:
    state = play(table(), "0 put W b1; 1 put D 1; 0 put C kingdom; 1 put B a5")
    own, other, nobody = (GAME.rules.view(state, viewer) for viewer in VIEWERS)
    assert (own.clans[1].scouts, own.clans[1].owners, own.clans[1].guards) == ("W....", "a....", "?....")
    assert (other.clans[1].scouts, other.clans[1].guards, other.clans[0].scouts) == ("?....", "D....", "....B")
    assert (nobody.clans[1].scouts, nobody.clans[1].guards, nobody.clans[0].scouts) == ("?....", "?....", "....?")
    assert [view.kingdom for view in (own, other, nobody)] == [("aC",), ("a?",), ("a?",)]
    assert [view.unused for view in (own, other, nobody)] == ["WBBBBBBDXXXXXXXX", "CWWBBBBBXXXXXXXX", ""]
    assert own.clans[1].unused == 16
    assert own.placement == 5


def test_a_guards_answer_is_seen_by_its_seat_alone() -> None:
    state = _guarding()
    after = play(state, "1 guards D4")
    assert GAME.rules.view(after, 1).answer == ("D4",)
    assert GAME.rules.view(after, 0).answer is None
    assert [GAME.rules.view(after, viewer).clans[1].answered for viewer in VIEWERS] == [True] * 3
    other = play(state, "1 guards none")
    assert [GAME.rules.view(after, viewer) == GAME.rules.view(other, viewer) for viewer in VIEWERS] == [
        True,
        False,
        True,
    ]


def _guarding() -> Tain:
    state = table(2, owners=("bbbbb", "aaaaa"), scouts=("XXXXX", "XXXXX"), kingdom=("bX",))
    return play(state.but(unused=("CWWBBBBBBDXXX", "CWWBBBBBBDXX")), "0 put X kingdom")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_difference_where_nothing_is_seen(seats: int) -> None:
    changed = 0
    for seed in range(12):
        pick = seeded_pick(seed)
        for _, _, state in random_match(seats, seed)[::5]:
            for viewer in (*range(seats), None):
                other = GAME.rules.redeal(state, viewer, pick)
                conserved(other)
                changed += other != state
                assert GAME.rules.view(other, viewer) == GAME.rules.view(state, viewer)
                assert to_act(other) == to_act(state)
                if viewer is not None:
                    assert legal(other, viewer) == legal(state, viewer)
                    assert (other.unused[viewer], other.guards[viewer]) == (state.unused[viewer], state.guards[viewer])
    assert changed > 100


def test_sealed_answers_are_dealt_anew_too() -> None:
    state = play(_guarding(), "1 guards D4")
    others = [GAME.rules.redeal(state, 0, seeded_pick(seed)) for seed in range(20)]
    assert len({other.answers[1] for other in others}) > 5
    assert all(GAME.rules.view(other, 0) == GAME.rules.view(state, 0) for other in others)
    assert all(Guards(other.answers[1] or ()) in Postings(other.unused[1], "12345") for other in others)
    assert all(GAME.rules.redeal(state, 1, seeded_pick(seed)).answers == state.answers for seed in range(5))


def test_askings_do_not_depend_on_what_is_behind_a_screen() -> None:
    daughter = table(2, unused=("DX", "CWWBBBBBBDXXXXXXXX"), used=("CWWBBBBBBXX", ""), guards=("XXXXX", "....."))
    shown = play(daughter, "0 put X b1; 1 put X 1")
    assert to_act(shown) == {0}
    other = play(daughter.but(unused=("BX", daughter.unused[1]), used=("CWWBBBBBDXX", "")), "0 put X b1; 1 put X 1")
    assert to_act(other) == to_act(shown)
    assert len(legal(other, 0)) > len(legal(shown, 0)) == 1
    assert GAME.rules.view(shown, 1).clans[0].out is GAME.rules.view(other, 1).clans[0].out is False


def _letters(value: Any) -> str:  # noqa: ANN401  # any part of a view
    if isinstance(value, dict):
        return "".join(_letters(each) for each in value.values())
    if isinstance(value, list | tuple):
        return "".join(map(_letters, value))
    return value if isinstance(value, str) else ""


def test_a_spectator_sees_no_kind_before_the_first_reveal_but_those_of_the_whole_clan() -> None:
    state = play(table(), "0 put W b1; 1 put D 1; 0 put C kingdom; 1 put B a5")
    shown = asdict(GAME.rules.view(state, None))
    for clan in shown["clans"]:
        assert clan.pop("unshown") == "CWWBBBBBBDXXXXXXXX"
    for score in ("scores", "report", "phase"):
        shown.pop(score)
    assert not set(_letters(shown)) & set("CWBDX")


def test_after_the_end_all_is_open() -> None:
    state = play(table(), "0 put W b1; 1 put D 1; 0 resign")
    assert GAME.rules.view(state, None).clans[1].guards == "D...."
    assert GAME.rules.redeal(state, None, seeded_pick(1)) == state


def test_apply_leaves_the_old_state_alone() -> None:
    state = table()
    before = asdict(state)
    for action in legal(state, 0):
        apply(state, 0, action)
    assert asdict(state) == before
