"""The mailbox in the browser: only while no mail server is set, and only with the secret of this start.

The terminal shows an address with the secret when the service starts; from then on a cookie keeps it. A proxy or tunnel
between the browser and the service has neither.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, current_app, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from engine.games import GAMES
from service import direct_requests
from service.accounts.email_address import BadEmailAddress, canonicalise
from service.i18n.catalogue import msg
from service.mail import dev_mailbox
from service.mail.dev_mailbox import MailboxLetter
from service.problems import Problem
from service.timestamps import now
from service.web.pages import layout
from service.web.request_context import current_config

blueprint = Blueprint("mailbox", __name__, url_prefix="/mailbox")
LETTER_CSP = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; "
    "form-action 'none'; sandbox allow-top-navigation-by-user-activation"
)
MAILBOX_CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; manifest-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""No scripts at all, because emails are shown here."""
WAIT_MS = 20_000
NOTHING_HERE = msg("requests.nothing_here")
COOKIE = "echtra_mailbox"
SHARED_VARIABLE = "MAILBOX_SECRET"


def new_secret() -> str:
    """Return the secret of this start, which all processes share through the environment."""
    return os.environ.get(SHARED_VARIABLE) or secrets.token_urlsafe(18)


@blueprint.before_request
def require_secret() -> AnyResponse | None:
    """Refuse visitors without the secret. An address with the secret redirects to one without it and sets a cookie."""
    if not exists():
        abort(404)
    given = request.args.get("key", "")
    if given and _is_secret(given):
        return _remember_secret()
    if not _is_secret(request.cookies.get(COOKIE, "")):
        return _render_page("mail-closed.html", 403)
    return None


def exists() -> bool:
    """Return True if there is a mailbox: only this machine is served and no email leaves it."""
    return current_config().local


def is_open() -> bool:
    """Return True if this browser is on this machine and has the secret, so that pages may link to the mailbox."""
    is_local = direct_requests.is_local(request.environ, current_config())
    return is_local and _is_secret(request.cookies.get(COOKIE, ""))


@blueprint.app_context_processor
def template_functions() -> dict[str, Callable[[], bool]]:
    """Return the function by which every page decides if it links to the mailbox."""
    return {"has_mailbox": is_open}


def _is_secret(given: str) -> bool:
    return hmac.compare_digest(given.encode(), str(current_app.config["MAILBOX_SECRET"]).encode())


def _remember_secret() -> AnyResponse:
    rest = {name: value for name, value in request.args.items() if name != "key"}
    response = redirect(f"{request.path}?{urlencode(rest)}" if rest else request.path, 303)
    secure = request.scheme == "https"
    secret = str(current_app.config["MAILBOX_SECRET"])
    response.set_cookie(COOKIE, secret, path="/", httponly=True, samesite="Strict", secure=secure)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("")
def list_mailboxes() -> Response:
    """List every address that got an email, and offer to write the first one."""
    return _render_mailboxes(sender="you@localhost")


def _render_mailboxes(status: int = 200, *, sender: str, words: str = "", wrong: str = "") -> Response:
    boxes, games = dev_mailbox.list_mailboxes(), list(GAMES)
    return _render_page("mailbox.html", status, boxes=boxes, games=games, wrong=wrong, sender=sender, words=words)


@blueprint.post("")
def write_letter() -> AnyResponse:
    """Send an email to the service itself."""
    words, given = request.form.get("words", "").strip(), request.form.get("sender", "")
    try:
        sender = canonicalise(given)
    except BadEmailAddress:
        return _render_mailboxes(422, sender=given, words=words, wrong=given)
    since = now()
    dev_mailbox.write_to_service(sender, words or "help", current_config())
    return redirect(layout.link(url_for("mailbox.wait_for_letter", address=sender, since=since)), 303)


@blueprint.get("/of/<address>")
def list_letters(address: str) -> Response:
    """List the emails to one address."""
    found = dev_mailbox.list_letters(address)
    if not found:
        raise Problem("not-found", NOTHING_HERE)
    return _render_page("mail-box.html", address=address, letters=found)


@blueprint.get("/of/<address>/next")
def wait_for_letter(address: str) -> AnyResponse:
    """Wait for the next email to this address and show it."""
    text = request.args.get("since", "")
    since = int(text) if text.isdecimal() and len(text) < 16 else now()  # noqa: PLR2004  # no time has more digits
    found = dev_mailbox.latest_since(address, since)
    if found:
        return redirect(layout.link(url_for("mailbox.show_letter", letter=found)), 303)
    return _render_page("mail-wait.html", address=address, waiting=now() - since < WAIT_MS)


def _open_letter(letter: str) -> MailboxLetter:
    opened = dev_mailbox.open_letter(letter)
    if opened is None:
        raise Problem("not-found", NOTHING_HERE)
    return opened


@blueprint.get("/letters/<letter>")
def show_letter(letter: str) -> Response:
    """Show one email and a field to answer it."""
    opened = _open_letter(letter)
    shown = request.args.get("as", "html")
    answer, to = request.args.get("answer", "")[:400], request.args.get("to", "")
    return _render_page(
        "mail-letter.html",
        letter=opened,
        letters=dev_mailbox.list_letters(opened.address),
        shown=shown if shown in ("html", "text", "source") else "html",
        source=opened.source.decode("utf-8", "replace"),
        answer=answer,
        to=to or opened.reply_to,
    )


@blueprint.get("/letters/<letter>/page")
def letter_html(letter: str) -> Response:
    """Send the HTML of an email, for the frame."""
    opened = _open_letter(letter)
    response = Response(
        dev_mailbox.render_frame(opened, f"/mailbox/letters/{letter}"), content_type="text/html; charset=utf-8"
    )
    response.headers.update(
        {"Content-Security-Policy": LETTER_CSP, "X-Frame-Options": "SAMEORIGIN", "Cache-Control": "no-store"}
    )
    return response


@blueprint.post("/letters/<letter>")
def reply_to_letter(letter: str) -> AnyResponse:
    """Answer an email; the reply takes the way of every incoming email."""
    opened = _open_letter(letter)
    since = now()
    dev_mailbox.reply(
        opened, request.form.get("words", "")[:20_000], request.form.get("to") or opened.reply_to, current_config()
    )
    return redirect(layout.link(url_for("mailbox.wait_for_letter", address=opened.address, since=since)), 303)


def _render_page(template: str, status: int = 200, **values: Any) -> Response:  # noqa: ANN401  # what templates show
    response = layout.render_private_page(template, status, **values)
    response.headers["Content-Security-Policy"] = MAILBOX_CSP
    return response
