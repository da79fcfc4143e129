"""Erasing players who leave, and addresses that were never confirmed."""

from __future__ import annotations

import re

from service.accounts import cold_mail_quota
from service.db import letter_bytes
from service.db.connection import execute, rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.jobs import queue
from service.matches import join, key_revocation, paired_matches
from service.matches.job_payloads import WithdrawErasedPlayer
from service.timestamps import DAY, now

ERASE_PLAYER = (
    "delete from token where player = ?",
    "delete from code where player = ?",
    "delete from leave where player = ?",
    "delete from answer_times where player = ?",
    "delete from calendar_address where player = ?",
    "delete from idempotency where player = ?",
    "delete from reply where player = ?",
    "delete from inbox where player = ?",
    "delete from note where player = ?",
    "delete from branch where player = ?",
    "delete from digest_letter where player = ?",
    "delete from consent where player = ?",
    "delete from consent where organiser = ?",
    "update signing_key set label = '' where player = ?",
    "update invitation set address = null where player = ?",
    "delete from tournament_invitation where player = ?",
    "delete from tournament_draft where player = ?",
    "update hook set url = '', secret = '', old_secret = '', private = '' where player = ?",
)


BLANK_LETTER_JOBS = "update job set payload = '{}', address = null where topic = 'letter' and payload like ?"
"""Blank the email jobs of a player: an email may quote what the player wrote. A blank job sends nothing."""
KEEP_UNCONFIRMED = 8 * DAY
"""One day longer than the link in the email is valid."""
FORGET_ADDRESS = (
    "update invitation set address = null where address = ?",
    "delete from tournament_invitation where address = ?",
    "delete from code where address = ?",
    "delete from inbox where lower(sender) = ?",
    "update job set payload = '{}', address = null where done_at is not null and address = ?",
)
UNCONFIRMED_LETTERS = "kind in ('confirm', 'enter') and player is null and address <> '' and created_at < ?"
FORGET_UNCONFIRMED = (
    "update job set payload = '{}', address = null "
    "where (substr(key, 1, 8) = 'confirm:' or substr(key, 1, 6) = 'enter:') and payload <> '{}' and done_at < ?",
)


DECLINE_ALL = (
    "update invitation set answered_at = ?, answer = 'declined' "
    "where player is null and answered_at is null and address = ?"
)
FORGET_GUEST = (
    "update invitation set address = null where player is null and address = ?",
    "delete from tournament_invitation where address = ?",
    "delete from inbox where player is null and read_at is not null and lower(sender) = ?",
    "update job set payload = '{}', address = null where done_at is not null and address = ?",
)
SELECT_MENTIONS = {
    "job": "select id, payload from job where lower(payload) like ? escape '!' and not "
    "(done_at is null and address is not null)",
    "reply": "select hash, payload from reply where lower(payload) like ? escape '!' and kind <> 'begin'",
}
UPDATE_MENTIONS = {
    "job": "update job set payload = ? where id = ?",
    "reply": "update reply set payload = ? where hash = ?",
}
"""Places where other people wrote an address: invitations, and answers that repeat it."""


def forget_address(address: str) -> None:
    """Delete this address wherever it is stored. Call inside a transaction."""
    letter_bytes.erase_letters("address = ?", address)
    for statement in FORGET_ADDRESS:
        execute(statement, address)
    _remove_mentions(address)


def decline_for_good(address: str) -> None:
    """Never email an address without an account again, and delete it. Call inside a transaction."""
    cold_mail_quota.use_up(address)
    execute(DECLINE_ALL, now(), address)
    letter_bytes.erase_letters("player is null and address = ?", address)
    for statement in FORGET_GUEST:
        execute(statement, address)
    _remove_mentions(address)


def _remove_mentions(address: str) -> None:
    """Remove an address from what other people wrote, and from our answers to them."""
    like = "%" + re.sub("([!%_])", r"!\1", address.lower()) + "%"
    whole = re.compile(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)
    for table, select in SELECT_MENTIONS.items():
        for key, payload in rows(select, like):
            execute(UPDATE_MENTIONS[table], whole.sub("…", payload), key)


def forget_unconfirmed_addresses(at: int) -> None:
    """Delete addresses from confirmation emails once they are confirmed or expired."""
    with write_transaction():
        letter_bytes.erase_letters(UNCONFIRMED_LETTERS, at - KEEP_UNCONFIRMED)
        for statement in FORGET_UNCONFIRMED:
            execute(statement, at - KEEP_UNCONFIRMED)


REMAINS = {
    "seats": "select count(*) from seat s join match m on m.id = s.match where s.player = ? and m.status <> 'open'",
    "moves": "select count(*) from entry e join seat s on s.match = e.match and s.seat = e.seat where s.player = ?",
    "submissions": "select count(*) from submission where player = ?",
    "keys": "select count(*) from signing_key where player = ?",
    "letters": "select count(*) from letter where player = ?",
}
"""Rows that remain of an erased player, under an id that identifies nobody. Emails keep no address, subject or text."""


def erase_player(player: str) -> dict[str, int]:
    """Erase a player and return how many rows remain, by kind.

    Seats stay under an id that identifies nobody, and keys are revoked.
    """
    key_revocation.revoke_all_keys(player)
    paired_matches.resign_running_seats(player)
    at = now()
    with write_transaction():
        sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
        # A paired player keeps the seat: when the match starts, a stand-in takes it, or with two seats it is forfeited.
        waiting = (MatchRow.status == "open") & MatchRow.pairing.is_null()
        for match in MatchRow.select().where(waiting & MatchRow.id.in_(sits)):
            join.vacate_seat(match, player)
        queue.add(WithdrawErasedPlayer(player=player), f"erased:{player}")
        letter_bytes.erase_letters("player = ?", player)
        for statement in ERASE_PLAYER:
            execute(statement, player)
        execute(BLANK_LETTER_JOBS, f'%"player":"{player}"%')
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
    return {what: int(rows(sql, player)[0][0]) for what, sql in REMAINS.items()}
