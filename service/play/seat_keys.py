"""Devices without a key at a seat: the house gives the seat their key and notifies the player.

Only if moves need not be signed, since there anyone who reads the player's email could move anyway; and only right
before the first line that the key makes at that seat.
"""

from __future__ import annotations

from typing import Any

from engine.game import HOUSE
from engine.house import SeatKeys
from service.accounts import signing_keys
from service.db.connection import rows
from service.db.log_writer import LogEntry
from service.db.models.accounts import SigningKeyRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.play import submissions
from service.play.job_payloads import DeviceLetter
from service.play.match_log import next_entry
from service.problems import Problem
from service.record.header import write_keys
from service.record.match_state import MatchState

MOST_SEAT_KEYS = 8
SELECT_SEAT_KEYS = (
    "select k.id, k.replaced_at, (select max(e.seq) from entry e where e.match = ? and e.seat = ? and e.key = k.id), "
    "k.created_at from signing_key k where k.player = ?"
)


def check_may_join_seat(match_state: MatchState, seat: int, key: str, device: SigningKeyRow | None) -> None:
    """Refuse a key that the seat does not have, unless the house may give it to the seat.

    `device` is the row of the key if it may play at seats.
    """
    if device is None or device.replaced_at is not None:
        raise Problem("not-your-key", msg("play.not_key_of_seat", key=key, keys=write_keys(match_state.keys[seat])))
    if match_state.facts.signed_only:
        raise Problem("not-your-key", msg("play.key_must_be_signed_for", key=key), signed=True)


def may_keep_orders(match_state: MatchState, player: str, key: str) -> bool:
    """Return True if orders signed by this key may be played although it is not one of the seat's keys yet."""
    return not match_state.facts.signed_only and signing_keys.find_device_key(player, key) is not None


def give_keys_to_seat(match_state: MatchState, seat: int, keys: str, at: int) -> tuple[LogEntry, MatchState]:
    """Return the entry of the house that gives a seat these keys, and the state after it."""
    return next_entry(match_state, HOUSE, SeatKeys(seat, keys), "house", at)


def keys_with(match_state: MatchState, seat: int, key: str) -> str:
    """Return the keys of a seat including this one.

    Replaced keys are dropped unless their orders wait here. Of nine keys the one unused at this seat for longest is
    dropped.
    """
    waiting = submissions.waiting_keys(match_state.players[seat], match_state.facts.id)
    known = {row[0]: row for row in rows(SELECT_SEAT_KEYS, match_state.facts.id, seat, match_state.players[seat])}
    ids = {each for each in match_state.keys[seat] if _stays(known.get(each), waiting)} | {key}
    free = sorted(ids - waiting - {key}, key=lambda each: _last_use(known.get(each)))
    ids -= set(free[: max(0, len(ids) - MOST_SEAT_KEYS)])
    return ",".join(sorted(ids))


def _stays(row: tuple[Any, ...] | None, waiting: set[str]) -> bool:
    return row is None or row[1] is None or row[0] in waiting


def _last_use(row: tuple[Any, ...] | None) -> tuple[int, int]:
    """Return the last entry that a key made, and when the key was added."""
    return (0, 0) if row is None else (row[2] or 0, row[3])


def queue_device_letter(match_state: MatchState, player: str, key: str) -> None:
    """Queue the email that names the new device to its player, once for each key. Call inside a transaction."""
    queue.add(DeviceLetter(player=player, key=key, match=match_state.facts.id), f"device:{player}:{key}")
