"""Matches before they start: making one, joining it, leaving it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from engine.game import Game
from engine.games import GAMES
from engine.options import BadSetting, Setting
from service import ids as chosen
from service.config import Config
from service.db.connection import rows, writing
from service.db.models import League, Match, Player, SeatRow
from service.matches import invitations as inviting
from service.matches import join as seating
from service.matches.start import locked, start_if_full, vacate
from service.play import access
from service.play.time_control import DAY, DEFAULT, PRESETS
from service.problems import Problem
from service.record.hashing import is_beacon, is_round
from service.record.header import write_options
from service.timestamps import now

VISIBILITIES = ("open", "invitation", "link")
POLICIES = ("forfeit", "stand-in", "substitute")
LISTED_FOR = 14 * DAY
UNLISTED_FOR = 180 * DAY
AHEAD = 366 * DAY


@dataclass(frozen=True)
class NewMatch:
    """What somebody wants to play."""

    game: str
    seats: int
    options: Mapping[str, Setting] = field(default_factory=dict)
    moves: str = "any"
    clock: str = DEFAULT
    policy: str = "stand-in"
    visibility: str = "open"
    bots: Mapping[int, str] = field(default_factory=dict)
    title: str = ""
    seat: int | None = None
    nonce: str = "-"
    starts_at: int | None = None
    beacon: str = "-"
    beacon_round: str = ""
    """A round of a public beacon whose value the organiser gives when the match starts."""
    leave: bool = True
    sit: bool = True
    """Whether the maker takes a seat; organisers may stand beside the table."""
    players: Mapping[int, str] = field(default_factory=dict)
    """Players an organiser seats at once; whether they agreed is checked by the caller."""
    league: str | None = None
    rematch_of: str | None = None


def game_of(slug: str) -> Game[Any]:
    """The game with this slug."""
    if slug not in GAMES:
        raise invalid(f"There is no game {slug}; GET /v1/games lists them.", game="unknown")
    return GAMES[slug]


def invalid(detail: str, **reasons: str) -> Problem:
    """The refusal of fields that do not fit, each with its reason."""
    return Problem("invalid", detail, errors=[{"field": name, "reason": reason} for name, reason in reasons.items()])


def create(player: Player, wanted: NewMatch, config: Config) -> Match:
    """A new match, with its maker seated and its bots in place."""
    game = game_of(wanted.game)
    if wanted.seats not in game.seats:
        fitting = f"{game.seats[0]} to {game.seats[-1]}"
        raise invalid(f"{game.slug} is for {fitting} seats, not {wanted.seats}.", seats=fitting)
    try:
        settings = game.settings(wanted.options, wanted.seats)
        game.start(wanted.seats, settings)
    except BadSetting as error:
        raise invalid(f"{str(error)[:1].upper()}{str(error)[1:]}.", options=str(error)) from None
    _check(game, wanted)
    with writing():
        if wanted.sit:
            check_room(player.id, "", config)
        match = _insert(player, wanted, game, settings)
        seating.lay(match, dict(wanted.bots))
        for seat, guest in wanted.players.items():
            check_room(guest, "", config)
            seating.sit(match, guest, seat, "-")
            seating.told("seated", match.id, seat, guest, player.id)
        if wanted.sit:
            seating.sit(match, player.id, wanted.seat, wanted.nonce)
        start_if_full(match)
    return match


def _check(game: Game[Any], wanted: NewMatch) -> None:
    faults: dict[str, str] = {}
    if wanted.clock not in PRESETS:
        faults["clock"] = f"one of {', '.join(PRESETS)}"
    for seat, name in wanted.bots.items():
        if not 0 <= seat < wanted.seats or name not in game.bots:
            faults["bots"] = f"seats 0 to {wanted.seats - 1}, bots {', '.join(game.bots)}"
    taken = len(wanted.bots) + len(wanted.players)
    if wanted.sit and taken >= wanted.seats:
        faults["bots"] = "leave a seat for yourself, or set sit to false"
    if any(not 0 <= seat < wanted.seats or seat in wanted.bots for seat in wanted.players):
        faults["players"] = "seats that no bot has"
    if len(set(wanted.players.values())) < len(wanted.players):
        faults["players"] = "each player once"
    if wanted.seat is not None and (not 0 <= wanted.seat < wanted.seats or wanted.seat in wanted.bots):
        faults["seat"] = "a seat that no bot has"
    if wanted.starts_at is not None and not now() < wanted.starts_at <= now() + AHEAD:
        faults["starts_at"] = "a time to come, within a year"
    faults |= _beacon_faults(wanted)
    if faults:
        raise invalid("The match cannot be made like this.", **faults)


def _beacon_faults(wanted: NewMatch) -> dict[str, str]:
    if not is_beacon(wanted.beacon):
        return {"beacon": "NAME:ROUND:VALUE, as in drand:4242:8f3a…, or -"}
    if not wanted.beacon_round:
        return {}
    if not is_round(wanted.beacon_round):
        return {"beacon_round": "NAME:ROUND, as in drand:4242"}
    if wanted.sit or wanted.starts_at is not None or wanted.beacon != "-":
        return {"beacon_round": "the organiser starts such a match: set sit to false, without starts_at and beacon"}
    return {}


def check_room(player: str, match: str, config: Config) -> None:
    """Refuse one more open match to a player who has as many as allowed, this one not counted."""
    ((count,),) = rows(
        "select count(*) from seat s join match m on m.id = s.match "
        "where s.player = ? and m.status in ('open', 'running') and m.id <> ?",
        player,
        match,
    )
    if count >= config.open_matches:
        raise Problem("limit-reached", f"A player may have {count} open matches; finish or leave one first.")


def _insert(player: Player, wanted: NewMatch, game: Game[Any], settings: Mapping[str, Setting]) -> Match:
    seed = chosen.seed()
    if wanted.league is not None:
        seed = bytes.fromhex(League.get_by_id(wanted.league).seed)
    at = now()
    return Match.create(
        id=chosen.name(),
        game=game.slug,
        revision=game.revision,
        seats=wanted.seats,
        options=write_options(settings),
        moves=wanted.moves,
        clock=wanted.clock,
        policy=wanted.policy,
        visibility=wanted.visibility,
        link=chosen.name(24) if wanted.visibility == "link" else None,
        status="open",
        title=wanted.title,
        seed=seed.hex(),
        seed_hash=sha256(seed).hexdigest(),
        beacon=wanted.beacon_round or wanted.beacon,
        league=wanted.league,
        created_by=player.id,
        created_at=at,
        starts_at=wanted.starts_at,
        expires_at=wanted.starts_at or at + (LISTED_FOR if wanted.visibility == "open" else UNLISTED_FOR),
        rematch_of=wanted.rematch_of,
        arbiter=None if wanted.sit else player.id,
        leave_allowed=wanted.leave and PRESETS[wanted.clock].leave,
        head_seq=0,
        head_hash="",
        head_at=at,
        resolved_seq=0,
        told_seq=0,
        outage_ms=0,
    )


def join(
    player: Player, match_id: str, seat: int | None, nonce: str, link: str | None, config: Config
) -> dict[str, Any]:
    """Take a seat, with a nonce for the picks; the answer is the join receipt. Again: change seat or nonce."""
    with writing():
        _may_join(match_id, player.id, link)
        match = locked(match_id)
        if match.status != "open":
            raise Problem("match-started" if match.status == "running" else "match-over", "It is too late to join.")
        check_room(player.id, match.id, config)
        if seat is None:
            seat = _meant(match, player.id)
        seating.stand_up(match.id, player.id)
        given = seating.sit(match, player.id, seat, nonce)
        inviting.answer(match.id, player.id, "joined")
        start_if_full(match)
    return given


def _may_join(match_id: str, player: str, link: str | None) -> None:
    match = access.find(match_id, player, link)
    if match.arbiter == player:
        raise Problem("forbidden", "You are the organiser of this match, and see all of it; you cannot play in it.")
    allowed = match.visibility == "open" or match.created_by == player or seating.seated(match.id, player)
    if not (allowed or access.has_link(match, link) or inviting.waiting(match.id, player)):
        raise Problem("forbidden", "This match takes an invitation.")


def _meant(match: Match, player: str) -> int | None:
    """The seat a player has, or was invited to, where they name none."""
    sitting = SeatRow.get_or_none((SeatRow.match == match.id) & (SeatRow.player == player))
    if sitting is not None:
        place: int = sitting.seat
        return place
    waiting = inviting.waiting(match.id, player)
    if waiting is None or waiting.seat is None or waiting.seat not in seating.empty(match.id):
        return None
    offered: int = waiting.seat
    return offered


def leave(player: Player, match_id: str) -> None:
    """Give a seat back before the start; a match nobody sits at any more is cancelled."""
    with writing():
        access.find(match_id, player.id)
        match = locked(match_id)
        if match.status != "open":
            raise Problem("match-started", "The match has started; resign if you want to stop.")
        if not vacate(match, player.id):
            raise Problem("not-your-seat", "You have no seat in this match.")


def decline(player: Player, match_id: str) -> None:
    """Say no to an invitation."""
    with writing():
        access.find(match_id, player.id)
        if not inviting.answer(match_id, player.id, "declined"):
            raise Problem("not-found", "No invitation to this match waits for you.")
