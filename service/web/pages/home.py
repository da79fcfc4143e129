"""The home page: an introduction for visitors, turns and matches for players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import Blueprint, Response, abort, current_app, redirect, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from engine.games import GAMES
from engine.view import View
from engine.words import Locale
from service import direct_requests
from service.db.models.matches import MatchRow
from service.i18n.dates import format_duration
from service.matches import guest_matches, my_matches, search
from service.play import match_loader
from service.play.views import player_names
from service.timestamps import now
from service.web import auth
from service.web.auth import Caller
from service.web.pages import layout, lessons, sample_matches
from service.web.pages.games import GameOnPage, describe_game
from service.web.pages.match_summary import MatchOnPage, describe_matches
from service.web.pages.tournaments import list_open
from service.web.request_context import current_turns, page_locale
from service.web.static_files import static_url

blueprint = Blueprint("home", __name__)
MOST_MATCHES = 12
MOST_FINISHED = 6
MOST_TOURNAMENTS = 6
MOST_OWN = 50
MOST_OWN_FINISHED = 10
MOST_TASKS = 12
"""Turns whose task is shown: each needs the state of its match."""
HOUR_MS = 3_600_000
URGENT_MS = 12 * HOUR_MS


class TurnOnPage(NamedTuple):
    """A match that waits for the reader's move, and the time that is left."""

    match: MatchOnPage
    emblem: Markup
    task: str
    """The task in the game's own words; empty where a game has none."""
    due: int | None
    left: str
    now: int

    @property
    def is_urgent(self) -> bool:
        """True if little time is left."""
        return self.due is not None and self.due - self.now < URGENT_MS


class InvitationOnPage(NamedTuple):
    """An invitation on a page: the match, and the name of the player who invites."""

    by: str
    match: MatchOnPage


@blueprint.get("/")
def show_home() -> Response:
    """Show the home page."""
    caller = auth.current_caller()
    return _show_guests_home() if caller is None else _show_own_home(caller)


def _show_guests_home() -> Response:
    locale, config = page_locale(), current_app.config["ECHTRA"]
    return layout.render_page(
        "home.html",
        games=_describe_games(locale),
        hero=lessons.describe_sample_step(locale),
        url=config.url,
        mail_from=config.mail_from if config.smtp_url else "",
        is_local=direct_requests.is_local(request.environ, config),
        waiting=_list_matches("open", MOST_MATCHES, locale),
        running=_list_matches("running", MOST_MATCHES, locale),
        finished=_list_matches("over", MOST_FINISHED, locale),
        tournaments=list_open(None, locale, MOST_TOURNAMENTS),
    )


def _show_own_home(caller: Caller) -> Response:
    locale = page_locale()
    turns = _list_turns(caller.player, locale)
    asked = {turn.match.id for turn in turns}
    running = [each for each in _list_matches("running", MOST_OWN, locale, caller.player) if each.id not in asked]
    invitations = _list_invitations(caller.player, locale)
    invited = {each.match.id for each in invitations}
    return layout.render_page(
        "my-home.html",
        turns=turns,
        invitations=invitations,
        waiting=[each for each in _list_matches("open", MOST_OWN, locale, caller.player) if each.id not in invited],
        running=running,
        finished=_list_matches("over", MOST_OWN_FINISHED, locale, caller.player),
        as_guest=describe_matches(guest_matches.list_finished(caller.player, MOST_OWN_FINISHED), caller.player, locale),
        games=_describe_games(locale),
        open_matches=[
            each
            for each in _list_matches("open", MOST_MATCHES, locale)
            if each.id not in invited and all(place.player != caller.player for place in each.places)
        ][:MOST_FINISHED],
        tournaments=list_open(caller.player, locale, MOST_TOURNAMENTS),
    )


def _list_turns(player: str, locale: Locale) -> list[TurnOnPage]:
    """Return the matches where it is this player's turn, soonest deadline first, with the time left."""
    turns, at = current_turns(), now()
    matches = _describe_listed([turn.match for turn in turns], player, locale)
    tasks = _describe_tasks(matches[:MOST_TASKS], locale)
    return [
        TurnOnPage(
            match,
            sample_matches.game_thumbnail(GAMES[match.game], locale),
            tasks.get(match.id, ""),
            turn.due_at,
            _say_time_left((turn.due_at or at) - at, locale),
            at,
        )
        for turn, match in zip(turns, matches, strict=True)
    ]


def _say_time_left(ms: int, locale: Locale) -> str:
    """Return the time left, in whole hours unless it is short."""
    return format_duration(round(ms / HOUR_MS) * HOUR_MS if ms > 2 * HOUR_MS else max(0, ms), locale)


def _describe_tasks(matches: Sequence[MatchOnPage], locale: Locale) -> dict[str, str]:
    """Return what the reader has to do in each match, by its id, from at most two statements."""
    heads = [(match.id, match.head.seq, match.head.hash) for match in matches if match.head]
    states = match_loader.load_match_states_at(heads)
    tasks: dict[str, str] = {}
    for match, match_state in zip(matches, states, strict=True):
        tell_task = GAMES[match.game].presentation.task
        if tell_task is None or match.you is None or match.you.seat is None:
            continue
        view: View = GAMES[match.game].rules.view(match_state.state, match.you.seat)
        if match.you.seat in view.asked:
            names = tuple(place.name or "" for place in match.places)
            tasks[match.id] = tell_task(view.with_names(names), locale).sentence
    return tasks


def _describe_listed(ids: Sequence[str], player: str, locale: Locale) -> list[MatchOnPage]:
    rows = {row.id: row for row in MatchRow.select().where(MatchRow.id.in_(ids))}
    return describe_matches([rows[match] for match in ids], player, locale)


def _list_invitations(player: str, locale: Locale) -> list[InvitationOnPage]:
    """Return the player's invitations, newest first."""
    offered = my_matches.list_invitations(player)
    names = player_names(sorted({row.by_player for row in offered}), locale)
    shown = _describe_listed([row.match for row in offered], player, locale)
    return [InvitationOnPage(names[row.by_player], match) for row, match in zip(offered, shown, strict=True)]


@blueprint.get("/styleguide")
def show_components() -> Response:
    """Show every component of pages on one sheet, to people on this machine."""
    if not direct_requests.is_direct(request.environ, current_app.config["ECHTRA"]):
        abort(404)
    return layout.render_page("styleguide.html", games=_describe_games(page_locale()))


@blueprint.get("/favicon.ico")
def redirect_favicon() -> AnyResponse:
    """Redirect browsers that look for the icon at its traditional address."""
    return redirect(static_url("icon.svg"), 302)


def _describe_games(locale: Locale) -> list[tuple[GameOnPage, Markup]]:
    """Return every game with its picture."""
    return [(describe_game(game, locale), sample_matches.game_thumbnail(game, locale)) for game in GAMES.values()]


def _list_matches(status: str, most: int, locale: Locale, player: str | None = None) -> list[MatchOnPage]:
    """Return the latest matches with this status: those of one player, or all that everybody may see."""
    found = search.search_matches(search.MatchFilter(mine=player is not None, status=status), player, None, most)
    return describe_matches(found, player, locale)
