"""The page behind the link in the first letter: looking shows a button, only pressing it acts."""

from __future__ import annotations

import json

from flask import Blueprint, Response, render_template

from service.accounts import players
from service.problems import Problem
from service.web import middleware
from service.web.request_context import page_locale

blueprint = Blueprint("confirming", __name__)


@blueprint.get("/confirm/<code>")
def show_confirmation(code: str) -> Response:
    """Show whose registration this is, and the button."""
    try:
        known = players.pending_registration(code)
    except Problem as problem:
        return _render_page(problem.status, state="gone")
    if known.used_at is not None:
        return _render_page(200, state="done")
    wanted = json.loads(known.payload)
    return _render_page(200, state="ask", name=wanted["name"], address=known.address, language=wanted["language"])


@blueprint.post("/confirm/<code>")
def confirm(code: str) -> Response:
    """Confirm the address."""
    try:
        player = players.confirm(code)
    except Problem as problem:
        return _render_page(problem.status, state="gone")
    return _render_page(200, state="done", name=player.name, language=player.language)


def _render_page(status: int, *, state: str, name: str = "", address: str = "", language: str = "") -> Response:
    locale = language or page_locale()
    text = render_template("confirm.html", locale=locale, state=state, name=name, address=address)
    response = Response(text, status, content_type="text/html; charset=utf-8")
    response.headers.update(
        {"Content-Security-Policy": middleware.PAGE_CSP, "Cache-Control": "no-store", "Content-Language": locale}
    )
    return response
