"""Secret addresses of players' calendars: derived from a server secret, stored as a hash, renewable."""

from __future__ import annotations

from hashlib import sha256

from service import ids
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import CalendarAddressRow
from service.db.server_secrets import sign_link
from service.timestamps import now

PURPOSE = "calendar"
LENGTH = 32


def find_address(player: str) -> str:
    """Return the last part of the address of a player's calendar, making it the first time."""
    row = CalendarAddressRow.get_or_none(CalendarAddressRow.player == player)
    if row is None:
        with write_transaction():
            CalendarAddressRow.insert(player=player, **_new_values(player)).on_conflict_ignore().execute()
        row = CalendarAddressRow.get(CalendarAddressRow.player == player)
    return _make_token(player, row.salt)


def renew_address(player: str) -> str:
    """Replace the address of a player's calendar. The old one stops working."""
    values = _new_values(player)
    with write_transaction():
        CalendarAddressRow.insert(player=player, **values).on_conflict(
            conflict_target=[CalendarAddressRow.player], update=values
        ).execute()
    return _make_token(player, str(values["salt"]))


def calendar_path(token: str) -> str:
    """Return the path of the calendar with this address."""
    return f"/calendars/{token}.ics"


def find_owner(token: str) -> PlayerRow | None:
    """Return the player whose calendar has this address, or None."""
    row = CalendarAddressRow.get_or_none(CalendarAddressRow.hash == _hash(token))
    player: PlayerRow | None = None if row is None else PlayerRow.get_or_none(PlayerRow.id == row.player)
    return None if player is None or player.deleted_at is not None else player


def _new_values(player: str) -> dict[str, str | int]:
    salt = ids.new_id()
    return {"hash": _hash(_make_token(player, salt)), "salt": salt, "at": now()}


def _make_token(player: str, salt: str) -> str:
    return sign_link(PURPOSE, f"{player}\n{salt}", LENGTH)


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
