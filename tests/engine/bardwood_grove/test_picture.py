"""Bardwood Grove is played by touching its picture: by random play, every line can be said, and nothing leaks."""

from __future__ import annotations

from random import Random

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, Seat, legal, to_act
from engine.games.bardwood_grove import GAME
from engine.games.bardwood_grove.rules.board import REGIONS
from engine.games.bardwood_grove.rules.state import RIVAL, Bardwood
from engine.games.bardwood_grove.texts.names import name
from engine.playout import play_out
from engine.words import LOCALES, Locale
from service.drawing import render_svg
from tests.support.marked_pictures import check_marks, check_picture, count_clicks, groups
from tests.support.random_matches import played, viewers


def questions(seats: int, seed: int) -> list[tuple[Bardwood, Seat]]:
    """Return the questions of a random match, each as the state and the asked seat."""
    found = []
    for moment in played("bardwood-grove", seats, seed).moments:
        found += [(moment.state, seat) for seat in sorted(to_act(moment.state) - {CHANCE})]
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_line_is_said_by_touches(seats: int) -> None:
    random, clicks, verbs = Random(seats), [], set()
    asked = questions(seats, 1)
    for state, seat in random.sample(asked, 60) + [each for each in asked if len(legal(*each)) > 12][:20]:
        options = list(legal(state, seat))
        lines = check_marks(GAME, GAME.rules.view(state, seat), options)
        clicks += [count_clicks(lines, at) for at in range(len(lines))]
        verbs |= {option.verb for option in options}
    assert max(clicks) <= 3  # the bank, melody and lyrics
    assert sum(each <= 2 for each in clicks) >= 0.95 * len(clicks)
    assert {"compose", "move", "done"} <= verbs


def test_every_verb_of_a_match_has_marks_that_are_drawn() -> None:
    kept: dict[str, tuple[Bardwood, Seat]] = {}
    for seats in (2, 4):
        for seed in range(3):
            for state, seat in questions(seats, seed):
                for option in legal(state, seat):
                    kept.setdefault(option.verb, (state, seat))
    assert kept.keys() >= {"bard", "fan", "soothe", "help", "buy", "bank", "perform", "trade", "challenge", "lower"}
    for state, seat in kept.values():
        check_marks(GAME, GAME.rules.view(state, seat), list(legal(state, seat)))


def test_the_rival_of_a_solo_match_needs_no_marks_of_its_own() -> None:
    pick = seeded_pick(7)
    bots = dict.fromkeys(range(2), GAME.bots.by_name["random"])
    verbs = set()
    for _, _, state in play_out(GAME, GAME.rules.start(2, {"rival": "normal"}), pick, bots, lambda _: pick):
        if 1 in to_act(state) and state.players[1].bard == RIVAL:
            (option,) = legal(state, 1)
            verbs.add(option.verb)
            check_marks(GAME, GAME.rules.view(state, 1), [option])
            check_picture(GAME.presentation.picture(GAME.rules.view(state, 0), "fr", narrow=True), narrow=True)
    assert len(verbs) > 3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pictures_tell_no_secret(seats: int) -> None:
    pick, different = seeded_pick(seats), 0
    for moment in played("bardwood-grove", seats, 2).some(6):
        for viewer in viewers(moment.state):
            other = GAME.rules.redeal(moment.state, viewer, pick)
            different += other != moment.state
            for is_narrow in (False, True):
                one, two = (
                    GAME.presentation.picture(GAME.rules.view(each, viewer), "en", narrow=is_narrow)
                    for each in (moment.state, other)
                )
                assert render_svg.render(one, "", "") == render_svg.render(two, "", "")
    assert different


@pytest.mark.parametrize("locale", LOCALES)
def test_a_picture_shows_the_whole_board_in_words_too(locale: Locale) -> None:
    state = next(state for state, seat in questions(3, 1) if len(state.players[seat].song) > 1 and seat == 0)
    for is_narrow in (False, True):
        drawn = groups(GAME.presentation.picture(GAME.rules.view(state, 0), locale, narrow=is_narrow))
        labels = {group.mark: group.label for group in drawn if group.mark}
        assert {f"region:{region}" for region in REGIONS} <= labels.keys()
        assert sum(mark.startswith("place:") for mark in labels) == 23
        assert sum(mark.startswith("river:") for mark in labels) == 7
        for card in state.players[0].hand:
            assert name(card, locale) in labels[f"hand:{card}"]
        for card in state.players[1].hand:
            assert f"hand:{card}" not in labels


def test_the_end_and_a_spectator_have_a_picture_without_a_hand() -> None:
    end = played("bardwood-grove", 3, 1).end
    for viewer in (0, None):
        for is_narrow in (False, True):
            marks = check_picture(
                GAME.presentation.picture(GAME.rules.view(end, viewer), "fr", narrow=is_narrow), narrow=is_narrow
            )
            assert viewer == 0 or not any(mark.startswith(("hand:", "song:", "rune:")) for mark in marks)
