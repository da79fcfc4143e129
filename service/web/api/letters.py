"""The ledger: every letter we wrote to you, and what became of it."""

from __future__ import annotations

from typing import Any

from service.db.connection import rows
from service.web import auth, pagination
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.letters import LETTER_EXAMPLE, LetterPageSchema

blueprint = Blueprint("letters", __name__, url_prefix="/v1/me/letters", description="Letters and what became of them.")
LETTER_COLUMNS = tuple("id kind match seat subject state created_at accepted_at answered_at bounced_at why".split())
LETTERS_QUERY = (
    f"select {', '.join(LETTER_COLUMNS)} from letter where player = ? "  # noqa: S608  # our own columns
    "and (created_at < ? or (created_at = ? and id < ?)) order by created_at desc, id desc limit ?"
)


@blueprint.route("")
@auth.requires_scope("read")
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, LetterPageSchema(), example={"items": [LETTER_EXAMPLE]})
def list_letters(query: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """List your letters.

    Latest first, each with its state, so that you see whether a letter about your turn was handed over, waits for
    a mail server, or came back.
    """
    page = pagination.parse_page_request("letters", query)
    at, before = page.after or (2**53, "")
    found = rows(LETTERS_QUERY, auth.require_caller().player, at, at, before, page.fetch_limit)
    items, headers = pagination.slice_page(found, page, lambda row: (row[6], row[0]))
    return {"items": [dict(zip(LETTER_COLUMNS, row, strict=True)) for row in items]}, 200, headers
