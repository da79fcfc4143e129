"""The mailbox in the browser: only while no mail server is configured, and only for whoever sits at this machine."""

from __future__ import annotations

import ipaddress
from typing import Any
from urllib.parse import quote, urlsplit

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from engine.games import GAMES
from service.accounts.email_address import BadAddress, canonical
from service.config import Config
from service.mail import dev_mailbox as mailbox
from service.problems import Problem
from service.timestamps import now
from service.web import middleware_headers as headers
from service.web.request_context import chosen

blueprint = Blueprint("mailbox", __name__, url_prefix="/mailbox")
FRAMED = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; "
    "form-action 'none'; sandbox allow-top-navigation-by-user-activation"
)
FRAMING = headers.PAGE + "; frame-src 'self'"
PATIENCE = 20_000
NOTHING = "There is nothing here."
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")


def _config() -> Config:
    config: Config = current_app.config["ECHTRA"]
    return config


def here(host: str) -> bool:
    """Whether a name or address is this machine itself."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@blueprint.before_request
def guard() -> None:
    """Everybody else finds nothing: other machines, other names for this one, pages of other sites."""
    config = _config()
    public = urlsplit(config.public_url).hostname if config.public_url else "localhost"
    host = urlsplit(f"//{request.host}").hostname or ""
    alone = not any(name in request.headers for name in FORWARDED)
    local = here(request.remote_addr or "") and here(host) and here(config.host) and here(public or "")
    if config.smtp_url or not local or not alone:
        abort(404)
    if request.method == "POST" and not _own_page():
        raise Problem("forbidden", "Letters are written on our own pages only.")


def _own_page() -> bool:
    origin = request.headers.get("Origin")
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none") and (
        origin is None or urlsplit(origin).netloc == request.host
    )


@blueprint.get("")
def boxes() -> Response:
    """Every address that got a letter, and a sheet to write the first one."""
    return _page("mailbox.html", boxes=mailbox.boxes(), games=list(GAMES), wrong="", sender="you@localhost", words="")


@blueprint.post("")
def write() -> AnyResponse:
    """Send a letter to the service itself."""
    words = request.form.get("words", "").strip()
    given = request.form.get("sender", "")
    try:
        sender = canonical(given)
    except BadAddress:
        return _page(
            "mailbox.html", 422, boxes=mailbox.boxes(), games=list(GAMES), wrong=given, sender=given, words=words
        )
    since = now()
    mailbox.write(sender, words or "help", _config())
    return _onward("mailbox.wait", address=sender, since=since)


@blueprint.get("/of/<address>")
def box(address: str) -> Response:
    """The letters to one address."""
    found = mailbox.letters(address)
    if not found:
        raise Problem("not-found", NOTHING)
    return _page("mail-box.html", address=address, letters=found)


@blueprint.get("/of/<address>/next")
def wait(address: str) -> AnyResponse:
    """Wait for the next letter to this address, and open it when it is there."""
    text = request.args.get("since", "")
    since = int(text) if text.isdigit() and len(text) < 16 else now()  # noqa: PLR2004  # no time has more digits
    found = mailbox.newer(address, since)
    if found:
        return _onward("mailbox.letter", letter=found)
    return _page("mail-wait.html", address=address, waiting=now() - since < PATIENCE)


@blueprint.get("/letters/<letter>")
def letter(letter: str) -> Response:
    """One letter, and a box to answer it."""
    opened = mailbox.opened(letter)
    if opened is None:
        raise Problem("not-found", NOTHING)
    shown = request.args.get("as", "html")
    answer, to = request.args.get("answer", "")[:400], request.args.get("to", "")
    return _page(
        "mail-letter.html",
        letter=opened,
        letters=mailbox.letters(opened.address),
        shown=shown if shown in ("html", "text", "source") else "html",
        source=opened.source.decode("utf-8", "replace"),
        answer=answer,
        to=to or opened.reply_to,
    )


@blueprint.get("/letters/<letter>/page")
def page(letter: str) -> Response:
    """The HTML of a letter, for the frame."""
    opened = mailbox.opened(letter)
    if opened is None:
        raise Problem("not-found", NOTHING)
    response = Response(mailbox.page(opened, f"/mailbox/letters/{letter}"), content_type="text/html; charset=utf-8")
    response.headers.update(
        {"Content-Security-Policy": FRAMED, "X-Frame-Options": "SAMEORIGIN", "Cache-Control": "no-store"}
    )
    return response


@blueprint.post("/letters/<letter>")
def reply(letter: str) -> AnyResponse:
    """Answer a letter: the words go the way of every mail."""
    opened = mailbox.opened(letter)
    if opened is None:
        raise Problem("not-found", NOTHING)
    since = now()
    mailbox.reply(opened, request.form.get("words", "")[:20_000], request.form.get("to") or opened.reply_to, _config())
    return _onward("mailbox.wait", address=opened.address, since=since)


def _onward(place: str, **values: Any) -> AnyResponse:  # noqa: ANN401  # what addresses hold
    """To another page of the mailbox, in the language that was chosen by hand, if one was."""
    return redirect(url_for(place, lang=request.args.get("lang"), **values), 303)


def _page(template: str, status: int = 200, **values: Any) -> Response:  # noqa: ANN401  # what templates show
    locale = chosen()
    switch = "?lang=en" if locale == "fr" else "?lang=fr"
    text = render_template(template, locale=locale, fr=locale == "fr", switch=switch, quote=quote, **values)
    response = Response(text, status, content_type="text/html; charset=utf-8")
    response.headers.update(
        {"Content-Security-Policy": FRAMING, "Cache-Control": "no-store", "Content-Language": locale}
    )
    return response
