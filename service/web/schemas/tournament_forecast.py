"""Bodies of forecasts: when rounds and a tournament will be over."""

from __future__ import annotations

from typing import Any

from service.web.schemas.fields import (
    BooleanField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.matches import PLAYER_ID

START, EARLY, MIDDLE = "2027-01-10T18:00:00.000Z", "2027-02-01T09:00:00.000Z", "2027-02-06T21:00:00.000Z"
LATE, BOUND = "2027-02-19T12:00:00.000Z", "2027-02-21T18:00:00.000Z"
STARTS_EXAMPLE = {"early": START, "middle": START, "late": START}
ENDS_EXAMPLE = {"early": EARLY, "middle": MIDDLE, "late": LATE}
ROUND_EXAMPLE = {"stage": "swiss", "number": 1, "starts": STARTS_EXAMPLE, "ends": ENDS_EXAMPLE, "bound": BOUND}
CLASH_EXAMPLE = {"player": PLAYER_ID, "name": "Aoife", "stage": "swiss", "number": 1}
SLOW_EXAMPLE = {**CLASH_EXAMPLE, "percent": 31}
FORECAST_EXAMPLE: dict[str, Any] = {
    "at": START,
    "reason": None,
    "why": None,
    "rounds": [ROUND_EXAMPLE],
    "ends": ENDS_EXAMPLE,
    "bound": BOUND,
    "clashes": [CLASH_EXAMPLE],
    "slowest": [SLOW_EXAMPLE],
    "own_times": True,
    "futures": 400,
}


class ForecastTimesShownSchema(ResponseSchema):
    """A time as 400 futures have it."""

    early = TimestampField(required=True, about="It comes earlier in 10 of 100 futures.", example=EARLY)
    middle = TimestampField(required=True, about="It comes earlier in half of them.", example=MIDDLE)
    late = TimestampField(required=True, about="It comes earlier in 90 of 100.", example=LATE)


class ForecastRoundShownSchema(ResponseSchema):
    """When a round begins and ends."""

    stage = TextField(required=True, most=40, about="Its stage.", example="swiss")
    number = IntegerField(required=True, least=1, about="Its number in the stage.", example=1)
    starts = NestedField(ForecastTimesShownSchema(), required=True, about="When it begins.")
    ends = NestedField(ForecastTimesShownSchema(), required=True, about="When it is over.")
    bound = TimestampField(
        required=True,
        allow_none=True,
        about="When clock and document force its end, however slowly all play; null: nothing does.",
        example=BOUND,
    )


class ForecastClashShownSchema(ResponseSchema):
    """Leave that falls into a round."""

    player = IdField(required=True, about="Whose leave.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Aoife")
    stage = TextField(required=True, most=40, about="The stage.", example="swiss")
    number = IntegerField(required=True, least=1, about="The round.", example=1)


class SlowPlayerShownSchema(ForecastClashShownSchema):
    """Who most likely holds up a round."""

    percent = IntegerField(required=True, most=100, about="In so many of 100 futures they do.", example=31)


class TournamentForecastShownSchema(ResponseSchema):
    """When a tournament will be over, or why that is not known."""

    at = TimestampField(required=True, about="The full hour from which it looks ahead.", example=START)
    reason = TextField(
        required=True,
        allow_none=True,
        most=20,
        about="Why nothing is known: no-entrants, no-matches, no-answers, too-far, too-many or over; null: it is.",
        example=None,
    )
    why = TextField(required=True, allow_none=True, most=500, about="The same in words.", example=None)
    rounds = ListField(
        NestedField(ForecastRoundShownSchema(), about="A round."),
        required=True,
        most=400,
        about="Every round that is not over.",
    )
    ends = NestedField(
        ForecastTimesShownSchema(),
        required=True,
        allow_none=True,
        about="When all is over; null where that is not known.",
    )
    bound = TimestampField(
        required=True,
        allow_none=True,
        about="When clock and document force the end of all; null: nothing does.",
        example=BOUND,
    )
    clashes = ListField(
        NestedField(ForecastClashShownSchema(), about="A clash."),
        required=True,
        most=20_000,
        about="Leave that falls into a round: all of it for organisers, your own for you.",
    )
    slowest = ListField(
        NestedField(SlowPlayerShownSchema(), about="Somebody."),
        required=True,
        most=2_000,
        about="Who most likely holds up each round; for organisers only, and empty while fewer than 8 tables are open.",
    )
    own_times = BooleanField(
        required=True,
        about="Whether everybody is taken to answer as they did before; with few tables all answer as others do.",
        example=True,
    )
    futures = IntegerField(required=True, most=400, about="How many futures were played.", example=400)
