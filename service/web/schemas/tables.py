"""What tables show: views, questions, options, the log, notes and offers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games import EXAMPLE, GAMES
from service.play import views
from service.web.pagination import PagingQuerySchema
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ObjectField,
    QuerySchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.games import GAME_SLUG
from service.web.schemas.matches import AT, HASH, KEY_ID, LINK, MATCH_ID, SIGNATURE, seat_field

MOST_ENTRIES = 10_000_000
MOST_TOUCHES = 64
MARK_PATTERN = r"^[a-z][a-z0-9-]*(:[!-~]+)?$"
VIEW_EXAMPLE: Any = views.to_json(
    replace(GAMES[EXAMPLE].view(GAMES[EXAMPLE].start(2), 0), names=("Aoife", "Steady (bot)"))
)
"""The table of a game before its first card."""
QUESTION_EXAMPLE: dict[str, Any] = {"asked": 2, "prev": HASH, "at": AT, "due": "2026-11-19T09:30:00.000Z"}
OPTION_EXAMPLE: dict[str, Any] = {
    "number": 1,
    "line": "lay R5",
    "parts": {"verb": "lay", "card": "R5", "row": None},
    "sentence": "Lay the red 5 on your red row.",
}
OPTIONS_EXAMPLE: dict[str, Any] = {"question": QUESTION_EXAMPLE, "items": [OPTION_EXAMPLE], "more": 0}
TABLE_EXAMPLE: dict[str, Any] = {
    "match": MATCH_ID,
    "game": GAME_SLUG,
    "seq": 2,
    "hash": HASH,
    "at": AT,
    "status": "running",
    "seat": 0,
    "question": QUESTION_EXAMPLE,
    "view": VIEW_EXAMPLE,
    "result": None,
}
ENTRY_EXAMPLE: dict[str, Any] = {
    "seq": 3,
    "seat": 0,
    "at": AT,
    "by": f"signed {HASH}",
    "commit": HASH,
    "hash": HASH,
    "sealed": False,
    "line": "lay R5",
    "asked": 2,
    "n": 1,
    "key": KEY_ID,
    "signature": SIGNATURE,
}
SEALED_ENTRY_EXAMPLE: dict[str, Any] = {
    "seq": 2,
    "seat": -1,
    "at": AT,
    "by": "chance",
    "commit": HASH,
    "hash": HASH,
    "sealed": True,
    "line": "deal 1 ? ? ? ? ? ? ? ?",
}


class ViewQuerySchema(QuerySchema):
    """Looking at a table."""

    link = TextField(load_default=None, most=64, about="The link of a match that is not open.", example=LINK)
    spectator = BooleanField(load_default=False, about="As a spectator sees it, though you have a seat.")


class TableQuerySchema(ViewQuerySchema):
    """Looking at a table, now or earlier."""

    at = IntegerField(
        load_default=None, most=MOST_ENTRIES, about="As it stood after this entry; now if not given.", example=2
    )


class PictureQuerySchema(TableQuerySchema):
    """Looking at a picture of a table, now or earlier."""

    narrow = BooleanField(
        load_default=False, about="A picture for phones: at most 360 units wide, with the seats below each other."
    )


class OptionsQuerySchema(ViewQuerySchema):
    """Listing legal lines, all of them or those that touches leave."""

    marks = BooleanField(load_default=False, about="With what is touched on the picture to choose each line.")
    mark = ListField(
        TextField(most=80, pattern=MARK_PATTERN, about="A mark.", example="hand:R5"),
        load_default=list,
        most=MOST_TOUCHES,
        about="What was touched so far, once for each touch, in their order; includes `marks=true`.",
        example=["hand:R5"],
    )


class QuestionShownSchema(ResponseSchema):
    """What your seat is asked; its first two members go into what you sign."""

    asked = IntegerField(required=True, about="The entry since which the question stands.", example=2)
    prev = TextField(required=True, about="The hash of that entry.", example=HASH)
    at = TimestampField(required=True, about="Since when it stands.")
    due = TimestampField(required=True, allow_none=True, about="By when your answer must be in; null without a clock.")


class CountShownSchema(ResponseSchema):
    """Where points come from."""

    label = TextField(required=True, about="What they are for, in your language.", example="red")
    points = IntegerField(required=True, least=-(2**53) + 1, about="How many.", example=6)


class ScoreShownSchema(ResponseSchema):
    """What a seat has."""

    total = IntegerField(required=True, least=-(2**53) + 1, about="Its points.", example=31)
    counts = ListField(NestedField(CountShownSchema(), about="A count."), required=True, about="Where they come from.")
    ties = ListField(
        IntegerField(least=-(2**53) + 1, about="A number.", example=2),
        required=True,
        about="What breaks ties, in order.",
    )


class ResultShownSchema(ResponseSchema):
    """How the match ended."""

    why = TextField(
        required=True, about="`played`, `resign`, `agreed`, `cancelled`, or what the house decided.", example="played"
    )
    scores = ListField(
        NestedField(ScoreShownSchema(), about="A score."),
        required=True,
        allow_none=True,
        about="By seat; null if it was cancelled.",
    )
    winners = ListField(seat_field(), required=True, about="The seats that share first place.", example=[0])


class TableShownSchema(ResponseSchema):
    """A table as one reader sees it."""

    match = IdField(required=True, about="The match.", example=MATCH_ID)
    game = TextField(required=True, about="Its game.", example=GAME_SLUG)
    seq = IntegerField(required=True, about="The entry after which it stands so.", example=2)
    hash = TextField(required=True, about="That entry's hash: the head of the log.", example=HASH)
    at = TimestampField(required=True, about="That entry's time.")
    status = ChoiceField(("running", "paused", "over"), required=True, about="Whether it goes on.", example="running")
    seat = seat_field(required=True, allow_none=True, about="Your seat; null for a spectator.")
    question = NestedField(
        QuestionShownSchema(), required=True, allow_none=True, about="What you are asked; null if nothing."
    )
    view = ObjectField(
        required=True,
        about="What you may see, in the game's own terms. Every game has `seat`, `seats`, `asked` (the seats to act; "
        "-1 is chance), `over`, `resigned` and `names`.",
        example=TABLE_EXAMPLE["view"],
    )
    result = NestedField(ResultShownSchema(), required=True, allow_none=True, about="How it ended; null while it runs.")


class OptionShownSchema(ResponseSchema):
    """A line that is open to you."""

    number = IntegerField(required=True, about="Its place in the list.", example=1)
    line = TextField(required=True, most=400, about="The canonical line: sign exactly this.", example="lay R5")
    parts = ObjectField(
        required=True, about="The line taken apart: its verb, and its words by name.", example=OPTION_EXAMPLE["parts"]
    )
    sentence = TextField(
        required=True, most=2000, about="What it means, in your language.", example=OPTION_EXAMPLE["sentence"]
    )
    marks = ListField(
        TextField(most=400, about="The marks of a word of the line, parted by spaces.", example="hand:R5"),
        about="With `marks=true`: what is touched to choose the line, word by word.",
        example=["hand:R5", "row:R"],
    )


class OptionsShownSchema(ResponseSchema):
    """What is open to you."""

    question = NestedField(
        QuestionShownSchema(), required=True, allow_none=True, about="What you are asked; null if nothing."
    )
    items = ListField(
        NestedField(OptionShownSchema(), about="A line."),
        required=True,
        about="The first 200 lines, in one order for all languages.",
    )
    more = IntegerField(required=True, about="How many lines there are beyond those.", example=0)
    names = ObjectField(
        about="With `marks=true`: the words for marks that are buttons, in your language.", example={"say:pass": "pass"}
    )
    open = ListField(
        TextField(most=80, about="A mark.", example="row:R"),
        most=10_000,
        about="With `mark`, and with `marks` where there are `more` lines: what can be touched next.",
        example=["row:R"],
    )
    offered = ListField(
        IntegerField(least=1, about="The number of a line.", example=1),
        about="With `mark`: the numbers of the lines that can be sent now; all of them are among `items`.",
        example=[1],
    )


class HistoryQuerySchema(PagingQuerySchema):
    """Reading the log."""

    link = TextField(load_default=None, most=64, about="The link of a match that is not open.", example=LINK)
    spectator = BooleanField(load_default=False, about="As a spectator sees it, though you have a seat.")
    after = IntegerField(load_default=None, most=MOST_ENTRIES, about="Only entries after this one.", example=2)
    newest = BooleanField(load_default=False, about="Latest entries first.")
    told = BooleanField(load_default=False, about="With sentences that say what each entry meant, in your language.")


class EntryShownSchema(ResponseSchema):
    """An entry of the log; one that is sealed for you has a redacted line and nothing that proves it."""

    seq = IntegerField(required=True, about="Its number, from 1.", example=3)
    seat = IntegerField(
        required=True, least=-2, about="Whose line: a seat, -1 for chance, -2 for the house.", example=0
    )
    at = TimestampField(required=True, about="When it was made.")
    by = TextField(
        required=True,
        about="`chance`, `house`, `bot NAME`, `signed HASH`, or `mail HASH`, as in the record.",
        example=ENTRY_EXAMPLE["by"],
    )
    commit = TextField(required=True, about="The commitment to the line.", example=HASH)
    hash = TextField(required=True, about="The entry's hash in the chain.", example=HASH)
    sealed = BooleanField(required=True, about="Whether something of the line is hidden from you.")
    line = TextField(required=True, most=400, about="The line; `?` where it is hidden.", example="lay R5")
    asked = IntegerField(about="Signed lines: the question it answers.", example=2)
    n = IntegerField(least=1, most=64, about="Signed lines: its number in the submission.", example=1)
    key = TextField(about="Signed lines: the key.", example=KEY_ID)
    signature = TextField(about="Signed lines: the signature.", example=SIGNATURE)
    text = TextField(
        most=400, about="Signed lines with alternatives: the whole signed text.", example="lay R5 | lay R6"
    )
    orders = BooleanField(about="Signed lines: true if it waited as an order.", example=True)
    mail = ObjectField(about="Lines by mail: what attests them.", example={"door": "smtp", "verdict": "pass"})
    told = ListField(
        TextField(most=2000, about="A sentence.", example="Aoife lays the red 5."),
        about="With `told=true`: what it meant, in your language; empty where there is nothing to tell.",
        example=["Aoife lays the red 5."],
    )


class HistoryPageSchema(ResponseSchema):
    """Entries."""

    items = ListField(
        NestedField(EntryShownSchema(), about="An entry."), required=True, about="In the order asked for."
    )
    head = IntegerField(required=True, about="How many entries there are.", example=3)
