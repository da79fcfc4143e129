"""What tables show: views, questions, options, the log, notes and offers."""

from __future__ import annotations

from typing import Any

from service.matches.offers import WHY
from service.play.notes import LONGEST
from service.web.pagination import Paging
from service.web.schemas.fields import Choice, Flag, Free, Id, Inside, Many, Query, Shown, Strict, Text, When, Whole
from service.web.schemas.games import SLUG
from service.web.schemas.matches import AT, HASH, KEY, LINK, MATCH, PLAYER, SIGNATURE, seat_field

MOST_ENTRIES = 10_000_000
QUESTION: dict[str, Any] = {"asked": 2, "prev": HASH, "at": AT, "due": "2026-11-19T09:30:00.000Z"}
OPTION: dict[str, Any] = {
    "number": 1,
    "line": "lay R5",
    "parts": {"verb": "lay", "card": "R5", "row": None},
    "sentence": "Lay the red 5 on your red row.",
}
OPTIONS: dict[str, Any] = {"question": QUESTION, "items": [OPTION], "more": 0}
TABLE: dict[str, Any] = {
    "match": MATCH,
    "game": SLUG,
    "seq": 2,
    "hash": HASH,
    "at": AT,
    "status": "running",
    "seat": 0,
    "question": QUESTION,
    "view": {"seat": 0, "seats": 2, "asked": [0], "over": False, "resigned": [], "names": ["Aoife", "Steady (bot)"]},
    "result": None,
}
ENTRY: dict[str, Any] = {
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
    "key": KEY,
    "signature": SIGNATURE,
}
SEALED: dict[str, Any] = {
    "seq": 2,
    "seat": -1,
    "at": AT,
    "by": "chance",
    "commit": HASH,
    "hash": HASH,
    "sealed": True,
    "line": "deal 1 ? ? ? ? ? ? ? ?",
}
NOTE: dict[str, Any] = {
    "id": 17,
    "seat": 0,
    "player": PLAYER,
    "name": "Aoife",
    "seq": 3,
    "at": AT,
    "body": "Good luck!",
}
OFFER: dict[str, Any] = {
    "id": "t3w6zpm7q2x9v4k8",
    "kind": "end",
    "by": 0,
    "at": AT,
    "agreed": [0],
    "status": "open",
    "closed_at": None,
}


class LookQuery(Query):
    """Looking at a table."""

    link = Text(load_default=None, most=64, about="The link of a match that is not open.", example=LINK)
    spectator = Flag(load_default=False, about="As a spectator sees it, though you have a seat.")


class TableQuery(LookQuery):
    """Looking at a table, now or earlier."""

    at = Whole(load_default=None, most=MOST_ENTRIES, about="As it stood after this entry; now if not given.", example=2)


class QuestionShown(Shown):
    """What your seat is asked; its first two members go into what you sign."""

    asked = Whole(required=True, about="The entry since which the question stands.", example=2)
    prev = Text(required=True, about="The hash of that entry.", example=HASH)
    at = When(required=True, about="Since when it stands.")
    due = When(required=True, allow_none=True, about="By when your answer must be in; null without a clock.")


class CountShown(Shown):
    """Where points come from."""

    label = Text(required=True, about="What they are for, in your language.", example="red")
    points = Whole(required=True, least=-(2**53) + 1, about="How many.", example=6)


class ScoreShown(Shown):
    """What a seat has."""

    total = Whole(required=True, least=-(2**53) + 1, about="Its points.", example=31)
    counts = Many(Inside(CountShown(), about="A count."), required=True, about="Where they come from.")
    ties = Many(
        Whole(least=-(2**53) + 1, about="A number.", example=2), required=True, about="What breaks ties, in order."
    )


class ResultShown(Shown):
    """How the match ended."""

    why = Text(
        required=True, about="`played`, `resign`, `agreed`, `cancelled`, or what the house decided.", example="played"
    )
    scores = Many(
        Inside(ScoreShown(), about="A score."),
        required=True,
        allow_none=True,
        about="By seat; null if it was cancelled.",
    )
    winners = Many(seat_field(), required=True, about="The seats that share first place.", example=[0])


class TableShown(Shown):
    """A table as one reader sees it."""

    match = Id(required=True, about="The match.", example=MATCH)
    game = Text(required=True, about="Its game.", example=SLUG)
    seq = Whole(required=True, about="The entry after which it stands so.", example=2)
    hash = Text(required=True, about="That entry's hash: the head of the log.", example=HASH)
    at = When(required=True, about="That entry's time.")
    status = Choice(("running", "paused", "over"), required=True, about="Whether it goes on.", example="running")
    seat = seat_field(required=True, allow_none=True, about="Your seat; null for a spectator.")
    question = Inside(QuestionShown(), required=True, allow_none=True, about="What you are asked; null if nothing.")
    view = Free(
        required=True,
        about="What you may see, in the game's own terms. Every game has `seat`, `seats`, `asked` (the seats to act; "
        "-1 is chance), `over`, `resigned` and `names`.",
        example=TABLE["view"],
    )
    result = Inside(ResultShown(), required=True, allow_none=True, about="How it ended; null while it runs.")


class OptionShown(Shown):
    """A line that is open to you."""

    number = Whole(required=True, about="Its place in the list.", example=1)
    line = Text(required=True, most=400, about="The canonical line: sign exactly this.", example="lay R5")
    parts = Free(required=True, about="The line taken apart: its verb, and its words by name.", example=OPTION["parts"])
    sentence = Text(required=True, most=2000, about="What it means, in your language.", example=OPTION["sentence"])


class OptionsShown(Shown):
    """What is open to you."""

    question = Inside(QuestionShown(), required=True, allow_none=True, about="What you are asked; null if nothing.")
    items = Many(
        Inside(OptionShown(), about="A line."),
        required=True,
        about="The first 200 lines, in one order for all languages.",
    )
    more = Whole(required=True, about="How many lines there are beyond those.", example=0)


class HistoryQuery(Paging):
    """Reading the log."""

    link = Text(load_default=None, most=64, about="The link of a match that is not open.", example=LINK)
    spectator = Flag(load_default=False, about="As a spectator sees it, though you have a seat.")
    after = Whole(load_default=None, most=MOST_ENTRIES, about="Only entries after this one.", example=2)
    newest = Flag(load_default=False, about="Latest entries first.")
    told = Flag(load_default=False, about="With sentences that say what each entry meant, in your language.")


class EntryShown(Shown):
    """An entry of the log; one that is sealed for you has a redacted line and nothing that proves it."""

    seq = Whole(required=True, about="Its number, from 1.", example=3)
    seat = Whole(required=True, least=-2, about="Whose line: a seat, -1 for chance, -2 for the house.", example=0)
    at = When(required=True, about="When it was made.")
    by = Text(
        required=True,
        about="`chance`, `house`, `bot NAME`, `signed HASH`, or `mail HASH`, as in the record.",
        example=ENTRY["by"],
    )
    commit = Text(required=True, about="The commitment to the line.", example=HASH)
    hash = Text(required=True, about="The entry's hash in the chain.", example=HASH)
    sealed = Flag(required=True, about="Whether something of the line is hidden from you.")
    line = Text(required=True, most=400, about="The line; `?` where it is hidden.", example="lay R5")
    asked = Whole(about="Signed lines: the question it answers.", example=2)
    n = Whole(least=1, most=64, about="Signed lines: its number in the submission.", example=1)
    key = Text(about="Signed lines: the key.", example=KEY)
    signature = Text(about="Signed lines: the signature.", example=SIGNATURE)
    text = Text(most=400, about="Signed lines with alternatives: the whole signed text.", example="lay R5 | lay R6")
    orders = Flag(about="Signed lines: true if it waited as an order.", example=True)
    mail = Free(about="Lines by mail: what attests them.", example={"door": "smtp", "verdict": "pass"})
    told = Many(
        Text(most=2000, about="A sentence.", example="Aoife lays the red 5."),
        about="With `told=true`: what it meant, in your language; empty where there is nothing to tell.",
        example=["Aoife lays the red 5."],
    )


class HistoryPage(Shown):
    """Entries."""

    items = Many(Inside(EntryShown(), about="An entry."), required=True, about="In the order asked for.")
    head = Whole(required=True, about="How many entries there are.", example=3)


class NewNote(Strict):
    """A note."""

    body = Text(required=True, least=1, most=LONGEST, lines=True, about="What you say.", example="Good luck!")


class NoteShown(Shown):
    """A note to the table."""

    id = Whole(required=True, about="Its number.", example=17)
    seat = seat_field(required=True, allow_none=True, about="From which seat; null for the organiser.")
    player = Text(required=True, allow_none=True, about="From whom.", example=PLAYER)
    name = Text(required=True, about="Their name.", example="Aoife")
    seq = Whole(required=True, about="The head of the log when it was written.", example=3)
    at = When(required=True, about="When it was written.")
    body = Text(required=True, most=LONGEST, about="What it says.", example="Good luck!")


class NotePage(Shown):
    """Notes."""

    items = Many(Inside(NoteShown(), about="A note."), required=True, about="Oldest first.")
    muted = Flag(required=True, about="Whether you muted the table: then only your own notes are here.")


class MuteBody(Strict):
    """Muting a table."""

    muted = Flag(required=True, about="True: no notes of others any more, here or by letter.", example=True)


class NewOffer(Strict):
    """An offer."""

    kind = Choice(
        tuple(WHY), required=True, about="`end`: end now, as it stands. `cancel`: without result.", example="end"
    )


class OfferAnswer(Strict):
    """An answer to an offer."""

    agree = Flag(required=True, about="True to agree, false to refuse; false for your own withdraws it.", example=True)


class OfferShown(Shown):
    """An offer to the table."""

    id = Id(required=True, about="Its id.")
    kind = Choice(tuple(WHY), required=True, about="What is offered.", example="end")
    by = seat_field(required=True, about="By which seat.")
    at = When(required=True, about="When it was made.")
    agreed = Many(seat_field(), required=True, about="The seats that agree.", example=[0])
    status = Text(required=True, about="`open`, `made`, `declined`, `withdrawn` or `lapsed`.", example="open")
    closed_at = When(required=True, allow_none=True, about="When it was closed.")


class OfferPage(Shown):
    """Offers."""

    items = Many(Inside(OfferShown(), about="An offer."), required=True, most=1000, about="Latest first.")
