"""Signing in and out: an address, the code from the email, and a name for a new account; all without scripts.

A cookie keeps the progress for an hour, so that each page can be reloaded.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
from dataclasses import asdict, dataclass, replace
from typing import Any

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from service import direct_requests, look_alikes
from service.accounts import sign_in_codes, tokens
from service.accounts.email_address import BadEmailAddress, canonicalise
from service.db import server_secrets
from service.db.connection import write_transaction
from service.i18n.catalogue import Message, msg, render
from service.mail import dev_mailbox
from service.mail.dev_mailbox import EntryLetter
from service.matches import guest_matches, invitations, key_revocation
from service.problems import Problem
from service.timestamps import HOUR
from service.web import auth, rate_limits, session
from service.web.auth import Caller
from service.web.browser_names import describe_browser
from service.web.pages import layout, open_match, time_zones
from service.web.request_context import current_config, own_path, page_locale

blueprint = Blueprint("enter", __name__)
ENTRY_COOKIE = "echtra-entry"
"""Name of the cookie with the progress; over https it has the `__Host-` prefix."""
COOKIE_PROBE = "probe"
"""Set with the first form. If it does not come back, the browser blocks cookies and no code is sent."""
CODE_PATTERN = re.compile(r"[a-z0-9-]{0,100}")
"""Form of the ids, tickets and signatures in that cookie."""
LONGEST_NAME = 60
CLEAR_ALL = '"cache", "storage"'
"""Data that the browser deletes on signing out: pages, drafts, and its key."""


class UnreadableEntry(ValueError):
    """The entry cookie contains something that we never wrote."""


@dataclass(frozen=True)
class EntryState:
    """The progress of somebody who is signing in."""

    address: str
    request: str
    """Id of the request for a code."""
    to: str
    """Path to go to after signing in."""
    ticket: str = ""
    """Proof that the code was right, for a new address."""
    proof: str = ""
    """Signature of the request, for a browser on this machine that may see the email with the code."""


@blueprint.before_request
def close_without_https() -> Response | None:
    """Refuse everything if a code could be read in transit."""
    if session.cookie_name(current_config()) is None:
        return layout.render_page("enter-closed.html", 403)
    return None


@blueprint.get("/enter")
def show_address_form() -> AnyResponse:
    """Ask for the email address."""
    to = _destination(request.args.get("to", ""))
    caller = auth.current_caller()
    if caller is not None and not caller.guest:
        return redirect(to, 303)
    response = _render_form("enter.html", to=to, address=_read_state_address())
    if _entry_cookie() not in request.cookies:
        _set_entry_cookie(response, COOKIE_PROBE)
    return response


@blueprint.post("/enter")
def send_code() -> AnyResponse:
    """Send a code to the address, and ask for it; nothing reveals if the address has an account."""
    given, to = request.form.get("address", "").strip(), _destination(request.form.get("to", ""))
    try:
        address = canonicalise(given)
    except BadEmailAddress:
        wrong = msg("site.enter.bad_address", given=given[:100]) if given else msg("site.enter.no_address")
        return _render_form("enter.html", 422, wrong=wrong, to=to, address=given)
    if not request.cookies:
        response = _render_form("enter.html", 400, wrong=msg("site.enter.no_cookies"), to=to, address=given)
        _set_entry_cookie(response, COOKIE_PROBE)
        return response
    return _request_code(address, to)


def _request_code(address: str, to: str, *, again: bool = False) -> AnyResponse:
    rate_limits.count_registration()
    made = sign_in_codes.request_code(address, page_locale())
    response = redirect("/enter/code?again=1" if again else "/enter/code", 303)
    _write_state(response, EntryState(address, made.id, to, proof=_sign(made.id) if _is_local() else ""))
    return response


def _is_local() -> bool:
    return direct_requests.is_local(request.environ, current_config())


def _sign(code_request: str) -> str:
    return server_secrets.sign_link("entry", code_request, 26)


def _find_letter(state: EntryState) -> EntryLetter | None:
    """Return the email with the code if this browser asked for it on this machine, else None."""
    proof = _sign(state.request)
    if not _is_local() or not hmac.compare_digest(state.proof.encode(), proof.encode()):
        return None
    return dev_mailbox.find_entry_letter(state.request)


@blueprint.get("/enter/code")
def show_code_form() -> AnyResponse:
    """Ask for the code."""
    state = _read_state()
    if state is None:
        return redirect("/enter", 303)
    return _render_code_form(state, again="again" in request.args)


@blueprint.post("/enter/code")
def check_code() -> AnyResponse:
    """Sign in if the code is right; ask a new player for a name first."""
    state = _read_state()
    if state is None:
        return redirect("/enter", 303)
    code = read_code()
    if not code:
        return _render_code_form(state, 422, wrong=msg("site.enter.no_code"))
    try:
        entry = sign_in_codes.check_code(state.request, state.address, code)
    except Problem as problem:
        left = problem.more.get("tries_left")
        wrong = msg("site.enter.wrong_code", count=left) if left else msg("site.enter.code_gone")
        return _render_code_form(state, 422 if left else 410, wrong=wrong, gone=not left)
    if entry.player is not None:
        return _sign_in(entry.player, state.to)
    response = redirect("/enter/name", 303)
    _write_state(response, replace(state, ticket=entry.ticket))
    return response


@blueprint.post("/enter/again")
def send_code_again() -> AnyResponse:
    """Send another code to the same address."""
    state = _read_state()
    if state is None:
        return redirect("/enter", 303)
    return _request_code(state.address, state.to, again=True)


@blueprint.get("/enter/name")
def show_name_form() -> AnyResponse:
    """Ask a new player for a name."""
    state = _read_state()
    if state is None or not state.ticket:
        return redirect("/enter", 303)
    return _render_name_form(name="", zone="")


@blueprint.post("/enter/name")
def register() -> AnyResponse:
    """Create the account and sign in."""
    state = _read_state()
    if state is None or not state.ticket:
        return redirect("/enter", 303)
    name, zone = look_alikes.normalise_name(request.form.get("name", "")), request.form.get("zone", "")
    wrong = objection_to_name(name) or (None if zone in time_zones.names() else msg("site.enter.no_zone"))
    if wrong is not None:
        return _render_name_form(422, wrong=wrong, name=name[:LONGEST_NAME], zone=zone)
    try:
        guest = current_guest()
        player = sign_in_codes.register(state.ticket, state.address, name, page_locale(), zone, guest)
    except Problem:
        return _render_code_form(state, 410, wrong=msg("site.enter.code_gone"), gone=True)
    invitations.claim_invitations(player, state.address)
    return _sign_in(player, state.to)


def current_guest() -> str | None:
    """Return the guest who sends this request, or None."""
    caller = auth.current_caller()
    return caller.player if caller is not None and caller.guest else None


def read_code() -> str:
    """Return the code that was typed or pasted, without separators."""
    return "".join(sign for sign in request.form.get("code", "").lower() if sign.isascii() and sign.isalnum())


def objection_to_name(name: str) -> Message | None:
    """Return why this cannot be the name of a player, or None."""
    if not 1 <= len(name) <= LONGEST_NAME or not look_alikes.has_letter(name):
        return msg("site.enter.no_name")
    if look_alikes.find_invisible(name):
        return msg("site.enter.hidden_sign")
    return msg("site.enter.two_alphabets") if look_alikes.mixes_alphabets(name) else None


def _sign_in(player: str, to: str) -> AnyResponse:
    """Start a session in this browser; the one it had before ends.

    A guest who signs in to an existing account hands over the running matches.
    """
    before, guest = auth.current_caller(), current_guest()
    if guest is not None and guest != player:
        opened = to.partition("?")[0].rpartition("/")[2]
        guest_matches.hand_over_matches(guest, player, opened, current_config())
    if before is not None:
        _end_session(before)
    name = describe_browser(request.headers.get("User-Agent", ""), page_locale())
    with write_transaction():
        issued = tokens.issue_session(player, name, tuple(auth.SCOPES))
    response = redirect(to, 303)
    open_match.join_after_sign_in(player, to, response)
    session.set_cookie(response, issued.text, current_config())
    response.delete_cookie(_entry_cookie(), secure=_is_secure())
    return response


def _end_session(caller: Caller) -> None:
    """Revoke the token of a session, and the key of its browser once none of its orders is waiting."""
    tokens.revoke(caller.player, caller.token)
    key_revocation.retire_keys_of_token(caller.player, caller.token)


@blueprint.post("/leave")
def leave() -> AnyResponse:
    """End the session and clear the data in the browser."""
    caller = auth.current_caller()
    if caller is not None:
        _end_session(caller)
    response = redirect("/", 303)
    session.clear_cookie(response, current_config())
    response.headers["Clear-Site-Data"] = CLEAR_ALL
    return response


def _destination(text: str) -> str:
    """Return where to go after signing in: a path on this site, but not back to the sign-in pages."""
    path = own_path(text)
    return "/" if path.startswith(("/enter", "/leave")) else path


def _render_code_form(
    state: EntryState,
    status: int = 200,
    **values: Any,  # noqa: ANN401  # what templates show
) -> Response:
    return _render_form("enter-code.html", status, state=state, entry=_find_letter(state), **values)


def _render_name_form(status: int = 200, *, wrong: Message | None = None, name: str, zone: str) -> Response:
    return _render_form("enter-name.html", status, wrong=wrong, name=name, zone=zone, zones=time_zones.by_region())


def _render_form(
    template: str,
    status: int = 200,
    *,
    wrong: Message | None = None,
    **values: Any,  # noqa: ANN401  # what templates show
) -> Response:
    said = render(wrong, page_locale()) if wrong else ""
    return layout.render_private_page(template, status, wrong=said, **values)


def _write_state(response: AnyResponse, state: EntryState) -> None:
    _set_entry_cookie(response, base64.urlsafe_b64encode(json.dumps(asdict(state)).encode()).decode())


def _set_entry_cookie(response: AnyResponse, text: str) -> None:
    response.set_cookie(_entry_cookie(), text, max_age=HOUR // 1000, secure=_is_secure(), httponly=True, samesite="Lax")


def _is_secure() -> bool:
    return session.is_secure(current_config())


def _entry_cookie() -> str:
    return f"__Host-{ENTRY_COOKIE}" if _is_secure() else ENTRY_COOKIE


def _read_state() -> EntryState | None:
    """Return the progress in this browser, or None without an entry cookie; raise if it is unreadable."""
    kept = request.cookies.get(_entry_cookie(), "")
    if kept in ("", COOKIE_PROBE):
        return None
    try:
        told = json.loads(base64.urlsafe_b64decode(kept))
        state = EntryState(**{name: str(value) for name, value in told.items()})
        if not all(CODE_PATTERN.fullmatch(text) for text in (state.request, state.ticket, state.proof)):
            raise UnreadableEntry
        return replace(state, address=canonicalise(state.address), to=_destination(state.to))
    except (binascii.Error, ValueError, TypeError, AttributeError, RecursionError):
        raise UnreadableEntry from None


@blueprint.errorhandler(UnreadableEntry)
def start_again(_error: UnreadableEntry) -> AnyResponse:
    """Ask for the address again, and remove the cookie."""
    response = _render_form("enter.html", 400, wrong=msg("site.enter.unreadable"), to="/", address="")
    response.delete_cookie(_entry_cookie(), secure=_is_secure())
    return response


def _read_state_address() -> str:
    try:
        state = _read_state()
    except UnreadableEntry:
        return ""
    return state.address if state else ""
