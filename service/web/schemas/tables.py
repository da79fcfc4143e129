"""Bodies for tables: views, questions, options and the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.games import EXAMPLE, GAMES
from service import shapes
from service.play import views
from service.record.canonical_json import JsonValue
from service.web.pagination import Paging
from service.web.schemas.matches import MatchQuery

MOST_ENTRIES = 10_000_000
MOST_TOUCHES = 64
MARK_PATTERN = r"^[a-z][a-z0-9-]*(:[!-~]+)?$"

VIEW_EXAMPLE = views.to_json(
    replace(GAMES[EXAMPLE].rules.view(GAMES[EXAMPLE].rules.start(2), 0), names=("Aoife", "Steady (bot)"))
)
"""The table of a game before its first card."""


class ViewQuery(MatchQuery):
    """The query for a table."""

    spectator: bool = shapes.flag("Show it as spectators see it, even if you have a seat.", default=False)


class TableQuery(ViewQuery):
    """The query for a table, now or earlier."""

    at: int | None = shapes.number(
        "As it was after this entry; the current table if omitted.", 2, most=MOST_ENTRIES, default=None
    )


class PictureQuery(TableQuery):
    """The query for a picture of a table, now or earlier."""

    narrow: bool = shapes.flag(
        "A picture for phones: at most 400 units wide, with one seat below the other.", default=False
    )


class OptionsQuery(ViewQuery):
    """The query for legal lines, all of them or those that match some touches."""

    marks: bool = shapes.flag("Add to each line what is touched on the picture to choose it.", default=False)
    mark: Sequence[str] = shapes.items(
        "The touches so far, one by one, in order; implies `marks=true`.",
        most=MOST_TOUCHES,
        of=shapes.text("A mark.", "hand:R5", most=80, pattern=MARK_PATTERN),
        default=list,
    )


class QuestionShown(shapes.Shape):
    """The question to your seat; its first two members are part of the signed text."""

    asked: int = shapes.number("The entry since which the question is unchanged.", 2)
    prev: str = shapes.text("The hash of that entry.", shapes.HASH)
    at: int = shapes.timestamp("Since when it is unchanged.")
    due: int | None = shapes.timestamp("The deadline for your answer; null without a clock.")


class CountShown(shapes.Shape):
    """A part of a score."""

    label: str = shapes.text("What they are for, in your language.", "red")
    points: int = shapes.number("How many.", 6, least=shapes.LEAST_NUMBER)


class ScoreShown(shapes.Shape):
    """The score of a seat."""

    total: int = shapes.number(
        "Its points. In a game that is only won or lost, 1 for the winner and 0 for the others.",
        31,
        least=shapes.LEAST_NUMBER,
    )
    counts: Sequence[CountShown] = shapes.items("Where they come from.")
    ties: Sequence[int] = shapes.items(
        "What breaks ties, in order.", of=shapes.number("A number.", 2, least=shapes.LEAST_NUMBER)
    )


class ResultShown(shapes.Shape):
    """How the match ended."""

    why: str = shapes.text("`played`, `resign`, `agreed`, `cancelled`, or what the house decided.", "played")
    scores: Sequence[ScoreShown] | None = shapes.items("By seat; null if it was cancelled.")
    winners: Sequence[int] = shapes.items("The seats that share first place.", [0], of=shapes.seat())


class TableShown(shapes.Shape):
    """A table as one reader sees it."""

    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    game: str = shapes.text("Its game.", shapes.GAME_SLUG)
    seq: int = shapes.number("The entry after which this is the table.", 2)
    hash: str = shapes.text("That entry's hash: the head of the log.", shapes.HASH)
    at: int = shapes.timestamp("That entry's time.")
    status: str = shapes.choice(("running", "paused", "over"), "The status of the match.")
    seat: int | None = shapes.seat("Your seat; null for a spectator.")
    question: QuestionShown | None = shapes.part("The question to you; null if there is none.")
    view: Mapping[str, JsonValue] = shapes.members(
        "What you may see, in the game's own terms. Every game has `seat`, `seats`, `asked` (the seats to act; "
        "-1 is chance), `over`, `resigned` and `names`.",
        VIEW_EXAMPLE,
    )
    result: ResultShown | None = shapes.part("How it ended; null while it runs.")


class OptionShown(shapes.Shape):
    """A line that you may make."""

    number: int = shapes.number("Its place in the list.", 1)
    line: str = shapes.text("The canonical line: sign exactly this.", "lay R5", most=400)
    parts: Mapping[str, JsonValue] = shapes.members(
        "The parts of the line: its verb, and its words by name.", {"verb": "lay", "card": "R5", "row": None}
    )
    sentence: str = shapes.text("What it means, in your language.", "Lay the red 5 on your red row.", most=2000)
    marks: Sequence[str] | None = shapes.items(
        "With `marks=true`: what is touched to choose the line, word by word.",
        ["hand:R5", "row:R"],
        of=shapes.text("The marks of a word of the line, separated by spaces.", "hand:R5", most=400),
        optional=True,
    )


class OptionsShown(shapes.Shape):
    """Your legal lines."""

    question: QuestionShown | None = shapes.part("The question to you; null if there is none.")
    items: Sequence[OptionShown] = shapes.items("The first 200 lines, in one order for all languages.")
    more: int = shapes.number("How many more lines there are.", 0)
    names: Mapping[str, JsonValue] | None = shapes.members(
        "With `marks=true`: the words for marks that are buttons, in your language.",
        {"say:pass": "pass"},
        optional=True,
    )
    open: Sequence[str] | None = shapes.items(
        "With `mark`, and with `marks` where there are `more` lines: what can be touched next.",
        most=10000,
        of=shapes.text("A mark.", "row:R", most=80),
        optional=True,
    )
    offered: Sequence[int] | None = shapes.items(
        "With `mark`: the numbers of the lines that can be sent now; all of them are among `items`.",
        of=shapes.number("The number of a line.", 1, least=1),
        optional=True,
    )


class HistoryQuery(ViewQuery, Paging):
    """The query for the log."""

    after: int | None = shapes.number("Only entries after this one.", 2, most=MOST_ENTRIES, default=None)
    newest: bool = shapes.flag("Latest entries first.", default=False)
    told: bool = shapes.flag("Add sentences that say what each entry meant, in your language.", default=False)


class EntryShown(shapes.Shape):
    """An entry of the log. An entry that is sealed for you has a redacted line and no proof."""

    seq: int = shapes.number("Its number, from 1.", 3)
    seat: int = shapes.number("Whose line: a seat, -1 for chance, -2 for the house.", 0, least=-2)
    at: int = shapes.timestamp("When it was created.")
    by: str = shapes.text(
        "`chance`, `house`, `bot NAME`, `signed HASH`, or `mail HASH`, as in the record.",
        "signed 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    )
    commit: str = shapes.text("The commitment to the line.", shapes.HASH)
    hash: str = shapes.text("The entry's hash in the chain.", shapes.HASH)
    sealed: bool = shapes.flag("Whether a part of the line is hidden from you.")
    line: str = shapes.text("The line; `?` where it is hidden.", "lay R5", most=400)
    asked: int | None = shapes.number("Signed lines: the question it answers.", 2, optional=True)
    n: int | None = shapes.number("Signed lines: its number in the submission.", 1, most=64, least=1, optional=True)
    key: str | None = shapes.text("Signed lines: the key.", shapes.KEY_ID, optional=True)
    signature: str | None = shapes.text("Signed lines: the signature.", shapes.SIGNATURE, optional=True)
    text: str | None = shapes.text(
        "Signed lines with alternatives: the whole signed text.", "lay R5 | lay R6", most=400, optional=True
    )
    orders: bool | None = shapes.flag("Signed lines: true if it waited as an order.", True, optional=True)
    mail: Mapping[str, JsonValue] | None = shapes.members(
        "Lines by mail: what attests them.", {"door": "smtp", "verdict": "pass"}, optional=True
    )
    told: Sequence[str] | None = shapes.items(
        "With `told=true`: what it meant, in your language; may be empty.",
        of=shapes.text("A sentence.", "Aoife lays the red 5.", most=2000),
        optional=True,
    )


class HistoryPage(shapes.Shape):
    """Entries of the log."""

    items: Sequence[EntryShown] = shapes.items("In the requested order.")
    head: int = shapes.number("The number of entries.", 3)
