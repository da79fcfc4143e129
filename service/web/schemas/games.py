"""Bodies for games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service import shapes
from service.record.canonical_json import JsonValue


class Range(shapes.Shape):
    """A minimum and a maximum."""

    least: int = shapes.number("The minimum.", 2)
    most: int = shapes.number("The maximum.", 4)


class GameOptionShown(shapes.Shape):
    """An option chosen before the match."""

    name: str = shapes.text("Its name, as in `options` of a new match.", "last-cards")
    title: str = shapes.text("What it decides, in your language.", "who chooses last cards when")
    schema: Mapping[str, JsonValue] = shapes.members(
        "A JSON Schema of its values, with the default; `x-first-match` is the default of a person's first match "
        "of the game, where it is another.",
        {"type": "string", "enum": ["simultaneous", "seat-order"], "default": "simultaneous"},
    )


class WordShown(shapes.Shape):
    """One word of a line."""

    name: str = shapes.text("Its name, as in `parts` of an option.", "card")
    many: bool = shapes.flag("Whether it may be repeated any number of times.")
    optional: bool = shapes.flag("Whether it may be omitted.")


class LineShown(shapes.Shape):
    """The form of a line."""

    verb: str = shapes.text("Its first word.", "lay")
    words: Sequence[WordShown] = shapes.items("The words after it, in order.")


class GameShort(shapes.Shape):
    """A game in the list."""

    slug: str = shapes.text("Its name in URLs and bodies.", shapes.GAME_SLUG)
    title: str = shapes.text("Its name in your language.", "Keltis, the card game")
    revision: int = shapes.number("The revision of our rules for new matches.", 1, least=1)
    seats: Range = shapes.part("The number of players.")
    bots: Sequence[str] = shapes.items(
        "The bots, for `bots` of a new match.", ["random", "steady", "strong"], of=shapes.text("A bot.", "steady")
    )
    stand_in: str = shapes.text("The bot that takes over a seat whose player left.", "steady")
    options: Sequence[GameOptionShown] = shapes.items("The options of a new match.")


class GameShown(GameShort):
    """A game with its wording."""

    rules: str = shapes.text("A summary of the rules, in your language.", "Each turn: …", most=100000)
    lines: Sequence[LineShown] = shapes.items("The forms of lines, including those of chance.", most=1000)
    words: Mapping[str, JsonValue] = shapes.members(
        "The vocabulary: for each canonical word the words in your language, the one we use first. "
        "`POST /v1/matches/{match}/reading` understands all of them.",
        {"lay": ["lay", "play", "put"], "R5": ["red 5"]},
    )
