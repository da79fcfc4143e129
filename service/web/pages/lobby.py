"""The list of matches with its filters: open, running and finished ones."""

from __future__ import annotations

from flask import Blueprint, Response, request

from engine.games import GAMES
from service.matches import search
from service.matches.search import MatchFilter
from service.web import auth, pagination
from service.web.pages import layout
from service.web.pages.clock_words import PACES
from service.web.pages.match_summary import describe_matches
from service.web.request_context import page_locale

blueprint = Blueprint("lobby", __name__)
STATUSES = ("open", "running", "over")
MOST_SHOWN = 20
FILTERS = ("status", "game", "seats", "pace", "bots", "mine")


@blueprint.get("/matches")
def list_matches() -> Response:
    """List the matches that fit the filters, latest first."""
    caller, locale = auth.current_caller(), page_locale()
    player = caller.player if caller else None
    wanted = {name: request.args.get(name, "") for name in FILTERS}
    query = pagination.Paging(limit=MOST_SHOWN, cursor=request.args.get("cursor") or None)
    found = search.search_matches(parse_filter(wanted, player), player, query.cursor_key, query.fetch_limit)
    items, headers = pagination.slice_page(found, query, lambda match: (match.created_at, match.id))
    return layout.render_page(
        "lobby.html",
        matches=describe_matches(items, player, locale),
        wanted={**wanted, "status": _status(wanted)},
        statuses=STATUSES,
        games=[(slug, game.presentation.title[locale]) for slug, game in GAMES.items()],
        seats=range(
            min(game.rules.seats[0] for game in GAMES.values()),
            max(game.rules.seats[-1] for game in GAMES.values()) + 1,
        ),
        paces=list(PACES),
        more=pagination.next_query(headers),
        begins=query.cursor is None,
    )


def _status(wanted: dict[str, str]) -> str:
    return wanted["status"] if wanted["status"] in STATUSES else STATUSES[0]


def parse_filter(wanted: dict[str, str], player: str | None) -> MatchFilter:
    """Parse the filters from the address. Unknown values count as not given."""
    return MatchFilter(
        mine=bool(wanted["mine"]) and player is not None,
        game=wanted["game"] if wanted["game"] in GAMES else None,
        status=_status(wanted),
        seats=int(wanted["seats"]) if wanted["seats"].isdecimal() and len(wanted["seats"]) == 1 else None,
        clocks=PACES.get(wanted["pace"], ()),
        bots={"with": True, "without": False}.get(wanted["bots"]),
    )
