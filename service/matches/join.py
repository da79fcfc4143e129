"""Seats before the start: who sits where, with which nonce and keys, and the receipt for it."""

from __future__ import annotations

import json
from typing import Any

from peewee import fn

from service.db.models import Match, SeatRow, SigningKey
from service.jobs import outbox as jobs
from service.play import server_keys as signing
from service.play.time_control import PRESETS
from service.problems import Problem
from service.record.signed_text_receipts import join_receipt
from service.timestamps import now

EXCUSES = 3
MOST_KEYS = 8


def lay(match: Match, bots: dict[int, str]) -> None:
    """Put the seats around a new table, inside a transaction."""
    for seat in range(match.seats):
        SeatRow.create(
            match=match.id,
            seat=seat,
            bot=bots.get(seat),
            nonce="-",
            keys="-",
            muted=False,
            bank=PRESETS[match.clock].bank,
            excuses=EXCUSES,
            bounce_used=False,
            reminded="",
            told_seq=0,
            confirm=False,
        )


def keys_of(player: str) -> str:
    """The ids of a player's keys in use, as a seat holds them."""
    found = SigningKey.select(SigningKey.id).where((SigningKey.player == player) & SigningKey.revoked_at.is_null())
    ids = sorted(row.id for row in found.order_by(SigningKey.created_at.desc()).limit(MOST_KEYS))
    return ",".join(ids) or "-"


def seated(match: str, player: str) -> bool:
    """Whether the player sits at this table."""
    return SeatRow.select().where((SeatRow.match == match) & (SeatRow.player == player)).exists()


def empty(match: str) -> list[int]:
    """The seats that nobody has, in an order that favours none."""
    free = (SeatRow.match == match) & SeatRow.player.is_null() & SeatRow.bot.is_null()
    return [row.seat for row in SeatRow.select(SeatRow.seat).where(free).order_by(fn.Random())]


def sit(match: Match, player: str, seat: int | None, nonce: str) -> dict[str, Any]:
    """Take a seat of an open match, inside a transaction; the answer is the join receipt."""
    free = empty(match.id)
    if not free or (seat is not None and seat not in free):
        raise Problem("match-full", "That seat is taken." if free else "Every seat is taken.", free=sorted(free))
    if match.league is not None:
        nonce = "-"
    keys = keys_of(player)
    if match.moves == "signed" and keys == "-":
        raise Problem("conflict", "This match takes signed moves only: add a key with POST /v1/me/keys first.")
    place, at = free[0] if seat is None else seat, now()
    given = join_receipt(
        signing.current().private,
        match=match.id,
        seat=place,
        player=player,
        seed=match.seed_hash,
        nonce=nonce,
        keys=keys,
        at=at,
    )
    SeatRow.update(player=player, nonce=nonce, keys=keys, joined_at=at, receipt=json.dumps(given)).where(
        (SeatRow.match == match.id) & (SeatRow.seat == place)
    ).execute()
    return given


def told(kind: str, match: str, seat: int, player: str, by: str) -> None:
    """Queue the letter to a player whom an organiser has `seated` or `unseated`, inside a transaction."""
    payload = {"kind": kind, "match": match, "seat": seat, "player": player, "by": by}
    jobs.add("letter", f"{kind}:{match}:{seat}:{player}:{now()}", payload)


def stand_up(match: str, player: str) -> bool:
    """Give a seat back, inside a transaction; whether there was one."""
    count: int = (
        SeatRow.update(player=None, nonce="-", keys="-", joined_at=None, receipt=None)
        .where((SeatRow.match == match) & (SeatRow.player == player))
        .execute()
    )
    return count > 0
