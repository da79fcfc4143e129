"""The list of matches with its filters: those that wait for players, those that run, and finished ones."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, request

from engine.games import GAMES
from service.matches import search
from service.matches.search import MatchFilter
from service.web import auth, pagination
from service.web.pages import layout
from service.web.pages.clock_words import PACES, describe_clock
from service.web.pages.match_summary import describe_match
from service.web.request_context import page_locale

blueprint = Blueprint("lobby", __name__)
STATUSES = ("open", "running", "over")
MOST_SHOWN = 20
FILTERS = ("status", "game", "seats", "pace", "bots", "mine")


@blueprint.get("/matches")
def list_matches() -> Response:
    """Matches that fit the filters, the latest first."""
    caller, locale = auth.current_caller(), page_locale()
    player = caller.player if caller else None
    wanted = {name: request.args.get(name, "") for name in FILTERS}
    query: dict[str, Any] = {"limit": MOST_SHOWN}
    if request.args.get("cursor"):
        query["cursor"] = request.args["cursor"]
    page = pagination.parse_page_request("lobby", query)
    found = search.search_matches(parse_filter(wanted, player), player, page.after, page.fetch_limit)
    items, _ = pagination.slice_page(found, page, lambda match: (match.created_at, match.id))
    more = ""
    if len(found) > len(items):
        last = items[-1]
        kept = {name: value for name, value in wanted.items() if value}
        more = "?" + urlencode({**kept, "cursor": pagination.encode_cursor("lobby", (last.created_at, last.id))})
    shown = [describe_match(each, locale) for each in search.matches_as_json(items, player, locale)]
    return layout.render_page(
        "lobby.html",
        matches=[{**each, "pace": describe_clock(each["clock"], locale)} for each in shown],
        wanted={**wanted, "status": _status(wanted)},
        statuses=STATUSES,
        games=[(slug, game.title[locale]) for slug, game in GAMES.items()],
        seats=range(min(game.seats[0] for game in GAMES.values()), max(game.seats[-1] for game in GAMES.values()) + 1),
        paces=list(PACES),
        more=more,
        begins="cursor" not in query,
    )


def _status(wanted: dict[str, str]) -> str:
    return wanted["status"] if wanted["status"] in STATUSES else STATUSES[0]


def parse_filter(wanted: dict[str, str], player: str | None) -> MatchFilter:
    """The filter that the address of a list names; what it does not understand counts as not named."""
    return MatchFilter(
        mine=bool(wanted["mine"]) and player is not None,
        game=wanted["game"] if wanted["game"] in GAMES else None,
        status=_status(wanted),
        seats=int(wanted["seats"]) if wanted["seats"].isdecimal() and len(wanted["seats"]) == 1 else None,
        clocks=PACES.get(wanted["pace"], ()),
        bots={"with": True, "without": False}.get(wanted["bots"]),
    )
