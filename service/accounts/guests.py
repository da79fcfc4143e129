"""Guests: players without an address, who play against bots in one browser until they sign in.

A guest is a player row that nobody has confirmed. Signing in with a new address confirms the row, so that its matches
stay; signing in to an existing account makes that account the owner of the row.
"""

from __future__ import annotations

from peewee import ModelSelect, fn

from service.accounts import players
from service.db.connection import wait_for_lock
from service.db.models.accounts import PlayerRow, TokenRow
from service.i18n.catalogue import msg
from service.look_alikes import skeleton
from service.problems import Problem
from service.timestamps import DAY, now

KEPT_FOR = 30 * DAY
"""How long a guest is kept after the last visit."""
LOCK = 0x67756573


def create(name: str, language: str, most: int) -> PlayerRow:
    """Create a guest inside a transaction, unless there are already `most` guests."""
    wait_for_lock(LOCK)
    if PlayerRow.select().where(players.is_guest()).count() >= most:
        raise Problem("limit-reached", msg("accounts.too_many_guests"))
    return players.create(name=name, language=language, zone="UTC", at=now(), guest=True)


def confirm(guest: str, *, name: str, language: str, zone: str, address: str) -> None:
    """Turn a guest into a player with a verified address, inside a transaction. The id stays."""
    shown = players.tell_name_apart(name, guest)
    PlayerRow.update(
        name=shown, skeleton=skeleton(shown), language=language, zone=zone, address=address, confirmed_at=now()
    ).where((PlayerRow.id == guest) & players.is_guest()).execute()


def set_owner(guest: str, player: str) -> None:
    """Record who played as this guest. Call inside a transaction."""
    PlayerRow.update(owner=player).where((PlayerRow.id == guest) & players.is_guest()).execute()


def select_of_owner(player: str) -> ModelSelect[PlayerRow]:
    """Return the query for the ids of the guests that this player has played as."""
    return PlayerRow.select(PlayerRow.id).where((PlayerRow.owner == player) & players.is_guest())


def list_expired(at: int, most: int) -> list[str]:
    """Return guests without an owner whose last visit is long ago, at most `most` of them."""
    before = at - KEPT_FOR
    # One list of recent visitors, because a subquery for each guest would be run once per guest.
    recent = TokenRow.select(TokenRow.player).where(fn.COALESCE(TokenRow.used_at, TokenRow.created_at) >= before)
    expired = players.is_guest() & PlayerRow.owner.is_null() & (PlayerRow.created_at < before)
    return [row.id for row in PlayerRow.select(PlayerRow.id).where(expired & PlayerRow.id.not_in(recent)).limit(most)]
