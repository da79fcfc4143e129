"""What moves take and show."""

from __future__ import annotations

from typing import Any

from service.play.free_text import MOST_TEXT
from service.play.notes import LONGEST_TEXT
from service.play.preview import THEN
from service.record.signed_text import MOST_LINES
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    HexField,
    IdField,
    IntegerField,
    KeyIdField,
    ListField,
    NestedField,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.matches import AT, HASH, KEY_ID, MATCH_ID, SIGNATURE, seat_field
from service.web.schemas.tables import (
    OPTIONS_EXAMPLE,
    QUESTION_EXAMPLE,
    TABLE_EXAMPLE,
    OptionsShownSchema,
    QuestionShownSchema,
    TableShownSchema,
)

SUBMISSION_ID = "9f86d081884c7d659a2feaa0c55ad015"
RECEIPT_EXAMPLE: dict[str, Any] = {
    "at": 1_794_907_800_000,
    "hash": HASH,
    "match": MATCH_ID,
    "seq": 3,
    "server": KEY_ID,
    "signature": SIGNATURE,
    "signatures": HASH,
    "type": "receipt",
}
MOVES_EXAMPLE: dict[str, Any] = {
    "asked": 2,
    "prev": HASH,
    "key": KEY_ID,
    "moves": [{"line": "lay R5", "signature": SIGNATURE}],
}
ACCEPTED_EXAMPLE: dict[str, Any] = {
    "id": SUBMISSION_ID,
    "match": MATCH_ID,
    "seat": 0,
    "status": "made",
    "made": ["lay R5"],
    "waiting": 0,
    "dropped": [],
    "why": "",
    "receipt": RECEIPT_EXAMPLE,
}
RESOLVED_EXAMPLE: dict[str, Any] = {**ACCEPTED_EXAMPLE, "table": TABLE_EXAMPLE, "options": OPTIONS_EXAMPLE}
SENT_EXAMPLE: dict[str, Any] = {
    "id": SUBMISSION_ID,
    "match": MATCH_ID,
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
    "receipt": RECEIPT_EXAMPLE,
}
SVG_EXAMPLE = '<svg role="img" viewBox="0 0 600 438">…</svg>'
PREVIEW_EXAMPLE: dict[str, Any] = {
    "asked": 2,
    "made": ["lay R5"],
    "then": "you",
    "table": TABLE_EXAMPLE,
    "svg": SVG_EXAMPLE,
    "options": OPTIONS_EXAMPLE,
}
READING_EXAMPLE: dict[str, Any] = {"question": QUESTION_EXAMPLE, "lines": ["lay R5", "draw deck"]}


class MoveBodySchema(RequestSchema):
    """One signed line."""

    line = TextField(
        required=True,
        least=1,
        most=400,
        about="A canonical line, byte for byte, or alternatives: `lay R5 | lay R6` makes the first that is listed.",
        example="lay R5",
    )
    signature = HexField(
        128,
        required=True,
        about="The Ed25519 signature of the line, 128 lower-case hex digits.",
        example=SIGNATURE,
    )


class MovesQuerySchema(QuerySchema):
    """What the answer to moves shall have besides."""

    picture = ChoiceField(
        ("wide", "narrow"),
        load_default=None,
        about="With `Prefer: wait=N`: the answer has a picture of the table as `svg`, for a screen or for a phone, and "
        "its options have `marks`.",
    )


class MovesBodySchema(RequestSchema):
    """A submission: lines of one seat, in the order they shall be made."""

    asked = IntegerField(
        required=True,
        most=2**31 - 1,
        about="The question answered: `asked` of `question`. Out of turn, for orders, `keys` and `resign`, `seq` of "
        "the table as you know it.",
        example=2,
    )
    prev = HexField(
        64,
        required=True,
        about="The hash of entry `asked`: `prev` of `question`; out of turn `hash` of the table.",
        example=HASH,
    )
    key = KeyIdField(required=True, about="The key the lines are signed with, one of your seat's.", example=KEY_ID)
    moves = ListField(
        NestedField(MoveBodySchema(), about="A line."),
        required=True,
        most=MOST_LINES,
        about="At most 64 lines. None at all withdraws what waits.",
        example=MOVES_EXAMPLE["moves"],
    )
    orders = BooleanField(load_default=False, about="Whether even the first line may wait for its question.")
    note = TextField(load_default="", most=LONGEST_TEXT, lines=True, about="A note to the table.", example="Good luck!")


class ReceiptShownSchema(ResponseSchema):
    """What the server signs for a submission; keep it beside the record."""

    at = IntegerField(required=True, about="When, in milliseconds since 1970.", example=RECEIPT_EXAMPLE["at"])
    hash = TextField(required=True, about="The head of the log after the lines made at once.", example=HASH)
    match = IdField(required=True, about="The match.", example=MATCH_ID)
    seq = IntegerField(required=True, about="The number of that entry.", example=3)
    server = TextField(required=True, about="The server's key, from `/.well-known/echtra.json`.", example=KEY_ID)
    signature = TextField(
        required=True,
        about="Its Ed25519 signature over `echtra-receipt-v1`, `match`, `seq`, `hash`, `at` and `signatures`, each "
        "followed by a line feed.",
        example=SIGNATURE,
    )
    signatures = TextField(
        required=True,
        about="SHA-256, in hex, over all signatures of the submission, each as 128 hex digits and a line feed.",
        example=HASH,
    )
    type = ChoiceField(("receipt",), required=True, about="Always `receipt`.")


class AcceptedShownSchema(ResponseSchema):
    """What became of a submission when it came in."""

    id = TextField(required=True, allow_none=True, about="Its id; null for a withdrawal.", example=SUBMISSION_ID)
    match = IdField(required=True, about="The match.", example=MATCH_ID)
    seat = seat_field(required=True)
    status = ChoiceField(
        ("made", "waiting", "dropped"), required=True, about="All made, some waiting, or some dropped.", example="made"
    )
    made = ListField(
        TextField(most=400, about="A line.", example="lay R5"),
        required=True,
        about="The lines that are in the log now, as a list; the submission itself, read later, tells their number.",
        example=["lay R5"],
    )
    waiting = IntegerField(required=True, about="How many lines wait as orders.", example=0)
    dropped = ListField(
        TextField(most=400, about="A line.", example="lay R5"),
        required=True,
        about="Lines that will not be made.",
        example=[],
    )
    why = TextField(required=True, most=1000, about="Why lines were dropped.", example="")
    receipt = NestedField(ReceiptShownSchema(), required=True, about="The server's signed receipt.")


class ResolvedShownSchema(AcceptedShownSchema):
    """The same, with the table after chance, bots and orders have acted."""

    table = NestedField(TableShownSchema(), required=True, about="The table as your seat sees it now.")
    options = NestedField(OptionsShownSchema(), required=True, about="What you may do now.")
    svg = TextField(
        most=10_000_000, about="With `picture`: the table as your seat sees it now, as SVG.", example=SVG_EXAMPLE
    )


class PreviewBodySchema(RequestSchema):
    """Lines to look at before they are sent."""

    lines = ListField(
        TextField(least=1, most=400, about="A line, or alternatives.", example="lay R5"),
        required=True,
        most=MOST_LINES,
        about="In the order they would be made; none shows the table as it is.",
        example=["lay R5"],
    )
    narrow = BooleanField(load_default=False, about="A picture for phones, at most 360 units wide.")


class PreviewShownSchema(ResponseSchema):
    """A table as some lines would leave it."""

    asked = IntegerField(
        required=True, about="The question that the lines would answer: that of `question` of the table.", example=2
    )
    made = ListField(
        TextField(most=400, about="A line.", example="lay R5"),
        required=True,
        most=MOST_LINES,
        about="The lines that this table shows, from the first on.",
        example=["lay R5"],
    )
    then = ChoiceField(
        THEN,
        required=True,
        about="Who goes on: `you`, `others` or `chance`; or `hidden`: the next line would show or depend on what you "
        "may not see yet, and the table is the one before it.",
    )
    table = NestedField(
        TableShownSchema(),
        required=True,
        about="The table as your seat would see it. `seq`, `hash` and `at` are those of the log as it is; the question "
        "is there while you go on.",
    )
    svg = TextField(required=True, most=10_000_000, about="A picture of that table, as SVG.", example=SVG_EXAMPLE)
    options = NestedField(
        OptionsShownSchema(), required=True, about="What you could do next, with `marks`; empty unless you go on."
    )


class SentShownSchema(ResponseSchema):
    """A submission of yours, as it stands now."""

    id = TextField(required=True, about="Its id.", example=SUBMISSION_ID)
    match = IdField(required=True, about="The match.", example=MATCH_ID)
    seat = seat_field(required=True)
    channel = ChoiceField(("api", "mail"), required=True, about="How it came: signed by REST, or by letter.")
    asked = IntegerField(required=True, about="The question it answers.", example=2)
    orders = BooleanField(required=True, about="Whether it was sent as orders.")
    at = TimestampField(required=True, about="When it came.")
    lines = ListField(
        TextField(most=400, about="A line.", example="lay R5"),
        required=True,
        about="Its lines.",
        example=SENT_EXAMPLE["lines"],
    )
    made = IntegerField(
        required=True,
        about="How many of `lines` are in the log, from the first on: a number; the answer to the moves lists them.",
        example=2,
    )
    waiting = IntegerField(required=True, about="How many still wait.", example=0)
    status = ChoiceField(
        ("made", "waiting", "dropped", "replaced", "withdrawn"), required=True, about="Where it stands.", example="made"
    )
    why = TextField(required=True, most=1000, about="Why the rest was dropped.", example="")
    receipt = NestedField(ReceiptShownSchema(), required=True, about="The receipt given for it.")


class FreeTextSchema(RequestSchema):
    """What somebody typed."""

    text = TextField(
        required=True,
        least=1,
        most=MOST_TEXT,
        lines=True,
        about="Free text: numbers of the list, names in English or French, short forms; several moves on lines of "
        "their own or with commas between.",
        example="play red 5, draw deck",
    )


class ReadingShownSchema(ResponseSchema):
    """What it means."""

    question = NestedField(QuestionShownSchema(), required=True, allow_none=True, about="The question it was read for.")
    lines = ListField(
        TextField(most=400, about="A line.", example="lay R5"),
        required=True,
        about="The canonical lines, ready to be signed; nothing is made.",
        example=READING_EXAMPLE["lines"],
    )
