"""Offers that every person in the match must accept: to end it now with the current scores, or to cancel it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engine.game import HOUSE
from engine.house import End
from service import ids, shapes
from service.db.connection import write_transaction
from service.db.log_writer import HeadMoved
from service.db.models.matches import OfferRow
from service.events import log
from service.i18n.catalogue import msg
from service.jobs import queue
from service.matches.job_payloads import OfferDeclinedLetter, OfferLetter
from service.play import access
from service.play.match_loader import load_match_state
from service.play.match_log import AdditionOr, LogAddition, append_to_match, lock_match, next_entries
from service.problems import Problem
from service.record.match_state import MatchState
from service.timestamps import now

END_REASONS = {"end": "agreed", "cancel": "cancelled"}
MOST = 20


class OfferShown(shapes.Shape):
    """An offer to the table."""

    id: str = shapes.ident("Its id.")
    kind: str = shapes.choice(tuple(END_REASONS), "What is offered.")
    by: int = shapes.seat("By which seat.")
    at: int = shapes.timestamp("When it was made.")
    agreed: Sequence[int] = shapes.items("The seats that agree.", [0], of=shapes.seat())
    status: str = shapes.choice(("open", "made", "declined", "withdrawn", "lapsed"), "Where it stands.")
    closed_at: int | None = shapes.timestamp("When it was closed.")


def make(match_id: str, player: str, kind: str) -> OfferRow:
    """Make an offer. If another seat has made the same offer, agree to it instead."""
    match_state, seat = _match_state_and_seat(match_id, player)
    with write_transaction():
        if lock_match(match_id).pairing is not None and kind == "cancel":
            raise Problem("conflict", msg("matches.paired_not_cancelled"))
        standing = OfferRow.get_or_none(
            (OfferRow.match == match_id) & (OfferRow.kind == kind) & (OfferRow.status == "open")
        )
        if standing is None:
            _check_limit(match_id, seat)
            standing = OfferRow.create(
                id=ids.new_id(), match=match_id, kind=kind, by_seat=seat, at=now(), agreed="[]", status="open"
            )
            others = [(name, place) for place, name in enumerate(match_state.players) if name and place != seat]
            log.write_events(log.Event(name, match_id, place, match_state.seq, "offer.made") for name, place in others)
            for name, place in others:
                _queue_letter(OfferLetter, standing, place, name)
        _agree(standing, seat)
    return _close_if_all_agreed(match_id, standing.id)


def answer(match_id: str, player: str, offer_id: str, *, agree: bool) -> OfferRow:
    """Agree to an offer or refuse it. Refusing one's own offer withdraws it."""
    match_state, seat = _match_state_and_seat(match_id, player)
    with write_transaction():
        lock_match(match_id)
        offer = _open_offer(match_id, offer_id)
        if agree:
            _agree(offer, seat)
        else:
            offer.status = "withdrawn" if offer.by_seat == seat else "declined"
            offer.closed_at = now()
            offer.save()
            if offer.status == "declined":
                _queue_letter(OfferDeclinedLetter, offer, offer.by_seat, match_state.players[offer.by_seat])
    return _close_if_all_agreed(match_id, offer_id)


def _queue_letter(letter: type[OfferLetter | OfferDeclinedLetter], offer: OfferRow, seat: int, player: str) -> None:
    """Queue the email about an offer to one seat. Call inside a transaction."""
    job = letter(match=offer.match, seat=seat, player=player, offer=offer.id)
    queue.add(job, f"{letter.kind}:{offer.id}:{seat}")


def list_offers(match_id: str) -> list[OfferRow]:
    """Return all offers of a match, latest first."""
    return list(OfferRow.select().where(OfferRow.match == match_id).order_by(OfferRow.at.desc(), OfferRow.id))


def describe_offer(offer: OfferRow) -> OfferShown:
    """Return an offer as the seats get it."""
    return OfferShown.of(offer, by=offer.by_seat, agreed=json.loads(offer.agreed))


def _match_state_and_seat(match_id: str, player: str) -> tuple[MatchState, int]:
    match = access.find_match(match_id, player)
    match_state = load_match_state(match_id)
    seat = match_state.seat_of(player)
    if seat is None:
        raise Problem("not-your-seat", msg("matches.offers_need_seat"))
    if match_state.state.over:
        raise Problem("match-over", msg("matches.match_over"))
    if not access.is_record_public(match):
        raise Problem("conflict", msg("matches.same_deal_ends"))
    return match_state, seat


def _check_limit(match_id: str, seat: int) -> None:
    if OfferRow.select().where((OfferRow.match == match_id) & (OfferRow.by_seat == seat)).count() >= MOST:
        raise Problem("limit-reached", msg("matches.too_many_offers", count=MOST))


def _open_offer(match_id: str, offer_id: str) -> OfferRow:
    offer = OfferRow.get_or_none((OfferRow.id == offer_id) & (OfferRow.match == match_id))
    if offer is None:
        raise Problem("not-found", msg("matches.no_such_offer"))
    if offer.status != "open":
        raise Problem("conflict", msg("matches.offer_closed", status=offer.status))
    return offer


def _agree(offer: OfferRow, seat: int) -> None:
    offer.agreed = json.dumps(sorted({*json.loads(offer.agreed), seat}))
    offer.save()


def _close_if_all_agreed(match_id: str, offer_id: str) -> OfferRow:
    """Return the offer. If every person has agreed, end the match first."""

    def decide(match_state: MatchState) -> AdditionOr[None]:
        offer = OfferRow.get_by_id(offer_id)
        people = {seat for seat, player in enumerate(match_state.players) if player}
        if offer.status != "open" or match_state.state.over or not people <= set(json.loads(offer.agreed)):
            return None
        entries, after = next_entries(match_state, [(HOUSE, End(END_REASONS[offer.kind]))])
        return LogAddition(match_state, entries, after, None, lambda: _close_offers(match_id, offer_id))

    append_to_match(match_id, decide, busy=msg("matches.too_fast_to_end"))
    return OfferRow.get_by_id(offer_id)


def _close_offers(match_id: str, made: str) -> None:
    if (
        not OfferRow.update(status="made", closed_at=now())
        .where((OfferRow.id == made) & (OfferRow.status == "open"))
        .execute()
    ):
        raise HeadMoved(match_id)
    others = (OfferRow.match == match_id) & (OfferRow.status == "open")
    OfferRow.update(status="lapsed", closed_at=now()).where(others).execute()
