"""The context of a request: language, caller, settings, match and viewer."""

from __future__ import annotations

from flask import current_app, g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from engine.words import LOCALES, Locale
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.i18n.catalogue import msg
from service.matches import my_matches
from service.matches.my_matches import Turn
from service.play import access, match_loader
from service.play.views import Viewer
from service.problems import Problem
from service.record.match_state import MatchState
from service.web import auth
from service.web.auth import Caller

LANGUAGE_COOKIE = "echtra_lang"
"""Cookie for a language chosen by hand in a browser without a session."""
MOST_PATH = 500


def response_locale() -> Locale:
    """Return the language of the answer: in a session the account's, as for pages."""
    caller = auth.current_caller()
    if caller is not None and caller.session:
        return to_locale(caller.language)
    return choose_locale(request.headers.get("Accept-Language"), caller)


def choose_locale(accept_language: str | None, caller: Caller | None) -> Locale:
    """Return the language that a header prefers, else the caller's."""
    if accept_language:
        best = parse_accept_header(accept_language, LanguageAccept).best_match(LOCALES)
        if best is not None:
            return to_locale(best)
    return to_locale(caller.language if caller else "en")


def page_locale() -> Locale:
    """Return the language of a page: from its URL, from this browser's cookie, or as for every answer."""
    wishes = [request.args.get("lang", "")]
    if auth.current_caller() is None:
        wishes.append(request.cookies.get(LANGUAGE_COOKIE, ""))
    return next((to_locale(wish) for wish in wishes if wish in LOCALES), None) or response_locale()


def own_path(text: str) -> str:
    """Return this text if it is a path on this site, else "/", so that no link redirects elsewhere."""
    plain = text.isascii() and text.isprintable() and "\\" not in text and len(text) <= MOST_PATH
    own = plain and text.startswith("/") and not text.startswith(("//", "/v1/"))
    return text if own else "/"


def to_locale(text: str) -> Locale:
    """Return the supported language that a code names, English for any other."""
    return "fr" if text.startswith("fr") else "en"


def current_player_id() -> str | None:
    """Return the caller's id, or None."""
    who = auth.current_caller()
    return who.player if who else None


def current_player() -> PlayerRow:
    """Return the caller's row."""
    return PlayerRow.get_by_id(auth.require_caller().player)


def current_turns() -> list[Turn]:
    """Return the caller's turns, soonest deadline first; read once for a page and its header."""
    player = current_player_id()
    if "turns" not in g:
        g.turns = my_matches.list_turns(player) if player else []
    found: list[Turn] = g.turns
    return found


def current_config() -> Config:
    """Return the settings of the running service."""
    found: Config = current_app.config["ECHTRA"]
    return found


def find_match(match: str, link: str | None = None) -> MatchRow:
    """Return the match if the caller may look at it."""
    return access.find_match(match, current_player_id(), link)


def load_viewer(match: str, link: str | None, at: int | None = None, *, spectator: bool = False) -> Viewer:
    """Return the caller as viewer of a match, from their seat or as a spectator, after entry `at` if given."""
    find_match(match, link)
    match_state = match_loader.load_match_state(match)
    player = current_player_id()
    seat = None if player is None or spectator else match_state.seat_of(player)
    if at is not None:
        match_state = match_loader.requested_position(match_state, at)
    return Viewer(match_state, seat, response_locale())


def own_match_state(match: str) -> tuple[MatchState, int]:
    """Return the state of a match and the caller's seat; refuse a caller without a seat."""
    player = auth.require_caller().player
    access.find_match(match, player)
    match_state = match_loader.load_match_state(match)
    seat = match_state.seat_of(player)
    if seat is None:
        raise Problem("not-your-seat", msg("play.no_seat"))
    return match_state, seat
