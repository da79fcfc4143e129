"""The form for a new match: seats, bots, the game's options, time control and visibility."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from engine import notation
from engine.game import Game, State
from engine.games import GAMES
from engine.options import Option, Setting
from engine.words import Locale
from service.accounts import guests, tokens
from service.config import Config
from service.db.connection import write_transaction
from service.i18n.catalogue import msg, translate
from service.matches import create
from service.matches.create import NewMatch
from service.matches.match_shapes import POLICIES, VISIBILITIES
from service.matches.start import list_opponents, solo_rivals
from service.play.time_control import DEFAULT_PRESET, PRESETS
from service.problems import Problem, invalid_field_problem
from service.web import auth, rate_limits, session
from service.web.browser_names import describe_browser
from service.web.pages import layout
from service.web.pages.clock_words import list_clocks
from service.web.pages.games import describe_game, keep_last_opponent, list_bots
from service.web.pages.match_summary import describe_setting, list_values
from service.web.request_context import current_config, current_player, page_locale

blueprint = Blueprint("new_match", __name__, url_prefix="/new")
ANYONE, NOBODY = "anyone", "nobody"
"""Values of a seat besides bots: open to anyone, or left out."""
MOST_TITLE = 80
MOST_SETTING = 200
USUAL_CLOCKS = ("none", "simple-1", "simple-3", "standard", "relaxed")
"""Time controls that the form shows at once; the others are folded."""
USUAL_CHOICES = {"leave": "1"}


@blueprint.before_request
def require_caller() -> AnyResponse | None:
    """Redirect visitors who are signed out to sign in, unless they play against a bot as a guest."""
    slug = (request.view_args or {}).get("slug")
    if slug is None:
        return None
    if slug not in GAMES:
        abort(404)
    against_bot = request.path.endswith("/bot")
    if auth.current_caller() is not None or (against_bot and _admits_guests(current_config())):
        return None
    return redirect(f"/enter?to=/{'games' if against_bot else 'new'}/{slug}", 303)


def _admits_guests(config: Config) -> bool:
    """Return True if visitors may play as guests. They may not where registration is closed."""
    return config.guests > 0 and config.limit_registrations > 0 and session.cookie_name(config) is not None


@blueprint.get("/<slug>")
def show_form(slug: str) -> Response:
    """Show the form with the usual choices."""
    return _render_form(GAMES[slug], USUAL_CHOICES)


@blueprint.post("/<slug>")
def create_match(slug: str) -> AnyResponse:
    """Create the match that the form describes, and show it."""
    try:
        wanted = parse_form(GAMES[slug], request.form)
    except Problem as problem:
        return _render_form(GAMES[slug], request.form, problem.status, wrong=problem.detail_in(page_locale()))
    return _create(wanted, request.form)


@blueprint.post("/<slug>/bot")
def create_bot_match(slug: str) -> AnyResponse:
    """Start a private match without a clock against the chosen opponent, and show it."""
    game = GAMES[slug]
    given = request.form.get("opponent", game.bots.stand_in)
    opponent = next((each for each in list_opponents(game) if each.id == given), None)
    if opponent is None:
        wrong = translate(page_locale(), "site.new.no_opponent", given=given[:MOST_SETTING])
        return _render_form(game, USUAL_CHOICES, 422, wrong=wrong)
    wanted = NewMatch(
        game=slug,
        seats=game.rules.seats[0],
        bots=dict.fromkeys(range(1, game.rules.seats[0]), opponent.bot),
        options={opponent.bot: opponent.level} if opponent.level else {},
        seat=0,
        clock="none",
        visibility="invitation",
    )
    response = _create(wanted, USUAL_CHOICES)
    keep_last_opponent(response, slug, opponent.id)
    return response


def _create(wanted: NewMatch, values: Mapping[str, str]) -> AnyResponse:
    """Create a match and show it, or show the form with these values and what is wrong."""
    try:
        caller = auth.current_caller()
        if caller is None:
            return _create_guest_match(wanted)
        if caller.guest:
            rate_limits.count_guest_match()
        match = create.create_match(current_player(), wanted, current_config())
    except Problem as problem:
        wrong = problem.detail_in(page_locale())
        return _render_form(GAMES[wanted.game], values, problem.status, wrong=wrong)
    return redirect(f"/matches/{match.id}", 303)


def _create_guest_match(wanted: NewMatch) -> AnyResponse:
    """Create a guest with a session in this browser and their first match."""
    config, locale = current_config(), page_locale()
    rate_limits.count_guest_match()
    with write_transaction():
        guest = guests.create(translate(locale, "site.guest.name"), locale, config.guests)
        match = create.create_match(guest, wanted, config)
        browser = describe_browser(request.headers.get("User-Agent", ""), locale)
        issued = tokens.issue_session(guest.id, browser, tuple(auth.SCOPES))
    response = redirect(f"/new/guest/{match.id}", 303)
    session.set_cookie(response, issued.text, config)
    return response


@blueprint.get("/guest/<id:match>")
def show_guest_match(match: str) -> AnyResponse:
    """Show a guest's first match, or say that the browser blocks the cookie that playing needs."""
    if auth.current_caller() is None:
        raise Problem("sign-in-first", msg("site.guest.no_cookies"))
    return redirect(f"/matches/{match}", 303)


def parse_form(game: Game[State], form: Mapping[str, str]) -> NewMatch:
    """Parse the form. Creating the match refuses whatever is impossible.

    Seats that are not used are left out, and the others move up. Raise `Problem` if an option names a seat that is not
    used.
    """
    places = [
        form.get(f"seat_{seat}", ANYONE if seat < game.rules.seats[0] else NOBODY)
        for seat in range(1, game.rules.seats[-1])
    ]
    taken = [place for place in places if place != NOBODY]
    used = [0, *(seat for seat, place in enumerate(places, 1) if place != NOBODY)]
    options = {option.name: _parse_setting(option, form, used) for option in game.rules.options}
    rivals = [each.name for each in solo_rivals(game) if options[each.name] not in (None, each.default)]
    bots = {seat: place for seat, place in enumerate(taken, 1) if place != ANYONE}
    return NewMatch(
        game=game.slug,
        seats=game.rules.seats[0] if rivals else 1 + len(taken),
        options={name: value for name, value in options.items() if value is not None},
        moves="signed" if form.get("signed") else "any",
        clock=form.get("clock", DEFAULT_PRESET),
        policy=_choice(form.get("policy"), POLICIES, "stand-in"),
        visibility=_choice(form.get("visibility"), VISIBILITIES, "open"),
        bots={1: rivals[0]} if rivals else bots,
        title=" ".join(form.get("title", "").split())[:MOST_TITLE],
        seat=0,
        leave=bool(form.get("leave")),
    )


def _choice(given: str | None, choices: tuple[str, ...], default: str) -> str:
    return given if given in choices else default


def _parse_setting(option: Option, form: Mapping[str, str], used: Sequence[int]) -> Setting | None:
    """Return the value of an option in the form, or None if the form leaves it out. `used` are the form's seats."""
    named = [form.get(f"option_{option.name}_{number}", "")[:MOST_SETTING] for number in range(len(option.parts))]
    given = _complete_parts(option, named) if any(named) else form.get(f"option_{option.name}", "").strip()
    given = given[:MOST_SETTING]
    value = option.read(given) if given else None
    if type(value) is int:
        if value not in used:
            raise invalid_field_problem("options", msg("site.new.unused_seat"))
        return used.index(value)
    return given or None if value is None else value


def _complete_parts(option: Option, named: Sequence[str]) -> str:
    """Return the parts as one value, with those that are not named drawn from all that fit.

    If nothing fits, creating the match refuses what is named.
    """
    ways = product(*((word,) if word else part.words for word, part in zip(named, option.parts, strict=True)))
    fitting = [value for value in map(",".join, ways) if option.fits(value, 0)]
    return secrets.choice(fitting) if fitting else ",".join(filter(None, named))


def _render_form(game: Game[State], values: Mapping[str, str], status: int = 200, *, wrong: str = "") -> Response:
    locale = page_locale()
    return layout.render_page(
        "new-match.html",
        status,
        game=describe_game(game, locale),
        values=values,
        wrong=wrong,
        seats=range(1, game.rules.seats[-1]),
        least=game.rules.seats[0],
        bots=[(name, translate(locale, "site.new.bot", name=called)) for name, called in list_bots(game, locale)],
        options=[
            describe_option(game, option, locale)
            for option in game.rules.options
            if len(option.choices) != 1 or option.parts
        ],
        clocks=list_clocks(locale),
        usual_clocks=USUAL_CLOCKS,
        default_clock=DEFAULT_PRESET if DEFAULT_PRESET in PRESETS else "none",
        policies=POLICIES,
        visibilities=VISIBILITIES,
        most_title=MOST_TITLE,
    )


class OptionOnForm(NamedTuple):
    """An option on the form: choices, and parts that can be named one by one."""

    name: str
    title: str
    usual: str
    """The value that is on at first; empty if it depends on whether it is the player's first match."""
    choices: Sequence[tuple[str, str]]
    """Values with their words."""
    parts: Sequence[tuple[str, Sequence[tuple[str, str]]]]
    """Titles of the parts, with their values and words."""


def describe_option(game: Game[State], option: Option, locale: Locale) -> OptionOnForm:
    """Return an option as the form shows it."""
    choices = [
        (notation.setting(value), describe_setting(game, option, value, locale)) for value in list_values(game, option)
    ]
    if option.first_match is not None:
        choices.insert(0, ("", translate(locale, "site.new.usual")))
    name = game.presentation.words.name
    return OptionOnForm(
        option.name,
        option.title[locale],
        notation.setting(option.default) if option.first_match is None else "",
        choices,
        [(part.title[locale], [(word, name(word, locale)) for word in part.words]) for part in option.parts],
    )
