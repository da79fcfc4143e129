"""Offers that need every seat with a person: to end the match now as it stands, or to cancel it without result."""

from __future__ import annotations

import json
from typing import Any

from engine.game import HOUSE
from engine.house import End
from service import ids as chosen
from service.db.connection import db, writing
from service.db.models import Offer
from service.events import log as events
from service.jobs import outbox_nudge as nudge
from service.matches.start import locked
from service.play import access
from service.play.accept import table_of
from service.play.match_log import Moved, append, entry
from service.problems import Problem
from service.record.table import Table
from service.timestamps import now

WHY = {"end": "agreed", "cancel": "cancelled"}
TRIES = 20
MOST = 20


def make(match_id: str, player: str, kind: str) -> Offer:
    """Offer something to the table; the same offer of another seat is agreed to instead."""
    table, seat = _sitting(match_id, player)
    with writing():
        locked(match_id)
        standing = Offer.get_or_none((Offer.match == match_id) & (Offer.kind == kind) & (Offer.status == "open"))
        if standing is None:
            _check_room(match_id, seat)
            standing = Offer.create(
                id=chosen.name(), match=match_id, kind=kind, by_seat=seat, at=now(), agreed="[]", status="open"
            )
            others = [(name, place) for place, name in enumerate(table.players) if name and place != seat]
            events.write(events.Event(name, match_id, place, table.seq, "offer.made") for name, place in others)
        _agree(standing, seat)
    return _closed_if_all(match_id, standing.id)


def answer(match_id: str, player: str, offer_id: str, *, agree: bool) -> Offer:
    """Agree to an offer, or refuse it; who made it withdraws it by refusing."""
    _, seat = _sitting(match_id, player)
    with writing():
        locked(match_id)
        offer = _open(match_id, offer_id)
        if agree:
            _agree(offer, seat)
        else:
            offer.status = "withdrawn" if offer.by_seat == seat else "declined"
            offer.closed_at = now()
            offer.save()
    return _closed_if_all(match_id, offer_id)


def listed(match_id: str) -> list[Offer]:
    """Every offer of a match, latest first."""
    return list(Offer.select().where(Offer.match == match_id).order_by(Offer.at.desc(), Offer.id))


def shown(offer: Offer) -> dict[str, Any]:
    """An offer as the seats get it."""
    return {
        "id": offer.id,
        "kind": offer.kind,
        "by": offer.by_seat,
        "at": offer.at,
        "agreed": json.loads(offer.agreed),
        "status": offer.status,
        "closed_at": offer.closed_at,
    }


def _sitting(match_id: str, player: str) -> tuple[Table, int]:
    match = access.find(match_id, player)
    table = table_of(match_id)
    seat = table.seat_of(player)
    if seat is None:
        raise Problem("not-your-seat", "Offers are for those who sit at the table.")
    if table.state.over:
        raise Problem("match-over", "The match is over.")
    if match.league is not None:
        raise Problem("conflict", "A match of a league is played to its end; you can resign.")
    return table, seat


def _check_room(match_id: str, seat: int) -> None:
    if Offer.select().where((Offer.match == match_id) & (Offer.by_seat == seat)).count() >= MOST:
        raise Problem("limit-reached", f"A seat makes at most {MOST} offers in a match.")


def _open(match_id: str, offer_id: str) -> Offer:
    offer = Offer.get_or_none((Offer.id == offer_id) & (Offer.match == match_id))
    if offer is None:
        raise Problem("not-found", "There is no such offer.")
    if offer.status != "open":
        raise Problem("conflict", f"This offer is closed: {offer.status}.")
    return offer


def _agree(offer: Offer, seat: int) -> None:
    offer.agreed = json.dumps(sorted({*json.loads(offer.agreed), seat}))
    offer.save()


def _closed_if_all(match_id: str, offer_id: str) -> Offer:
    """The offer; if every seat with a person agreed, the house has written the end into the log."""
    for _ in range(TRIES):
        offer, table = Offer.get_by_id(offer_id), table_of(match_id)
        people = {seat for seat, player in enumerate(table.players) if player}
        if offer.status != "open" or table.state.over or not people <= set(json.loads(offer.agreed)):
            return offer
        row, after = entry(table, HOUSE, End(WHY[offer.kind]), "house", max(now(), table.at))
        try:
            append(table, [row], after, lambda: _close(match_id, offer_id))
        except Moved:
            continue
        db.after_commit(lambda: nudge.resolve(match_id))
        return Offer.get_by_id(offer_id)
    raise Problem("not-now", "The table moves too fast to end it now; try again.", retry_after=1)


def _close(match_id: str, made: str) -> None:
    if not Offer.update(status="made", closed_at=now()).where((Offer.id == made) & (Offer.status == "open")).execute():
        raise Moved(match_id)
    others = (Offer.match == match_id) & (Offer.status == "open")
    Offer.update(status="lapsed", closed_at=now()).where(others).execute()
