"""What is told about games."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from engine.games import EXAMPLE
from service.web.schemas.fields import IntegerField, ListField, NestedField, ObjectField, ResponseSchema, TextField

GAME_SLUG = EXAMPLE
"""A game for examples: the first by name."""
OPTION_EXAMPLE: dict[str, Any] = {
    "name": "last-cards",
    "title": "who chooses last cards when",
    "schema": {"type": "string", "enum": ["simultaneous", "seat-order"], "default": "simultaneous"},
}
GAME_SHORT_EXAMPLE: dict[str, Any] = {
    "slug": GAME_SLUG,
    "title": "Keltis, the card game",
    "revision": 1,
    "seats": {"least": 2, "most": 4},
    "bots": ["random", "steady", "strong"],
    "stand_in": "steady",
    "options": [OPTION_EXAMPLE],
}
GAME_EXAMPLE: dict[str, Any] = {
    **GAME_SHORT_EXAMPLE,
    "rules": "Each turn: one play, then draw back to eight cards. …",
    "lines": [{"verb": "lay", "words": [{"name": "card", "many": False, "optional": False}]}],
    "words": {"lay": ["lay", "play", "put"], "R5": ["red 5"]},
}


class RangeSchema(ResponseSchema):
    """How few and how many."""

    least = IntegerField(required=True, about="At least so many.", example=2)
    most = IntegerField(required=True, about="At most so many.", example=4)


class GameOptionShownSchema(ResponseSchema):
    """A choice made before the match."""

    name = TextField(required=True, about="Its name, as `options` of a new match takes it.", example="last-cards")
    title = TextField(required=True, about="What it decides, in your language.", example="who chooses last cards when")
    schema = ObjectField(
        required=True,
        about="A JSON Schema of its values, with the default; `x-first-match` is the default of a person's first match "
        "of the game, where it is another.",
        example=OPTION_EXAMPLE["schema"],
    )


class WordShownSchema(ResponseSchema):
    """One word of a line."""

    name = TextField(required=True, about="Its name, as in `parts` of an option.", example="card")
    many = fields.Boolean(
        required=True, metadata={"description": "Whether any number of such words may follow.", "example": False}
    )
    optional = fields.Boolean(required=True, metadata={"description": "Whether it may be left out.", "example": False})


class LineShownSchema(ResponseSchema):
    """The form of a line."""

    verb = TextField(required=True, about="Its first word.", example="lay")
    words = ListField(
        NestedField(WordShownSchema(), about="A word."), required=True, about="The words after it, in order."
    )


class GameShortSchema(ResponseSchema):
    """A game in the list."""

    slug = TextField(required=True, about="Its name in addresses and bodies.", example=GAME_SLUG)
    title = TextField(required=True, about="Its name in your language.", example="Keltis, the card game")
    revision = IntegerField(
        required=True, least=1, about="The revision of our rules a new match is played by.", example=1
    )
    seats = NestedField(RangeSchema(), required=True, about="How many may play.")
    bots = ListField(
        TextField(about="A bot.", example="steady"),
        required=True,
        about="Who plays by itself; take one into `bots` of a new match.",
        example=["random", "steady", "strong"],
    )
    stand_in = TextField(required=True, about="The bot that takes over a seat somebody left.", example="steady")
    options = ListField(
        NestedField(GameOptionShownSchema(), about="An option."),
        required=True,
        about="What is chosen before the match.",
    )


class GameShownSchema(GameShortSchema):
    """A game with its wording."""

    rules = TextField(
        required=True, most=100_000, about="The rules in short, in your language.", example="Each turn: …"
    )
    lines = ListField(
        NestedField(LineShownSchema(), about="A line."),
        required=True,
        most=1000,
        about="The forms of lines, of chance's too.",
    )
    words = ObjectField(
        required=True,
        about="The vocabulary: for each canonical word how it is said in your language, the first way being ours. "
        "`POST /v1/matches/{match}/reading` understands all of them.",
        example=GAME_EXAMPLE["words"],
    )


class GamePageSchema(ResponseSchema):
    """Games."""

    items = ListField(
        NestedField(GameShortSchema(), about="A game."),
        required=True,
        about="The games, in one order for all languages.",
    )
