"""The page of an open match, as spectators see it: the table, who plays, and what has happened."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, current_app, request
from markupsafe import Markup

from engine import notation
from engine.games import GAMES
from engine.words import Locale
from service import drawing as draw
from service.matches import search as listing
from service.play import accept as play
from service.play import access, views
from service.play.views import Looking
from service.web.pages import layout as sheet
from service.web.pages import matches_told as told
from service.web.pages.games import facts
from service.web.request_context import chosen

blueprint = Blueprint("match_pages", __name__, url_prefix="/matches")
REFRESH = 30
DIGITS = 12
STARTED = ("running", "over")


@blueprint.get("/<id:match>")
def match(match: str) -> Response:
    """One match, for somebody who has no seat there."""
    row, locale = access.find(match, None), chosen()
    shown = named(listing.shown([row], None, locale)[0], locale)
    url = current_app.config["ECHTRA"].url
    if row.status not in STARTED:
        return sheet.page(
            "match.html", match=shown, state=row.status, game=facts(GAMES[row.game], locale), table=None, url=url
        )
    looking = Looking(play.table_of(match), None, locale)
    state = views.status(looking.table)
    still = "still" in request.args
    return sheet.page(
        "match.html",
        match=shown,
        state=state,
        table=_table(looking, shown),
        still=still,
        refresh=REFRESH if state != "over" and not still else None,
        url=url,
    )


def named(match: dict[str, Any], locale: Locale) -> dict[str, Any]:
    """A match of a list with what pages say of it: its game, its title, its free seats."""
    game = GAMES[match["game"]]
    changed = [
        (option.title[locale], notation.setting(match["options"][option.name]))
        for option in game.options
        if match["options"].get(option.name, option.default) != option.default
    ]
    free = sum(place["name"] is None for place in match["places"])
    title = game.title[locale]
    return {**match, "called": match["title"] or title, "game_title": title, "free": free, "changed": changed}


def _table(looking: Looking, shown: dict[str, Any]) -> dict[str, Any]:
    table = looking.table
    view = looking.view()
    alt = {"en": "The table of {} after {} entries.", "fr": "La table de {} après {} entrées."}[looking.locale]
    shapes = looking.game.picture(view, looking.locale)
    result = views.result(looking)
    won = result["winners"] if result else ()
    return {
        "seq": table.seq,
        "at": table.at,
        "head": table.hash[:DIGITS],
        "seats": [
            {**place, "name": name, "asked": seat in view.asked, "won": seat in won}
            for seat, (place, name) in enumerate(zip(shown["places"], view.names, strict=True))
        ],
        "picture": Markup(draw.svg(shapes, alt.format(shown["called"], table.seq), "")),  # noqa: S704  # escaped shapes
        "text": views.text(looking),
        "story": told.story(looking),
        "result": result,
        "labels": _labels(result),
    }


def _labels(result: dict[str, Any] | None) -> list[str]:
    """What the points of a finished match are for, in the order in which they are counted."""
    scores = (result or {}).get("scores") or []
    return list(dict.fromkeys(count["label"] for score in scores for count in score["counts"]))
