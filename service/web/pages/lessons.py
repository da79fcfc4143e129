"""Lessons in the browser: a guided first match, step by step, without an account."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from engine.words import Locale
from service.play import lessons
from service.play.lessons import LessonStep
from service.web.pages import layout
from service.web.pages.match_tables import draw_pictures, render_prose
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
        data=_describe_for_scripts(slug, step, told, locale),
    )


def _describe_for_scripts(slug: str, step: LessonStep, told: dict[str, Any], locale: Locale) -> dict[str, Any]:
    game = step.viewer.game
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
