"""Turns: every question that waits for a player."""

from __future__ import annotations

from typing import Any

from service.matches import my_matches
from service.matches.my_matches import Turn
from service.web import auth, pagination
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.turns import TURN_EXAMPLE, TurnPageSchema

blueprint = Blueprint("turns", __name__, url_prefix="/v1/me/turns", description="Where you are asked something.")


@blueprint.route("")
@auth.requires_scope("read")
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, TurnPageSchema(), example={"items": [TURN_EXAMPLE]})
def list_turns(query: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """List your turns.

    Every question that waits for you, soonest deadline first; matches without a clock come last. Read the lines
    that are open with `GET /v1/matches/{match}/options`.
    """
    page = pagination.parse_page_request("turns", query)
    found = my_matches.list_turns(auth.require_caller().player, page.fetch_limit, page.after)
    items, headers = pagination.slice_page(found, page, lambda turn: turn.sort_key)
    return {"items": [_turn_as_json(turn) for turn in items]}, 200, headers


def _turn_as_json(turn: Turn) -> dict[str, Any]:
    return {
        "match": turn.match,
        "seat": turn.seat,
        "asked": turn.asked,
        "at": turn.asked_at,
        "due": turn.due_at,
        "game": turn.game,
        "title": turn.title,
    }
