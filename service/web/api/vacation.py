"""Leave: booking days on which your clocks rest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from service import shapes
from service.accounts import vacation
from service.db.connection import write_transaction
from service.db.models.accounts import LeaveRow
from service.timestamps import now
from service.tournaments.calendars.leave_clashes import RoundClash, find_clashes
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import response_locale


class NewLeave(shapes.Body):
    """Days of leave to book, first and last included, in your time zone."""

    first_day: date = shapes.day("The first day of leave.", "2026-12-20")
    last_day: date = shapes.day("The last day of leave.", "2027-01-02")


class LeaveShown(shapes.Shape):
    """A booking."""

    id: str = shapes.ident("The id of the booking.", "q8za4t6m2x9p3kw7")
    first_day: str = shapes.text("The first day.", "2026-12-20", most=None, format="date")
    last_day: str = shapes.text("The last day.", "2027-01-02", most=None, format="date")
    at: int = shapes.timestamp("When it was booked.")


class LeaveBooked(LeaveShown):
    """A booking, and the rounds that it overlaps."""

    rounds: Sequence[RoundClash] = shapes.items(
        "Rounds of your tournaments that begin or run on these days.", most=1000
    )


class LeavePage(shapes.Shape):
    """Your bookings, and the days left."""

    items: Sequence[LeaveShown] = shapes.items("A page of bookings, newest first.")
    days_left: int = shapes.number("Days of leave left this year.", 16, most=30)


blueprint = Blueprint("leave", __name__, url_prefix="/v1/me/leave", description="Days on which your clocks rest.")


@blueprint.post("", scope="play", once=True)
@blueprint.response(201)
@blueprint.problems("conflict", "limit-reached")
def book(body: NewLeave) -> Answer[LeaveBooked]:
    """Book leave.

    You have thirty days per calendar year, and can book at most three times ahead, at most a year in advance. Leave
    never moves a deadline that is already running, and an event may forbid it. `rounds` are the rounds of your
    tournaments that overlap with these days: whether their clocks rest then, and whether you may ask for a bye instead.
    """
    me = auth.require_caller()
    with write_transaction():
        booking = vacation.book(me.player, me.zone, body.first_day, body.last_day)
    clashes = find_clashes(me.player, me.zone, [(body.first_day, body.last_day)], response_locale())
    return LeaveBooked.of(booking, rounds=clashes), 201, {"Location": f"/v1/me/leave/{booking.id}"}


@blueprint.get("", scope="read")
def list_bookings(query: pagination.Paging) -> Answer[LeavePage]:
    """List your leave.

    Past bookings are included, because their days count.
    """
    me = auth.require_caller()
    mine = vacation.standing_bookings(me.player)
    items, headers = pagination.fetch_rows(mine, query, LeaveRow.first_day, LeaveRow.id, newest_first=True)
    left = vacation.days_left(me.player, vacation.today(me.zone, now()).year)
    return LeavePage(items=[LeaveShown.of(row) for row in items], days_left=left), 200, headers


@blueprint.get("/<id:booking>", scope="read")
def get_booking(booking: str) -> LeaveShown:
    """Read one of your bookings.

    Name it by its id; cancelled ones are gone.
    """
    return LeaveShown.of(vacation.find(auth.require_caller().player, booking))


@blueprint.delete("/<id:booking>", scope="play")
@blueprint.response(204, "The booking is cancelled.")
@blueprint.problems("conflict")
def cancel(booking: str) -> None:
    """Cancel leave.

    A booking that has begun ends yesterday. Days already used stay used.
    """
    me = auth.require_caller()
    vacation.cancel(me.player, me.zone, booking)
