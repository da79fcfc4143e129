"""Bodies of the ledger of letters, and of mail that a provider hands over."""

from __future__ import annotations

from service.mail.outgoing.letter_ledger import STATES
from service.web.schemas.fields import (
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ResponseSchema,
    TextField,
    TimestampField,
)

LETTER_EXAMPLE = {
    "id": "e5v5ha7w7ni7jp3c5aux",
    "kind": "turn",
    "match": "k3v9m2x7q4p8w6ya",
    "seat": 0,
    "subject": "Your turn: Keltis with Brendan",
    "state": "accepted",
    "created_at": "2026-11-16T09:30:00.000Z",
    "accepted_at": "2026-11-16T09:30:01.000Z",
    "answered_at": None,
    "bounced_at": None,
    "why": "",
}
KEPT_EXAMPLE = {"kept": 1}


class LetterShownSchema(ResponseSchema):
    """A letter and what became of it."""

    id = IdField(
        required=True, about="The id of the letter; its Message-ID begins with it.", example=str(LETTER_EXAMPLE["id"])
    )
    kind = TextField(
        required=True, about="What it is about: turn, reminder, over, understood and others.", example="turn"
    )
    match = IdField(
        required=True, allow_none=True, about="The match it is about.", example=str(LETTER_EXAMPLE["match"])
    )
    seat = IntegerField(most=98, required=True, allow_none=True, about="Your seat there.", example=0)
    subject = TextField(required=True, about="Its subject.", example=str(LETTER_EXAMPLE["subject"]), most=1000)
    state = ChoiceField(
        tuple(STATES), required=True, about="; ".join(f"`{state}`: {told}" for state, told in STATES.items()) + "."
    )
    created_at = TimestampField(required=True, about="When it was written.")
    accepted_at = TimestampField(required=True, allow_none=True, about="When a mail server took it.")
    answered_at = TimestampField(required=True, allow_none=True, about="When it was answered.")
    bounced_at = TimestampField(required=True, allow_none=True, about="When it came back.")
    why = TextField(required=True, about="Why it waits or came back, as the mail server said it.", example="", most=500)


class LetterPageSchema(ResponseSchema):
    """Letters, latest first."""

    items = ListField(
        NestedField(LetterShownSchema(), about="One of them."),
        required=True,
        about="A page of your letters, latest first.",
    )


class KeptShownSchema(ResponseSchema):
    """How much of it was for us."""

    kept = IntegerField(
        required=True,
        about="For how many of our addresses the message is kept; 0 if it names none of them.",
        example=1,
    )
