"""Lessons in the browser: a guided first match, step by step, without an account."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask import Blueprint, Response
from markupsafe import Markup

from engine.games import GAMES
from engine.picture import extent
from engine.words import Locale
from service.play import lessons
from service.play.lessons import LessonStep
from service.web.pages import layout
from service.web.pages.match_tables import draw_pictures, draw_table, render_prose
from service.web.pages.script_words import LESSON_WORDS, translate_words
from service.web.request_context import page_locale

blueprint = Blueprint("lesson_pages", __name__, url_prefix="/games")


@blueprint.get("/<slug>/lesson", defaults={"number": 1})
@blueprint.get("/<slug>/lesson/<int:number>")
def show_lesson(slug: str, number: int) -> Response:
    """Show one step of a game's lesson. The step after the last is its end."""
    step = lessons.load_step(slug, number, page_locale())
    viewer = step.viewer
    told = step.as_json()
    game, locale = viewer.game, viewer.locale
    return layout.render_page(
        "lesson.html",
        slug=slug,
        title=game.presentation.title[locale],
        step=told,
        over=step.number > step.count,
        following=f"/games/{slug}/lesson/{step.number + 1}",
        before=f"/games/{slug}/lesson/{step.number - 1}",
        text=render_prose(viewer),
        pictures=draw_pictures(viewer),
        data=_describe_for_scripts(step, told),
    )


def describe_sample_step(locale: Locale) -> dict[str, Any] | None:
    """Return a step in the middle of a lesson, to be touched beside other things; None if there is no lesson.

    Of all games it is the one with the lowest board.
    """
    chosen = _lowest_lesson()
    if chosen is None:
        return None
    step = lessons.load_step(*chosen, locale)
    told = step.as_json()
    picture = Markup(draw_table(step.viewer, narrow=True))  # noqa: S704  # ours
    return {"step": told, "picture": picture, "data": _describe_for_scripts(step, told)}


@cache
def _lowest_lesson() -> tuple[str, int] | None:
    """Return the game whose board is the lowest in the middle of its lesson, and the number of that step."""
    heights = {}
    for slug, game in GAMES.items():
        if game.presentation.lesson:
            number = len(game.presentation.lesson.stops) // 2
            view = lessons.load_step(slug, number, "en").viewer.view()
            heights[slug, number] = extent(game.presentation.picture(view, "en", narrow=True))[1]
    return min(heights, key=lambda chosen: heights[chosen], default=None)


def _describe_for_scripts(step: LessonStep, told: dict[str, Any]) -> dict[str, Any]:
    game, locale = step.viewer.game, step.viewer.locale
    slug = game.slug
    return {
        "match": f"lesson-{slug}-{step.number}",
        "board": game.presentation.title[locale],
        "expected": step.expected,
        "sentence": told["sentence"],
        "next": layout.link(f"/games/{slug}/lesson/{step.number + 1}"),
        "verbs": {verb: game.presentation.words.name(verb, locale) for verb in game.rules.verbs},
        "words": translate_words(LESSON_WORDS, locale),
        "options": {**told["options"], "items": []},
    }
