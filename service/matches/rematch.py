"""Playing again: the same match anew, for the same people."""

from __future__ import annotations

import json
from dataclasses import replace

from service.config import Config
from service.db.connection import writing
from service.db.models import Match, Player
from service.matches import create as matches
from service.matches import invitations as inviting
from service.matches.create import NewMatch
from service.matches.start import locked
from service.play.accept import table_of
from service.problems import Problem


def rematch(player: Player, match_id: str, nonce: str, config: Config) -> tuple[Match, bool]:
    """A new match like an old one, or the one that somebody at that table made already; whether it is new."""
    with writing():
        old = locked(match_id)
        people = _people(old)
        if player.id not in people:
            raise Problem("not-your-seat", "A rematch is for those who sat at the table.")
        waiting = Match.get_or_none((Match.rematch_of == old.id) & (Match.status == "open"))
        if waiting is not None:
            matches.join(player, waiting.id, None, nonce, None, config)
            return Match.get_by_id(waiting.id), False
        made = matches.create(player, replace(_again(old, people, player.id), nonce=nonce), config)
        for guest, seat in people.items():
            if guest != player.id and not _gone(guest):
                inviting.invite(player.id, made.id, guest, None, _moved(old, people, seat), config)
    return Match.get_by_id(made.id), True


def _people(old: Match) -> dict[str, int]:
    if old.status != "over":
        raise Problem("conflict", "The match is not over; offer to end it, or play on.")
    if old.league is not None:
        raise Problem("conflict", "Everybody plays a league once.")
    places = table_of(old.id).facts.header.places
    return {place.player: seat for seat, place in enumerate(places) if place.player}


def _again(old: Match, people: dict[str, int], player: str) -> NewMatch:
    places = table_of(old.id).facts.header.places
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
        seat=_moved(old, people, people[player]),
        leave=old.leave_allowed,
        rematch_of=old.id,
    )


def _moved(old: Match, people: dict[str, int], seat: int) -> int:
    """Everybody sits one seat on; beside bots, whose seats some games fix, everybody stays."""
    return (seat + 1) % old.seats if len(people) == old.seats else seat


def _gone(player: str) -> bool:
    return not Player.select().where((Player.id == player) & Player.deleted_at.is_null()).exists()
