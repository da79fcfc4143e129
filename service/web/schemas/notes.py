"""Bodies of notes and offers at a table."""

from __future__ import annotations

from typing import Any

from service.matches.offers import END_REASONS
from service.play.notes import LONGEST_TEXT
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.matches import AT, PLAYER_ID, seat_field

NOTE_EXAMPLE: dict[str, Any] = {
    "id": 17,
    "seat": 0,
    "player": PLAYER_ID,
    "name": "Aoife",
    "seq": 3,
    "at": AT,
    "text": "Good luck!",
}


OFFER_EXAMPLE: dict[str, Any] = {
    "id": "t3w6zpm7q2x9v4k8",
    "kind": "end",
    "by": 0,
    "at": AT,
    "agreed": [0],
    "status": "open",
    "closed_at": None,
}


class NewNoteSchema(RequestSchema):
    """A note."""

    text = TextField(required=True, least=1, most=LONGEST_TEXT, lines=True, about="What you say.", example="Good luck!")


class NoteShownSchema(ResponseSchema):
    """A note to the table."""

    id = IntegerField(required=True, about="Its number.", example=17)
    seat = seat_field(required=True, allow_none=True, about="From which seat; null for the organiser.")
    player = TextField(required=True, allow_none=True, about="From whom.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")
    seq = IntegerField(required=True, about="The head of the log when it was written.", example=3)
    at = TimestampField(required=True, about="When it was written.")
    text = TextField(required=True, most=LONGEST_TEXT, about="What it says.", example="Good luck!")


class NotePageSchema(ResponseSchema):
    """Notes."""

    items = ListField(NestedField(NoteShownSchema(), about="A note."), required=True, about="Latest first.")
    muted = BooleanField(required=True, about="Whether you muted the table: then only your own notes are here.")


class MuteBodySchema(RequestSchema):
    """Muting a table."""

    muted = BooleanField(required=True, about="True: no notes of others any more, here or by letter.", example=True)


class NewOfferSchema(RequestSchema):
    """An offer."""

    kind = ChoiceField(
        tuple(END_REASONS),
        required=True,
        about="`end`: end now, as it stands. `cancel`: without result.",
        example="end",
    )


class OfferAnswerSchema(RequestSchema):
    """An answer to an offer."""

    agree = BooleanField(
        required=True, about="True to agree, false to refuse; false for your own withdraws it.", example=True
    )


class OfferShownSchema(ResponseSchema):
    """An offer to the table."""

    id = IdField(required=True, about="Its id.")
    kind = ChoiceField(tuple(END_REASONS), required=True, about="What is offered.", example="end")
    by = seat_field(required=True, about="By which seat.")
    at = TimestampField(required=True, about="When it was made.")
    agreed = ListField(seat_field(), required=True, about="The seats that agree.", example=[0])
    status = ChoiceField(
        ("open", "made", "declined", "withdrawn", "lapsed"), required=True, about="Where it stands.", example="open"
    )
    closed_at = TimestampField(required=True, allow_none=True, about="When it was closed.")


class OfferPageSchema(ResponseSchema):
    """Offers."""

    items = ListField(NestedField(OfferShownSchema(), about="An offer."), required=True, about="Latest first.")
