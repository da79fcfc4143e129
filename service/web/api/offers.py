"""Offers to end or cancel a match: `/matches/{match}/offers`, on the blueprint of the notes, whose tag they share."""

from __future__ import annotations

from typing import Any

from service.db.models.matches import OfferRow
from service.matches import offers
from service.play import notes
from service.web import auth, idempotency, pagination
from service.web.api.notes import blueprint
from service.web.request_context import find_match
from service.web.schemas.notes import (
    OFFER_EXAMPLE,
    NewOfferSchema,
    OfferAnswerSchema,
    OfferPageSchema,
    OfferShownSchema,
)


@blueprint.route("/offers", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewOfferSchema(), example={"kind": "end"})
@blueprint.response(201, OfferShownSchema(), example=OFFER_EXAMPLE, description="The offer, which you agree to.")
@blueprint.problems("not-your-seat", "match-over", "conflict", "limit-reached")
def make(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Offer to end the match.

    `end` counts the scores as they stand, `cancel` leaves no result. It happens when every seat with a person
    agrees; the house then writes `end agreed` or `end cancelled` into the log. Beside bots alone it happens at
    once. Offering what another seat has offered already agrees to it.
    """
    offer = offers.make(match, auth.require_caller().player, body["kind"])
    return offers.offer_as_json(offer), 201


@blueprint.route("/offers")
@auth.requires_scope("read")
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, OfferPageSchema(), example={"items": [OFFER_EXAMPLE]})
@blueprint.problems("not-your-seat")
def list_offers(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """List the offers.

    Latest first, closed ones too.
    """
    notes.seat_of(find_match(match), auth.require_caller().player)
    page = pagination.parse_page_request("offers", query)
    found = OfferRow.select().where(OfferRow.match == match)
    items, headers = pagination.fetch_page(found, page, OfferRow.at, OfferRow.id, newest_first=True)
    return {"items": [offers.offer_as_json(offer) for offer in items]}, 200, headers


@blueprint.route("/offers/<id:offer>", methods=["POST"])
@auth.requires_scope("play")
@blueprint.arguments(OfferAnswerSchema(), example={"agree": True})
@blueprint.response(
    200,
    OfferShownSchema(),
    example={**OFFER_EXAMPLE, "agreed": [0, 1], "status": "made", "closed_at": OFFER_EXAMPLE["at"]},
)
@blueprint.problems("not-your-seat", "match-over", "conflict")
def answer(body: dict[str, Any], match: str, offer: str) -> Any:  # noqa: ANN401
    """Answer an offer.

    One refusal closes it.
    """
    return offers.offer_as_json(offers.answer(match, auth.require_caller().player, offer, agree=body["agree"]))
