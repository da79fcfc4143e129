"""The link at the foot of each letter: looking shows buttons, only pressing one acts; mail programs POST it."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from service.mail import unsubscribe as stopping
from service.mail.unsubscribe import Stop
from service.web import middleware_headers as headers
from service.web.request_context import chosen

blueprint = Blueprint("stopping", __name__)
WISHES = ("match", "all", "again")


@blueprint.get("/u/<token>")
def ask(token: str) -> Response:
    """Show what can be stopped."""
    what = stopping.find(token)
    return _page(404, what, "gone") if what is None else _page(200, what, "ask")


@blueprint.post("/u/<token>")
def act(token: str) -> Response:
    """Stop letters; without a choice, as mail programs send it, those of the letter's own scope."""
    what = stopping.find(token)
    if what is None:
        return _page(404, what, "gone")
    wish = request.form.get("wish", "")
    if wish == "again":
        stopping.resume(what)
        return _page(200, what, "again")
    stopping.stop(what, wish if wish in WISHES and what.scope == "match" else None)
    return _page(200, what, "done")


def _page(status: int, what: Stop | None, state: str) -> Response:
    """A page in the language of whoever got the letter, if we know it."""
    known = what.language if what is not None and what.player else chosen()
    locale = "fr" if known == "fr" else "en"
    text = render_template("stop.html", locale=locale, state=state, what=what)
    response = Response(text, status, content_type="text/html; charset=utf-8")
    response.headers.update(
        {"Content-Security-Policy": headers.PAGE, "Cache-Control": "no-store", "Content-Language": locale}
    )
    return response
