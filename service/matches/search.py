"""Matches as readers find them: in lists, by search, and one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.games import GAMES
from engine.words import Locale
from service.db.models import Invitation, Match, SeatRow
from service.matches import leagues
from service.play.views import bot_name, called

STATUSES = ("open", "running", "over", "cancelled")


@dataclass(frozen=True)
class Search:
    """What somebody looks for."""

    mine: bool = False
    game: str | None = None
    status: str | None = None
    seats: int | None = None
    player: str | None = None
    title: str | None = None


def search(wanted: Search, player: str | None, after: tuple[Any, ...] | None, limit: int) -> list[Match]:
    """Matches that fit, latest first: open ones, or with `mine` those the player belongs to."""
    query = Match.select().where(_belongs(player or "") if wanted.mine else _public())
    for column, value in ((Match.game, wanted.game), (Match.status, wanted.status), (Match.seats, wanted.seats)):
        if value is not None:
            query = query.where(column == value)
    if wanted.player is not None:
        query = query.where(Match.id.in_(SeatRow.select(SeatRow.match).where(SeatRow.player == wanted.player)))
    if wanted.title is not None:
        query = query.where(Match.title.contains(wanted.title))
    if after is not None:
        at, id_ = after
        query = query.where((Match.created_at < at) | ((Match.created_at == at) & (Match.id > id_)))
    return list(query.order_by(Match.created_at.desc(), Match.id).limit(limit))


def _public() -> Any:  # noqa: ANN401  # a condition of peewee
    return (Match.visibility == "open") & Match.league.is_null()


def _belongs(player: str) -> Any:  # noqa: ANN401
    sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
    asked = Invitation.select(Invitation.match).where((Invitation.player == player) & Invitation.answered_at.is_null())
    mine = (Match.created_by == player) & (Match.league.is_null() | Match.id.in_(sits))
    return mine | (Match.arbiter == player) | Match.id.in_(sits) | Match.id.in_(asked)


def shown(matches: Sequence[Match], player: str | None, locale: Locale) -> list[dict[str, Any]]:
    """These matches for one reader, who may look at all of them."""
    if not matches:
        return []
    seats: dict[str, list[SeatRow]] = {match.id: [] for match in matches}
    for row in SeatRow.select().where(SeatRow.match.in_(list(seats))).order_by(SeatRow.match, SeatRow.seat):
        seats[row.match].append(row)
    ids = {row.player for each in seats.values() for row in each if row.player}
    ids |= {match.arbiter for match in matches if match.arbiter} | {match.created_by for match in matches}
    names = called(sorted(ids), locale)
    return [_match(match, seats[match.id], names, player, locale) for match in matches]


def _match(
    match: Match, seats: list[SeatRow], names: dict[str, str], player: str | None, locale: Locale
) -> dict[str, Any]:
    mine = next((row for row in seats if player is not None and row.player == player), None)
    inside = mine is not None or (player is not None and player in (match.created_by, match.arbiter))
    started = match.started_at is not None
    return {
        "id": match.id,
        "title": match.title,
        "game": match.game,
        "revision": match.revision,
        "seats": match.seats,
        "options": json.loads(match.options),
        "moves": match.moves,
        "clock": match.clock,
        "policy": match.policy,
        "leave": match.leave_allowed,
        "visibility": match.visibility,
        "status": match.status,
        "created_by": _person(match.created_by, names),
        "arbiter": _person(match.arbiter, names),
        "created_at": match.created_at,
        "starts_at": match.starts_at,
        "expires_at": match.expires_at if match.status == "open" else None,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "league": match.league,
        "rematch_of": match.rematch_of,
        "beacon": match.beacon,
        "seed_hash": match.seed_hash,
        "seed": match.seed if match.status == "over" and leagues.seed_is_out(match.league) else None,
        "head": {"seq": match.head_seq, "hash": match.head_hash, "at": match.head_at} if started else None,
        "places": [_place(match, row, names, locale) for row in seats],
        "you": _you(mine),
        "link": match.link if inside else None,
    }


def _person(player: str | None, names: dict[str, str]) -> dict[str, str] | None:
    return None if player is None else {"id": player, "name": names[player]}


def _place(match: Match, row: SeatRow, names: dict[str, str], locale: Locale) -> dict[str, Any]:
    name = names[row.player] if row.player else None
    if row.bot:
        name = bot_name(GAMES[match.game], row.bot, locale)
    return {
        "seat": row.seat,
        "player": row.player,
        "name": name,
        "bot": row.bot,
        "asked": row.asked is not None,
        "due": row.due_at,
    }


def _you(mine: SeatRow | None) -> dict[str, Any] | None:
    if mine is None:
        return None
    return {
        "seat": mine.seat,
        "nonce": mine.nonce,
        "keys": [] if mine.keys == "-" else mine.keys.split(","),
        "muted": mine.muted,
        "receipt": json.loads(mine.receipt) if mine.receipt else None,
    }


def invitation(row: Invitation, names: dict[str, str]) -> dict[str, Any]:
    """An invitation as its sender or its guest sees it; one to an address does not tell who has that address."""
    return {
        "id": row.id,
        "match": row.match,
        "player": row.player if row.address is None else None,
        "address": row.address,
        "seat": row.seat,
        "by": _person(row.by_player, names),
        "at": row.at,
        "answer": row.answer if row.address is None or row.answer == "joined" else None,
    }
