"""Moves: signed lines, what became of them, and free text turned into lines."""

from __future__ import annotations

import json
from typing import Any

from flask import Response

from service.play import accept as play
from service.play import access, submissions, views
from service.play import free_text as reading
from service.play.submissions import Accepted
from service.play.views import Looking
from service.problems import Problem
from service.web import auth
from service.web import errors as problem
from service.web import json_body as body
from service.web import json_body_submitting as submitting
from service.web import long_poll as waiting
from service.web import rate_limits as limits
from service.web.api.tables import listed
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import spoken
from service.web.responses import json_answer, json_sent
from service.web.schemas.moves import (
    ACCEPTED,
    MOVES,
    READING,
    RESOLVED,
    SENT,
    AcceptedShown,
    FreeText,
    MovesBody,
    ReadingShown,
    ResolvedShown,
    SentShown,
)

blueprint = Blueprint("moves", __name__, url_prefix="/v1/matches/<id:match>", description="Signing and sending moves.")
PREFER = {
    "in": "header",
    "name": "Prefer",
    "required": False,
    "description": "`wait=10`: answer when chance, bots and orders have acted, within so many seconds (RFC 7240).",
    "schema": {"type": "string", "maxLength": 200},
    "example": "wait=10",
}


@blueprint.route("/moves", methods=["POST"])
@auth.needs("play")
@blueprint.doc(
    parameters=[PREFER],
    requestBody={
        "required": True,
        "content": {"application/json": {"schema": MovesBody(), "example": MOVES}},
    },
)
@blueprint.response(
    202,
    AcceptedShown(),
    example=ACCEPTED,
    description="The lines are in the log, or wait as orders; what follows from them is on its way.",
    headers={"Location": {"description": "Where to ask what became of them.", "schema": {"type": "string"}}},
)
@blueprint.alt_response(
    200,
    schema=ResolvedShown(),
    example=RESOLVED,
    description="With `Prefer: wait=N`: the same, with the table after everything that followed.",
    success=True,
)
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
def submit(match: str) -> Response:
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
    sent = submitting.read(body.raw(submitting.MOST_BYTES))
    me = auth.current()
    try:
        accepted = play.accept(match, me.player, sent, auth.head())
    except Problem as error:
        if error.kind == "wrong-signature":
            limits.failed_signature()
        raise
    return _answer(accepted)


def _answer(accepted: Accepted) -> Response:
    seconds = waiting.wished()
    if seconds and waiting.resolved(accepted.match, accepted.receipt["seq"], seconds):
        table = play.table_of(accepted.match)
        watched = Looking(table, table.seat_of(auth.current().player), spoken())
        told = {**json.loads(accepted.text), "table": views.shown(watched), "options": listed(watched)}
        return json_answer(told, 200, {"Preference-Applied": f"wait={seconds}"})
    return json_sent(accepted.text, 202, {"Location": accepted.place})


@blueprint.route("/submissions/<id:submission>")
@auth.needs("read")
@blueprint.response(200, SentShown(), example=SENT)
def sent(match: str, submission: str) -> Response:
    """See what became of a submission.

    One of yours: which lines are made, which wait, and why others were dropped. Nobody else finds it.
    """
    me = auth.current()
    access.find(match, me.player)
    return json_answer(submissions.of_player(match, submission, me.player))


@blueprint.route("/reading", methods=["POST"])
@auth.needs("read")
@blueprint.arguments(FreeText(), example={"text": "play red 5, draw deck"})
@blueprint.response(200, ReadingShown(), example=READING)
@blueprint.problems("not-your-seat", "not-canonical", "conflict", "match-over")
def read(given: dict[str, Any], match: str) -> Response:
    """Turn free text into lines.

    Numbers of the list of options, names in English or French with or without accents, unique beginnings, and the
    short forms of each game. Nothing is made: sign the lines and send them as moves. Text that means nothing, or
    several things, is refused with what it may have `meant`.
    """
    me = auth.current()
    access.find(match, me.player)
    table = play.table_of(match)
    seat = table.seat_of(me.player)
    if seat is None:
        raise Problem("not-your-seat", "You have no seat in this match.")
    watched = Looking(table, seat, spoken())
    try:
        lines = reading.lines(watched, given["text"])
    except reading.Unclear as error:
        raise Problem(
            "not-canonical",
            "This names no line, or several; `meant` lists what it may mean.",
            text=error.text,
            meant=list(error.meant),
        ) from None
    return json_answer({"question": views.question(table, seat), "lines": list(lines)})


def _told(refused: Problem) -> dict[str, Any]:
    """The members of a refusal at a table: what the sender's own seat sees and may do now."""
    more = {name: value for name, value in refused.more.items() if name not in ("table", "listed")}
    if "table" not in refused.more:
        return more
    watched = Looking(refused.more["table"], refused.more["seat"], spoken())
    if refused.kind == "not-canonical":
        more["meant"] = reading.meant(watched, str(more.get("text", "")))
    return {**more, "table": views.shown(watched), "options": listed(watched)}


for _kind in ("question-changed", "not-listed", "not-canonical"):
    problem.FILLS[_kind] = _told
