"""Bodies of tournaments: plans, tournaments, rounds, pairings, standings, crosstables, logs, entrants, receipts."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ObjectField,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.games import GAME_SLUG
from service.web.schemas.matches import AT, HASH, MATCH_ID, PLAYER_ID
from service.web.schemas.tournament_forecast import (
    FORECAST_EXAMPLE,
    RepetitionShownSchema,
    TournamentForecastShownSchema,
)
from service.web.schemas.vacation import LeaveClashSchema

TOURNAMENT_ID = "t4k8w2n6q0vxp3z7"
NAME_PATTERN = r"^[a-z0-9-]{3,40}$"
STATES = ("draft", "announced", "entry", "drawn", "running", "paused", "over", "cancelled")
STATUSES = ("waiting", "in", "reserve", "withdrawn", "excluded")
OPENS_AT, CLOSES_AT = "2026-12-01T18:00:00.000Z", "2027-01-08T18:00:00.000Z"
FIRST_START, FIRST_END = "2027-01-10T18:00:00.000Z", "2027-02-14T18:00:00.000Z"
SIGNATURE = "A" * 86
MOST_ENTRANTS = 20_000

DOCUMENT_TEXT = f"""\
tournament: winter-cup
game: {GAME_SLUG}
entry:
  opens: 2026-12-01T18:00
  closes: 2027-01-08T18:00
stages:
  - name: swiss
    format: swiss
    rounds: 7
    start: {{first: 2027-01-10T18:00, next: when-over, gap: 2d}}
    end: {{at_most: 5w, then: adjudicate}}
"""
DOCUMENT_EXAMPLE: dict[str, Any] = {
    "tournament": "winter-cup",
    "game": GAME_SLUG,
    "entry": {"opens": "2026-12-01T18:00", "closes": "2027-01-08T18:00"},
    "stages": [
        {
            "name": "swiss",
            "format": "swiss",
            "rounds": 7,
            "start": {"first": "2027-01-10T18:00", "next": "when-over", "gap": "2d"},
            "end": {"at_most": "5w", "then": "adjudicate"},
        }
    ],
}
HEAD_EXAMPLE = {"seq": 48, "hash": HASH}
TOURNAMENT_EXAMPLE: dict[str, Any] = {
    "id": TOURNAMENT_ID,
    "name": "winter-cup",
    "title": "Winter cup",
    "game": GAME_SLUG,
    "state": "running",
    "listed": True,
    "created_at": AT,
    "opens_at": OPENS_AT,
    "closes_at": CLOSES_AT,
    "started_at": FIRST_START,
    "ended_at": None,
    "entrants": 24,
    "reserves": 0,
    "waiting": 0,
    "head": HEAD_EXAMPLE,
    "you": {"status": "in", "number": 4},
}
STAGE_EXAMPLE = {"name": "swiss", "format": "swiss", "state": "running"}
WHOLE_EXAMPLE: dict[str, Any] = {
    **TOURNAMENT_EXAMPLE,
    "beacon": "drand-quicknet",
    "organisers": [{"player": PLAYER_ID, "name": "Aoife"}],
    "stages": [STAGE_EXAMPLE],
    "document": DOCUMENT_EXAMPLE,
}
PLANNED_EXAMPLE = {
    "stage": "swiss",
    "number": 1,
    "state": "planned",
    "starts_at": FIRST_START,
    "ends_at": FIRST_END,
    "started_at": None,
    "over_at": None,
}
PLAN_EXAMPLE: dict[str, Any] = {
    "name": "winter-cup",
    "tournament": None,
    "etag": "0123456789abcdef0123456789abcdef",
    "hash": HASH,
    "document": DOCUMENT_EXAMPLE,
    "people": [{"text": "aoife", "player": PLAYER_ID, "name": "Aoife"}],
    "changes": [{"path": "/stages/0/rounds", "before": 7, "after": 8, "allowed": True}],
    "rounds": [PLANNED_EXAMPLE],
    "repetitions": [],
    "forecast": FORECAST_EXAMPLE,
    "warnings": ["The draw has no beacon: the server could know it early, and the page says so."],
}
ROUND_EXAMPLE = {
    **PLANNED_EXAMPLE,
    "state": "running",
    "started_at": FIRST_START,
    "tables": 12,
    "finished": 5,
    "repeats": 0,
}
SEAT_EXAMPLE = {
    "seat": 0,
    "player": PLAYER_ID,
    "name": "Aoife",
    "place": 1,
    "score": 31,
    "how": "played",
    "points": "1",
}
PAIRING_EXAMPLE: dict[str, Any] = {
    "match": MATCH_ID,
    "place": 1,
    "section": None,
    "over": True,
    "seats": [SEAT_EXAMPLE, {**SEAT_EXAMPLE, "seat": 1, "name": "Brendan", "place": 2, "score": 24, "points": "0"}],
}
WHY_EXAMPLE: dict[str, Any] = {
    "summary": "4th: 9 points, as Brigid. Firsts: 1 each. Opposition 3.25 against 2.80.",
    "details": ["9 points: 6 (round 1) + 3 (round 2).", "Firsts 1: round 1."],
}
STANDING_LINE_EXAMPLE: dict[str, Any] = {
    "section": None,
    "rank": 4,
    "number": 7,
    "player": PLAYER_ID,
    "name": "Aoife",
    "status": "in",
    "points": "9",
    "by_round": ["6", "3"],
    "ties": {"firsts": "1", "opposition": "3.25"},
    "why": WHY_EXAMPLE,
}
STANDINGS_EXAMPLE: dict[str, Any] = {
    "stage": "pods",
    "format": "pods",
    "state": "running",
    "seq": 48,
    "items": [STANDING_LINE_EXAMPLE],
}
CELL_EXAMPLE = {
    "round": 1,
    "match": MATCH_ID,
    "seat": 0,
    "opponents": [12],
    "result": "1:31:played",
    "points": "1",
}
CROSSTABLE_EXAMPLE: dict[str, Any] = {
    "stage": "swiss",
    "items": [{"number": 7, "player": PLAYER_ID, "name": "Aoife", "cells": [CELL_EXAMPLE]}],
}
LOG_EXAMPLE: dict[str, Any] = {
    "head": 48,
    "items": [{"seq": 1, "at": AT, "line": f"enter {PLAYER_ID} 8f3a", "hash": HASH}],
}
ENTRANT_EXAMPLE = {"player": PLAYER_ID, "name": "Aoife", "status": "in", "number": 4, "rating": None, "seq": 12}
RECEIPT_EXAMPLE: dict[str, Any] = {
    "tournament": TOURNAMENT_ID,
    "player": PLAYER_ID,
    "status": "in",
    "nonce": "8f3a",
    "seq": 12,
    "hash": HASH,
    "at": AT,
    "server": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    "signature": SIGNATURE,
    "leave": [],
}


def _points(about: str, example: str = "3.5", **more: Any) -> TextField:  # noqa: ANN401  # as the field has it
    return TextField(most=20, about=about, example=example, **more)


class AnyJsonField(fields.Raw):
    """A value that may be any JSON."""

    def __init__(self, *, about: str, example: Any) -> None:  # noqa: ANN401  # any JSON
        super().__init__(required=True, allow_none=True, metadata={"description": about, "example": example})


class TournamentHeadShownSchema(ResponseSchema):
    """Where a log stands."""

    seq = IntegerField(required=True, about="How many lines the log has.", example=48)
    hash = TextField(required=True, about="The hash of the last line, over it and all before it.", example=HASH)


class OwnEntryShownSchema(ResponseSchema):
    """Your own place in a tournament."""

    status = ChoiceField(STATUSES, required=True, about="Whether you are in.", example="in")
    number = IntegerField(required=True, allow_none=True, about="Your number, once entry has closed.", example=4)


class TournamentShownSchema(ResponseSchema):
    """A tournament in a list."""

    id = IdField(required=True, about="Its id.", example=TOURNAMENT_ID)
    name = TextField(required=True, most=40, about="Its name among those of its maker.", example="winter-cup")
    title = TextField(required=True, about="What it is called, in the language of the answer.", example="Winter cup")
    game = TextField(required=True, about="Which game.", example=GAME_SLUG)
    state = ChoiceField(STATES, required=True, about="Where it stands.", example="running")
    listed = BooleanField(required=True, about="Whether strangers see it.", example=True)
    created_at = TimestampField(required=True, about="When it was made.")
    opens_at = TimestampField(required=True, allow_none=True, about="When entry opens.", example=OPENS_AT)
    closes_at = TimestampField(
        required=True, allow_none=True, about="When entry closes; null: with the end.", example=CLOSES_AT
    )
    started_at = TimestampField(required=True, allow_none=True, about="When its first round began.")
    ended_at = TimestampField(required=True, allow_none=True, about="When it ended.")
    entrants = IntegerField(required=True, about="How many are in.", example=24)
    reserves = IntegerField(required=True, about="How many are on the waiting list.", example=0)
    waiting = IntegerField(required=True, about="How many wait for approval.", example=0)
    head = NestedField(TournamentHeadShownSchema(), required=True, about="Where its log stands.")
    you = NestedField(
        OwnEntryShownSchema(), required=True, allow_none=True, about="Your own place; null if you have not entered."
    )


class TournamentPageSchema(ResponseSchema):
    """Tournaments."""

    items = ListField(NestedField(TournamentShownSchema(), about="A tournament."), required=True, about="Latest first.")


class TournamentOrganiserShownSchema(ResponseSchema):
    """Who organises a tournament."""

    player = IdField(required=True, about="Their id.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")


class StageShownSchema(ResponseSchema):
    """A stage of a tournament."""

    name = TextField(required=True, most=40, about="Its name.", example="swiss")
    format = TextField(required=True, most=40, about="How it is played.", example="swiss")
    state = TextField(required=True, most=20, about="planned, running or over.", example="running")


class WholeTournamentShownSchema(TournamentShownSchema):
    """A tournament with its document."""

    beacon = TextField(required=True, most=40, about="Whose randomness goes into the draws, or none.", example="none")
    organisers = ListField(
        NestedField(TournamentOrganiserShownSchema(), about="An organiser."),
        required=True,
        most=21,
        about="Who may rule.",
    )
    stages = ListField(NestedField(StageShownSchema(), about="A stage."), required=True, most=12, about="In order.")
    document = ObjectField(
        required=True, about="The document in force, with every default, people by id.", example=DOCUMENT_EXAMPLE
    )


class PlannedRoundShownSchema(ResponseSchema):
    """A round that a plan knows."""

    stage = TextField(required=True, most=40, about="Its stage.", example="swiss")
    number = IntegerField(required=True, least=1, about="Its number in the stage.", example=1)
    state = TextField(required=True, most=20, about="planned, paired, running or over.", example="planned")
    starts_at = TimestampField(
        required=True,
        allow_none=True,
        about="When it begins; null: when the one before is over. If its time has passed while the one before is still "
        "played, this is when it begins at the latest.",
        example=FIRST_START,
    )
    ends_at = TimestampField(required=True, allow_none=True, about="When it ends at the latest.", example=FIRST_END)
    started_at = TimestampField(required=True, allow_none=True, about="When it began.")
    over_at = TimestampField(required=True, allow_none=True, about="When its last result came.")


class RoundShownSchema(PlannedRoundShownSchema):
    """A round."""

    tables = IntegerField(required=True, about="How many tables it has, byes counted.", example=12)
    finished = IntegerField(required=True, about="How many of them have a result.", example=5)
    repeats = IntegerField(
        required=True,
        about="How many pairs of people meet again in it; the fewest that could be found once it is paired.",
        example=0,
    )


class RoundPageSchema(ResponseSchema):
    """Rounds."""

    items = ListField(NestedField(RoundShownSchema(), about="A round."), required=True, about="Stage by stage.")


class PersonTakenShownSchema(ResponseSchema):
    """Whom a name in a document means."""

    text = TextField(required=True, about="What the document says.", example="aoife")
    player = IdField(required=True, about="The player.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")


class ChangeShownSchema(ResponseSchema):
    """One value that a document would change."""

    path = TextField(required=True, about="Where, as a JSON pointer.", example="/stages/0/rounds")
    before = AnyJsonField(about="What it is now; any JSON, null: nothing.", example=7)
    after = AnyJsonField(about="What it would be; any JSON, null: nothing.", example=8)
    allowed = BooleanField(required=True, about="Whether it can still change.", example=True)


class TournamentPlanShownSchema(ResponseSchema):
    """What applying a document would do."""

    name = TextField(required=True, most=40, about="The name of the tournament.", example="winter-cup")
    tournament = TextField(
        required=True, allow_none=True, about="The tournament that would change; null: a new one.", example=None
    )
    etag = TextField(
        required=True, about="To be sent as `If-Match` with the document.", example="0123456789abcdef0123456789abcdef"
    )
    hash = TextField(required=True, about="The hash of the document with every default.", example=HASH)
    document = ObjectField(
        required=True, about="The document with every default, people by id, times in UTC.", example=DOCUMENT_EXAMPLE
    )
    people = ListField(
        NestedField(PersonTakenShownSchema(), about="A person."),
        required=True,
        most=20_000,
        about="Whom each name was taken for.",
    )
    changes = ListField(
        NestedField(ChangeShownSchema(), about="A change."),
        required=True,
        most=5_000,
        about="What would change in the tournament there is.",
    )
    rounds = ListField(
        NestedField(PlannedRoundShownSchema(), about="A round."), required=True, most=400, about="As far as is known."
    )
    repetitions = ListField(
        NestedField(RepetitionShownSchema(), about="A tournament."),
        required=True,
        most=60,
        about="The tournaments to come of a document that repeats; rounds and forecast are those of the first.",
    )
    forecast = NestedField(
        TournamentForecastShownSchema(),
        required=True,
        about="When all will be over, with who has entered by now.",
    )
    warnings = ListField(
        TextField(most=2000, about="A warning.", example="The draw has no beacon."),
        required=True,
        about="What an organiser should know first.",
        example=PLAN_EXAMPLE["warnings"],
    )


class SeatOfPairingShownSchema(ResponseSchema):
    """A seat of a table."""

    seat = IntegerField(required=True, most=99, about="Which seat.", example=0)
    player = TextField(required=True, allow_none=True, most=32, about="Who sits there; null: a bot.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")
    place = IntegerField(required=True, allow_none=True, about="The place at the table, ties as 1, 1, 3.", example=1)
    score = IntegerField(required=True, allow_none=True, least=-(2**53) + 1, about="The score of the game.", example=31)
    how = TextField(
        required=True,
        allow_none=True,
        most=20,
        about="How it came about: played, forfeit, stand-in, substitute, adjudicated, ruled, bye or lapsed.",
        example="played",
    )
    points = _points("What it counts for the standings.", "1", required=True, allow_none=True)


class PairingShownSchema(ResponseSchema):
    """A table of a round."""

    match = IdField(required=True, about="Its match; a bye has the id and no match.", example=MATCH_ID)
    place = IntegerField(required=True, least=1, about="Which pairing of its round it is.", example=1)
    section = IntegerField(required=True, allow_none=True, about="Its section, if there are any.", example=1)
    over = BooleanField(required=True, about="Whether it has its result.", example=True)
    seats = ListField(
        NestedField(SeatOfPairingShownSchema(), about="A seat."), required=True, most=99, about="One alone: a bye."
    )


class PairingPageSchema(ResponseSchema):
    """The tables of a round."""

    items = ListField(NestedField(PairingShownSchema(), about="A table."), required=True, about="As they were paired.")


class ReasonShownSchema(ResponseSchema):
    """Why somebody has a rank."""

    summary = TextField(
        required=True,
        most=5_000,
        about="What parted them from those with as many points.",
        example=WHY_EXAMPLE["summary"],
    )
    details = ListField(
        TextField(most=20_000, about="A value.", example="Firsts 1: round 1."),
        required=True,
        about="For each value what it was made of.",
        example=["9 points: 6 (round 1) + 3 (round 2).", "Firsts 1: round 1."],
    )


class StandingLineShownSchema(ResponseSchema):
    """A line of the standings."""

    section = IntegerField(required=True, allow_none=True, about="Which section, if there are any.", example=1)
    rank = IntegerField(required=True, least=1, about="The rank, ties as 1, 1, 3.", example=4)
    number = IntegerField(required=True, least=1, about="The number in the tournament.", example=7)
    player = IdField(required=True, about="Who.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")
    status = ChoiceField(STATUSES, required=True, about="Whether they are still in.", example="in")
    points = _points("All points.", "9", required=True)
    by_round = ListField(
        _points("The points of a round.", "6"), required=True, about="Round by round.", example=["6", "3"]
    )
    ties = ObjectField(
        required=True,
        about="The tie-breaks by name, as decimals. `direct` with two seats and `lots` are places, smaller is better.",
        example={"firsts": "1", "opposition": "3.25"},
    )
    why = NestedField(
        ReasonShownSchema(), required=True, allow_none=True, about="Why, in words; null unless `why` was asked for."
    )


class StandingsPageSchema(ResponseSchema):
    """The standings of a stage."""

    stage = TextField(required=True, most=40, about="Which stage.", example="pods")
    format = TextField(required=True, most=40, about="How it is played.", example="pods")
    state = TextField(required=True, most=20, about="planned, running or over.", example="running")
    seq = IntegerField(required=True, about="The line of the log after which they stand so.", example=48)
    items = ListField(
        NestedField(StandingLineShownSchema(), about="An entrant."), required=True, about="Best first, by section."
    )


class CellShownSchema(ResponseSchema):
    """One round of an entrant."""

    round = IntegerField(required=True, least=1, about="Which round.", example=1)
    match = IdField(required=True, about="The match.", example=MATCH_ID)
    seat = IntegerField(required=True, most=99, about="At which seat.", example=0)
    opponents = ListField(
        IntegerField(about="An opponent.", example=12),
        required=True,
        most=99,
        about="Their numbers; 0 is a bot, nobody a bye.",
        example=[12],
    )
    result = TextField(required=True, about="PLACE:SCORE:HOW, empty while it runs.", example="1:31:played")
    points = _points("What it counts.", "1", required=True, allow_none=True)


class CrosstableRowShownSchema(ResponseSchema):
    """The rounds of an entrant."""

    number = IntegerField(required=True, least=1, about="The number in the tournament.", example=7)
    player = IdField(required=True, about="Who.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")
    cells = ListField(NestedField(CellShownSchema(), about="A round."), required=True, most=2_000, about="By round.")


class CrosstablePageSchema(ResponseSchema):
    """Who met whom."""

    stage = TextField(required=True, most=40, about="Which stage.", example="swiss")
    items = ListField(NestedField(CrosstableRowShownSchema(), about="An entrant."), required=True, about="By number.")


class LogLineShownSchema(ResponseSchema):
    """A line of a log."""

    seq = IntegerField(required=True, least=1, about="Its number.", example=1)
    at = TimestampField(required=True, about="When it was written.")
    line = TextField(required=True, most=2000, about="The line.", example=f"enter {PLAYER_ID} 8f3a")
    hash = TextField(required=True, about="The hash over it and all before it.", example=HASH)


class LogPageSchema(ResponseSchema):
    """Lines of a log."""

    head = IntegerField(required=True, about="How many lines there are.", example=48)
    items = ListField(NestedField(LogLineShownSchema(), about="A line."), required=True, most=500, about="In order.")


class EntrantShownSchema(ResponseSchema):
    """A player in a tournament."""

    player = IdField(required=True, about="Who.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")
    status = ChoiceField(STATUSES, required=True, about="Whether they are in.", example="in")
    number = IntegerField(required=True, allow_none=True, about="Their number, once entry has closed.", example=4)
    rating = IntegerField(required=True, allow_none=True, about="The rating they were numbered by.", example=1500)
    seq = IntegerField(required=True, about="The line of the log by which they entered.", example=12)


class EntrantPageSchema(ResponseSchema):
    """Entrants."""

    items = ListField(NestedField(EntrantShownSchema(), about="An entrant."), required=True, about="As they entered.")


class EntryReceiptShownSchema(ResponseSchema):
    """The server's signature over your entry: keep it."""

    tournament = IdField(required=True, about="The tournament.", example=TOURNAMENT_ID)
    player = IdField(required=True, about="You.", example=PLAYER_ID)
    status = ChoiceField(STATUSES, required=True, about="in, waiting or reserve.", example="in")
    nonce = TextField(required=True, about="The nonce you gave, or -.", example="8f3a")
    seq = IntegerField(required=True, about="The line of the log.", example=12)
    hash = TextField(required=True, about="Its hash.", example=HASH)
    at = TimestampField(required=True, about="When it was written.")
    server = TextField(
        required=True, about="The id of the key that signed.", example="kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    )
    signature = TextField(
        required=True,
        about="Ed25519 over `echtra-enter-v1`, tournament, player, nonce, seq, hash, at in ms; a line feed after each.",
        example=SIGNATURE,
    )
    leave = ListField(
        NestedField(LeaveClashSchema(), about="A round."),
        required=True,
        most=1000,
        about="Rounds that meet leave you have booked.",
    )
