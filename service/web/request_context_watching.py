"""Who looks at what: the reader of a request at a table, with the parameters all such requests share."""

from __future__ import annotations

from typing import Any

from flask import current_app

from service.config import Config
from service.db.models import Match, Player
from service.play import accept as play
from service.play import access
from service.play import table_store as earlier
from service.play.views import Looking
from service.web import auth
from service.web.request_context import spoken
from service.web.schemas.tables import TableQuery

EVERYBODY: dict[str, Any] = {"security": [{}, {"token": ["read"]}]}
"""For the document: a token is welcome but not needed."""

__all__ = ["EVERYBODY", "TableQuery", "config", "find", "looking", "me", "player"]


def player() -> str | None:
    """The id of the player who asks, if any."""
    who = auth.maybe()
    return who.player if who else None


def me() -> Player:
    """The player who asks."""
    return Player.get_by_id(auth.current().player)


def config() -> Config:
    """The settings of the running service."""
    found: Config = current_app.config["ECHTRA"]
    return found


def find(match: str, query: dict[str, Any] | None = None) -> Match:
    """The match, if who asks may look at it."""
    return access.find(match, player(), (query or {}).get("link"))


def looking(match: str, query: dict[str, Any]) -> Looking:
    """The table of a match for who asks: from their seat, or as a spectator."""
    find(match, query)
    table = play.table_of(match)
    asks = player()
    seat = None if asks is None or query.get("spectator") else table.seat_of(asks)
    if query.get("at") is not None:
        table = earlier.asked_for(table, query["at"])
    return Looking(table, seat, spoken())
