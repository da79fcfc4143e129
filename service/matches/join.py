"""Seats before the start: players, nonces, keys and join receipts."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from service.accounts import signing_keys
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow, SigningKeyRow
from service.db.models.matches import MatchRow, SeatRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.matches import invitations, start
from service.matches.job_payloads import SeatedLetter, UnseatedLetter
from service.matches.start import cancel_match, free_seats, start_if_full
from service.play import access, server_keys
from service.play.match_log import lock_match
from service.play.seat_keys import MOST_SEAT_KEYS
from service.play.time_control import PRESETS
from service.problems import Problem
from service.record.signed_text import sign_join_receipt
from service.timestamps import now

EXCUSES = 3


def create_seats(match: MatchRow, bots: dict[int, str]) -> None:
    """Create the seats of a new match. Call inside a transaction."""
    for seat in range(match.seats):
        SeatRow.create(**new_seat_columns(match.id, seat, match.clock, bots.get(seat)))


def new_seat_columns(match: str, seat: int, clock: str, bot: str | None) -> dict[str, Any]:
    """Return the columns of an empty seat or a bot's seat."""
    return {
        "match": match,
        "seat": seat,
        "bot": bot,
        "nonce": "-",
        "keys": "-",
        "muted": False,
        "bank": PRESETS[clock].bank,
        "excuses": EXCUSES,
        "bounce_used": False,
        "reminded": "",
        "told_seq": 0,
        "confirm": False,
    }


def active_keys(player: str) -> str:
    """Return the ids of a player's active keys, in the form a seat stores."""
    return find_active_keys([player])[player]


def find_active_keys(players: Collection[str]) -> dict[str, str]:
    """Return the active key ids of each player, in the form a seat stores."""
    columns = (SigningKeyRow.player, SigningKeyRow.id)
    found: dict[str, list[str]] = {player: [] for player in players}
    in_use = SigningKeyRow.select(*columns).where(signing_keys.keys_in_use(*sorted(players)))
    for row in in_use.order_by(SigningKeyRow.created_at.desc()):
        found[row.player].append(row.id)
    return {player: ",".join(sorted(ids[:MOST_SEAT_KEYS])) or "-" for player, ids in found.items()}


def take_seat(match: MatchRow, player: str, seat: int | None, nonce: str) -> dict[str, Any]:
    """Take a seat in an open match and return the join receipt. Call inside a transaction."""
    free = free_seats(match.id)
    if not free or (seat is not None and seat not in free):
        raise Problem("match-full", msg("matches.seat_taken" if free else "matches.seats_taken"), free=sorted(free))
    keys = active_keys(player)
    if match.moves == "signed" and keys == "-":
        raise Problem("conflict", msg("matches.key_needed"))
    place = free[0] if seat is None else seat
    given = sign_receipt(match, place, player, nonce, keys)
    SeatRow.update(player=player, nonce=nonce, keys=keys, joined_at=given["at"], receipt=json.dumps(given)).where(
        (SeatRow.match == match.id) & (SeatRow.seat == place)
    ).execute()
    return given


def sign_receipt(match: MatchRow, seat: int, player: str, nonce: str, keys: str) -> dict[str, Any]:
    """Return the receipt for a seat that is being taken, or whose keys change."""
    return sign_join_receipt(
        server_keys.current_key().private,
        match=match.id,
        seat=seat,
        player=player,
        seed=match.seed_hash,
        nonce=nonce,
        keys=keys,
        at=now(),
    )


def queue_seating_letter(letter: SeatedLetter | UnseatedLetter) -> None:
    """Queue the email about a seat that an organiser gave or took away. Call inside a transaction."""
    queue.add(letter, f"{letter.kind}:{letter.match}:{letter.seat}:{letter.player}:{now()}")


def clear_seat(match: str, player: str) -> bool:
    """Empty the player's seat. Return True if there was one. Call inside a transaction."""
    count: int = (
        SeatRow.update(player=None, nonce="-", keys="-", joined_at=None, receipt=None)
        .where((SeatRow.match == match) & (SeatRow.player == player))
        .execute()
    )
    return count > 0


def check_open_match_limit(player: str, match: str, config: Config) -> None:
    """Refuse another open match to a player at the limit. This match does not count."""
    others = (SeatRow.player == player) & MatchRow.status.in_(("open", "running")) & (MatchRow.id != match)
    count = SeatRow.select().join(MatchRow, on=MatchRow.id == SeatRow.match).where(others).count()
    if count >= config.open_matches:
        raise Problem("limit-reached", msg("matches.too_many_matches", count=count))


def join_match(
    player: PlayerRow, match_id: str, seat: int | None, nonce: str, link: str | None, config: Config
) -> dict[str, Any]:
    """Take a seat with a nonce and return the join receipt. Joining again changes the seat or the nonce."""
    with write_transaction():
        _check_may_join(match_id, player.id, link)
        match = lock_match(match_id)
        start.check_is_open(match, msg("matches.too_late_to_join"))
        check_open_match_limit(player.id, match.id, config)
        if seat is None:
            seat = _default_seat(match, player.id)
        clear_seat(match.id, player.id)
        given = take_seat(match, player.id, seat, nonce)
        invitations.record_answer(match.id, player.id, "joined")
        start_if_full(match)
    return given


def _check_may_join(match_id: str, player: str, link: str | None) -> None:
    match = access.find_match(match_id, player, link)
    start.check_is_not_paired(match)
    if match.arbiter == player:
        raise Problem("forbidden", msg("matches.you_are_organiser"))
    allowed = match.visibility == "open" or match.created_by == player or access.is_seated(match.id, player)
    if not (allowed or access.has_link(match, link) or invitations.open_invitation(match.id, player)):
        raise Problem("forbidden", msg("matches.invitation_needed"))


def _default_seat(match: MatchRow, player: str) -> int | None:
    """Return the seat that the player has or was invited to, or None."""
    sitting = SeatRow.get_or_none((SeatRow.match == match.id) & (SeatRow.player == player))
    if sitting is not None:
        place: int = sitting.seat
        return place
    waiting = invitations.open_invitation(match.id, player)
    if waiting is None or waiting.seat is None or waiting.seat not in start.free_seats(match.id):
        return None
    offered: int = waiting.seat
    return offered


def leave_match(player: PlayerRow, match_id: str) -> None:
    """Leave before the start. A match without players is cancelled."""
    with write_transaction():
        access.find_match(match_id, player.id)
        match = lock_match(match_id)
        if match.status != "open":
            raise Problem("match-started", msg("matches.resign_instead"))
        start.check_is_not_paired(match)
        if not vacate_seat(match, player.id):
            raise Problem("not-your-seat", msg("play.no_seat"))


def vacate_seat(match: MatchRow, player: str) -> bool:
    """Empty the player's seat and cancel a match without players.

    Return True if there was a seat. Call inside a transaction.
    """
    if not clear_seat(match.id, player):
        return False
    others = SeatRow.select().where((SeatRow.match == match.id) & SeatRow.player.is_null(False)).exists()
    if not others and match.arbiter is None:
        cancel_match(match)
    return True
