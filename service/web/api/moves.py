"""Moves: signed lines, their outcome, and free text turned into lines."""

from __future__ import annotations

import json

from flask import Response

from engine.words import Locale
from service.i18n.catalogue import msg
from service.play import accept, access, free_text, match_loader, preview, submissions, views
from service.play.submissions import SubmissionResult
from service.play.views import Viewer
from service.problems import Problem
from service.record.canonical_json import JsonObject
from service.web import auth, errors, json_body, long_poll, rate_limits
from service.web.api.tables import question_and_options
from service.web.middleware import current_record
from service.web.openapi.blueprint import Blueprint, describe_content
from service.web.openapi.nodes import header_parameter
from service.web.request_context import own_match_state, response_locale
from service.web.responses import json_response, json_text_response
from service.web.schemas.moves import (
    AcceptedShown,
    FreeText,
    MovesBody,
    MovesQuery,
    PreviewBody,
    PreviewShown,
    ReadingShown,
    ResolvedShown,
    SentShown,
)

blueprint = Blueprint("moves", __name__, url_prefix="/v1/matches/<id:match>", description="Signing and sending moves.")
PREFER_PARAMETER = header_parameter(
    "Prefer",
    "`wait=10`: answer when chance, bots and orders have acted, within this many seconds (RFC 7240).",
    "wait=10",
    maxLength=200,
)


@blueprint.post("/moves", scope="play")
@blueprint.doc(
    parameters=[PREFER_PARAMETER],
    requestBody={
        "required": True,
        "content": {"application/json": describe_content(MovesBody)},
    },
)
@blueprint.response(202, "The lines are in the log, or wait as orders; their consequences follow.", shape=AcceptedShown)
@blueprint.alternative(200, ResolvedShown, "With `Prefer: wait=N`: the same, with the table after all consequences.")
@blueprint.problems(
    "not-your-seat",
    "not-your-key",
    "question-changed",
    "conflict",
    "match-over",
    "not-listed",
    "not-canonical",
    "wrong-signature",
    "wrong-prev",
    "limit-reached",
)
def submit(query: MovesQuery, match: str) -> Response:
    r"""Make moves.

    Sign each line with an Ed25519 key of your seat, over this text, every part followed by a line feed:

        echtra-move-v1
        MATCH
        SEAT
        ASKED
        PREV
        N
        BEFORE
        LINE

    `MATCH` is the id of the match, `SEAT` your seat; `ASKED` and `PREV` come from `question` of the table or the
    options. `N` counts the lines of the submission from 1. `BEFORE` is `now` for line 1, or `wait` with `"orders":
    true`; from line 2 on it is the SHA-256, in hex, of the 64 bytes of the signature before. `LINE` is a line as
    listed. With openssl:

        printf '%s\n' echtra-move-v1 "$match" "$seat" "$asked" "$prev" 1 now "$line" > move.txt
        openssl pkeyutl -sign -inkey key.pem -rawin -in move.txt | od -An -v -tx1 | tr -d ' \n'

    Lines are made one after the other while it is your turn. Where chance, a bot or another seat must act first,
    the rest waits as orders and is made as soon as you are asked and the line is listed; if it is not, the rest is
    dropped. With `"orders": true` the first line may wait too, out of turn. Your latest submission replaces what
    waits, an empty one withdraws it.

    If the question has changed meanwhile, the answer is 409 and carries `table` and `options` as they are now;
    nothing is written. A line that is not listed is a 422 with the same members. The same submission again gets the
    same answer and happens once.
    """
    sent = json_body.parse_submission(json_body.read_json_bytes(json_body.MOST_SUBMISSION_BYTES))
    player, head = auth.require_caller().player, auth.current_match_head()
    with rate_limits.counting_failed_signatures(current_record(), rate_limits.current_limits()):
        accepted = accept.accept(match, player, sent, head=head)
    return _moves_response(accepted, query.picture)


def _moves_response(accepted: SubmissionResult, picture: str | None) -> Response:
    seconds = long_poll.requested_seconds()
    player = auth.require_caller().player
    if long_poll.wait_until_resolved(player, accepted.match, accepted.receipt["seq"], seconds):
        match_state = match_loader.load_match_state(accepted.match)
        viewer = Viewer(match_state, match_state.seat_of(player), response_locale())
        told = {
            **json.loads(accepted.text),
            "table": views.table_as_json(viewer),
            "options": question_and_options(viewer, marks=picture is not None),
            **({"svg": views.render_svg(viewer, narrow=picture == "narrow")} if picture else {}),
        }
        return json_response(told, 200, {"Preference-Applied": f"wait={seconds}"})
    return json_text_response(accepted.text, 202, {"Location": accepted.path})


@blueprint.get("/submissions/<id:submission>", scope="read")
@blueprint.response(200, shape=SentShown)
def get_submission(match: str, submission: str) -> Response:
    """Read one of your submissions.

    It lists the lines that are made and those that wait, and says why others were dropped. Nobody else can read it.
    """
    me = auth.require_caller()
    access.find_match(match, me.player)
    return json_response(submissions.find_for_sender(match, submission, me.player))


@blueprint.post("/reading", scope="read")
@blueprint.response(200, shape=ReadingShown)
@blueprint.problems("not-your-seat", "not-canonical", "conflict", "match-over")
def read_free_text(given: FreeText, match: str) -> Response:
    """Turn free text into lines.

    It understands numbers of the list of options; its sentences in English or French, whole or in part, with or without
    number, line and polite words; names with or without accents; unique beginnings; and the short forms of each game.
    Nothing is made: sign the lines and send them as moves. Text that is unclear or ambiguous, such as the number of one
    line with the words of another, is refused with what it may have `meant`.
    """
    match_state, seat = own_match_state(match)
    viewer = Viewer(match_state, seat, response_locale())
    try:
        lines = free_text.parse_lines(viewer, given.text)
    except free_text.Unclear as error:
        raise Problem(
            "not-canonical",
            msg("requests.several_lines", meant=" · ".join(error.meant))
            if error.meant
            else msg("requests.unclear_text"),
            text=error.text,
            meant=list(error.meant),
        ) from None
    return json_response({"question": views.question(viewer), "lines": list(lines)})


@blueprint.post("/preview", scope="read")
@blueprint.response(200, shape=PreviewShown)
@blueprint.problems("not-your-seat", "question-changed", "conflict", "match-over", "not-listed", "not-canonical")
def preview_moves(given: PreviewBody, match: str) -> Response:
    """Preview moves before you send them.

    The table as your seat would see it after these lines, a picture of it, and what you could do next. Nothing is made
    and nothing is signed. It is computed on tables where everything hidden from you is dealt at random, never on the
    real one, and the same question always gets the same answer.

    It stops after a line that others or chance follow, and before a line that reveals something or whose outcome
    depends on something hidden: `then` says which, `made` how far it got. Lines after that are ignored. A line that is
    not listed is refused as `moves` refuses it.

    With `chain`, steps that leave no choice join: after a first line in Keltis, `draw deck` while all discard piles are
    empty. A line that only your hidden cards force is never added, since sending both at once would tell others.
    """
    match_state, seat = own_match_state(match)
    found = preview.preview_lines(match_state, seat, given.lines, chain=given.chain)
    viewer = Viewer(found.match_state, seat, response_locale())
    told: JsonObject = {
        "asked": found.asked,
        "made": list(found.made),
        "sentences": _tell_steps(viewer, found),
        "forced": found.forced,
        "then": found.then,
        "table": views.table_as_json(viewer),
        "svg": views.render_svg(viewer, narrow=given.narrow),
        "options": question_and_options(viewer, marks=True),
    }
    return json_response(told)


def _tell_steps(viewer: Viewer, found: preview.Preview) -> list[str]:
    """Return the lines of a preview as sentences, each as it looked before it was made."""
    game, names = viewer.game, viewer.view().names
    views_before = [game.rules.view(before, viewer.seat).with_names(names) for before, _ in found.steps]
    return [
        game.presentation.say(view, action, viewer.locale)
        for view, (_, action) in zip(views_before, found.steps, strict=True)
    ]


def _refusal_members(refused: Problem, locale: Locale) -> JsonObject:
    """Return the members of a refusal at a table: what the sender's seat sees and may do now."""
    more = {name: value for name, value in refused.more.items() if name not in ("table", "listed")}
    if "table" not in refused.more:
        return more
    viewer = Viewer(refused.more["table"], refused.more["seat"], locale)
    if refused.kind == "not-canonical":
        more["meant"] = free_text.suggest_lines(viewer, str(more.get("text", "")))
    return {**more, "table": views.table_as_json(viewer), "options": question_and_options(viewer)}


for _kind in ("question-changed", "not-listed", "not-canonical"):
    errors.MEMBER_BUILDERS[_kind] = _refusal_members
