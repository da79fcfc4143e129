"""What a view needs to know of its request: its language, who asks, the settings, the match, the viewer."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from flask import current_app, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from engine.words import LOCALES, Locale
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.i18n.catalogue import msg
from service.play import access, table_store
from service.play.views import Viewer
from service.problems import Problem
from service.web import auth
from service.web.auth import Caller


def response_locale() -> Locale:
    """The language to answer in."""
    return choose_locale(request.headers.get("Accept-Language"), auth.current_caller())


def choose_locale(accept_language: str | None, caller: Caller | None) -> Locale:
    """The language that a header asks for, else the one of the player who asks."""
    if accept_language:
        best = parse_accept_header(accept_language, LanguageAccept).best_match(LOCALES)
        if best is not None:
            return _to_locale(best)
    return _to_locale(caller.language if caller else "en")


def page_locale() -> Locale:
    """The language of a page: the one its address names, or as for every answer."""
    lang = request.args.get("lang", "")
    return _to_locale(lang) if lang in LOCALES else response_locale()


def _to_locale(text: str) -> Locale:
    return "fr" if text.startswith("fr") else "en"


OPTIONAL_TOKEN_DOC: dict[str, Any] = {"security": [{}, {"token": ["read"]}]}
"""For the document: a token is welcome but not needed."""


def current_player_id() -> str | None:
    """The id of the player who asks, if any."""
    who = auth.current_caller()
    return who.player if who else None


def current_player() -> PlayerRow:
    """The player who asks."""
    return PlayerRow.get_by_id(auth.require_caller().player)


def current_config() -> Config:
    """The settings of the running service."""
    found: Config = current_app.config["ECHTRA"]
    return found


def require_own_page() -> None:
    """Refuse a form that a page of another site sent; programs send neither header and go through."""
    if not is_from_own_page(request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")):
        raise Problem("forbidden", msg("requests.own_pages_only"))


def is_from_own_page(fetch_site: str | None, origin: str | None) -> bool:
    """Whether these headers come from a page of ours, or from no page at all.

    No page can forge `Sec-Fetch-Site`, so it decides where a browser sends it, even if the browser hides the origin.
    """
    if fetch_site is not None:
        return fetch_site in ("same-origin", "none")
    own = {request.host, urlsplit(current_config().url).netloc}
    return origin is None or urlsplit(origin).netloc in own


def find_match(match: str, query: dict[str, Any] | None = None) -> MatchRow:
    """The match, if who asks may look at it."""
    return access.find_match(match, current_player_id(), (query or {}).get("link"))


def load_viewer(match: str, query: dict[str, Any]) -> Viewer:
    """The table of a match for who asks: from their seat, or as a spectator."""
    find_match(match, query)
    table = table_store.table_of(match)
    asks = current_player_id()
    seat = None if asks is None or query.get("spectator") else table.seat_of(asks)
    if query.get("at") is not None:
        table = table_store.requested_position(table, query["at"])
    return Viewer(table, seat, response_locale())
