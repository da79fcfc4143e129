"""Offers to end or cancel a match: `/matches/{match}/offers`, on the blueprint of the notes, whose tag they share."""

from __future__ import annotations

from service.db.models.matches import OfferRow
from service.matches import offers
from service.matches.offers import OfferShown
from service.play import notes
from service.shapes import Page
from service.web import auth, pagination
from service.web.api.notes import blueprint
from service.web.openapi.blueprint import Answer
from service.web.request_context import find_match
from service.web.schemas.notes import NewOffer, OfferAnswer


@blueprint.post("/offers", scope="play", once=True)
@blueprint.response(201, "The offer, with your agreement.")
@blueprint.problems("not-your-seat", "match-over", "conflict", "limit-reached")
def make(body: NewOffer, match: str) -> OfferShown:
    """Offer to end the match.

    `end` counts the current scores, `cancel` leaves no result. It takes effect when every human player agrees; the
    house then writes `end agreed` or `end cancelled` to the log. Against bots alone it takes effect at once. Making the
    same offer as another seat agrees to it.
    """
    offer = offers.make(match, auth.require_caller().player, body.kind)
    return offers.describe_offer(offer)


@blueprint.get("/offers", scope="read")
@blueprint.page("Latest first.")
@blueprint.problems("not-your-seat")
def list_offers(query: pagination.Paging, match: str) -> Answer[Page[OfferShown]]:
    """List the offers.

    Latest first, including closed ones.
    """
    notes.seat_of(find_match(match), auth.require_caller().player)
    found = OfferRow.select().where(OfferRow.match == match)
    items, headers = pagination.fetch_rows(found, query, OfferRow.at, OfferRow.id, newest_first=True)
    return Page(items=[offers.describe_offer(offer) for offer in items]), 200, headers


@blueprint.post("/offers/<id:offer>", scope="play")
@blueprint.problems("not-your-seat", "match-over", "conflict")
def answer(body: OfferAnswer, match: str, offer: str) -> OfferShown:
    """Answer an offer.

    One refusal closes it.
    """
    return offers.describe_offer(offers.answer(match, auth.require_caller().player, offer, agree=body.agree))
