"""Calendars to subscribe to: the rounds of a tournament, and a player's own rounds, deadlines and leave."""

from __future__ import annotations

from flask import Response, request

from service import shapes
from service.tournaments.calendars.calendar_feed import write_tournament_calendar
from service.tournaments.tournament_store import find_tournament
from service.web import auth
from service.web.calendar_cache import (
    count_calendar,
    current_calendar_cache,
    find_calendar_url,
    renew_calendar_url,
    send_calendar,
)
from service.web.openapi.blueprint import Blueprint
from service.web.openapi.nodes import good_answer, text_content
from service.web.request_context import current_config, current_player_id, response_locale

CALENDAR_TEXT = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Echtra//Calendar//EN\r\nBEGIN:VEVENT\r\n"
    "UID:round-t4k8w2n6q0vxp3z7-swiss-1@example.org\r\nSEQUENCE:0\r\nDTSTAMP:20261201T180000Z\r\n"
    "DTSTART:20270110T180000Z\r\nSUMMARY:Winter cup: round 1\r\nSTATUS:CONFIRMED\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


class CalendarAddressShown(shapes.Shape):
    """The address of your calendar."""

    url: str = shapes.text(
        "The secret address of your calendar.",
        "https://example.org/calendars/k3v9m2x7q4p8w6yak3v9m2x7q4p8w6ya.ics",
        most=500,
    )


blueprint = Blueprint(
    "calendars-of-players",
    __name__,
    url_prefix="/v1",
    description="Rounds, deadlines and leave in the calendar of your phone.",
)
CALENDAR_ANSWER = good_answer("A calendar (RFC 5545), times in UTC.", text_content("text/calendar", CALENDAR_TEXT))


@blueprint.get("/tournaments/<named:tournament>/calendar.ics", scope="optional")
@blueprint.doc(responses=CALENDAR_ANSWER)
def get_tournament_calendar(tournament: str) -> Response:
    """Subscribe to the rounds of a tournament.

    The calendar has every round whose time is known, with a permanent UID. When a round moves, its SEQUENCE increases;
    one that is not played after all remains as CANCELLED. Ask once an hour, with `If-None-Match`; more than 60 times an
    hour gives 429.
    """
    reader, config, locale = current_player_id(), current_config(), response_locale()
    count_calendar(f"{request.remote_addr} {tournament}")

    def make() -> bytes:
        return write_tournament_calendar(find_tournament(tournament, reader), locale, config)

    if reader is not None:
        return send_calendar(make())
    return send_calendar(current_calendar_cache().read(f"tournament {tournament} {locale}", make))


@blueprint.get("/me/calendar", scope="read")
def get_address() -> CalendarAddressShown:
    """Get the address of your calendar.

    Subscribe to it on your phone: it has your rounds, your deadlines and your leave. Anyone with the address can read
    the calendar, but nothing else of yours. `DELETE` gives you a new one.
    """
    return CalendarAddressShown(url=find_calendar_url(auth.require_caller().player))


@blueprint.delete("/me/calendar", scope="play")
@blueprint.response(200, "The new address.")
def renew_calendar_address() -> CalendarAddressShown:
    """Renew the address of your calendar.

    The old address stops working within a minute, and then gives the same 404 as an unknown one.
    """
    return CalendarAddressShown(url=renew_calendar_url(auth.require_caller().player))
