"""Turns: every question that waits for a player."""

from __future__ import annotations

from typing import Any

from service.db.connection import rows
from service.web import auth
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.fields import Id, Inside, Many, Shown, Text, When, Whole
from service.web.schemas.games import SLUG
from service.web.schemas.matches import AT, MATCH, seat_field

blueprint = Blueprint("turns", __name__, url_prefix="/v1/me/turns", description="Where you are asked something.")
NEVER = 2**53
WAITING = (
    "select s.match, s.seat, s.asked, s.asked_at, s.due_at, m.game, m.title from seat s join match m on m.id = s.match "
    "where s.player = ? and s.asked is not null and m.status = 'running' "
    "and (coalesce(s.due_at, ?) > ? or (coalesce(s.due_at, ?) = ? and s.match > ?)) "
    "order by coalesce(s.due_at, ?), s.match limit ?"
)
TURN = {
    "match": MATCH,
    "game": SLUG,
    "title": "Sunday evening",
    "seat": 0,
    "asked": 2,
    "at": AT,
    "due": "2026-11-19T09:30:00.000Z",
}


class TurnShown(Shown):
    """A question that waits for you."""

    match = Id(required=True, about="At which match.", example=MATCH)
    game = Text(required=True, about="Of which game.", example=SLUG)
    title = Text(required=True, about="What the match is called.", example="Sunday evening")
    seat = seat_field(required=True, about="Your seat there.")
    asked = Whole(required=True, about="The number of the question.", example=2)
    at = When(required=True, about="Since when it waits.")
    due = When(required=True, allow_none=True, about="By when your answer must be in; null without a clock.")


class TurnPage(Shown):
    """Questions."""

    items = Many(Inside(TurnShown(), about="A question."), required=True, about="Soonest deadline first.")


@blueprint.route("")
@auth.needs("read")
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, TurnPage(), example={"items": [TURN]})
def turns(query: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """List your turns.

    Every question that waits for you, soonest deadline first; matches without a clock come last. Read the lines
    that are open with `GET /v1/matches/{match}/options`.
    """
    wanted = pages.page("turns", query)
    due, match = wanted.after or (-1, "")
    found = rows(WAITING, auth.current().player, NEVER, due, NEVER, due, match, NEVER, wanted.fetch)
    items, headers = pages.answer(found, wanted, lambda row: (NEVER if row[4] is None else row[4], row[0]))
    names = ("match", "seat", "asked", "at", "due", "game", "title")
    return {"items": [dict(zip(names, row, strict=True)) for row in items]}, 200, headers
