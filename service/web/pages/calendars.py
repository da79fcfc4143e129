"""A player's calendar at a secret address, for phones and mail programs that cannot send a token."""

from __future__ import annotations

from flask import Blueprint, Response

from service.tournaments.calendars.calendar_addresses import find_owner
from service.tournaments.calendars.calendar_feed import write_player_calendar
from service.web.calendar_cache import count_calendar, current_calendar_cache, send_calendar
from service.web.request_context import current_config

blueprint = Blueprint("calendars", __name__, url_prefix="/calendars")


@blueprint.get("/<token>.ics")
def send_player_calendar(token: str) -> Response:
    """Send the rounds, deadlines and leave of the player with this address."""
    count_calendar(f"own {token}")
    config = current_config()

    def make() -> bytes | None:
        owner = find_owner(token)
        return None if owner is None else write_player_calendar(owner, config)

    return send_calendar(current_calendar_cache().read(f"own {token}", make))
