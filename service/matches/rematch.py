"""Rematches: a new match with the same settings for the same people."""

from __future__ import annotations

import json
from dataclasses import replace

from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.i18n.catalogue import msg
from service.matches import create, invitations, join
from service.matches.create import NewMatch
from service.play.match_loader import load_match_state
from service.play.match_log import lock_match
from service.problems import Problem


def create_rematch(player: PlayerRow, match_id: str, nonce: str, config: Config) -> tuple[MatchRow, bool]:
    """Create a rematch, or return the one that another player has created. The flag is True if it is new."""
    with write_transaction():
        old = lock_match(match_id)
        people = _players_at_start(old)
        if player.id not in people:
            raise Problem("not-your-seat", msg("matches.rematch_needs_seat"))
        waiting = MatchRow.get_or_none((MatchRow.rematch_of == old.id) & (MatchRow.status == "open"))
        if waiting is not None:
            join.join_match(player, waiting.id, None, nonce, None, config)
            return MatchRow.get_by_id(waiting.id), False
        made = create.create_match(player, replace(_same_match(old, people, player.id), nonce=nonce), config)
        for guest, seat in people.items():
            if guest != player.id and not _has_left(guest):
                invitations.invite(player.id, made.id, guest, None, _next_seat(old, people, seat), config)
    return MatchRow.get_by_id(made.id), True


def _players_at_start(old: MatchRow) -> dict[str, int]:
    if old.status != "over":
        raise Problem("conflict", msg("matches.rematch_too_early"))
    if old.pairing is not None:
        raise Problem("conflict", msg("matches.paired_played_once"))
    places = load_match_state(old.id).facts.header.places
    return {place.player: seat for seat, place in enumerate(places) if place.player}


def _same_match(old: MatchRow, people: dict[str, int], player: str) -> NewMatch:
    places = load_match_state(old.id).facts.header.places
    return NewMatch(
        game=old.game,
        seats=old.seats,
        options=json.loads(old.options),
        moves=old.moves,
        clock=old.clock,
        policy=old.policy,
        visibility="invitation",
        bots={seat: place.bot for seat, place in enumerate(places) if place.bot},
        title=old.title,
        seat=_next_seat(old, people, people[player]),
        leave=old.leave_allowed,
        rematch_of=old.id,
    )


def _next_seat(old: MatchRow, people: dict[str, int], seat: int) -> int:
    """Return the seat in the rematch.

    Everybody moves on by one; against bots, whose seats some games fix, everybody stays.
    """
    return (seat + 1) % old.seats if len(people) == old.seats else seat


def _has_left(player: str) -> bool:
    return not PlayerRow.select().where((PlayerRow.id == player) & PlayerRow.deleted_at.is_null()).exists()
