"""The log of emails that we sent to you, and their delivery."""

from __future__ import annotations

from service.mail.outgoing import letter_ledger
from service.mail.outgoing.letter_ledger import LetterShown
from service.shapes import Page
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint

blueprint = Blueprint("letters", __name__, url_prefix="/v1/me/letters", description="Emails to you and their delivery.")


@blueprint.get("", scope="read")
@blueprint.page("A page of your letters, latest first.")
def list_letters(query: pagination.Paging) -> Answer[Page[LetterShown]]:
    """List your emails.

    The latest come first, each with its state, so that you can see whether an email about your turn was delivered, is
    waiting for a mail server, or bounced.
    """
    letters = letter_ledger.list_before(auth.require_caller().player, query.cursor_key, query.fetch_limit)
    items, headers = pagination.slice_page(letters, query, lambda letter: (letter.created_at, letter.id))
    return Page(items=items), 200, headers
