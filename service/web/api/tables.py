"""Tables: what one sees of a match, what one may do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, request

from service.matches import leagues
from service.play import accept as play
from service.play import history, views
from service.play import record_export as exports
from service.play.views import Looking
from service.problems import Problem
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.request_context_watching import EVERYBODY, find, looking, player
from service.web.responses import json_answer
from service.web.schemas.matches import MatchQuery
from service.web.schemas.tables import (
    ENTRY,
    OPTIONS,
    SEALED,
    TABLE,
    HistoryPage,
    HistoryQuery,
    LookQuery,
    OptionsShown,
    TableQuery,
    TableShown,
)

blueprint = Blueprint(
    "tables", __name__, url_prefix="/v1/matches/<id:match>", description="The table, the legal lines, and the log."
)
Answer = Callable[[Looking], Response]


def _json(watched: Looking) -> Response:
    return json_answer(views.shown(watched))


def _text(watched: Looking) -> Response:
    return Response(views.text(watched), content_type="text/plain; charset=utf-8")


def _svg(watched: Looking) -> Response:
    return Response(views.svg(watched), content_type="image/svg+xml")


def _png(watched: Looking) -> Response:
    return Response(views.png(watched), content_type="image/png")


FORMS: dict[str, Answer] = {
    "application/json": _json,
    "text/plain": _text,
    "image/svg+xml": _svg,
    "image/png": _png,
}


FORM = {"type": "string"}
JSON = {"application/json": {"schema": TableShown(), "example": TABLE}}
TEXT = {"text/plain": {"schema": FORM, "example": "Keltis · turn 1 · deck 55\nAoife to play\n…\n"}}
SVG = {"image/svg+xml": {"schema": FORM, "example": '<svg role="img" viewBox="0 0 600 438">…</svg>'}}
PNG = {"image/png": {"schema": {**FORM, "contentMediaType": "image/png"}}}
RECORD = {"application/jsonl": {"schema": FORM, "example": '{"hash":"630dcd29…","lines":["echtra-match-v1",…]…}\n…\n'}}


def _content(content: dict[str, Any], told: str = "The table.") -> dict[str, Any]:
    """The good answer of an operation, for the document."""
    return {"200": {"description": told, "content": content}}


def _told(answer: Answer, match: str, query: dict[str, Any]) -> Response:
    watched = looking(match, query)
    response = answer(watched)
    response.headers["Content-Language"] = watched.locale
    return response


@blueprint.route("/table")
@blueprint.doc(**EVERYBODY, responses=_content({**JSON, **TEXT, **SVG, **PNG}))
@blueprint.arguments(TableQuery(), location="query")
@blueprint.problems("not-acceptable", "conflict", "match-over")
def table(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Look at the table.

    As your seat sees it, or as a spectator does: nothing that is hidden from you is in the answer, its size or its
    ETag. With `at` as it stood after an earlier entry, then without a question.

    `Accept` chooses the form: `application/json`, `text/plain`, `image/svg+xml` or `image/png`; the addresses
    `table.txt`, `table.svg` and `table.png` give these too.
    """
    accepted = request.accept_mimetypes
    form = accepted.best_match(list(FORMS)) if accepted else "application/json"
    if form is None:
        raise Problem("not-acceptable", f"A table comes as {', '.join(FORMS)}.", accepted=list(FORMS))
    return _told(FORMS[form], match, query)


@blueprint.route("/table.txt")
@blueprint.doc(**EVERYBODY, responses=_content(TEXT))
@blueprint.arguments(TableQuery(), location="query")
@blueprint.problems("conflict", "match-over")
def text(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Look at the table as plain text.

    As letters show it, at most 78 characters wide, in your language.
    """
    return _told(_text, match, query)


@blueprint.route("/table.svg")
@blueprint.doc(**EVERYBODY, responses=_content(SVG))
@blueprint.arguments(TableQuery(), location="query")
@blueprint.problems("conflict", "match-over")
def svg(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Look at a picture of the table.

    SVG that needs nothing else; its description says in words what it shows.
    """
    return _told(_svg, match, query)


@blueprint.route("/table.png")
@blueprint.doc(**EVERYBODY, responses=_content(PNG))
@blueprint.arguments(TableQuery(), location="query")
@blueprint.problems("conflict", "match-over")
def png(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Look at a picture of the table, as PNG.

    At most 1200 pixels wide.
    """
    return _told(_png, match, query)


@blueprint.route("/options")
@blueprint.doc(**EVERYBODY)
@blueprint.arguments(LookQuery(), location="query")
@blueprint.response(200, OptionsShown(), example=OPTIONS)
@blueprint.problems("conflict", "match-over")
def options(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """List the legal lines.

    What your seat may do now: a line is legal if and only if it is listed. Each comes with its parts and with a
    sentence in your language. Take `asked` and `prev` from `question` into what you sign. The lines `resign` and
    `keys …` are open at any time and not listed. Empty when you are not asked.
    """
    return json_answer(listed(looking(match, query)))


def listed(watched: Looking) -> dict[str, Any]:
    """The question and the legal lines of a reader."""
    return {"question": views.question(watched.table, watched.seat), **views.options(watched)}


@blueprint.route("/history")
@blueprint.doc(**EVERYBODY)
@blueprint.arguments(HistoryQuery(), location="query")
@blueprint.response(200, HistoryPage(), example={"items": [SEALED, ENTRY], "head": 3})
@blueprint.problems("conflict", "match-over")
def log(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Read the log.

    Entry by entry, oldest first. A line that is sealed for you shows `?` for what is hidden, and its signature is
    withheld with it; both appear when the game reveals it, at the latest when the match is over. With `told=true`
    each entry comes with sentences that say what it meant, as far as you may see it, in your language. For a signed
    export that can be verified, see `/v1/matches/{match}/record`.
    """
    watched = looking(match, query)
    wanted = pages.page("history", query)
    newest = query["newest"]
    start = wanted.after[0] if wanted.after else (watched.table.seq + 1 if newest else query["after"] or 0)
    viewer = exports.viewer_of(watched.table, watched.seat)
    found = history.entries(watched.table, viewer, start, wanted.fetch, newest=newest)
    if newest and query["after"] is not None:
        found = [entry for entry in found if entry["seq"] > query["after"]]
    items, headers = pages.answer(found, wanted, lambda entry: (entry["seq"],))
    if query["told"]:
        items = history.told(watched, items)
        headers = {**headers, "Content-Language": watched.locale}
    return json_answer({"items": items, "head": watched.table.seq}, headers=headers)


@blueprint.route("/record")
@blueprint.doc(
    **EVERYBODY, responses=_content(RECORD, "One JSON object a line: header, keys, entries, receipts, seed, head.")
)
@blueprint.arguments(MatchQuery(), location="query")
@blueprint.problems("conflict", "match-over")
def record(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Get the record.

    The log as a file that anyone can verify without us: chained by hashes, signed by the players and by the server,
    with sealed lines as commitments until they may be seen. `echtra verify` checks it. The arbiter of a match gets
    it open; when the match is over, everybody does, and the seed with it.
    """
    found, asks = find(match, query), player()
    seen = play.table_of(match)
    if seen.state.over and not leagues.seed_is_out(found.league):
        raise Problem("conflict", "The record of a league's match comes out with its seed, when the league ends.")
    seat = None if asks is None else seen.seat_of(asks)
    # Whoever has a seat sees what that seat may see, whatever else they are.
    viewer = exports.viewer_of(seen, seat, arbiter=asks is not None and found.arbiter == asks and seat is None)
    body = exports.record(seen, viewer)
    name = f'attachment; filename="{match}.jsonl"'
    return Response(body, content_type="application/jsonl", headers={"Content-Disposition": name})
