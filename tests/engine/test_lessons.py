"""The lessons: guided first matches that can be played, lead through the main decisions, and fit."""

from __future__ import annotations

import re

import pytest

from engine.game import HOUSE, apply, legal, to_act
from engine.games import GAMES
from engine.lesson import BadLesson, Lesson, read_lesson
from engine.log import replay
from engine.reading import read
from engine.words import LOCALES, Locale

every_game = pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.presentation.lesson])
DECISIONS = {
    "keltis": ("lay R", "lay N5 R", "lay N8", "lay RE", "stone", "discard", "draw deck", "draw R", "last"),
    "tain": ("put C kingdom", "put B b", "put W 2", "put D", "put X", "guards", "pass"),
    "tir-na-nog": ("place", "take", "play", "paint", "stay", "discard"),
    "bardwood-grove": ("compose", "move", "lower", "soothe", "help", "perform", "tell", "buy", "motif", "fan"),
}
"""Actions that a learner must have done once, as beginnings of lines."""


def lesson_of(slug: str) -> Lesson:
    """The lesson that every game has."""
    lesson = GAMES[slug].presentation.lesson
    assert lesson is not None
    return lesson


@every_game
def test_a_lesson_is_a_whole_match_by_the_rules(slug: str) -> None:
    game, lesson = GAMES[slug], lesson_of(slug)
    log = lesson.log(game)
    assert replay(log).fault is None
    assert replay(log).state.over
    assert log.scores is not None
    assert log.scores[lesson.you] == max(log.scores)
    assert str(log) == lesson.text
    assert [move.line.split(" ")[0] for move in log.moves if move.seat == HOUSE] == ["bot"]


@every_game
def test_each_expected_line_is_listed_at_its_stop(slug: str) -> None:
    game, lesson = GAMES[slug], lesson_of(slug)
    log = lesson.log(game)
    stops = {stop.move: stop for stop in lesson.stops}
    assert 10 <= len(stops) == len(lesson.stops) <= 15
    state = log.start()
    for at, move in enumerate(log.moves):
        action = read(game, move.line, move.seat)
        if at in stops:
            assert (move.seat, move.line) == (lesson.you, stops[at].line)
            assert lesson.you in to_act(state)
            assert action in legal(state, lesson.you)
        state = apply(state, move.seat, action)


@every_game
def test_a_lesson_leads_through_the_main_decisions(slug: str) -> None:
    lines = [stop.line for stop in lesson_of(slug).stops]
    for decision in DECISIONS[slug]:
        assert any(line.startswith(decision) for line in lines), decision


def test_the_lesson_of_tir_na_nog_has_an_echtra_quest_a_refusal_and_a_cleanup() -> None:
    stops = [stop.line.split(" ") for stop in lesson_of("tir-na-nog").stops]
    assert any(words[0] == "take" and words[1] not in words[2] for words in stops)
    assert {"stay", "discard"} <= {words[0] for words in stops}


@pytest.mark.parametrize("locale", LOCALES)
@every_game
def test_every_text_of_a_lesson_fits(slug: str, locale: Locale) -> None:
    lesson = lesson_of(slug)
    for words in (lesson.opening, *(stop.words for stop in lesson.stops), lesson.closing):
        assert words[locale]
        assert words["en"] != words["fr"]
        assert len(words["en"]) == len(words["fr"])
        for text in words[locale]:
            assert 40 < len(text) < 700, text
            assert text.count("`") % 2 == 0
            assert not re.search(r"[{}\t\n@]|  ", text)
            assert not re.search(r"(?<!\d)[.!?:;,][a-zA-ZÀ-ÿ]", re.sub("`[^`]+`", "", text)), text
            if locale == "fr":
                assert not re.search(r" [:;!?»]|« |[a-zà-ÿ]'[a-zà-ÿ]|\bround", text), text


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("a\n@ pass\nb\n@ end\nc", "a\n@ put W 2\nb\n@ end\nc"),
        ("a\n@ pass\nb", "a\n@ pass\nb"),
        ("a\n@ put W 3\nb\n@ end\nc", "a\n@ put W 3\nb\n@ end\nc"),
    ],
)
def test_words_that_do_not_fit_their_match_are_refused(english: str, french: str) -> None:
    with pytest.raises(BadLesson):
        read_lesson("game tain · revision 1 · seats 2\n0 put W 2; 1 pass; 0 pass", {"en": english, "fr": french})
