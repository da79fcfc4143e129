"""Turns: every question that waits for a player."""

from __future__ import annotations

from typing import Any

from service.db.connection import rows
from service.web import auth, pagination
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.turns import TURN_EXAMPLE, TurnPageSchema

blueprint = Blueprint("turns", __name__, url_prefix="/v1/me/turns", description="Where you are asked something.")
NO_DEADLINE = 2**53
TURNS_QUERY = (
    "select s.match, s.seat, s.asked, s.asked_at, s.due_at, m.game, m.title from seat s join match m on m.id = s.match "
    "where s.player = ? and s.asked is not null and m.status = 'running' "
    "and (coalesce(s.due_at, ?) > ? or (coalesce(s.due_at, ?) = ? and s.match > ?)) "
    "order by coalesce(s.due_at, ?), s.match limit ?"
)


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
    due, match = page.after or (-1, "")
    found = rows(
        TURNS_QUERY,
        auth.require_caller().player,
        NO_DEADLINE,
        due,
        NO_DEADLINE,
        due,
        match,
        NO_DEADLINE,
        page.fetch_limit,
    )
    items, headers = pagination.slice_page(found, page, lambda row: (NO_DEADLINE if row[4] is None else row[4], row[0]))
    names = ("match", "seat", "asked", "at", "due", "game", "title")
    return {"items": [dict(zip(names, row, strict=True)) for row in items]}, 200, headers
