"""Táin is played by touching its picture: by random play, every line can be said, and no picture tells a secret."""

from __future__ import annotations

from itertools import islice
from random import Random
from statistics import mean

import pytest

from engine.chance import seeded_pick
from engine.game import Seat, legal, to_act
from engine.games.tain import GAME
from engine.games.tain.rules import Guards
from engine.games.tain.state import Tain
from engine.narrowing import narrow
from engine.reading import read
from engine.words import LOCALES, Locale
from service.drawing import render_svg
from tests.engine.tain.tables import play, random_match, table
from tests.support.marked_pictures import check_marks, check_picture, count_clicks, groups

MOST_LINES = 400
"""Longer lists are cut here: the server narrows them."""
MANY_GUARDS = 3000


def asked(seats: int, seed: int) -> list[tuple[Tain, Seat]]:
    """Yield the asked seat in a random match, at each table of it."""
    return [(state, seat) for _, _, state in random_match(seats, seed) for seat in sorted(to_act(state))]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_line_is_said_by_touches(seats: int) -> None:
    random, clicks = Random(seats), []
    for state, seat in asked(seats, seats)[::4]:
        view = GAME.rules.view(state, seat)
        options = list(islice(legal(state, seat), MOST_LINES))
        lines = check_marks(GAME, view, options)
        for at in random.sample(range(len(lines)), min(2, len(lines))):
            needed = count_clicks(lines, at)
            if not isinstance(options[at], Guards):
                clicks.append(needed)
    assert max(clicks) <= 2  # a token and a place
    assert mean(clicks) > 1


def test_guards_are_said_token_by_token_and_one_more_may_always_follow() -> None:
    state = table(2, owners=("bbbbb", "aaaaa"), scouts=("XXXXX", "XXXXX"), kingdom=("bX",))
    state = play(state.but(unused=("CWX", "CWWBDXX")), "0 put X kingdom")
    view, options = GAME.rules.view(state, 1), list(legal(state, 1))
    lines = check_marks(GAME, view, options)
    said = [option.line for option in options]
    clicks: tuple[str, ...] = ()
    for post in ("X2", "D4", "X5"):
        clicks = (*clicks, f"token:{post[0]}", f"gate:{post[1]}")
        offered = narrow(lines, clicks).offered
        assert [said[at] for at in offered] == [f"guards {' '.join(('X2', 'D4', 'X5')[: len(clicks) // 2])}"]
    assert "token:X" not in narrow(lines, clicks).open
    assert narrow(lines, ("say:none",)).offered == (said.index("guards none"),)


def test_own_captives_are_set_free_by_a_touch() -> None:
    state = table(3, prisoners=(("bB", "bD", "cB"), ("aB", "aB", "aD", "cD"), ()))
    state = state.but(unused=("CWWBBBBXXXXXXXX", "CWWBBBBBXXXXXXXX", "CWWBBBBBXXXXXXXX"))
    for line in ("0 put C b4", "1 put C a5", "2 pass", "0 pass", "1 pass"):
        state = play(state, line)
    assert to_act(state) == {0, 1}
    for seat, wanted in ((0, {"captive:bD", "captive:bB"}), (1, {"captive:aD", "captive:aB"})):
        lines = check_marks(GAME, GAME.rules.view(state, seat), list(legal(state, seat)))
        assert {mark for line in lines for word in line for mark in word} == wanted
        assert [count_clicks(lines, at) for at in range(len(lines))] == [1, 1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pictures_tell_no_secret(seats: int) -> None:
    pick, different = seeded_pick(seats), 0
    for _, _, state in random_match(seats, 10 + seats)[::23]:
        for viewer in (*range(seats), None):
            other = GAME.rules.redeal(state, viewer, pick)
            different += other != state
            for is_narrow in (False, True):
                one, two = (
                    GAME.presentation.picture(GAME.rules.view(each, viewer), "fr", narrow=is_narrow)
                    for each in (state, other)
                )
                assert render_svg.render(one, "Táin", "") == render_svg.render(two, "Táin", "")
    assert different


def test_a_spectator_and_the_end_have_nothing_to_touch_but_the_kingdom() -> None:
    end = random_match(3, 1)[-1][2]
    for state, viewer in ((table(3), None), (end, None), (end, 0)):
        for is_narrow in (False, True):
            drawn = check_picture(
                GAME.presentation.picture(GAME.rules.view(state, viewer), "en", narrow=is_narrow), narrow=is_narrow
            )
            assert not {mark for mark in drawn if mark.startswith("token:")}


@pytest.mark.parametrize("locale", LOCALES)
def test_a_token_put_down_leaves_its_stack_and_lies_at_its_gate_for_its_owner_alone(locale: Locale) -> None:
    state = play(table(2), "0 put W b4")
    own, other = (groups(GAME.presentation.picture(GAME.rules.view(state, viewer), locale)) for viewer in (0, 1))
    labels = {group.mark: group.label for group in own if group.mark}
    assert "×1" in labels["token:W"]
    letter = {"en": "W ", "fr": "G "}[locale]
    assert letter in labels["gate:b4"]
    hidden = {"en": "hidden", "fr": "cachés"}[locale]
    known, public = ([group.label for group in seen if group.label.startswith(hidden)] for seen in (own, other))
    assert known == public
    other = [group for group in other if group.label not in public]
    down = {"en": "face down", "fr": "face cachée"}[locale]
    assert [group.label for group in other if letter in group.label] == [
        group.label for group in other if group.mark == "token:W"
    ]
    assert [down in group.label for group in other].count(True) == 1


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("put C 1", "token:C / gate:1"),
        ("put X b4", "token:X / gate:b4"),
        ("put W kingdom", "token:W / kingdom"),
        ("pass", "say:pass"),
        ("guards none", "say:none"),
        ("guards B3", "token:B gate:3"),
        ("guards B1 D3", "token:B gate:1 / token:D gate:3"),
    ],
)
def test_a_line_is_said_by_tokens_and_places(line: str, marks: str) -> None:
    view = GAME.rules.view(table(2), 0)
    assert GAME.presentation.marks(view, read(GAME, line, 0)) == tuple(
        tuple(word.split()) for word in marks.split(" / ")
    )


def test_any_of_thousands_of_guards_is_reached_by_touches() -> None:
    """When all tokens are left and all gates free, each line is said by its own tokens and gates, in any order."""
    state = table(2, owners=("bbbbb", "aaaaa"), scouts=("XXXXX", "XXXXX"), kingdom=("bX",))
    state = play(state.but(unused=("CWX", "CWWBBBBBDDXXXXX")), "0 put X kingdom")
    view, options = GAME.rules.view(state, 1), list(legal(state, 1))
    assert len(options) > MANY_GUARDS
    lines = [GAME.presentation.marks(view, option) for option in options]
    assert len({tuple(mark for word in line for mark in word) for line in lines}) == len(lines)
    luck = Random("guards")
    for at in luck.sample(range(len(lines)), 8):
        words = list(lines[at])
        luck.shuffle(words)
        found = narrow(lines, tuple(mark for word in words for mark in word))
        assert found.offered == (at,), options[at].line
