"""Bodies of what organisers do in a tournament: rulings, messages, matches to decide, letters that come back."""

from __future__ import annotations

from typing import Any

from service.tournaments.rulings.ruling_words import LONGEST_TEXT, REASONS, WHATS
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    HexField,
    IdField,
    IntegerField,
    ListField,
    LocalTimeField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.matches import AT, HASH, MATCH_ID, PLAYER_ID

ROUND_NAME = "swiss:2"
UNTIL = "2027-03-01T18:00:00.000Z"
RULING_BODY_EXAMPLE: dict[str, Any] = {
    "what": "result",
    "why": "time",
    "text": "Both were far ahead of the others; the herd decides.",
    "match": MATCH_ID,
    "places": [1, 2],
    "seq": 48,
    "dry_run": False,
}
LINES_EXAMPLE = [f"ruling result {MATCH_ID} time {HASH}", f"result {MATCH_ID} 1:31:adjudicated 2:28:adjudicated"]
CHANGE_EXAMPLE: dict[str, Any] = {
    "stage": "swiss",
    "player": PLAYER_ID,
    "name": "Aoife",
    "rank_before": 4,
    "rank_after": 2,
    "points_before": "1",
    "points_after": "2",
}
MADE_EXAMPLE: dict[str, Any] = {
    "seq": 49,
    "at": AT,
    "lines": LINES_EXAMPLE,
    "letters": [{"kind": "tournament-ruling", "player": PLAYER_ID, "name": "Aoife"}],
    "standings": [CHANGE_EXAMPLE],
    "written": True,
}
RULING_EXAMPLE: dict[str, Any] = {
    "seq": 49,
    "at": AT,
    "line": LINES_EXAMPLE[0],
    "what": "result",
    "about": [MATCH_ID],
    "why": "time",
    "concerns_you": True,
    "text": RULING_BODY_EXAMPLE["text"],
    "salt": "0" * 32,
}
MESSAGE_EXAMPLE = {"text": "Round 3 begins on Sunday. The prize table is at https://example.org/prizes"}
SENT_EXAMPLE = {"id": MATCH_ID, "at": AT, "letters": 23, "muted": 1, "left_today": 1}
OPEN_DECISION_EXAMPLE: dict[str, Any] = {
    "match": MATCH_ID,
    "stage": "swiss",
    "round": 2,
    "until": UNTIL,
    "players": [{"player": PLAYER_ID, "name": "Aoife"}],
    "table": "Aoife has 31 points, Brendan 28.",
}


class RulingBodySchema(RequestSchema):
    """A ruling: what is decided about whom, and why. Which members are needed depends on `what`."""

    what = ChoiceField(WHATS, required=True, about="What is decided.", example="result")
    why = ChoiceField(
        REASONS, required=True, about="The reason as a code, which stays in the public log.", example="time"
    )
    text = TextField(
        load_default="",
        most=LONGEST_TEXT,
        about="The reason in your words, for those concerned and for organisers; the log has its salted hash.",
        example=RULING_BODY_EXAMPLE["text"],
    )
    player = IdField(
        load_default=None, allow_none=True, about="For `exclude`, `accept` and `replace`: whom it is about."
    )
    other = IdField(
        load_default=None,
        allow_none=True,
        about="For `replace`: a willing player who takes over place, points and seats.",
    )
    match = IdField(
        load_default=None,
        allow_none=True,
        about="For `result` and `replay`: the match of the pairing.",
        example=MATCH_ID,
    )
    round = TextField(
        load_default="", most=60, about="For `extend` and `repair`: a round, as STAGE:NUMBER.", example=ROUND_NAME
    )
    until = LocalTimeField(
        load_default=None,
        allow_none=True,
        about="For `extend`: the new end, later than the old. Without an offset it is in the `zone` of the document.",
        example="2027-03-01T18:00",
    )
    places = ListField(
        IntegerField(least=1, most=99, about="A place, ties as 1, 1, 3.", example=1),
        load_default=list,
        most=99,
        about="For `result`: the place of each seat.",
    )
    scores = ListField(
        IntegerField(least=-999_999_999, most=999_999_999, about="Points of a seat.", example=31),
        load_default=list,
        most=99,
        about="For `result`, instead of places: the points of each seat, as the game can give them.",
    )
    tables = ListField(
        ListField(IdField(about="A player."), most=99, about="Who sits at one table, by seat; one alone has a bye."),
        load_default=list,
        most=20_000,
        about="For `repair`: the tables of the round. Without them the format pairs anew who is there now.",
    )
    value = TextField(
        load_default="",
        most=200,
        about="For `beacon`: the randomness of the beacon's round that the draw waits for, in hex.",
        example="8f3a" * 16,
    )
    seq = IntegerField(
        load_default=None,
        allow_none=True,
        least=0,
        about="The last line of the log that you have seen (`head.seq` of the tournament, or `seq` of a dry run); "
        "needed unless it is a dry run.",
        example=48,
    )
    dry_run = BooleanField(load_default=False, about="Show what it would do; nothing is written.", example=False)


class RulingLetterSchema(ResponseSchema):
    """A letter that a ruling sends."""

    kind = TextField(required=True, about="The kind of letter.", example="tournament-ruling")
    player = IdField(required=True, about="Who gets it, unless they muted letters.")
    name = TextField(required=True, about="Their name.", example="Aoife")


class StandingChangeSchema(ResponseSchema):
    """A line of the standings before and after a ruling."""

    stage = TextField(required=True, about="The stage.", example="swiss")
    player = IdField(required=True, about="Who stands there after it.")
    name = TextField(required=True, about="Their name.", example="Aoife")
    rank_before = IntegerField(required=True, allow_none=True, about="The rank before; null: none.", example=4)
    rank_after = IntegerField(required=True, allow_none=True, about="The rank after.", example=2)
    points_before = TextField(required=True, allow_none=True, about="The points before, as a decimal.", example="1")
    points_after = TextField(required=True, allow_none=True, about="The points after, as a decimal.", example="2")


class RulingMadeSchema(ResponseSchema):
    """What a ruling wrote, or would write."""

    seq = IntegerField(
        required=True, about="The line of the log with the ruling; of a dry run the last line there is.", example=49
    )
    at = TimestampField(required=True, about="When.")
    lines = ListField(
        TextField(about="A line.", example=LINES_EXAMPLE[0]), required=True, most=20_001, about="The lines of the log."
    )
    letters = ListField(
        NestedField(RulingLetterSchema(), about="A letter."), required=True, most=20_000, about="Who is told."
    )
    standings = ListField(
        NestedField(StandingChangeSchema(), about="A line that changes."),
        required=True,
        most=200,
        about="The lines of the standings that change, at most 200.",
    )
    written = BooleanField(required=True, about="False: it was a dry run.", example=True)


class RulingShownSchema(ResponseSchema):
    """A ruling as you may see it."""

    seq = IntegerField(required=True, about="Its line in the log.", example=49)
    at = TimestampField(required=True, about="When it was made.")
    line = TextField(required=True, about="The line as it stands in the log.", example=LINES_EXAMPLE[0])
    what = TextField(required=True, about="What was decided.", example="result")
    about = ListField(
        TextField(about="A player, a match, a round or a time.", example=MATCH_ID),
        required=True,
        most=10,
        about="What it is about, as in the line.",
    )
    why = TextField(required=True, about="The code of the reason.", example="time")
    concerns_you = BooleanField(required=True, about="Whether it concerns you.", example=True)
    text = TextField(
        required=True,
        allow_none=True,
        most=LONGEST_TEXT,
        about="The organiser's words; null unless it concerns you.",
        example="…",
    )
    salt = HexField(
        32,
        required=True,
        allow_none=True,
        example=RULING_EXAMPLE["salt"],
        about="With it the hash in the line is H(T(`echtra-ruling-v1`, tournament, salt, H(text))).",
    )


class RulingPageSchema(ResponseSchema):
    """A page of rulings."""

    items = ListField(NestedField(RulingShownSchema(), about="A ruling."), required=True, about="Oldest first.")


class MessageBodySchema(RequestSchema):
    """A message to all entrants."""

    text = TextField(
        required=True,
        least=1,
        most=4_000,
        about="Plain text; links are shown as they are written.",
        example=MESSAGE_EXAMPLE["text"],
    )


class MessageSentSchema(ResponseSchema):
    """What became of a message."""

    id = IdField(required=True, about="The message.", example=MATCH_ID)
    at = TimestampField(required=True, about="When it was sent.")
    letters = IntegerField(required=True, about="How many letters go out.", example=23)
    muted = IntegerField(required=True, about="How many entrants get none, because they muted letters.", example=1)
    left_today = IntegerField(required=True, about="How many messages are left for these 24 hours.", example=1)


class TournamentPersonSchema(ResponseSchema):
    """Somebody."""

    player = IdField(required=True, about="Their id.")
    name = TextField(required=True, about="Their name.", example="Aoife")


class UnreachablePageSchema(ResponseSchema):
    """Entrants whom letters do not reach."""

    items = ListField(NestedField(TournamentPersonSchema(), about="An entrant."), required=True, about="By name.")


class OpenDecisionSchema(ResponseSchema):
    """A match whose time is over and which an organiser decides."""

    match = IdField(required=True, about="The match.", example=MATCH_ID)
    stage = TextField(required=True, about="Its stage.", example="swiss")
    round = IntegerField(required=True, about="Its round.", example=2)
    until = TimestampField(required=True, about="Without a ruling by then the scores on the table count.")
    players = ListField(
        NestedField(TournamentPersonSchema(), about="A seat."), required=True, most=99, about="Who sits there, by seat."
    )
    table = TextField(required=True, most=20_000, about="The table in words, as spectators see it.", example="…")


class OpenDecisionPageSchema(ResponseSchema):
    """Matches to decide."""

    items = ListField(NestedField(OpenDecisionSchema(), about="A match."), required=True, about="Oldest round first.")
