"""What is told about games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.games import EXAMPLE
from service import shapes
from service.record.canonical_json import JsonValue

GAME_SLUG = EXAMPLE

"A game for examples: the first by name."


class Range(shapes.Shape):
    """How few and how many."""

    least: int = shapes.number("At least so many.", 2)
    most: int = shapes.number("At most so many.", 4)


class GameOptionShown(shapes.Shape):
    """A choice made before the match."""

    name: str = shapes.text("Its name, as `options` of a new match takes it.", "last-cards")
    title: str = shapes.text("What it decides, in your language.", "who chooses last cards when")
    schema: Mapping[str, JsonValue] = shapes.members(
        "A JSON Schema of its values, with the default; `x-first-match` is the default of a person's first match "
        "of the game, where it is another.",
        {"type": "string", "enum": ["simultaneous", "seat-order"], "default": "simultaneous"},
    )


class WordShown(shapes.Shape):
    """One word of a line."""

    name: str = shapes.text("Its name, as in `parts` of an option.", "card")
    many: bool = shapes.flag("Whether any number of such words may follow.")
    optional: bool = shapes.flag("Whether it may be left out.")


class LineShown(shapes.Shape):
    """The form of a line."""

    verb: str = shapes.text("Its first word.", "lay")
    words: Sequence[WordShown] = shapes.items("The words after it, in order.")


class GameShort(shapes.Shape):
    """A game in the list."""

    slug: str = shapes.text("Its name in addresses and bodies.", shapes.GAME_SLUG)
    title: str = shapes.text("Its name in your language.", "Keltis, the card game")
    revision: int = shapes.number("The revision of our rules a new match is played by.", 1, least=1)
    seats: Range = shapes.part("How many may play.")
    bots: Sequence[str] = shapes.items(
        "Who plays by itself; take one into `bots` of a new match.",
        ["random", "steady", "strong"],
        of=shapes.text("A bot.", "steady"),
    )
    stand_in: str = shapes.text("The bot that takes over a seat somebody left.", "steady")
    options: Sequence[GameOptionShown] = shapes.items("What is chosen before the match.")


class GameShown(GameShort):
    """A game with its wording."""

    rules: str = shapes.text("The rules in short, in your language.", "Each turn: …", most=100000)
    lines: Sequence[LineShown] = shapes.items("The forms of lines, of chance's too.", most=1000)
    words: Mapping[str, JsonValue] = shapes.members(
        "The vocabulary: for each canonical word how it is said in your language, the first way being ours. "
        "`POST /v1/matches/{match}/reading` understands all of them.",
        {"lay": ["lay", "play", "put"], "R5": ["red 5"]},
    )
