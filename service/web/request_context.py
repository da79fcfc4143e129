"""What a view needs to know of its request: its language, who asks, the settings, the match, the viewer."""

from __future__ import annotations

from typing import Any

from flask import current_app, g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from engine.words import LOCALES, Locale
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.matches import my_matches
from service.matches.my_matches import Turn
from service.play import access, match_loader
from service.play.views import Viewer
from service.web import auth
from service.web.auth import Caller

LANGUAGE_COOKIE = "echtra_lang"
"""Where a browser without a session keeps the language that was chosen by hand."""
MOST_PATH = 500


def response_locale() -> Locale:
    """The language to answer in: in a session the one of the account, which pages are in too."""
    caller = auth.current_caller()
    if caller is not None and caller.session:
        return _to_locale(caller.language)
    return choose_locale(request.headers.get("Accept-Language"), caller)


def choose_locale(accept_language: str | None, caller: Caller | None) -> Locale:
    """The language that a header asks for, else the one of the player who asks."""
    if accept_language:
        best = parse_accept_header(accept_language, LanguageAccept).best_match(LOCALES)
        if best is not None:
            return _to_locale(best)
    return _to_locale(caller.language if caller else "en")


def page_locale() -> Locale:
    """The language of a page: the one its address names, the one chosen in this browser, or as for every answer."""
    wishes = [request.args.get("lang", "")]
    if auth.current_caller() is None:
        wishes.append(request.cookies.get(LANGUAGE_COOKIE, ""))
    return next((_to_locale(wish) for wish in wishes if wish in LOCALES), None) or response_locale()


def own_path(text: str) -> str:
    """This text if it is a path of ours to go to, else the home page; so that no link leads elsewhere through us."""
    plain = text.isascii() and text.isprintable() and "\\" not in text and len(text) <= MOST_PATH
    own = plain and text.startswith("/") and not text.startswith(("//", "/v1/"))
    return text if own else "/"


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


def current_turns() -> list[Turn]:
    """The questions that wait for who asks, soonest deadline first; read once for a page and its head."""
    asks = current_player_id()
    if "turns" not in g:
        g.turns = my_matches.list_turns(asks) if asks else []
    found: list[Turn] = g.turns
    return found


def current_config() -> Config:
    """The settings of the running service."""
    found: Config = current_app.config["ECHTRA"]
    return found


def find_match(match: str, link: str | None = None) -> MatchRow:
    """Return the match if the caller may look at it."""
    return access.find_match(match, current_player_id(), link)


def load_viewer(match: str, link: str | None, at: int | None = None, *, spectator: bool = False) -> Viewer:
    """Return the caller as viewer of a match, from their seat or as a spectator, after entry `at` if given."""
    find_match(match, link)
    match_state = match_loader.load_match_state(match)
    asks = current_player_id()
    seat = None if asks is None or spectator else match_state.seat_of(asks)
    if at is not None:
        match_state = match_loader.requested_position(match_state, at)
    return Viewer(match_state, seat, response_locale())
