"""Short replies in all four games: what is harmless counts, small talk may wait, and whatever takes back is asked."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.games import GAMES
from engine.words import LOCALES, Locale
from service.mail.incoming.reading.zones import extract_reply
from tests.support.letter_corpus import judge_reply, viewer_at
from tests.support.random_matches import played
from tests.support.short_replies import HALVES, REPLIES, fill, find_question, outcome, question, results

MOST_TRAPS_HELD, MOST_PLAIN_DELAYED, MOST_CHAT_ASKED = 0.02, 0.03, 0.30


def test_half_of_the_replies_are_harmless_and_there_are_enough() -> None:
    harmless = sum(len(REPLIES[half][kind]) for half in HALVES for kind in ("play", "chat"))
    traps = sum(len(REPLIES[half]["ask"]) for half in HALVES)
    assert harmless >= traps
    assert harmless + traps + sum(len(REPLIES[half]["commands"]) for half in HALVES) >= 400


@pytest.mark.parametrize("half", HALVES)
def test_no_reply_that_takes_back_doubts_or_asks_is_played_at_once(half: str) -> None:
    found = list(results(half, "ask"))
    assert [entry for entry in found if entry[2] not in ("ask", "hold")] == []
    held = [entry for entry in found if entry[2] == "hold"]
    assert len(held) <= MOST_TRAPS_HELD * len(found), held


@pytest.mark.parametrize("half", HALVES)
def test_a_reply_without_small_talk_is_played_at_once(half: str) -> None:
    found = list(results(half, "play"))
    delayed = [entry for entry in found if entry[2] != "play"]
    assert len(delayed) <= MOST_PLAIN_DELAYED * len(found), delayed
    assert all(value == [fill(text, question(slug))[1]] for slug, text, what, value in found if what == "play")


@pytest.mark.parametrize("half", HALVES)
def test_small_talk_is_held_more_often_than_asked_about(half: str) -> None:
    found = list(results(half, "chat"))
    asked = [entry for entry in found if entry[2] not in ("play", "hold")]
    assert len(asked) <= MOST_CHAT_ASKED * len(found), asked
    assert all(value == [fill(text, question(slug))[1]] for slug, text, _, value in found)


@pytest.mark.parametrize("slug", GAMES)
def test_commands_are_the_ones_that_were_given_and_no_others(slug: str) -> None:
    viewer = find_question(slug)
    if viewer is None:
        pytest.skip("no question of this game has six moves")
    for half in HALVES:
        for text, command in REPLIES[half]["commands"].items():
            what, value = outcome(text, viewer)
            assert (value if what == "command" else "") == command, text
        for kind in ("play", "chat", "ask"):
            for text in REPLIES[half][kind]:
                assert outcome(text, viewer)[0] != "command", text


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("slug", GAMES)
def test_two_steps_of_a_turn_need_no_then_between_them(slug: str, locale: Locale) -> None:
    game = GAMES[slug]
    moments = played(slug, game.rules.seats[-1], 5).moments
    pairs = [pair for pair in pairwise(moments) if pair[0].seat == pair[1].seat >= 0][:20]
    read = []
    for pair in pairs:
        viewers = [viewer_at(game, moment.state, moment.seat, locale) for moment in pair]
        said = [
            game.presentation.say(viewer.view(), moment.action, locale)
            for viewer, moment in zip(viewers, pair, strict=True)
        ]
        meant = [moment.action.line for moment in pair]
        outcomes = [judge_reply(extract_reply(text), viewers[0]) for text in ("\n".join(said), "\n".join(meant))]
        assert outcomes[1] == {"lines": meant}
        assert outcomes[0].get("lines") in (None, meant), said
        read.append("lines" in outcomes[0])
    assert read.count(True) >= 0.8 * len(read) > 0


@pytest.mark.parametrize(
    "text",
    ["1, pioche", "1 - pioche", "1\npioche", "1 et pioche", "Je pose R5 et je pioche.", "Bonjour, 1, pioche, merci"],
)
def test_a_draw_may_follow_a_number_in_any_position(text: str) -> None:
    assert judge_reply(extract_reply(text)) == {"lines": ["lay R5", "draw deck"]}


@pytest.mark.parametrize("text", ["{n} : non", "{n}\n\nNo.", "{n}\n\nSo, no.", "{n}, no"])
def test_a_no_below_a_move_does_not_answer_the_next_question(text: str) -> None:
    assert outcome(text, question("tir-na-nog"))[0] == "ask"
