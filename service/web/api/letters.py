"""The ledger: every letter we wrote to you, and what became of it."""

from __future__ import annotations

from typing import Any

from service.db.connection import rows
from service.web import auth
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.letters import LETTER, LetterPage

blueprint = Blueprint("letters", __name__, url_prefix="/v1/me/letters", description="Letters and what became of them.")
COLUMNS = tuple("id kind match seat subject state created_at accepted_at answered_at bounced_at why".split())
LISTED = (
    f"select {', '.join(COLUMNS)} from letter where player = ? "  # noqa: S608  # our own columns
    "and (created_at < ? or (created_at = ? and id < ?)) order by created_at desc, id desc limit ?"
)


@blueprint.route("")
@auth.needs("read")
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, LetterPage(), example={"items": [LETTER]})
def listed(query: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """List your letters.

    Latest first, each with its state, so that you see whether a letter about your turn was handed over, waits for
    a mail server, or came back.
    """
    wanted = pages.page("letters", query)
    at, before = wanted.after or (2**53, "")
    found = rows(LISTED, auth.current().player, at, at, before, wanted.fetch)
    items, headers = pages.answer(found, wanted, lambda row: (row[6], row[0]))
    return {"items": [dict(zip(COLUMNS, row, strict=True)) for row in items]}, 200, headers
