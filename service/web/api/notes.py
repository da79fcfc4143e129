"""What the seats say to each other beside the log: notes, and offers to end the match."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.matches import offers
from service.play import notes
from service.web import auth, idempotency
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import spoken
from service.web.request_context_watching import find
from service.web.schemas.tables import (
    NOTE,
    OFFER,
    MuteBody,
    NewNote,
    NewOffer,
    NotePage,
    NoteShown,
    OfferAnswer,
    OfferPage,
    OfferShown,
)

blueprint = Blueprint(
    "talks", __name__, url_prefix="/v1/matches/<id:match>", description="Notes to the table, and offers to end a match."
)


@blueprint.route("/notes", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(NewNote(), example={"body": "Good luck!"})
@blueprint.response(201, NoteShown(), example=NOTE, description="The note.")
@blueprint.problems("not-your-seat", "limit-reached")
def write(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Leave a note to the table.

    For those who sit there and the organiser, at any time, in at most 1,000 characters. Notes stand beside the log
    and never in the record. A move can bring one along.
    """
    me = auth.current()
    number = notes.write(match, me.player, body["body"])
    return notes.read(find(match), me.player, number - 1, 1, spoken())[0], 201


@blueprint.route("/notes")
@auth.needs("read")
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, NotePage(), example={"items": [NOTE], "muted": False})
@blueprint.problems("not-your-seat")
def listed(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Read the notes.

    Oldest first.
    """
    found, me = find(match), auth.current()
    wanted = pages.page("notes", query)
    after = wanted.after[0] if wanted.after else 0
    told = notes.read(found, me.player, after, wanted.fetch, spoken())
    items, headers = pages.answer(told, wanted, lambda note: (note["id"],))
    return {"items": items, "muted": notes.muted(match, notes.seat_of(found, me.player))}, 200, headers


@blueprint.route("/notes/mute", methods=["PUT"])
@auth.needs("play")
@blueprint.arguments(MuteBody(), example={"muted": True})
@blueprint.response(204, description="So it is.")
@blueprint.problems("not-your-seat")
def mute(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Mute a table, or hear it again.

    For your seat only; the others do not notice.
    """
    notes.mute(match, auth.current().player, silent=body["muted"])
    return Response(status=204)


@blueprint.route("/offers", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(NewOffer(), example={"kind": "end"})
@blueprint.response(201, OfferShown(), example=OFFER, description="The offer, which you agree to.")
@blueprint.problems("not-your-seat", "match-over", "conflict", "limit-reached")
def make(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Offer to end the match.

    `end` counts the scores as they stand, `cancel` leaves no result. It happens when every seat with a person
    agrees; the house then writes `end agreed` or `end cancelled` into the log. Beside bots alone it happens at
    once. Offering what another seat has offered already agrees to it.
    """
    made = offers.make(match, auth.current().player, body["kind"])
    return offers.shown(made), 201


@blueprint.route("/offers")
@auth.needs("read")
@blueprint.response(200, OfferPage(), example={"items": [OFFER]})
@blueprint.problems("not-your-seat")
def offered(match: str) -> Any:  # noqa: ANN401
    """List the offers.

    Latest first, closed ones too.
    """
    notes.seat_of(find(match), auth.current().player)
    return {"items": [offers.shown(offer) for offer in offers.listed(match)]}


@blueprint.route("/offers/<id:offer>", methods=["POST"])
@auth.needs("play")
@blueprint.arguments(OfferAnswer(), example={"agree": True})
@blueprint.response(200, OfferShown(), example={**OFFER, "agreed": [0, 1], "status": "made", "closed_at": OFFER["at"]})
@blueprint.problems("not-your-seat", "match-over", "conflict")
def answer(body: dict[str, Any], match: str, offer: str) -> Any:  # noqa: ANN401
    """Answer an offer.

    One refusal closes it.
    """
    return offers.shown(offers.answer(match, auth.current().player, offer, agree=body["agree"]))
