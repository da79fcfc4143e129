"""Rendering pages: in the reader's language, with nothing loaded from other sites."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, current_app, redirect, render_template, request
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from peewee import InternalError
from werkzeug.wrappers import Response as AnyResponse

from engine.games import GAMES
from engine.words import LOCALES, Locale
from service.accounts import players
from service.db.connection import DatabaseDown
from service.i18n.catalogue import translate
from service.i18n.dates import MONTHS, NBSP, format_day
from service.matches.my_matches import Turn
from service.timestamps import now, rfc3339
from service.tournaments.views.derivations import format_units
from service.web import auth, middleware, session
from service.web.request_context import LANGUAGE_COOKIE, current_config, current_turns, own_path, page_locale
from service.web.static_files import static_url

blueprint = Blueprint("layout", __name__)


def render_page(template: str, status: int = 200, *, locale: Locale | None = None, **values: Any) -> Response:  # noqa: ANN401  # what templates show
    """Return a page as a response, in this language or the reader's."""
    locale = locale or page_locale()
    text = render_template(template, locale=locale, **values)
    response = Response(text, status, content_type="text/html; charset=utf-8")
    response.headers.update({"Content-Security-Policy": middleware.PAGE_CSP, "Content-Language": locale})
    return response


def render_private_page(template: str, status: int = 200, **values: Any) -> Response:  # noqa: ANN401
    """Return a page that browsers do not store, because the next person at this computer must not see it."""
    response = render_page(template, status, **values)
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.post("/language")
def choose_language() -> AnyResponse:
    """Store the chosen language: in the account, or in this browser without one."""
    wanted = request.form.get("language", "")
    response = redirect(own_path(request.form.get("to", "")), 303)
    if wanted not in LOCALES:
        return response
    caller = auth.current_caller()
    if caller is not None:
        players.change_settings(caller.player, {"language": wanted})
        return response
    session.keep_choice(response, LANGUAGE_COOKIE, wanted, current_config())
    return response


def require_session() -> AnyResponse | None:
    """Redirect visitors who are signed out to sign in, and then back to the first page of the blueprint."""
    caller = auth.current_caller()
    if caller is not None and caller.session:
        return None
    return redirect(f"/enter?to={current_app.blueprints[request.blueprint or ''].url_prefix}", 303)


def this_page() -> str:
    """Return the path of this page without its language parameter, or the home page if only a form leads here."""
    rule = request.url_rule
    if rule is None or "GET" not in (rule.methods or ()):
        return "/"
    query = urlencode([(name, value) for name, value in request.args.items(multi=True) if name != "lang"])
    return f"{request.path}?{query}" if query else request.path


@dataclass(frozen=True)
class Masthead:
    """Content of the page header for a player with a session."""

    name: str
    guest: bool
    turns: int
    urgent: str
    """Path of the most urgent turn, or of the player's list of matches."""


def build_masthead() -> Masthead | None:
    """Return the content of the header, or None if nobody is signed in."""
    caller = auth.current_caller()
    if caller is None or not caller.session:
        return None
    turns: list[Turn] = []
    # The error page for an unreachable database has a header too.
    with suppress(*DatabaseDown, InternalError):
        turns = current_turns()
    return Masthead(caller.name, caller.guest, len(turns), f"/matches/{turns[0].match}" if turns else "/")


def is_demo_world() -> bool:
    """Return True on a service of this machine alone that `echtra demo` has filled with people."""
    with suppress(*DatabaseDown, InternalError):
        return current_config().local and players.has_demo_people()
    return False


@blueprint.app_context_processor
def template_functions() -> dict[str, Any]:
    """Return the functions that every template can call."""
    return {
        "t": translate_text,
        "t_html": translate_html,
        "link": link,
        "when": when,
        "chosen_look": chosen_look,
        "day": say_day,
        "is_demo_world": is_demo_world,
        "masthead": build_masthead,
        "static_url": static_url,
        "this_page": this_page,
        "game_title": game_title,
        "units": show_units,
        "score": show_score,
    }


@pass_context
def translate_text(context: Context, key: str, **values: object) -> str:
    """Return the text of a key in the language of the page."""
    return translate(context["locale"], key, **values)


@pass_context
def translate_html(context: Context, key: str, **values: object) -> Markup:
    """Return the text of a key that contains HTML. Its values are escaped."""
    return Markup(translate(context["locale"], key, **{name: escape(value) for name, value in values.items()}))  # noqa: S704  # texts of ours


def link(path: str) -> str:
    """Return a path of this site with the language that was chosen by hand, if any."""
    lang = request.args.get("lang")
    if lang not in LOCALES:
        return path
    base, sign, anchor = path.partition("#")
    return f"{base}{'&' if '?' in base else '?'}lang={lang}{sign}{anchor}"


LOOK_COOKIE = "echtra_look"


def chosen_look() -> str:
    """Return the colour scheme chosen in this browser: light, dark or the system's."""
    look = request.cookies.get(LOOK_COOKIE, "")
    return look if look in ("light", "dark") else "auto"


@pass_context
def when(context: Context, ms: int) -> Markup:
    """Return a time as HTML, in the zone of the signed-in player or in UTC."""
    caller, locale = auth.current_caller(), context["locale"]
    zone = ZoneInfo(caller.zone) if caller is not None and caller.session else UTC
    local = datetime.fromtimestamp(ms / 1000, zone)
    number = "1er" if locale == "fr" and local.day == 1 else str(local.day)
    day = f"{number}{NBSP}{MONTHS[locale][local.month - 1]}"
    if local.year != datetime.fromtimestamp(now() / 1000, zone).year:
        day += f" {local.year}"
    hour = f"{local.hour}{NBSP}h{NBSP}{local:%M}" if locale == "fr" else f"{local:%H:%M}"
    text = f"{day}, {hour}" if isinstance(zone, ZoneInfo) else f"{day}, {hour}{NBSP}UTC"
    return Markup('<time datetime="{}">{}</time>').format(rfc3339(ms), text)


@pass_context
def game_title(context: Context, slug: str) -> str:
    """Return the title of a game."""
    return GAMES[slug].presentation.title[context["locale"]]


@pass_context
def show_units(context: Context, units: int) -> str:
    """Return tournament points as people write them."""
    return format_units(units, context["locale"])


def show_score(score: int | str) -> str:
    """Return a score of a game with a real minus sign."""
    return str(score).replace("-", "−")


@pass_context
def say_day(context: Context, ms: int) -> str:
    """Return the day of a time in words."""
    return format_day(datetime.fromtimestamp(ms / 1000, UTC), context["locale"])
