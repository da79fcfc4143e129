"""The home page: what this is, what can be played, how to begin, and who plays."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, redirect
from werkzeug.wrappers import Response as AnyResponse

from engine.game import Game
from engine.games import GAMES
from engine.words import Locale
from service.matches import search as listing
from service.web.pages import layout as sheet
from service.web.pages import sample_matches as gallery
from service.web.pages.games import facts
from service.web.pages.matches import named
from service.web.request_context import chosen

blueprint = Blueprint("home", __name__)
MOST_MATCHES = 12
MOST_FINISHED = 6


@blueprint.get("/")
def home() -> Response:
    """Where everybody begins."""
    locale, config = chosen(), current_app.config["ECHTRA"]
    return sheet.page(
        "home.html",
        games=[_card(game, locale) for game in GAMES.values()],
        menu=gallery.menu(next(iter(GAMES)), locale),
        url=config.url,
        mail_from=config.mail_from if config.smtp_url else "",
        waiting=_matches("open", MOST_MATCHES, locale),
        running=_matches("running", MOST_MATCHES, locale),
        finished=_matches("over", MOST_FINISHED, locale),
    )


@blueprint.get("/favicon.ico")
def icon() -> AnyResponse:
    """Where browsers look for the icon of pages that name none."""
    return redirect("/static/icon.svg", 301)


def _card(game: Game[Any], locale: Locale) -> dict[str, Any]:
    return {**facts(game, locale), "picture": gallery.thumbnail(game, locale)}


def _matches(status: str, most: int, locale: Locale) -> list[dict[str, Any]]:
    found = listing.search(listing.Search(status=status), None, None, most)
    return [named(each, locale) for each in listing.shown(found, None, locale)]
