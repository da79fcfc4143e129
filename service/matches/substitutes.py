"""Substitutes: taking over a seat whose player ran out of time and which a stand-in plays."""

from __future__ import annotations

from engine.game import HOUSE
from engine.house import PlayerTakes
from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.i18n.catalogue import msg
from service.matches import join
from service.matches.join import check_open_match_limit
from service.play import access
from service.play.match_log import AdditionOr, LogAddition, append_to_match, next_entries
from service.problems import Problem
from service.record.match_state import MatchState


def open_seats(match: MatchRow, match_state: MatchState, player: str) -> list[int]:
    """Return the seats this player may take: any vacated one if substitutes are welcome, else only their own.

    There are none in a tournament match, where an organiser decides.
    """
    if match_state.state.over or match.pairing is not None:
        return []
    left = [
        seat
        for seat, place in enumerate(match_state.facts.header.places)
        if place.player and match_state.bots[seat] and seat not in match_state.state.house.resigned
    ]
    if match.policy == "substitute":
        return left
    return [seat for seat in left if match_state.facts.header.places[seat].player == player]


def take_seat(player: PlayerRow, match_id: str, seat: int | None, link: str | None, config: Config) -> int:
    """Take over a seat that a stand-in plays, and return its number."""
    match = access.find_match(match_id, player.id, link)
    if match.arbiter == player.id:
        raise Problem("forbidden", msg("matches.you_are_organiser"))
    if match.pairing is not None:
        raise Problem("conflict", msg("matches.paired_seat_left"))

    def decide(match_state: MatchState) -> AdditionOr[int]:
        place = _choose_seat(match, match_state, player.id, seat)
        keys = join.active_keys(player.id)
        if match_state.facts.signed_only and keys == "-":
            raise Problem("conflict", msg("matches.key_needed"))
        entries, after = next_entries(match_state, [(HOUSE, PlayerTakes(place, player.id, keys))])
        return LogAddition(match_state, entries, after, place, lambda: reset_seat(match_id, place, player.id, config))

    return append_to_match(match_id, decide)


def _choose_seat(match: MatchRow, match_state: MatchState, player: str, seat: int | None) -> int:
    if match_state.state.over:
        raise Problem("match-over", msg("matches.nobody_needed"))
    if match_state.seat_of(player) is not None:
        raise Problem("conflict", msg("matches.seated_already"))
    free = open_seats(match, match_state, player)
    if not free or (seat is not None and seat not in free):
        raise Problem("match-full", msg("matches.seat_not_open" if free else "matches.no_seat_open"), free=free)
    return free[0] if seat is None else seat


def reset_seat(match: str, seat: int, player: str, config: Config, *, limited: bool = True) -> None:
    """Reset excuses, pauses and mail settings of a seat for its new player. Call inside a transaction."""
    if limited:
        check_open_match_limit(player, match, config)
    SeatRow.update(excuses=join.EXCUSES, bounce_used=False, paused_at=None, muted=False, letters=None).where(
        (SeatRow.match == match) & (SeatRow.seat == seat)
    ).execute()
