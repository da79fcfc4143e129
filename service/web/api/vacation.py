"""Leave: booking days on which your clocks rest."""

from __future__ import annotations

from service.accounts import vacation
from service.db.connection import write_transaction
from service.db.models.accounts import LeaveRow
from service.timestamps import now
from service.tournaments.calendars.leave_clashes import find_clashes
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import response_locale
from service.web.schemas.vacation import LeaveBooked, LeavePage, LeaveShown, NewLeave

blueprint = Blueprint("leave", __name__, url_prefix="/v1/me/leave", description="Days on which your clocks rest.")


@blueprint.post("", scope="play", once=True)
@blueprint.response(201)
@blueprint.problems("conflict", "limit-reached")
def book(body: NewLeave) -> Answer[LeaveBooked]:
    """Book leave.

    Thirty days per calendar year, at most three bookings at a time, at most a year ahead. Leave never moves a deadline
    that is already running, and an event may forbid it. `rounds` are the rounds of your tournaments that overlap with
    these days: whether their clocks rest then, and whether you may ask for a bye instead.
    """
    me = auth.require_caller()
    with write_transaction():
        booking = vacation.book(me.player, me.zone, body.first_day, body.last_day)
    clashes = find_clashes(me.player, me.zone, [(body.first_day, body.last_day)], response_locale())
    return LeaveBooked.of(booking, rounds=clashes), 201, {"Location": f"/v1/me/leave/{booking.id}"}


@blueprint.get("", scope="read")
def list_bookings(query: pagination.Paging) -> Answer[LeavePage]:
    """List your leave.

    Including past bookings, as their days count.
    """
    me = auth.require_caller()
    mine = vacation.standing_bookings(me.player)
    items, headers = pagination.fetch_rows(mine, query, LeaveRow.first_day, LeaveRow.id, newest_first=True)
    left = vacation.days_left(me.player, vacation.today(me.zone, now()).year)
    return LeavePage(items=[LeaveShown.of(row) for row in items], days_left=left), 200, headers


@blueprint.get("/<id:booking>", scope="read")
def get_booking(booking: str) -> LeaveShown:
    """Read one of your bookings.

    By its id, unless it is cancelled.
    """
    return LeaveShown.of(vacation.find(auth.require_caller().player, booking))


@blueprint.delete("/<id:booking>", scope="play")
@blueprint.response(204, "The booking is cancelled.")
@blueprint.problems("conflict")
def cancel(booking: str) -> None:
    """Cancel leave.

    A booking that has begun ends yesterday, and the days used so far stay used.
    """
    me = auth.require_caller()
    vacation.cancel(me.player, me.zone, booking)
