"""What is told about games."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from engine.games import EXAMPLE
from service.web.schemas.fields import Free, Inside, Many, Shown, Text, Whole

SLUG = EXAMPLE
"""A game for examples: the first by name."""
OPTION: dict[str, Any] = {
    "name": "last-cards",
    "title": "who chooses last cards when",
    "schema": {"type": "string", "enum": ["simultaneous", "seat-order"], "default": "simultaneous"},
}
SHORT: dict[str, Any] = {
    "slug": SLUG,
    "title": "Keltis, the card game",
    "revision": 1,
    "seats": {"least": 2, "most": 4},
    "bots": ["random", "steady"],
    "stand_in": "steady",
    "options": [OPTION],
}
GAME: dict[str, Any] = {
    **SHORT,
    "rules": "Each turn: one play, then draw back to eight cards. …",
    "lines": [{"verb": "lay", "words": [{"name": "card", "many": False, "optional": False}]}],
    "words": {"lay": ["lay", "play", "put"], "R5": ["red 5"]},
}


class Range(Shown):
    """How few and how many."""

    least = Whole(about="At least so many.", example=2)
    most = Whole(about="At most so many.", example=4)


class GameOptionShown(Shown):
    """A choice made before the match."""

    name = Text(about="Its name, as `options` of a new match takes it.", example="last-cards")
    title = Text(about="What it decides, in your language.", example="who chooses last cards when")
    schema = Free(about="A JSON Schema of its values, with the default.", example=OPTION["schema"])


class WordShown(Shown):
    """One word of a line."""

    name = Text(about="Its name, as in `parts` of an option.", example="card")
    many = fields.Boolean(metadata={"description": "Whether any number of such words may follow.", "example": False})
    optional = fields.Boolean(metadata={"description": "Whether it may be left out.", "example": False})


class LineShown(Shown):
    """The form of a line."""

    verb = Text(about="Its first word.", example="lay")
    words = Many(Inside(WordShown(), about="A word."), about="The words after it, in order.")


class GameShort(Shown):
    """A game in the list."""

    slug = Text(required=True, about="Its name in addresses and bodies.", example=SLUG)
    title = Text(required=True, about="Its name in your language.", example="Keltis, the card game")
    revision = Whole(required=True, least=1, about="The revision of our rules a new match is played by.", example=1)
    seats = Inside(Range(), required=True, about="How many may play.")
    bots = Many(
        Text(about="A bot.", example="steady"),
        required=True,
        about="Who plays by itself; take one into `bots` of a new match.",
        example=["random", "steady"],
    )
    stand_in = Text(required=True, about="The bot that takes over a seat somebody left.", example="steady")
    options = Many(
        Inside(GameOptionShown(), about="An option."), required=True, about="What is chosen before the match."
    )


class GameShown(GameShort):
    """A game with its wording."""

    rules = Text(required=True, most=100_000, about="The rules in short, in your language.", example="Each turn: …")
    lines = Many(
        Inside(LineShown(), about="A line."), required=True, most=1000, about="The forms of lines, of chance's too."
    )
    words = Free(
        required=True,
        about="The vocabulary: for each canonical word how it is said in your language, the first way being ours. "
        "`POST /v1/matches/{match}/reading` understands all of them.",
        example=GAME["words"],
    )


class GamePage(Shown):
    """All games."""

    items = Many(Inside(GameShort(), about="A game."), required=True, about="The games, in no special order.")
