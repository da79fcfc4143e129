"""Erasing players who leave, and addresses that nobody confirmed as theirs."""

from __future__ import annotations

from service.db.connection import execute, rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.matches import join, key_revocation
from service.timestamps import DAY, now

ERASE_PLAYER = (
    "delete from token where player = ?",
    "delete from code where player = ?",
    "delete from leave where player = ?",
    "delete from idempotency where player = ?",
    "delete from reply where player = ?",
    "delete from note where player = ?",
    "delete from consent where player = ?",
    "delete from consent where organiser = ?",
    "update signing_key set label = '' where player = ?",
    "update letter set address = '', subject = '', mime = null where player = ?",
    "update invitation set address = null where player = ?",
    "update hook set url = '', secret = '', old_secret = '', private = '' where player = ?",
)


KEEP_UNCONFIRMED = 8 * DAY
"""A day longer than the link in the letter is good."""
FORGET_ADDRESS = (
    "update letter set address = '', subject = '', mime = null where address = ?",
    "update invitation set address = null where address = ?",
    "delete from code where address = ?",
    "update job set payload = '{}', address = null where done_at is not null and address = ?",
)
FORGET_UNCONFIRMED = (
    "update letter set address = '', subject = '', mime = null "
    "where kind = 'confirm' and player is null and address <> '' and created_at < ?",
    "update job set payload = '{}', address = null "
    "where substr(key, 1, 8) = 'confirm:' and payload <> '{}' and done_at < ?",
)


def forget_address(address: str) -> None:
    """Delete this address wherever it is stored, inside a transaction."""
    for statement in FORGET_ADDRESS:
        execute(statement, address)


def forget_unconfirmed_addresses(at: int) -> None:
    """Delete addresses from letters that asked for a confirmation, once it was given or can no longer be."""
    with write_transaction():
        for statement in FORGET_UNCONFIRMED:
            execute(statement, at - KEEP_UNCONFIRMED)


def erase_player(player: str) -> None:
    """Erase a player: their seats stay under an id that names nobody, and their keys are revoked."""
    key_revocation.revoke_all_keys(player)
    at = now()
    with write_transaction():
        sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
        for match in MatchRow.select().where((MatchRow.status == "open") & MatchRow.id.in_(sits)):
            join.vacate_seat(match, player)
        for statement in ERASE_PLAYER:
            execute(statement, player)
        for (address,) in rows("select address from player where id = ? and address is not null", player):
            forget_address(address)
        execute("update hook set deleted_at = ? where player = ? and deleted_at is null", at, player)
        PlayerRow.update(
            name="",
            skeleton="",
            address=None,
            language="en",
            zone="UTC",
            letters="none",
            quiet_weekends=False,
            deleted_at=at,
        ).where(PlayerRow.id == player).execute()
