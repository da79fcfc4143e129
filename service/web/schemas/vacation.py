"""Bodies for leave."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from service import shapes
from service.tournaments.calendars.leave_clashes import RoundClash


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
