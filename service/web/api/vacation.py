"""Leave: booking days on which your clocks rest."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.accounts import vacation as leave
from service.db.connection import rows, writing
from service.timestamps import now
from service.web import auth, idempotency
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.credentials import LEAVE, LeavePage, LeaveShown, NewLeave

blueprint = Blueprint("leave", __name__, url_prefix="/v1/me/leave", description="Days on which your clocks rest.")


@blueprint.route("", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(NewLeave(), example={"first_day": LEAVE["first_day"], "last_day": LEAVE["last_day"]})
@blueprint.response(201, LeaveShown(), example=LEAVE)
@blueprint.problems("conflict", "limit-reached")
def book(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Book leave.

    Thirty days a calendar year, at most three bookings ahead, a year ahead at most. Leave never moves a deadline
    that is running already, and an event may forbid it.
    """
    me = auth.current()
    with writing():
        made = leave.book(me.player, me.zone, body["first_day"], body["last_day"])
    return made, 201, {"Location": f"/v1/me/leave/{made.id}"}


@blueprint.route("")
@auth.needs("read")
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, LeavePage(), example={"items": [LEAVE], "days_left": 16})
def listed(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List your leave.

    Past bookings too, as their days count.
    """
    me = auth.current()
    wanted = pages.page("leave", query)
    sql = (
        "select id, first_day, last_day, at from leave where player = ? and cancelled_at is null "
        "and (first_day < ? or (first_day = ? and id > ?)) order by first_day desc, id limit ?"
    )
    day, after = wanted.after or ("9999", "")
    found = rows(sql, me.player, day, day, after, wanted.fetch)
    items, headers = pages.answer(found, wanted, lambda row: (row[1], row[0]))
    left = leave.days_left(me.player, leave.today(me.zone, now()).year)
    named = [dict(zip(("id", "first_day", "last_day", "at"), row, strict=True)) for row in items]
    return {"items": named, "days_left": left}, 200, headers


@blueprint.route("/<id:booking>")
@auth.needs("read")
@blueprint.response(200, LeaveShown(), example=LEAVE)
def look(booking: str) -> Any:  # noqa: ANN401
    """Look at a booking.

    One of yours that is not cancelled, by its id.
    """
    return leave.of(auth.current().player, booking)


@blueprint.route("/<id:booking>", methods=["DELETE"])
@auth.needs("play")
@blueprint.response(204, description="The booking is cancelled.")
@blueprint.problems("conflict")
def cancel(booking: str) -> Any:  # noqa: ANN401
    """Cancel leave.

    A booking that has begun ends yesterday, and the days it took stay used.
    """
    me = auth.current()
    leave.cancel(me.player, me.zone, booking)
    return Response(status=204)
