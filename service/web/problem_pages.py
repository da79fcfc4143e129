"""A page for each kind of problem, and the list of them."""

from __future__ import annotations

from flask import Response, abort

from engine.words import Locale
from service.i18n.catalogue import translate
from service.problems import KINDS
from service.web.pages import layout
from service.web.request_context import page_locale


def problem_title(kind: str, locale: Locale) -> str:
    """Return the short name of a kind of problem."""
    return translate(locale, f"problems.{kind}.title")


def problem_explanation(kind: str, locale: Locale) -> str:
    """Return what a kind of problem means and what to do about it."""
    return translate(locale, f"problems.{kind}.page")


def show_problem_kind(kind: str) -> Response:
    """Show what a kind of problem means and what to do about it."""
    if kind not in KINDS:
        abort(404)
    locale = page_locale()
    status, _ = KINDS[kind]
    title, told = problem_title(kind, locale), problem_explanation(kind, locale)
    return layout.render_page("problem.html", kind=kind, code=status, title=title, told=told)


def list_problem_kinds() -> Response:
    """List all kinds of problems."""
    locale = page_locale()
    kinds = [(kind, status, problem_title(kind, locale)) for kind, (status, _) in KINDS.items()]
    return layout.render_page("problems.html", kinds=kinds)
