"""Bodies of brackets: the tables of a knockout, round by round."""

from __future__ import annotations

from typing import Any

from service.web.pagination import PagingQuerySchema
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ResponseSchema,
    TextField,
)
from service.web.schemas.matches import MATCH_ID, PLAYER_ID

FORMATS = ("knockout", "double-elimination")
PARTS = ("winners", "losers")
SEAT_EXAMPLE: dict[str, Any] = {
    "player": PLAYER_ID,
    "name": "Aoife",
    "seed": 1,
    "score": 34,
    "how": "played",
    "goes_on": True,
}
TABLE_EXAMPLE: dict[str, Any] = {
    "round": 1,
    "place": 1,
    "next": 1,
    "part": None,
    "match": MATCH_ID,
    "over": True,
    "seats": [
        SEAT_EXAMPLE,
        {"player": "p8d2m6c0r4y1h5ga", "name": "Brendan", "seed": 4, "score": 27, "how": "played", "goes_on": False},
    ],
}
TO_COME_EXAMPLE: dict[str, Any] = {
    "round": 2,
    "place": 1,
    "next": None,
    "part": None,
    "match": None,
    "over": False,
    "seats": [],
}
BRACKET_EXAMPLE: dict[str, Any] = {
    "stage": "final",
    "format": "knockout",
    "tree": True,
    "over": False,
    "rounds": 2,
    "items": [TABLE_EXAMPLE, TO_COME_EXAMPLE],
}


class BracketQuerySchema(PagingQuerySchema):
    """Which bracket to show."""

    stage = TextField(
        load_default="", most=40, about="The stage; the last knockout that began unless told.", example="final"
    )


class BracketSeatShownSchema(ResponseSchema):
    """Somebody at a table of a bracket."""

    player = IdField(required=True, allow_none=True, about="Who; nobody where a bot sits.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")
    seed = IntegerField(
        required=True, allow_none=True, least=1, about="Their place in the order of the stage.", example=1
    )
    score = IntegerField(
        required=True,
        allow_none=True,
        least=-(2**53) + 1,
        about="What they scored, once the table is over.",
        example=34,
    )
    how = TextField(required=True, allow_none=True, about="How their seat ended.", example="played")
    goes_on = BooleanField(
        required=True, about="Whether they go on to the next round; at the last table: whether they won.", example=True
    )


class BracketTableShownSchema(ResponseSchema):
    """A table of a bracket; one that nobody has reached yet has no seats."""

    round = IntegerField(required=True, least=1, about="The round.", example=1)
    place = IntegerField(required=True, least=1, about="Its place in the round, from the top.", example=1)
    next = IntegerField(
        required=True,
        allow_none=True,
        least=1,
        about="The place in the next round to which the winner goes, where that is settled.",
        example=1,
    )
    part = ChoiceField(
        PARTS, required=True, allow_none=True, about="With two lives: of the winners, or of the losers.", example=None
    )
    match = IdField(
        required=True, allow_none=True, about="Its match; none for a bye and before it is paired.", example=MATCH_ID
    )
    over = BooleanField(required=True, about="Whether it is known who goes on.", example=True)
    seats = ListField(
        NestedField(BracketSeatShownSchema(), about="Somebody."),
        required=True,
        most=5,
        about="Who sits there, by seat.",
    )


class BracketPageSchema(ResponseSchema):
    """The tables of a knockout."""

    stage = TextField(required=True, most=40, about="Which stage.", example="final")
    format = ChoiceField(FORMATS, required=True, about="Its format.", example="knockout")
    tree = BooleanField(
        required=True, about="Whether each table follows from two neighbours of the round before.", example=True
    )
    over = BooleanField(required=True, about="Whether all of it has been played.", example=False)
    rounds = IntegerField(required=True, about="How many rounds are known.", example=2)
    items = ListField(
        NestedField(BracketTableShownSchema(), about="A table."), required=True, about="By round, then from the top."
    )
