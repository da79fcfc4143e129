"""Calendars to subscribe to: the rounds of a tournament, and one's own rounds, deadlines and leave."""

from __future__ import annotations

from flask import Response, request

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
from service.web.request_context import OPTIONAL_TOKEN_DOC, current_config, current_player_id, response_locale
from service.web.schemas.tournament_calendars import CALENDAR_TEXT, CalendarAddressShown

blueprint = Blueprint(
    "calendars-of-players",
    __name__,
    url_prefix="/v1",
    description="Rounds, deadlines and leave in the calendar of your phone.",
)
CALENDAR_ANSWER = {
    "200": {
        "description": "A calendar (RFC 5545), times in UTC.",
        "content": {"text/calendar": {"schema": {"type": "string"}, "example": CALENDAR_TEXT}},
    }
}


@blueprint.route("/tournaments/<named:tournament>/calendar.ics")
@blueprint.doc(**OPTIONAL_TOKEN_DOC, responses=CALENDAR_ANSWER)
def get_tournament_calendar(tournament: str) -> Response:
    """Subscribe to the rounds of a tournament.

    Every round whose time is known, under a UID that stays. When a round moves, its SEQUENCE rises; one that is not
    played after all stays as CANCELLED. Ask once an hour, with `If-None-Match`; more than 60 times an hour gives 429.
    """
    reader, config, locale = current_player_id(), current_config(), response_locale()
    count_calendar(f"{request.remote_addr} {tournament}")

    def make() -> bytes:
        return write_tournament_calendar(find_tournament(tournament, reader), locale, config)

    if reader is not None:
        return send_calendar(make())
    return send_calendar(current_calendar_cache().read(f"tournament {tournament} {locale}", make))


@blueprint.route("/me/calendar")
@auth.requires_scope("read")
@blueprint.response(200, CalendarAddressShown)
def get_address() -> CalendarAddressShown:
    """Get the address of your calendar.

    Put it into your phone as a calendar to subscribe to: it has the rounds you play in, your deadlines and your leave.
    Whoever knows the address can read it, and nothing else of yours; `DELETE` gives a new one.
    """
    return CalendarAddressShown(url=find_calendar_url(auth.require_caller().player))


@blueprint.route("/me/calendar", methods=["DELETE"])
@auth.requires_scope("play")
@blueprint.response(200, CalendarAddressShown, description="The new address.")
def renew_calendar_address() -> CalendarAddressShown:
    """Renew the address of your calendar.

    The address there was is gone within a minute, and then gives the same 404 as one that never was.
    """
    return CalendarAddressShown(url=renew_calendar_url(auth.require_caller().player))
