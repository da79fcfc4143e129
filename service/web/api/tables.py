"""Tables: what a reader sees of a match, what they may do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, request

from service.i18n.catalogue import msg
from service.play import access, board_options, history, match_loader, record_export, views
from service.play.views import Viewer
from service.problems import Problem
from service.record.canonical_json import JsonObject
from service.web import pagination
from service.web.openapi.blueprint import Blueprint, describe_content
from service.web.openapi.nodes import STRING_SCHEMA, good_answer, text_content
from service.web.request_context import current_player_id, find_match, load_viewer
from service.web.responses import json_response
from service.web.schemas.matches import MatchQuery
from service.web.schemas.tables import (
    HistoryPage,
    HistoryQuery,
    OptionsQuery,
    OptionsShown,
    PictureQuery,
    TableQuery,
    TableShown,
)

blueprint = Blueprint(
    "tables", __name__, url_prefix="/v1/matches/<id:match>", description="The table, the legal lines, and the log."
)
Renderer = Callable[[Viewer, bool], Response]


def _render_json(viewer: Viewer, _narrow: bool) -> Response:
    return json_response(views.table_as_json(viewer))


def _render_text(viewer: Viewer, _narrow: bool) -> Response:
    return Response(views.render_text(viewer), content_type="text/plain; charset=utf-8")


def _render_svg(viewer: Viewer, narrow: bool) -> Response:
    return Response(views.render_svg(viewer, narrow=narrow), content_type="image/svg+xml")


def _render_png(viewer: Viewer, narrow: bool) -> Response:
    return Response(views.render_png(viewer, narrow=narrow), content_type="image/png")


RENDERERS: dict[str, Renderer] = {
    "application/json": _render_json,
    "text/plain": _render_text,
    "image/svg+xml": _render_svg,
    "image/png": _render_png,
}


JSON_CONTENT = {"application/json": describe_content(TableShown)}
TEXT_CONTENT = text_content("text/plain", "Keltis · turn 1 · deck 55\nAoife to play\n…\n")
SVG_CONTENT = text_content("image/svg+xml", '<svg role="img" viewBox="0 0 600 438">…</svg>')
PNG_CONTENT = {"image/png": {"schema": {**STRING_SCHEMA, "contentMediaType": "image/png"}}}
RECORD_CONTENT = text_content("application/jsonl", '{"hash":"630dcd29…","lines":["echtra-match-v1",…]…}\n…\n')


def _render_table(answer: Renderer, match: str, query: TableQuery, *, narrow: bool = False) -> Response:
    viewer = load_viewer(match, query.link, query.at, spectator=query.spectator)
    response = answer(viewer, narrow)
    response.headers["Content-Language"] = viewer.locale
    return response


@blueprint.get("/table", scope="optional")
@blueprint.doc(
    responses=good_answer("The table.", {**JSON_CONTENT, **TEXT_CONTENT, **SVG_CONTENT, **PNG_CONTENT}),
)
@blueprint.problems("not-acceptable", "conflict", "match-over")
def get_table(query: PictureQuery, match: str) -> Response:
    """Read the table.

    You see it as your seat does, or as a spectator does: nothing that is hidden from you affects the answer, its size
    or its ETag. With `at` you get the table after an earlier entry, without a question.

    `Accept` chooses the form: `application/json`, `text/plain`, `image/svg+xml` or `image/png`; `table.txt`,
    `table.svg` and `table.png` give these too. With `narrow=true` a picture is drawn for a phone.
    """
    accepted = request.accept_mimetypes
    form = accepted.best_match(list(RENDERERS)) if accepted else "application/json"
    if form is None:
        raise Problem(
            "not-acceptable", msg("requests.table_types", types=", ".join(RENDERERS)), accepted=list(RENDERERS)
        )
    return _render_table(RENDERERS[form], match, query, narrow=query.narrow)


@blueprint.get("/table.txt", scope="optional")
@blueprint.doc(responses=good_answer("The table.", TEXT_CONTENT))
@blueprint.problems("conflict", "match-over")
def get_table_text(query: TableQuery, match: str) -> Response:
    """Read the table as plain text.

    The text is the same as in emails, at most 78 characters wide, in your language.
    """
    return _render_table(_render_text, match, query)


@blueprint.get("/table.svg", scope="optional")
@blueprint.doc(responses=good_answer("The table.", SVG_CONTENT))
@blueprint.problems("conflict", "match-over")
def get_table_svg(query: PictureQuery, match: str) -> Response:
    """Get a picture of the table.

    The SVG is self-contained, and its description says in words what it shows. Every part that can be touched to choose
    a line is a group with `data-mark`, the same word as in `marks` of the options, and with a name in your language.
    """
    return _render_table(_render_svg, match, query, narrow=query.narrow)


@blueprint.get("/table.png", scope="optional")
@blueprint.doc(responses=good_answer("The table.", PNG_CONTENT))
@blueprint.problems("conflict", "match-over")
def get_table_png(query: PictureQuery, match: str) -> Response:
    """Get a picture of the table as PNG.

    It is at most 1200 pixels wide.
    """
    return _render_table(_render_png, match, query, narrow=query.narrow)


@blueprint.get("/options", scope="optional")
@blueprint.response(200, shape=OptionsShown)
@blueprint.problems("conflict", "match-over")
def list_options(query: OptionsQuery, match: str) -> Response:
    """List the legal lines.

    What your seat may do now: a line is legal if and only if it is listed. Each has its parts and a sentence in your
    language. Copy `asked` and `prev` from `question` into the text you sign. The lines `resign` and `keys …` are always
    legal and not listed. The list is empty when it is not your turn.

    **Choosing by touch.** With `marks=true` each line says what is touched on the picture to choose it: for each of its
    words one or more marks, such as `hand:R5`, separated by spaces. Groups of the SVG have these marks as `data-mark`;
    a mark without a group is a button, and `names` has its label. Touches *fit* a line if they can be split into runs,
    each of marks of one word, no word twice, and every run but the last complete.

    With `mark=token:D&mark=gate:4`, in the order of the touches, the whole list is narrowed, not only its first 200
    lines: `items` are the lines that fit, with their numbers in the whole list, `open` is what can be touched next, and
    `offered` are the numbers of the lines that can be sent now: the only one left, or those that are complete. Marks
    that no line has leave an empty list, which is not an error.
    """
    viewer = load_viewer(match, query.link, spectator=query.spectator)
    asked = {"question": views.question(viewer)}
    if query.mark:
        return json_response({**asked, **board_options.narrow_options(viewer, tuple(query.mark))})
    return json_response(question_and_options(viewer, marks=query.marks))


def question_and_options(viewer: Viewer, *, marks: bool = False) -> JsonObject:
    """Return the question and the legal lines of a reader, with their marks if requested."""
    listed = board_options.list_board_options(viewer) if marks else views.options(viewer)
    return {"question": views.question(viewer), **listed}


@blueprint.get("/history", scope="optional")
@blueprint.response(200, shape=HistoryPage)
@blueprint.problems("conflict", "match-over")
def list_history(query: HistoryQuery, match: str) -> Response:
    """Read the log.

    You get it entry by entry, oldest first. A line that is sealed for you has `?` for its hidden parts, and no
    signature. Both appear when the game reveals it, at the latest when the match is over. With `told=true` each entry
    has sentences that say what it meant, as far as you may see it, in your language. For a signed export that can be
    verified, see `/v1/matches/{match}/record`.
    """
    viewer = load_viewer(match, query.link, spectator=query.spectator)
    newest = query.newest
    start = query.cursor_number or (viewer.match_state.seq + 1 if newest else query.after or 0)
    viewer_word = record_export.viewer_of(viewer.match_state, viewer.seat)
    found = history.list_entries(viewer.match_state, viewer_word, start, query.fetch_limit, newest=newest)
    if newest and query.after is not None:
        found = [entry for entry in found if entry["seq"] > query.after]
    items, headers = pagination.slice_page(found, query, lambda entry: (entry["seq"],))
    if query.told:
        items = history.add_sentences(viewer, items)
        headers = {**headers, "Content-Language": viewer.locale}
    return json_response({"items": items, "head": viewer.match_state.seq}, headers=headers)


@blueprint.get("/record", scope="optional")
@blueprint.doc(
    responses=good_answer(
        "One JSON object per line: header, keys, entries, receipts, seed, head.", RECORD_CONTENT, is_file=True
    ),
)
@blueprint.problems("conflict", "match-over")
def get_record(query: MatchQuery, match: str) -> Response:
    """Get the record.

    The record is the log as a file that anyone can verify without us: chained by hashes, signed by the players and by
    the server, with sealed lines as commitments until they are revealed. `echtra verify` checks it. While the match is
    running, you get what your seat may see; everybody else, including the arbiter, gets what spectators see. When the
    match is over, everybody gets all of it, including the seed. From then on its ETag is stable, for players and
    spectators alike: only the signature of its last line differs each time.
    """
    found, asks = find_match(match, query.link), current_player_id()
    seen = match_loader.load_match_state(match)
    if seen.state.over and not access.is_record_public(found):
        raise Problem("conflict", msg("requests.record_sealed"))
    tag = f'W/"{seen.hash[:32]}"' if seen.state.over else ""
    if tag and request.if_none_match.contains_weak(seen.hash[:32]):
        return Response(status=304, headers={"ETag": tag})
    seat = None if asks is None else seen.seat_of(asks)
    body = record_export.export_record(seen, record_export.viewer_of(seen, seat))
    headers = {"Content-Disposition": f'attachment; filename="{match}.jsonl"'}
    if tag:
        headers["ETag"] = tag
    return Response(body, content_type="application/jsonl", headers=headers)
