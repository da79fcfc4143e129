"""The ledger: every letter we wrote to you, and what became of it."""

from __future__ import annotations

from service.mail.outgoing import letter_ledger
from service.mail.outgoing.letter_ledger import LetterShown
from service.shapes import Page
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint

blueprint = Blueprint("letters", __name__, url_prefix="/v1/me/letters", description="Letters and what became of them.")


@blueprint.route("")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.page(LetterShown, "A page of your letters, latest first.")
def list_letters(query: pagination.Paging) -> Answer[Page[LetterShown]]:
    """List your letters.

    Latest first, each with its state, so that you see whether a letter about your turn was handed over, waits for
    a mail server, or came back.
    """
    page = pagination.parse_page_request("letters", query)
    letters = letter_ledger.list_before(auth.require_caller().player, page.after, page.fetch_limit)
    items, headers = pagination.slice_page(letters, page, lambda letter: (letter.created_at, letter.id))
    return Page(items=items), 200, headers
