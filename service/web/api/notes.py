"""Notes between players, and offers to end or cancel a match."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.db.models.matches import OfferRow
from service.matches import offers
from service.matches.offers import END_REASONS, OfferShown
from service.play import notes
from service.play.notes import LONGEST_TEXT, NoteShown
from service.shapes import Page
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import find_match, response_locale


class NewNote(shapes.Body):
    """A note."""

    text: str = shapes.text("The text of the note.", "Good luck!", most=LONGEST_TEXT, least=1, lines=True)


class NotePage(shapes.Shape):
    """Notes."""

    items: Sequence[NoteShown] = shapes.items("Latest first.")
    muted: bool = shapes.flag("Whether you muted the table; then only your own notes are listed.")


class MuteBody(shapes.Body):
    """Mute a match, or unmute it."""

    muted: bool = shapes.flag("True: no more notes from others, here or by email.", True)


class NewOffer(shapes.Body):
    """An offer."""

    kind: str = shapes.choice(tuple(END_REASONS), "`end`: end now, as it stands. `cancel`: without result.")


class OfferAnswer(shapes.Body):
    """An answer to an offer."""

    agree: bool = shapes.flag("True to agree, false to refuse; false withdraws your own offer.", True)


blueprint = Blueprint(
    "talks", __name__, url_prefix="/v1/matches/<id:match>", description="Notes to the table, and offers to end a match."
)


@blueprint.post("/notes", scope="play", once=True)
@blueprint.response(201, "The note.")
@blueprint.problems("not-your-seat", "limit-reached")
def write(body: NewNote, match: str) -> NoteShown:
    """Leave a note to the table.

    Players and the organiser can, at any time, with at most 1,000 characters. Notes are not part of the log or the
    record. A move can carry one.
    """
    me = auth.require_caller()
    number = notes.write(match, me.player, body.text)
    return notes.read(find_match(match), me.player, number + 1, 1, response_locale())[0]


@blueprint.get("/notes", scope="read")
@blueprint.problems("not-your-seat")
def list_notes(query: pagination.Paging, match: str) -> Answer[NotePage]:
    """Read the notes.

    The latest come first.
    """
    found, me = find_match(match), auth.require_caller()
    before = query.cursor_number or None
    fetched = notes.read(found, me.player, before, query.fetch_limit, response_locale())
    items, headers = pagination.slice_page(fetched, query, lambda note: (note.id,))
    return NotePage(items=items, muted=notes.is_muted(match, notes.seat_of(found, me.player))), 200, headers


@blueprint.put("/notes/mute", scope="play")
@blueprint.response(204, "The setting is saved.")
@blueprint.problems("not-your-seat")
def mute(body: MuteBody, match: str) -> None:
    """Mute a table, or unmute it.

    This affects your seat only, and nobody else notices.
    """
    notes.set_muted(match, auth.require_caller().player, silent=body.muted)


@blueprint.post("/offers", scope="play", once=True)
@blueprint.response(201, "The offer, with your agreement.")
@blueprint.problems("not-your-seat", "match-over", "conflict", "limit-reached")
def make_offer(body: NewOffer, match: str) -> OfferShown:
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

    The latest come first, closed ones included.
    """
    notes.seat_of(find_match(match), auth.require_caller().player)
    found = OfferRow.select().where(OfferRow.match == match)
    items, headers = pagination.fetch_rows(found, query, OfferRow.at, OfferRow.id, newest_first=True)
    return Page(items=[offers.describe_offer(offer) for offer in items]), 200, headers


@blueprint.post("/offers/<id:offer>", scope="play")
@blueprint.problems("not-your-seat", "match-over", "conflict")
def answer_offer(body: OfferAnswer, match: str, offer: str) -> OfferShown:
    """Answer an offer.

    One refusal closes it.
    """
    return offers.describe_offer(offers.answer(match, auth.require_caller().player, offer, agree=body.agree))
