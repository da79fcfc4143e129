"""Bodies of questions that wait for a player."""

from __future__ import annotations

from service.web.schemas.fields import (
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.games import GAME_SLUG
from service.web.schemas.matches import AT, MATCH_ID, seat_field

TURN_EXAMPLE = {
    "match": MATCH_ID,
    "game": GAME_SLUG,
    "title": "Sunday evening",
    "seat": 0,
    "asked": 2,
    "at": AT,
    "due": "2026-11-19T09:30:00.000Z",
}


class TurnShownSchema(ResponseSchema):
    """A question that waits for you."""

    match = IdField(required=True, about="At which match.", example=MATCH_ID)
    game = TextField(required=True, about="Of which game.", example=GAME_SLUG)
    title = TextField(required=True, about="What the match is called.", example="Sunday evening")
    seat = seat_field(required=True, about="Your seat there.")
    asked = IntegerField(required=True, about="The number of the question.", example=2)
    at = TimestampField(required=True, about="Since when it waits.")
    due = TimestampField(required=True, allow_none=True, about="By when your answer must be in; null without a clock.")


class TurnPageSchema(ResponseSchema):
    """Questions."""

    items = ListField(
        NestedField(TurnShownSchema(), about="A question."), required=True, about="Soonest deadline first."
    )
