"""Access of guests: they play against bots in this browser, read, and sign in. Everything else answers 403.

Guests are refused by the name of the route, before its view runs, so that a new route is closed to them until it is
named here.
"""

from __future__ import annotations

from flask import request

from service.i18n.catalogue import msg
from service.problems import Problem
from service.web.auth import Caller

READS = ("GET", "HEAD")
CLOSED_READS = {
    "new_match": ("show_form",),
    "settings": ("show_settings",),
    "erase_account": ("show_question",),
    "calendars-of-players": ("get_address",),
}
"""Views, by blueprint, that show something of an account, which a guest does not have."""
OPEN_WRITES = {
    # Playing.
    "new_match": ("create_bot_match",),
    "matches": ("create_match", "request_rematch"),
    "keys": ("add",),
    "open_match": ("join_match",),  # leads to signing in
    "moves": ("submit", "preview_moves", "read_free_text"),
    "planning": ("try_plan",),
    # Signing in and out.
    "enter": ("send_code", "check_code", "send_code_again", "register", "leave"),
    "players": ("register", "confirm"),
    "tokens": ("request_code", "exchange_code"),
    "confirm_address": ("confirm",),
    # Addresses that need no account: links from emails, the language, incoming mail.
    "devices": ("stop_device",),
    "unsubscribe": ("stop_letters",),
    "layout": ("choose_language",),
    "inbound": ("take_message",),
    "mailbox": ("reply_to_letter", "write_letter"),
}
"""Views, by blueprint, that change something and are open to guests."""


def check_guest(caller: Caller | None) -> None:
    """Refuse a guest what needs an account."""
    if caller is not None and caller.guest and request.endpoint and is_closed(request.endpoint, request.method):
        raise Problem("sign-in-first", msg("requests.sign_in_first"))


def is_closed(endpoint: str, method: str) -> bool:
    """Return True if a guest may not use a route."""
    blueprint, _, view = endpoint.partition(".")
    if method in READS:
        return view in CLOSED_READS.get(blueprint, ())
    return view not in OPEN_WRITES.get(blueprint, ())
