"""Removing a revoked key from every seat: by an arbiter line, or by a new receipt before the start."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

from engine.game import HOUSE
from engine.house import SeatKeys
from service.accounts import signing_keys, tokens
from service.db.connection import write_transaction
from service.db.models.accounts import SigningKeyRow
from service.db.models.matches import MatchRow, SeatRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.jobs.queue import RetryLater
from service.matches.job_payloads import RevokeRetiredKey
from service.matches.join import sign_receipt
from service.play import submissions
from service.play.match_log import AdditionOr, LogAddition, append_to_match, lock_match, next_entries
from service.problems import Problem
from service.record.header import parse_keys, write_keys
from service.record.match_state import MatchState
from service.timestamps import HOUR, now

RETIRE_WAIT = HOUR


def remove_key_from_seats(player: str, key: str) -> list[str]:
    """Remove the key from all seats of this player and return the matches that changed. Safe to repeat."""
    changed = []
    own = MatchRow.id.in_(SeatRow.select(SeatRow.match).where(SeatRow.player == player))
    for match in list(MatchRow.select().where(own & MatchRow.status.in_(("open", "running")))):
        remove = _remove_before_start if match.status == "open" else _remove_from_running_match
        if remove(match.id, player, key):
            changed.append(match.id)
    return changed


def keys_without(keys: Sequence[str], key: str) -> str:
    """Return the keys of a seat without this one, in the form lines and rows store."""
    return write_keys([each for each in keys if each != key])


def _remove_from_running_match(match: str, player: str, key: str) -> bool:
    """Write `keys S KEYS` into a running match, unless the key is already gone."""

    def decide(match_state: MatchState) -> AdditionOr[bool]:
        seat = match_state.seat_of(player)
        if match_state.state.over or seat is None or key not in match_state.keys[seat]:
            return False
        keys = keys_without(match_state.keys[seat], key)
        entries, after = next_entries(match_state, [(HOUSE, SeatKeys(seat, keys))])
        return LogAddition(match_state, entries, after, True, lambda: _update_seat_keys(keys, match, seat))

    return append_to_match(match, decide, busy=msg("matches.too_busy_to_revoke"))


def _update_seat_keys(keys: str, match: str, seat: int) -> None:
    SeatRow.update(keys=keys).where((SeatRow.match == match) & (SeatRow.seat == seat)).execute()


def _remove_before_start(match_id: str, player: str, key: str) -> bool:
    """Remove the key from a seat before the start and issue a new receipt."""
    with write_transaction():
        match = lock_match(match_id)
        seat = SeatRow.get_or_none((SeatRow.match == match_id) & (SeatRow.player == player))
        if match.status != "open" or seat is None or key not in parse_keys(seat.keys):
            return False
        given = sign_receipt(match, seat.seat, player, seat.nonce, keys_without(parse_keys(seat.keys), key))
        SeatRow.update(keys=given["keys"], receipt=json.dumps(given)).where(
            (SeatRow.match == match_id) & (SeatRow.seat == seat.seat)
        ).execute()
    return True


def revoke_key(player: str, key: str) -> None:
    """Revoke a key and remove it from every seat. After a crash in between, the `revoke` job finishes."""
    signing_keys.revoke(player, key)
    remove_key_from_seats(player, key)


def revoke_all_keys(player: str) -> None:
    """Revoke all keys of a player who leaves."""
    own = (SigningKeyRow.player == player) & SigningKeyRow.revoked_at.is_null()
    for key in list(SigningKeyRow.select(SigningKeyRow.id).where(own)):
        revoke_key(player, key.id)


def stop_device(key: SigningKeyRow) -> None:
    """Revoke the key of a device and its token."""
    if key.token is not None:
        with suppress(Problem):  # it may be revoked or expired
            tokens.revoke(key.player, key.token)
    revoke_key(key.player, key.id)


def retire_keys_of_token(player: str, token: str) -> None:
    """Stop giving new seats to the keys of a revoked token. Revoke them once none of their orders wait."""
    own = signing_keys.keys_in_use(player) & (SigningKeyRow.token == token)
    with write_transaction():
        for key in list(SigningKeyRow.select(SigningKeyRow.id).where(own)):
            queue.add(RevokeRetiredKey(player=player, key=key.id), f"retire:{player}:{key.id}")
        SigningKeyRow.update(replaced_at=now()).where(own).execute()


def revoke_retired_key(player: str, key: str) -> None:
    """Revoke a retired key. Raise `RetryLater` while its orders wait."""
    if key in submissions.waiting_keys(player):
        raise RetryLater(now() + RETIRE_WAIT, "orders signed with this key are still waiting")
    with suppress(Problem):  # it may have been revoked by now
        revoke_key(player, key)
