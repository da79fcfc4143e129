"""Letting a new device play in signed matches when no older key of the seat is left to approve it.

The player enters a code from a new email. Everybody in those matches gets an email. Two days later the server gives the
key to the seats, unless the player has meanwhile stopped the device or moved with an older key. Later signatures of the
key are attested, not proved.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import HOUSE
from engine.house import SeatKeys
from service.accounts import signing_keys, token_codes
from service.db.connection import write_transaction
from service.db.models.accounts import SigningKeyRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.matches.job_payloads import ClaimLetter, ClaimSeatLetter, GrantClaim
from service.matches.key_approvals import running_matches
from service.play import seat_keys
from service.play.match_loader import load_match_states_at
from service.play.match_log import AdditionOr, LogAddition, append_to_match, next_entries, select_entries
from service.problems import Problem
from service.record.match_state import MatchState
from service.timestamps import HOUR, now

OBJECTION_TIME = 48 * HOUR


def due_at(key: SigningKeyRow) -> int | None:
    """Return when the server gives this key to signed matches, or None if it is not waiting."""
    return None if key.claimed_at is None else key.claimed_at + OBJECTION_TIME


def claim_seats(player: str, key_id: str, request: str, code: str) -> SigningKeyRow:
    """Start the waiting period of a key. The code must come from a new email to the player."""
    key = signing_keys.find_in_use(player, key_id)
    if not key.seats:
        raise Problem("conflict", msg("matches.claim_needs_device"))
    if key.claimed_at is not None:
        raise Problem("conflict", msg("matches.claim_waits"))
    match_states = [
        match_state for match_state in _signed_match_states(player) if _lacks_key(match_state, player, key_id)
    ]
    if not match_states:
        raise Problem("conflict", msg("matches.nothing_to_claim"))
    at = now()
    known, owner = token_codes.check_code(request, code, at)
    if owner != player:
        raise Problem("gone", msg("accounts.code_was_used"))
    with write_transaction():
        token_codes.mark_used(known, at, player)
        SigningKeyRow.update(claimed_at=at).where(signing_keys.is_key(player, key_id)).execute()
        _queue_letters(player, key_id, at, match_states)
        queue.add(GrantClaim(player=player, key=key_id), f"grant:{player}:{key_id}:{at}", at + OBJECTION_TIME)
    return signing_keys.find(player, key_id)


def _signed_match_states(player: str) -> list[MatchState]:
    signed = [match for match in running_matches(player) if match.moves == "signed"]
    match_states = load_match_states_at([(match.id, match.head_seq, match.head_hash) for match in signed])
    return [match_state for match_state in match_states if not match_state.state.over]


def _lacks_key(match_state: MatchState, player: str, key: str) -> bool:
    seat = match_state.seat_of(player)
    return seat is not None and key not in match_state.keys[seat]


def _queue_letters(player: str, key: str, at: int, match_states: Sequence[MatchState]) -> None:
    """Queue emails to the player and to everybody else in the matches."""
    due = at + OBJECTION_TIME
    own = [(match_state, match_state.seat_of(player)) for match_state in match_states]
    seats = tuple((match_state.facts.id, seat) for match_state, seat in own if seat is not None)
    queue.add(ClaimLetter(player=player, key=key, due=due, seats=seats), f"claim:{player}:{key}:{at}")
    for match_state, claimer in own:
        match = match_state.facts.id
        for seat, other in enumerate(match_state.players):
            if other and other != player and claimer is not None:
                letter = ClaimSeatLetter(match=match, seat=seat, player=other, claimer=claimer, due=due)
                queue.add(letter, f"claim-seat:{key}:{at}:{match}:{seat}")


def grant_claim(player: str, key_id: str) -> list[str]:
    """Give a key that has waited long enough to its seats, and return their matches. Safe to repeat."""
    key = signing_keys.find_device_key(player, key_id)
    if key is None or key.replaced_at is not None or key.claimed_at is None:
        return []
    given = [
        match_state.facts.id for match_state in _signed_match_states(player) if _give_key(match_state.facts.id, key)
    ]
    with write_transaction():
        SigningKeyRow.update(claimed_at=None).where(signing_keys.is_key(player, key_id)).execute()
    return given


def _give_key(match: str, key: SigningKeyRow) -> bool:
    """Write `keys S KEYS` into a match, unless the seat has the key or has moved with another one since."""
    since: int = key.claimed_at or 0

    def decide(match_state: MatchState) -> AdditionOr[bool]:
        seat = match_state.seat_of(key.player)
        if seat is None or match_state.state.over or match_state.facts.header.started > since:
            return False
        moved = select_entries("match = ? and seat = ? and at > ? and key is not null limit 1", match, seat, since)
        if moved or not _lacks_key(match_state, key.player, key.id):
            return False
        line = SeatKeys(seat, seat_keys.keys_with(match_state, seat, key.id))
        entries, after = next_entries(match_state, [(HOUSE, line)])
        write = lambda: seat_keys.queue_device_letter(match_state, key.player, key.id)  # noqa: E731
        return LogAddition(match_state, entries, after, True, write)

    return append_to_match(match, decide)
