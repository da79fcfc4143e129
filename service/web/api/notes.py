"""What the seats say to each other beside the log: `/matches/{match}/notes`."""

from __future__ import annotations

from flask import Response

from service.play import notes
from service.play.notes import NoteShown
from service.web import auth, idempotency, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import find_match, response_locale
from service.web.schemas.notes import MuteBody, NewNote, NotePage

blueprint = Blueprint(
    "talks", __name__, url_prefix="/v1/matches/<id:match>", description="Notes to the table, and offers to end a match."
)


@blueprint.route("/notes", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewNote)
@blueprint.response(201, NoteShown, description="The note.")
@blueprint.problems("not-your-seat", "limit-reached")
def write(body: NewNote, match: str) -> NoteShown:
    """Leave a note to the table.

    For those who sit there and the organiser, at any time, in at most 1,000 characters. Notes stand beside the log
    and never in the record. A move can bring one along.
    """
    me = auth.require_caller()
    number = notes.write(match, me.player, body.text)
    return notes.read(find_match(match), me.player, number + 1, 1, response_locale())[0]


@blueprint.route("/notes")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.response(200, NotePage)
@blueprint.problems("not-your-seat")
def list_notes(query: pagination.Paging, match: str) -> Answer[NotePage]:
    """Read the notes.

    Latest first.
    """
    found, me = find_match(match), auth.require_caller()
    page = pagination.parse_page_request("notes", query)
    before = page.after[0] if page.after else None
    fetched = notes.read(found, me.player, before, page.fetch_limit, response_locale())
    items, headers = pagination.slice_page(fetched, page, lambda note: (note.id,))
    return NotePage(items=items, muted=notes.is_muted(match, notes.seat_of(found, me.player))), 200, headers


@blueprint.route("/notes/mute", methods=["PUT"])
@auth.requires_scope("play")
@blueprint.arguments(MuteBody)
@blueprint.response(204, description="So it is.")
@blueprint.problems("not-your-seat")
def mute(body: MuteBody, match: str) -> Response:
    """Mute a table, or hear it again.

    For your seat only; the others do not notice.
    """
    notes.set_muted(match, auth.require_caller().player, silent=body.muted)
    return Response(status=204)
