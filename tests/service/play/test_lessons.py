"""Lessons as data: each step has a table, words and lines, and the line of the lesson is one of them."""

from __future__ import annotations

import json

import pytest

from engine.games import GAMES
from service.play import views
from service.play.lessons import find_lesson, load_step
from service.problems import Problem

TAUGHT = sorted(slug for slug, game in GAMES.items() if game.presentation.lesson)


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize("slug", TAUGHT)
def test_every_step_can_be_drawn_and_its_line_be_chosen(slug: str, locale: str) -> None:
    _, lesson = find_lesson(slug)
    locale = "fr" if locale == "fr" else "en"
    for number, stop in enumerate(lesson.stops, 1):
        step = load_step(slug, number, locale)
        told = step.as_json()
        assert (told["number"], told["count"], told["expected"]) == (number, len(lesson.stops), stop.line)
        (chosen,) = [item for item in told["options"]["items"] if item["line"] == stop.line]
        assert chosen["sentence"] == told["sentence"]
        assert all(item["marks"] for item in told["options"]["items"])
        assert told["words"][-len(stop.words["en"]) :] == list(stop.words[step.viewer.locale])
        assert views.render_svg(step.viewer, narrow=bool(number % 2)).startswith("<svg")
        assert views.result(step.viewer) is None
        json.dumps(told)
    last = load_step(slug, len(lesson.stops) + 1, locale)
    end = last.as_json()
    assert (end["expected"], end["sentence"], end["options"]["items"]) == (None, None, [])
    assert end["words"] == list(lesson.closing["fr" if locale == "fr" else "en"])
    assert end["told"]
    assert views.result(last.viewer) is not None


def test_what_happened_since_the_step_before_is_told() -> None:
    told = [load_step("keltis", number, "en").told for number in range(1, 5)]
    assert told[0]
    assert any("Aoife" in sentence for sentence in told[1])


def test_unknown_games_and_steps_are_refused() -> None:
    for slug, number in (("chess", 1), ("keltis", 0), ("keltis", 10_000)):
        with pytest.raises(Problem) as refused:
            load_step(slug, number, "en")
        assert refused.value.status == 404
