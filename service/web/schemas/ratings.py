"""What ratings and reliability show."""

from __future__ import annotations

from marshmallow import fields

from service.web.schemas.fields import (
    BooleanField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ResponseSchema,
    TextField,
)
from service.web.schemas.games import GAME_SLUG

LEAST, MOST = -100_000, 100_000
RATINGS_EXAMPLE = {
    "player": "k3v9m2x7q4p8w6ya",
    "ratings": [
        {
            "game": GAME_SLUG,
            "rating": 1612,
            "deviation": 148,
            "matches": 23,
            "provisional": False,
            "peak": 1655,
            "history": [
                {"day": "2026-09-02", "rating": 1655, "deviation": 161},
                {"day": "2026-11-16", "rating": 1612, "deviation": 148},
            ],
        }
    ],
    "reliability": {
        "new": False,
        "answers": 412,
        "late": 3,
        "on_time_percent": 99,
        "matches": 25,
        "finished": 24,
        "finished_percent": 96,
    },
}
DEVIATION_TEXT = (
    "How sure the rating is: two times in three the true strength is within so many points of it. It begins at 500 and "
    "shrinks with every match."
)


class RatingPointSchema(ResponseSchema):
    """A rating on one day."""

    day = fields.Date(
        required=True,
        metadata={"description": "The day, in UTC, at whose end it was so.", "example": "2026-11-16"},
    )
    rating = IntegerField(required=True, least=LEAST, most=MOST, about="The rating.", example=1612)
    deviation = IntegerField(required=True, most=MOST, about="How sure it was.", example=148)


class GameRatingSchema(ResponseSchema):
    """How strong a player is at one game."""

    game = TextField(required=True, about="The game.", example=GAME_SLUG)
    rating = IntegerField(
        required=True, least=LEAST, most=MOST, about="The rating; somebody new has 1500.", example=1612
    )
    deviation = IntegerField(required=True, most=MOST, about=DEVIATION_TEXT, example=148)
    matches = IntegerField(required=True, about="How many rated matches it comes from.", example=23)
    provisional = BooleanField(
        required=True, about="Whether these are fewer than 10, so that there is little to go by yet."
    )
    peak = IntegerField(
        required=True,
        least=LEAST,
        most=MOST,
        about="The highest rating held in the last 365 days, not counting provisional ones unless there are no others.",
        example=1655,
    )
    history = ListField(
        fields.Nested(RatingPointSchema()),
        required=True,
        most=367,
        about="The days of the last 365 on which the rating changed, the earliest first; before them, if there is one, "
        "the day since which it had been as it was when these 365 began.",
    )


class ReliabilitySchema(ResponseSchema):
    """What the last 365 days say of how far others can rely on a player."""

    new = BooleanField(
        required=True, about="Whether there are fewer than 20 answers, so that no share is named.", example=False
    )
    answers = IntegerField(
        required=True, about="How many questions with a deadline they answered, or missed for good.", example=412
    )
    late = IntegerField(required=True, about="How many of these too late, or never.", example=3)
    on_time_percent = IntegerField(
        required=True,
        allow_none=True,
        most=100,
        about="How many of a hundred answers came in time, rounded down; null for somebody new.",
        example=99,
    )
    matches = IntegerField(
        required=True,
        about="How many matches with other people they sat in that have ended, or that they left.",
        example=25,
    )
    finished = IntegerField(
        required=True,
        about="How many of these they were in at the end. To resign a match of two is an end like others.",
        example=24,
    )
    finished_percent = IntegerField(
        required=True,
        allow_none=True,
        most=100,
        about="How many of a hundred matches they were in at the end, rounded down; null for somebody new.",
        example=96,
    )


class PlayerRatingsSchema(ResponseSchema):
    """How strong a player is, game by game, and how far others can rely on them."""

    player = IdField(required=True, about="The id of the player.")
    ratings = ListField(
        fields.Nested(GameRatingSchema()),
        required=True,
        about="A rating for each game in which they have played a rated match, by the name of the game.",
    )
    reliability = NestedField(ReliabilitySchema(), required=True, about="How far others can rely on them.")
