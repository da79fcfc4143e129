"""The home page: what this is, what can be played, how to begin, and who plays."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, redirect
from werkzeug.wrappers import Response as AnyResponse

from engine.game import Game
from engine.games import GAMES
from engine.words import Locale
from service.matches import search
from service.web.pages import layout, sample_matches
from service.web.pages.games import game_facts
from service.web.pages.matches import describe_match
from service.web.request_context import page_locale
from service.web.static_files import static_url

blueprint = Blueprint("home", __name__)
MOST_MATCHES = 12
MOST_FINISHED = 6


@blueprint.get("/")
def show_home() -> Response:
    """Where everybody begins."""
    locale, config = page_locale(), current_app.config["ECHTRA"]
    return layout.render_page(
        "home.html",
        games=[_describe_game(game, locale) for game in GAMES.values()],
        menu=sample_matches.menu_lines(next(iter(GAMES)), locale),
        url=config.url,
        mail_from=config.mail_from if config.smtp_url else "",
        waiting=_list_matches("open", MOST_MATCHES, locale),
        running=_list_matches("running", MOST_MATCHES, locale),
        finished=_list_matches("over", MOST_FINISHED, locale),
    )


@blueprint.get("/favicon.ico")
def redirect_favicon() -> AnyResponse:
    """Where browsers look for the icon of pages that name none."""
    return redirect(static_url("icon.svg"), 302)


def _describe_game(game: Game[Any], locale: Locale) -> dict[str, Any]:
    return {**game_facts(game, locale), "picture": sample_matches.game_thumbnail(game, locale)}


def _list_matches(status: str, most: int, locale: Locale) -> list[dict[str, Any]]:
    found = search.search_matches(search.MatchFilter(status=status), None, None, most)
    return [describe_match(each, locale) for each in search.matches_as_json(found, None, locale)]
