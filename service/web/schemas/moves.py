"""What moves take and show."""

from __future__ import annotations

from typing import Any

from service.play.free_text import MOST_TEXT
from service.play.notes import LONGEST
from service.record.signed_text import MOST_LINES
from service.web.schemas.fields import Choice, Flag, Id, Inside, KeyId, Many, Shown, Strict, Text, When, Whole
from service.web.schemas.matches import AT, HASH, KEY, MATCH, SIGNATURE, seat_field
from service.web.schemas.tables import OPTIONS, QUESTION, TABLE, OptionsShown, QuestionShown, TableShown

SUBMISSION = "9f86d081884c7d659a2feaa0c55ad015"
RECEIPT: dict[str, Any] = {
    "at": 1_794_907_800_000,
    "hash": HASH,
    "match": MATCH,
    "seq": 3,
    "server": KEY,
    "signature": SIGNATURE,
    "signatures": HASH,
    "type": "receipt",
}
MOVES: dict[str, Any] = {
    "asked": 2,
    "prev": HASH,
    "key": KEY,
    "moves": [{"line": "lay R5", "signature": SIGNATURE}],
}
ACCEPTED: dict[str, Any] = {
    "id": SUBMISSION,
    "match": MATCH,
    "seat": 0,
    "status": "made",
    "made": ["lay R5"],
    "waiting": 0,
    "dropped": [],
    "why": "",
    "receipt": RECEIPT,
}
RESOLVED: dict[str, Any] = {**ACCEPTED, "table": TABLE, "options": OPTIONS}
SENT: dict[str, Any] = {
    "id": SUBMISSION,
    "match": MATCH,
    "seat": 0,
    "channel": "api",
    "asked": 2,
    "orders": False,
    "at": AT,
    "lines": ["lay R5", "draw deck"],
    "made": 2,
    "waiting": 0,
    "status": "made",
    "why": "",
    "receipt": RECEIPT,
}
READING: dict[str, Any] = {"question": QUESTION, "lines": ["lay R5", "draw deck"]}


class MoveBody(Strict):
    """One signed line."""

    line = Text(
        required=True,
        least=1,
        most=400,
        about="A canonical line, byte for byte, or alternatives: `lay R5 | lay R6` makes the first that is listed.",
        example="lay R5",
    )
    signature = Text(
        required=True,
        least=128,
        most=128,
        pattern=r"^[0-9a-f]{128}$",
        about="The Ed25519 signature of the line, 128 lower-case hex digits.",
        example=SIGNATURE,
    )


class MovesBody(Strict):
    """A submission: lines of one seat, in the order they shall be made."""

    asked = Whole(
        required=True,
        most=2**31 - 1,
        about="The question answered: `asked` of `question`. Out of turn, for orders, `keys` and `resign`, `seq` of "
        "the table as you know it.",
        example=2,
    )
    prev = Text(
        required=True,
        least=64,
        most=64,
        pattern=r"^[0-9a-f]{64}$",
        about="The hash of entry `asked`: `prev` of `question`; out of turn `hash` of the table.",
        example=HASH,
    )
    key = KeyId(required=True, about="The key the lines are signed with, one of your seat's.", example=KEY)
    moves = Many(
        Inside(MoveBody(), about="A line."),
        required=True,
        most=MOST_LINES,
        about="At most 64 lines. None at all withdraws what waits.",
        example=MOVES["moves"],
    )
    orders = Flag(load_default=False, about="Whether even the first line may wait for its question.")
    note = Text(load_default="", most=LONGEST, lines=True, about="A note to the table.", example="Good luck!")


class ReceiptShown(Shown):
    """What the server signs for a submission; keep it beside the record."""

    at = Whole(required=True, about="When, in milliseconds since 1970.", example=RECEIPT["at"])
    hash = Text(required=True, about="The head of the log after the lines made at once.", example=HASH)
    match = Id(required=True, about="The match.", example=MATCH)
    seq = Whole(required=True, about="The number of that entry.", example=3)
    server = Text(required=True, about="The server's key, from `/.well-known/echtra.json`.", example=KEY)
    signature = Text(
        required=True,
        about="Its Ed25519 signature over `echtra-receipt-v1`, `match`, `seq`, `hash`, `at` and `signatures`, each "
        "followed by a line feed.",
        example=SIGNATURE,
    )
    signatures = Text(
        required=True,
        about="SHA-256, in hex, over all signatures of the submission, each as 128 hex digits and a line feed.",
        example=HASH,
    )
    type = Text(required=True, about="Always `receipt`.", example="receipt")


class AcceptedShown(Shown):
    """What became of a submission when it came in."""

    id = Text(required=True, allow_none=True, about="Its id; null for a withdrawal.", example=SUBMISSION)
    match = Id(required=True, about="The match.", example=MATCH)
    seat = seat_field(required=True)
    status = Choice(
        ("made", "waiting", "dropped"), required=True, about="All made, some waiting, or some dropped.", example="made"
    )
    made = Many(
        Text(most=400, about="A line.", example="lay R5"),
        required=True,
        about="The lines that are in the log now, as a list; the submission itself, read later, tells their number.",
        example=["lay R5"],
    )
    waiting = Whole(required=True, about="How many lines wait as orders.", example=0)
    dropped = Many(
        Text(most=400, about="A line.", example="lay R5"),
        required=True,
        about="Lines that will not be made.",
        example=[],
    )
    why = Text(required=True, most=1000, about="Why lines were dropped.", example="")
    receipt = Inside(ReceiptShown(), required=True, about="The server's signed receipt.")


class ResolvedShown(AcceptedShown):
    """The same, with the table after chance, bots and orders have acted."""

    table = Inside(TableShown(), required=True, about="The table as your seat sees it now.")
    options = Inside(OptionsShown(), required=True, about="What you may do now.")


class SentShown(Shown):
    """A submission of yours, as it stands now."""

    id = Text(required=True, about="Its id.", example=SUBMISSION)
    match = Id(required=True, about="The match.", example=MATCH)
    seat = seat_field(required=True)
    channel = Text(required=True, about="How it came: `api`, `mail`, …", example="api")
    asked = Whole(required=True, about="The question it answers.", example=2)
    orders = Flag(required=True, about="Whether it was sent as orders.")
    at = When(required=True, about="When it came.")
    lines = Many(
        Text(most=400, about="A line.", example="lay R5"), required=True, about="Its lines.", example=SENT["lines"]
    )
    made = Whole(
        required=True,
        about="How many of `lines` are in the log, from the first on: a number; the answer to the moves lists them.",
        example=2,
    )
    waiting = Whole(required=True, about="How many still wait.", example=0)
    status = Choice(
        ("made", "waiting", "dropped", "replaced", "withdrawn"), required=True, about="Where it stands.", example="made"
    )
    why = Text(required=True, most=1000, about="Why the rest was dropped.", example="")
    receipt = Inside(ReceiptShown(), required=True, about="The receipt given for it.")


class FreeText(Strict):
    """What somebody typed."""

    text = Text(
        required=True,
        least=1,
        most=MOST_TEXT,
        lines=True,
        about="Free text: numbers of the list, names in English or French, short forms; several moves on lines of "
        "their own or with commas between.",
        example="play red 5, draw deck",
    )


class ReadingShown(Shown):
    """What it means."""

    question = Inside(QuestionShown(), required=True, allow_none=True, about="The question it was read for.")
    lines = Many(
        Text(most=400, about="A line.", example="lay R5"),
        required=True,
        about="The canonical lines, ready to be signed; nothing is made.",
        example=READING["lines"],
    )
