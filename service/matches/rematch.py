"""Rematches: a new match with the same settings for the same people."""

from __future__ import annotations

import json
from dataclasses import replace

from engine.words import bot_version
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow
from service.i18n.catalogue import msg
from service.matches import create, invitations, join
from service.matches.create import NewMatch
from service.matches.start import solo_rivals
from service.play.match_loader import load_match_state
from service.play.match_log import lock_match
from service.problems import Problem
from service.record.match_state import MatchState


def create_rematch(
    player: PlayerRow, match_id: str, nonce: str, config: Config, *, swap: bool | None = None
) -> tuple[MatchRow, bool]:
    """Create a rematch, or return the one that another player has created. The flag is True if it is new.

    With `swap` everybody, bots included, moves on by one seat; without it everybody stays. None means that people
    exchange their seats unless there are bots.
    """
    with write_transaction():
        old = lock_match(match_id)
        people = _players_at_start(old)
        if player.id not in people:
            raise Problem("not-your-seat", msg("matches.rematch_needs_seat"))
        if swap and not can_swap(load_match_state(old.id)):
            raise Problem("conflict", msg("matches.rematch_fixed_seats"))
        waiting = MatchRow.get_or_none((MatchRow.rematch_of == old.id) & (MatchRow.status == "open"))
        if waiting is not None:
            join.join_match(player, waiting.id, None, nonce, None, config)
            return MatchRow.get_by_id(waiting.id), False
        shift = int(len(people) == old.seats if swap is None else swap)
        made = create.create_match(player, replace(_same_match(old, people[player.id], shift), nonce=nonce), config)
        for guest, seat in people.items():
            if guest != player.id and not _has_left(guest):
                invitations.invite(player.id, made.id, guest, None, (seat + shift) % old.seats, config)
    return MatchRow.get_by_id(made.id), True


def _players_at_start(old: MatchRow) -> dict[str, int]:
    if old.status != "over":
        raise Problem("conflict", msg("matches.rematch_too_early"))
    if old.pairing is not None:
        raise Problem("conflict", msg("matches.paired_played_once"))
    places = load_match_state(old.id).facts.header.places
    return {place.player: seat for seat, place in enumerate(places) if place.player}


def can_swap(match_state: MatchState) -> bool:
    """Return True unless a solo opponent such as Balor is in its fixed seat."""
    rivals = {option.name for option in solo_rivals(match_state.facts.game)}
    return not any(bot_version(place.bot)[0] in rivals for place in match_state.facts.header.places)


def _same_match(old: MatchRow, seat: int, shift: int) -> NewMatch:
    """Return the same match with every seat moved on by `shift`; `seat` is that of its creator."""
    places = load_match_state(old.id).facts.header.places
    return NewMatch(
        game=old.game,
        seats=old.seats,
        options=json.loads(old.options),
        moves=old.moves,
        clock=old.clock,
        policy=old.policy,
        visibility="invitation",
        bots={(number + shift) % old.seats: place.bot for number, place in enumerate(places) if place.bot},
        title=old.title,
        seat=(seat + shift) % old.seats,
        leave=old.leave_allowed,
        rematch_of=old.id,
    )


def _has_left(player: str) -> bool:
    return not PlayerRow.select().where((PlayerRow.id == player) & PlayerRow.deleted_at.is_null()).exists()
