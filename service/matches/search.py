"""Matches as readers find them: in lists, by search, and one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.games import GAMES
from engine.words import Locale
from service.db.models.matches import InvitationRow, MatchRow, SeatRow
from service.matches.match_shapes import (
    HeadShown,
    InvitationShown,
    JoinReceipt,
    MatchShown,
    PersonShown,
    PlaceShown,
    YouShown,
)
from service.play.access import is_record_public
from service.play.views import bot_name, player_names


@dataclass(frozen=True)
class MatchFilter:
    """Filter of a search for matches."""

    mine: bool = False
    game: str | None = None
    status: str | None = None
    seats: int | None = None
    player: str | None = None
    title: str | None = None
    clocks: tuple[str, ...] = ()
    """Only matches with one of these clocks; empty for any clock."""
    bots: bool | None = None
    """Only matches with bots, or only those without."""


def search_matches(
    wanted: MatchFilter, player: str | None, after: tuple[Any, ...] | None, limit: int
) -> list[MatchRow]:
    """Return matching matches, latest first: open ones, or with `mine` those the player belongs to."""
    query = MatchRow.select().where(_own_condition(player or "") if wanted.mine else _public_condition())
    for column, value in (
        (MatchRow.game, wanted.game),
        (MatchRow.status, wanted.status),
        (MatchRow.seats, wanted.seats),
    ):
        if value is not None:
            query = query.where(column == value)
    if wanted.player is not None:
        query = query.where(MatchRow.id.in_(SeatRow.select(SeatRow.match).where(SeatRow.player == wanted.player)))
    if wanted.clocks:
        query = query.where(MatchRow.clock.in_(wanted.clocks))
    if wanted.bots is not None:
        with_bots = MatchRow.id.in_(SeatRow.select(SeatRow.match).where(SeatRow.bot.is_null(False)))
        query = query.where(with_bots if wanted.bots else ~with_bots)
    if wanted.title is not None:
        query = query.where(MatchRow.title.contains(wanted.title))
    if after is not None:
        at, id_ = after
        query = query.where((MatchRow.created_at < at) | ((MatchRow.created_at == at) & (MatchRow.id > id_)))
    return list(query.order_by(MatchRow.created_at.desc(), MatchRow.id).limit(limit))


def _public_condition() -> Any:  # noqa: ANN401  # a condition of peewee
    # Nobody can join a match of a tournament, so it is listed once it runs.
    return (MatchRow.visibility == "open") & (MatchRow.pairing.is_null() | (MatchRow.status != "open"))


def _own_condition(player: str) -> Any:  # noqa: ANN401
    """Return the ids of a player's matches as one query, each part of which uses an index."""
    sits = SeatRow.select(SeatRow.match).where(SeatRow.player == player)
    asked = InvitationRow.select(InvitationRow.match).where(
        (InvitationRow.player == player) & InvitationRow.answered_at.is_null()
    )
    other = MatchRow.alias()
    own = (other.created_by == player) & other.pairing.is_null()
    made = other.select(other.id).where(own)
    decides = other.select(other.id).where(other.arbiter == player)
    return MatchRow.id.in_(sits | asked | made | decides)


def describe_matches(matches: Sequence[MatchRow], player: str | None, locale: Locale) -> list[MatchShown]:
    """Return these matches for one reader, who must be allowed to see all of them."""
    if not matches:
        return []
    seats: dict[str, list[SeatRow]] = {match.id: [] for match in matches}
    for row in SeatRow.select().where(SeatRow.match.in_(list(seats))).order_by(SeatRow.match, SeatRow.seat):
        seats[row.match].append(row)
    ids = {row.player for each in seats.values() for row in each if row.player}
    ids |= {match.arbiter for match in matches if match.arbiter} | {match.created_by for match in matches}
    names = player_names(sorted(ids), locale)
    return [_describe_match(match, seats[match.id], names, player, locale) for match in matches]


def _describe_match(
    match: MatchRow,
    seats: list[SeatRow],
    names: dict[str, str],
    player: str | None,
    locale: Locale,
) -> MatchShown:
    mine = next((row for row in seats if player is not None and row.player == player), None)
    inside = mine is not None or (player is not None and player in (match.created_by, match.arbiter))
    waits = match.status == "open" and match.pairing is None
    started = match.started_at is not None
    head = HeadShown(seq=match.head_seq, hash=match.head_hash, at=match.head_at) if started else None
    return MatchShown.of(
        match,
        options=json.loads(match.options),
        leave=match.leave_allowed,
        created_by=PersonShown(id=match.created_by, name=names[match.created_by]),
        arbiter=PersonShown(id=match.arbiter, name=names[match.arbiter]) if match.arbiter else None,
        expires_at=match.expires_at if waits else None,
        seed=match.seed if match.status == "over" and is_record_public(match) else None,
        head=head,
        places=[_describe_seat(match, row, names, locale) for row in seats],
        you=None if mine is None else _describe_own_seat(mine),
        link=match.link if inside else None,
    )


def _describe_seat(match: MatchRow, row: SeatRow, names: dict[str, str], locale: Locale) -> PlaceShown:
    name = names[row.player] if row.player else None
    if row.bot:
        name = bot_name(GAMES[match.game], row.bot, locale)
    return PlaceShown.of(row, name=name, asked=row.asked is not None, due=row.due_at)


def _describe_own_seat(mine: SeatRow) -> YouShown:
    keys = [] if mine.keys == "-" else mine.keys.split(",")
    return YouShown.of(mine, keys=keys, receipt=JoinReceipt(**json.loads(mine.receipt)) if mine.receipt else None)


def describe_invitation(row: InvitationRow, names: dict[str, str]) -> InvitationShown:
    """Return an invitation as its sender or its guest sees it. The owner of an invited address stays hidden."""
    return InvitationShown.of(
        row,
        player=row.player if row.address is None else None,
        by=PersonShown(id=row.by_player, name=names[row.by_player]),
        answer=row.answer if row.address is None or row.answer == "joined" else None,
    )
