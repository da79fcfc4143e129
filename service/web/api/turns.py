"""Turns: every question that waits for a player."""

from __future__ import annotations

from service.matches import my_matches
from service.matches.my_matches import Turn
from service.shapes import Page
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint

blueprint = Blueprint("turns", __name__, url_prefix="/v1/me/turns", description="Questions that wait for you.")


@blueprint.get("", scope="read")
@blueprint.page("Soonest deadline first.")
def list_turns(query: pagination.Paging) -> Answer[Page[Turn]]:
    """List your turns.

    You get every question that waits for you, soonest deadline first; matches without a clock come last. Read the legal
    lines with `GET /v1/matches/{match}/options`.
    """
    found = my_matches.list_turns(auth.require_caller().player, query.fetch_limit, query.cursor_key)
    items, headers = pagination.slice_page(found, query, lambda turn: turn.sort_key)
    return Page(items=items), 200, headers
