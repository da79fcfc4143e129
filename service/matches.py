"""Matches before they start: making, joining, leaving, inviting, starting, expiring."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from peewee import fn

from engine.game import BadSetting, Game, Setting
from engine.games import GAMES
from service import chosen, jobs, nudge, signing
from service.clock import DAY, DEFAULT, PRESETS
from service.config import Config
from service.database import run, writing
from service.models import Header as HeaderRow
from service.models import Invitation, League, Match, Player, SeatRow, SigningKey
from service.moment import now
from service.problems import Problem
from service.record.header import Header, Place, write_options
from service.record.receipts import join_receipt

VISIBILITIES = ("open", "invitation", "link")
POLICIES = ("forfeit", "stand-in", "substitute")
EXCUSES = 3
LISTED_FOR = 14 * DAY
UNLISTED_FOR = 180 * DAY
MOST_KEYS = 8


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
    leave: bool = True
    sit: bool = True
    """Whether the maker takes a seat; organisers may stand beside the table."""
    league: str | None = None
    rematch_of: str | None = None


def game_of(slug: str) -> Game[Any]:
    """The game with this slug."""
    if slug not in GAMES:
        raise Problem("invalid", f"There is no game {slug}; GET /v1/games lists them.", faults={"game": ["unknown"]})
    return GAMES[slug]


def create(player: Player, wanted: NewMatch, config: Config) -> Match:
    """A new match, with its maker seated and its bots in place."""
    game = game_of(wanted.game)
    try:
        settings = game.settings(wanted.options, wanted.seats)
        game.start(wanted.seats, settings)
    except BadSetting as error:
        raise Problem(
            "invalid", f"{str(error)[:1].upper()}{str(error)[1:]}.", faults={"options": [str(error)]}
        ) from None
    _check(game, wanted)
    _within(player, config)
    with writing():
        match = _insert(player, wanted, game, settings)
        for seat in range(wanted.seats):
            _seat_row(match, seat, bot=wanted.bots.get(seat))
        if wanted.sit:
            _sit(match, player, wanted.seat, wanted.nonce)
        started = _start_if_full(match)
    if started:
        nudge.resolve(match.id)
    return match


def _check(game: Game[Any], wanted: NewMatch) -> None:
    faults: dict[str, list[str]] = {}
    if wanted.clock not in PRESETS:
        faults["clock"] = [f"one of {', '.join(PRESETS)}"]
    for seat, name in wanted.bots.items():
        if not 0 <= seat < wanted.seats or name not in game.bots:
            faults["bots"] = [f"seats 0 to {wanted.seats - 1}, bots {', '.join(game.bots)}"]
    if wanted.sit and len(wanted.bots) >= wanted.seats:
        faults["bots"] = ["leave a seat for yourself, or set sit to false"]
    if wanted.seat is not None and (not 0 <= wanted.seat < wanted.seats or wanted.seat in wanted.bots):
        faults["seat"] = ["a seat that no bot has"]
    if wanted.starts_at is not None and wanted.starts_at <= now():
        faults["starts_at"] = ["a time to come"]
    if faults:
        raise Problem("invalid", "The match cannot be made like this.", faults=faults)


def _within(player: Player, config: Config) -> None:
    running = (
        SeatRow.select()
        .join(Match, on=(Match.id == SeatRow.match))
        .where((SeatRow.player == player.id) & Match.status.in_(["open", "running"]))
        .count()
    )
    if running >= config.open_matches:
        raise Problem(
            "limit-reached", f"You have {running} open matches, which is the most; finish or leave one first."
        )


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
        beacon=wanted.beacon,
        league=wanted.league,
        created_by=player.id,
        created_at=at,
        starts_at=wanted.starts_at,
        expires_at=at + (LISTED_FOR if wanted.visibility == "open" else UNLISTED_FOR),
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


def _seat_row(match: Match, seat: int, bot: str | None) -> None:
    SeatRow.create(
        match=match.id,
        seat=seat,
        bot=bot,
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


def _sit(match: Match, player: Player, seat: int | None, nonce: str) -> dict[str, Any]:
    """Take a seat of an open match, inside a transaction; the answer is the join receipt."""
    free = [
        row.seat
        for row in SeatRow.select(SeatRow.seat)
        .where((SeatRow.match == match.id) & SeatRow.player.is_null() & SeatRow.bot.is_null())
        .order_by(fn.Random())
    ]
    if not free or (seat is not None and seat not in free):
        raise Problem("match-full", "That seat is taken." if free else "Every seat is taken.", free=sorted(free))
    place = free[0] if seat is None else seat
    if match.league is not None:
        nonce = "-"
    keys, at = keys_of(player.id), now()
    if match.moves == "signed" and keys == "-":
        raise Problem("conflict", "This match takes signed moves only: add a key with POST /v1/me/keys first.")
    given = join_receipt(
        signing.current().private,
        match=match.id,
        seat=place,
        player=player.id,
        seed=match.seed_hash,
        nonce=nonce,
        keys=keys,
        at=at,
    )
    SeatRow.update(player=player.id, nonce=nonce, keys=keys, joined_at=at, receipt=json.dumps(given)).where(
        (SeatRow.match == match.id) & (SeatRow.seat == place)
    ).execute()
    return given


def join(
    player: Player, match_id: str, seat: int | None, nonce: str, link: str | None, config: Config
) -> dict[str, Any]:
    """Take a seat, with a nonce for the picks; the answer is the join receipt. Again: change seat or nonce."""
    _within(player, config)
    with writing():
        match = locked(match_id)
        if match.status != "open":
            raise Problem("match-started" if match.status == "running" else "match-over", "It is too late to join.")
        _may_join(match, player, link)
        _stand_up(match, player)
        given = _sit(match, player, seat, nonce)
        answered(match, player, "joined")
        started = _start_if_full(match)
    if started:
        nudge.resolve(match.id)
    return given


def _stand_up(match: Match, player: Player) -> int:
    count: int = (
        SeatRow.update(player=None, nonce="-", keys="-", joined_at=None, receipt=None)
        .where((SeatRow.match == match.id) & (SeatRow.player == player.id))
        .execute()
    )
    return count


def locked(match_id: str) -> Match:
    """The row of a match, held for this transaction."""
    match = Match.get_or_none(Match.id == match_id)
    if match is None:
        raise Problem("not-found", "There is no such match.")
    run("update match set status = status where id = ?", match_id)
    return Match.get_by_id(match_id)


def invited(match: Match, player: str) -> bool:
    """Whether an invitation of this player waits."""
    return (
        Invitation.select()
        .where((Invitation.match == match.id) & (Invitation.player == player) & Invitation.answered_at.is_null())
        .exists()
    )


def seated(match: str, player: str) -> bool:
    """Whether the player sits at this table."""
    return SeatRow.select().where((SeatRow.match == match) & (SeatRow.player == player)).exists()


def _may_join(match: Match, player: Player, link: str | None) -> None:
    allowed = match.visibility == "open" or match.created_by == player.id or seated(match.id, player.id)
    if not (allowed or invited(match, player.id) or (match.link and link == match.link)):
        raise Problem("not-found", "There is no such match, or it takes an invitation.")


def answered(match: Match, player: Player, answer: str) -> None:
    """Close a waiting invitation of this player."""
    Invitation.update(answered_at=now(), answer=answer).where(
        (Invitation.match == match.id) & (Invitation.player == player.id) & Invitation.answered_at.is_null()
    ).execute()


def leave(player: Player, match_id: str) -> None:
    """Give a seat back before the start; a match nobody sits at any more is cancelled."""
    with writing():
        match = locked(match_id)
        if match.status != "open":
            raise Problem("match-started", "The match has started; resign if you want to stop.")
        if not _stand_up(match, player):
            raise Problem("not-your-seat", "You have no seat in this match.")
        others = SeatRow.select().where((SeatRow.match == match.id) & SeatRow.player.is_null(False)).exists()
        if not others and match.arbiter is None:
            Match.update(status="cancelled", ended_at=now()).where(Match.id == match.id).execute()


def decline(player: Player, match_id: str) -> None:
    """Say no to an invitation."""
    with writing():
        answered(locked(match_id), player, "declined")


def invite(player: Player, match_id: str, guest: Player | None, address: str | None, config: Config) -> Invitation:
    """Offer a seat to a player, or to an address that has no account yet."""
    with writing():
        match = locked(match_id)
        if match.status != "open":
            raise Problem("match-started", "It is too late to invite.")
        if not (match.created_by == player.id or seated(match.id, player.id)):
            raise Problem("not-found", "There is no such match.")
        sent = Invitation.select().where((Invitation.by_player == player.id) & Invitation.answered_at.is_null())
        if sent.count() >= config.invitations:
            raise Problem("limit-reached", "Too many of your invitations wait for an answer.")
        made = Invitation.create(
            id=chosen.name(),
            match=match.id,
            player=guest.id if guest else None,
            address=address,
            by_player=player.id,
            at=now(),
        )
        jobs.add("letter", f"invitation:{made.id}", {"kind": "invitation", "invitation": made.id})
    return made


def _start_if_full(match: Match) -> bool:
    if match.starts_at is not None and match.starts_at > now():
        return False
    empty = SeatRow.select().where((SeatRow.match == match.id) & SeatRow.player.is_null() & SeatRow.bot.is_null())
    if empty.exists():
        return False
    start(match)
    return True


def start(match: Match) -> None:
    """Write the header and open the log, inside a transaction; the worker takes it from there."""
    seats = SeatRow.select().where(SeatRow.match == match.id).order_by(SeatRow.seat)
    places = [Place(bot=row.bot) if row.bot else Place(row.player, row.nonce, row.keys) for row in seats]
    at = max(now(), match.created_at)
    header = Header(
        match=match.id,
        game=match.game,
        revision=match.revision,
        options=match.options,
        moves=match.moves,
        seed=match.seed_hash,
        beacon=match.beacon,
        created=match.created_at,
        started=at,
        places=tuple(places),
    )
    HeaderRow.create(match=match.id, hash=header.hash, body="".join(f"{row}\n" for row in header.rows))
    match.status, match.started_at = "running", at
    match.head_seq, match.head_hash, match.head_at, match.resolved_seq = 0, header.hash, at, -1
    match.save(force_insert=False)


def due_to_start(at: int) -> list[str]:
    """Open matches whose time to start has come."""
    found = Match.select(Match.id).where((Match.status == "open") & (Match.starts_at <= at))
    return [row.id for row in found]


def start_at_time(match_id: str) -> bool:
    """Start a match whose time has come; one that is not full is cancelled."""
    with writing():
        match = locked(match_id)
        if match.status != "open":
            return False
        if _start_if_full(match):
            nudge.resolve(match.id)
            return True
        Match.update(status="cancelled", ended_at=now()).where(Match.id == match.id).execute()
        jobs.add("letter", f"cancelled:{match.id}", {"kind": "cancelled", "match": match.id})
    return False


def expire(at: int) -> int:
    """Cancel open matches that never filled; how many."""
    with writing():
        count: int = (
            Match.update(status="cancelled", ended_at=at)
            .where((Match.status == "open") & (Match.expires_at <= at))
            .execute()
        )
    return count
