"""Notes that players write to each other: `/matches/{match}/notes`."""

from __future__ import annotations

from service.play import notes
from service.play.notes import NoteShown
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import find_match, response_locale
from service.web.schemas.notes import MuteBody, NewNote, NotePage

blueprint = Blueprint(
    "talks", __name__, url_prefix="/v1/matches/<id:match>", description="Notes to the table, and offers to end a match."
)


@blueprint.post("/notes", scope="play", once=True)
@blueprint.response(201, "The note.")
@blueprint.problems("not-your-seat", "limit-reached")
def write(body: NewNote, match: str) -> NoteShown:
    """Leave a note to the table.

    For the players and the organiser, at any time, at most 1,000 characters. Notes are not part of the log or the
    record. A move can carry one.
    """
    me = auth.require_caller()
    number = notes.write(match, me.player, body.text)
    return notes.read(find_match(match), me.player, number + 1, 1, response_locale())[0]


@blueprint.get("/notes", scope="read")
@blueprint.problems("not-your-seat")
def list_notes(query: pagination.Paging, match: str) -> Answer[NotePage]:
    """Read the notes.

    Latest first.
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

    For your seat only; the others do not notice.
    """
    notes.set_muted(match, auth.require_caller().player, silent=body.muted)
