"""How a match begins: when it is full, at its time, or when its maker says so; and how one that never fills ends."""

from __future__ import annotations

from engine.games import GAMES
from service.db.connection import db, run, writing
from service.db.models import Header as HeaderRow
from service.db.models import Match, SeatRow
from service.jobs import outbox as jobs
from service.jobs import outbox_nudge as nudge
from service.matches import join as seating
from service.problems import Problem
from service.record.hashing import is_beacon
from service.record.header import Header, Place
from service.timestamps import now


def locked(match_id: str) -> Match:
    """The row of a match, held for this transaction."""
    run("update match set status = status where id = ?", match_id)
    match = Match.get_or_none(Match.id == match_id)
    if match is None:
        raise Problem("not-found", "There is no such match.")
    return match


def start_if_full(match: Match) -> bool:
    """Start a match that waits for nothing else, inside a transaction."""
    if not is_beacon(match.beacon):
        return False
    if (match.starts_at is not None and match.starts_at > now()) or seating.empty(match.id):
        return False
    start(match)
    return True


def start(match: Match) -> None:
    """Write the header and open the log, inside a transaction; the worker takes it from there."""
    seats = SeatRow.select().where(SeatRow.match == match.id).order_by(SeatRow.seat)
    places = [Place(bot=row.bot) if row.bot else Place(row.player or "", row.nonce, row.keys) for row in seats]
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
    db.after_commit(lambda: nudge.resolve(match.id))


def start_now(player: str, match_id: str, bot: str | None, value: str | None = None) -> None:
    """The maker starts the match; a bot takes the seats that are still empty, a beacon's value goes into the draws."""
    with writing():
        match = locked(match_id)
        if match.status != "open":
            raise Problem("match-started" if match.status == "running" else "match-over", "It does not wait any more.")
        if match.created_by != player:
            raise Problem("forbidden", "Only who made the match may start it before it is full.")
        free = seating.empty(match.id)
        if free and bot is None:
            raise Problem(
                "conflict", "Seats are empty: name a bot in `fill` that takes them, or wait.", free=sorted(free)
            )
        _fill(match, free, bot)
        match.beacon = _beacon(match, value)
        match.starts_at = None
        start(match)


def _beacon(match: Match, value: str | None) -> str:
    """The beacon of the header: the round that was named when the match was made, with its value by now."""
    named: str = match.beacon
    if is_beacon(named):
        if value is not None:
            raise Problem("conflict", "This match names no round of a beacon that a value is wanted of.")
        return named
    if value is None:
        raise Problem("conflict", f"Give the value of {named} in `beacon`: it goes into every draw.")
    return f"{named}:{value}"


def _fill(match: Match, free: list[int], bot: str | None) -> None:
    bots = GAMES[match.game].bots
    if bot is not None and bot not in bots:
        reason = f"one of {', '.join(bots)}"
        raise Problem("invalid", f"There is no bot {bot} here.", errors=[{"field": "fill", "reason": reason}])
    for seat in free:
        SeatRow.update(bot=bot).where((SeatRow.match == match.id) & (SeatRow.seat == seat)).execute()


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
        if start_if_full(match):
            return True
        _given_up(match)
    return False


def cancel(match: Match) -> None:
    """A match that has not started will not take place, inside a transaction."""
    Match.update(status="cancelled", ended_at=now()).where(Match.id == match.id).execute()


def vacate(match: Match, player: str) -> bool:
    """Give a seat back, inside a transaction; whether there was one. A match nobody sits at any more is cancelled."""
    if not seating.stand_up(match.id, player):
        return False
    others = SeatRow.select().where((SeatRow.match == match.id) & SeatRow.player.is_null(False)).exists()
    if not others and match.arbiter is None:
        cancel(match)
    return True


def _given_up(match: Match) -> None:
    """Cancel a match that did not fill, and tell those who waited."""
    cancel(match)
    jobs.add("letter", f"cancelled:{match.id}", {"kind": "cancelled", "match": match.id})


def expire(at: int) -> int:
    """Cancel open matches that never filled and have no time of their own; how many."""
    late = (Match.status == "open") & Match.starts_at.is_null() & (Match.expires_at <= at)
    found = [row.id for row in Match.select(Match.id).where(late)]
    return sum(_expired(match) for match in found)


def _expired(match_id: str) -> bool:
    with writing():
        match = locked(match_id)
        if match.status != "open":
            return False
        _given_up(match)
    return True
