"""The link at the end of each email. It shows buttons; only pressing one acts. Mail programs POST it."""

from __future__ import annotations

from flask import Blueprint, Response, request

from service.mail import unsubscribe
from service.mail.unsubscribe import UnsubscribeTarget
from service.web.pages import layout
from service.web.request_context import page_locale, to_locale

blueprint = Blueprint("unsubscribe", __name__)
CHOICES = ("match", "all", "again")


@blueprint.get("/u/<token>")
def show_choices(token: str) -> Response:
    """Show what can be stopped."""
    what = unsubscribe.find(token)
    return _render_page(404, what, "gone") if what is None else _render_page(200, what, "ask")


@blueprint.post("/u/<token>")
def stop_letters(token: str) -> Response:
    """Stop emails: those chosen, or those in the scope of this email if a mail program posts without a choice."""
    what = unsubscribe.find(token)
    if what is None:
        return _render_page(404, what, "gone")
    wish = request.form.get("wish", "")
    if wish == "again":
        unsubscribe.resume_letters(what)
        return _render_page(200, what, "again")
    unsubscribe.stop_letters(what, wish if wish in CHOICES and what.scope == "match" else None)
    return _render_page(200, what, "done")


def _render_page(status: int, what: UnsubscribeTarget | None, state: str) -> Response:
    """Return a page in the language of the email's recipient, if known."""
    locale = to_locale(what.language) if what is not None and what.player else page_locale()
    return layout.render_private_page("stop.html", status, locale=locale, state=state, what=what)
