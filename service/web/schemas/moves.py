"""Bodies for moves."""

from __future__ import annotations

from collections.abc import Sequence

from engine.lookahead import MOST_FORCED, THEN
from service import shapes
from service.play.free_text import MOST_TEXT
from service.play.notes import LONGEST_TEXT
from service.record.signed_text import MOST_LINES
from service.web.schemas.tables import OptionsShown, QuestionShown, TableShown

SUBMISSION_ID = "9f86d081884c7d659a2feaa0c55ad015"
LINE = shapes.text("A line.", "lay R5", most=400)
SVG_EXAMPLE = '<svg role="img" viewBox="0 0 600 438">…</svg>'


class MoveBody(shapes.Body):
    """One signed line."""

    line: str = shapes.text(
        "A canonical line, byte for byte, or alternatives: `lay R5 | lay R6` makes the first that is listed.",
        "lay R5",
        most=400,
        least=1,
    )
    signature: str = shapes.hex_digits(
        128, "The Ed25519 signature of the line, 128 lower-case hex digits.", shapes.SIGNATURE
    )


class MovesQuery(shapes.Query):
    """Options for the answer."""

    ignores_unknown = True

    picture: str | None = shapes.choice(
        ("wide", "narrow"),
        "With `Prefer: wait=N`: the answer has a picture of the table as `svg`, for a screen or for a phone, and "
        "its options have `marks`.",
        default=None,
    )


class MovesBody(shapes.Body):
    """A submission: lines of one seat, in the order in which they are to be made."""

    asked: int = shapes.number(
        "The question answered: `asked` of `question`. Out of turn, for orders, `keys` and `resign`, `seq` of "
        "the table as you know it.",
        2,
        most=2147483647,
    )
    prev: str = shapes.hex_digits(
        64, "The hash of entry `asked`: `prev` of `question`; out of turn `hash` of the table.", shapes.HASH
    )
    key: str = shapes.key_id("The key the lines are signed with, one of your seat's.", shapes.KEY_ID)
    moves: Sequence[MoveBody] = shapes.items(
        "At most 64 lines. An empty list withdraws waiting orders.", most=MOST_LINES
    )
    orders: bool = shapes.flag("Whether even the first line may wait for its question.", default=False)
    note: str = shapes.text("A note to the table.", "Good luck!", most=LONGEST_TEXT, lines=True, default="")


class ReceiptShown(shapes.Shape):
    """The server's signed receipt for a submission; keep it with the record."""

    at: int = shapes.number("When, in milliseconds since 1970.", 1794907800000)
    hash: str = shapes.text("The head of the log after the lines made at once.", shapes.HASH)
    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    seq: int = shapes.number("The number of that entry.", 3)
    server: str = shapes.text("The server's key, from `/.well-known/echtra.json`.", shapes.KEY_ID)
    signature: str = shapes.text(
        "Its Ed25519 signature over `echtra-receipt-v1`, `match`, `seq`, `hash`, `at` and `signatures`, each "
        "followed by a line feed.",
        shapes.SIGNATURE,
    )
    signatures: str = shapes.text(
        "SHA-256, in hex, over all signatures of the submission, each as 128 hex digits and a line feed.", shapes.HASH
    )
    type: str = shapes.choice(("receipt",), "Always `receipt`.")


class AcceptedShown(shapes.Shape):
    """The outcome of a submission on arrival."""

    id: str | None = shapes.text("Its id; null for a withdrawal.", SUBMISSION_ID)
    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    seat: int = shapes.seat()
    status: str = shapes.choice(("made", "waiting", "dropped"), "All made, some waiting, or some dropped.")
    made: Sequence[str] = shapes.items(
        "The lines that are now in the log, as a list; the submission itself has their number.", of=LINE
    )
    waiting: int = shapes.number("How many lines wait as orders.", 0)
    dropped: Sequence[str] = shapes.items("Lines that will not be made.", [], of=LINE)
    why: str = shapes.text("Why lines were dropped.", "", most=1000)
    receipt: ReceiptShown = shapes.part("The server's signed receipt.")


class ResolvedShown(AcceptedShown):
    """The outcome on arrival, with the table after chance, bots and orders have acted."""

    table: TableShown = shapes.part("The table as your seat sees it now.")
    options: OptionsShown = shapes.part("What you may do now.")
    svg: str | None = shapes.text(
        "With `picture`: the table as your seat sees it now, as SVG.", SVG_EXAMPLE, most=10000000, optional=True
    )


class PreviewBody(shapes.Body):
    """Lines to preview."""

    lines: Sequence[str] = shapes.items(
        "In the order in which they would be made; an empty list shows the current table.",
        most=MOST_LINES,
        of=shapes.text("A line, or alternatives.", "lay R5", most=400, least=1),
    )
    narrow: bool = shapes.flag("A picture for phones, at most 400 units wide.", default=False)
    chain: bool = shapes.flag(
        "Add the lines that follow as long as there is only one, and everybody can tell that.", default=False
    )


class PreviewShown(shapes.Shape):
    """The table after lines that have not been made yet."""

    asked: int = shapes.number("The question that the lines would answer: that of `question` of the table.", 2)
    made: Sequence[str] = shapes.items(
        "The lines that this table includes, from the first.", most=MOST_LINES + MOST_FORCED, of=LINE
    )
    sentences: Sequence[str] = shapes.items(
        "What these lines mean, in your language.",
        ["Lay red 5"],
        most=MOST_LINES + MOST_FORCED,
        of=shapes.text("A sentence.", "Lay red 5", most=1000),
    )
    forced: int = shapes.number("With `chain`: how many of the last lines in `made` were added.", 0)
    then: str = shapes.choice(
        THEN,
        "Who goes on: `you`, `others` or `chance`; or `hidden`: the next line would show or depend on what you "
        "may not see yet, and the table is the one before it.",
    )
    table: TableShown = shapes.part(
        "The table as your seat would see it. `seq`, `hash` and `at` are those of the log as it is; the question "
        "is there while you go on."
    )
    svg: str = shapes.text("A picture of that table, as SVG.", SVG_EXAMPLE, most=10000000)
    options: OptionsShown = shapes.part("What you could do next, with `marks`; empty unless you are next.")


class SentShown(shapes.Shape):
    """One of your submissions and its current state."""

    id: str = shapes.text("Its id.", SUBMISSION_ID)
    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    seat: int = shapes.seat()
    channel: str = shapes.choice(("api", "mail"), "How it arrived: signed by REST, or by email.")
    asked: int = shapes.number("The question it answers.", 2)
    orders: bool = shapes.flag("Whether it was sent as orders.")
    at: int = shapes.timestamp("When it arrived.")
    lines: Sequence[str] = shapes.items("Its lines.", ["lay R5", "draw deck"], of=LINE)
    made: int = shapes.number(
        "How many of `lines` are in the log, from the first: a number; the answer to the moves lists them.", 2
    )
    waiting: int = shapes.number("How many still wait.", 0)
    status: str = shapes.choice(("made", "waiting", "dropped", "replaced", "withdrawn"), "Its current state.")
    why: str = shapes.text("Why the rest was dropped.", "", most=1000)
    receipt: ReceiptShown = shapes.part("The receipt given for it.")


class FreeText(shapes.Body):
    """Text that a person typed."""

    text: str = shapes.text(
        "Free text: numbers of the list, names in English or French, short forms; several moves on lines of "
        "their own or with commas between.",
        "play red 5, draw deck",
        most=MOST_TEXT,
        least=1,
        lines=True,
    )


class ReadingShown(shapes.Shape):
    """The meaning of the text."""

    question: QuestionShown | None = shapes.part("The question it was read for.")
    lines: Sequence[str] = shapes.items(
        "The canonical lines, ready to be signed; nothing is made.", ["lay R5", "draw deck"], of=LINE
    )
