"""What ratings and reliability show."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from service import shapes

LEAST, MOST = -100_000, 100_000
DEVIATION_TEXT = (
    "How sure the rating is: two times in three the true strength is within so many points of it. It begins at 500 and "
    "shrinks with every match."
)


class RatingPointShown(shapes.Shape):
    """A rating on one day."""

    component = "RatingPoint"

    day: date = shapes.day("The day, in UTC, at whose end it was so.", "2026-11-16")
    rating: int = shapes.number("The rating.", 1612, most=MOST, least=LEAST)
    deviation: int = shapes.number("How sure it was.", 148, most=MOST)


class GameRatingShown(shapes.Shape):
    """How strong a player is at one game."""

    component = "GameRating"

    game: str = shapes.text("The game.", shapes.GAME_SLUG)
    rating: int = shapes.number("The rating; somebody new has 1500.", 1612, most=MOST, least=LEAST)
    deviation: int = shapes.number(DEVIATION_TEXT, 148, most=MOST)
    matches: int = shapes.number("How many rated matches it comes from.", 23)
    provisional: bool = shapes.flag("Whether these are fewer than 10, so that there is little to go by yet.")
    peak: int = shapes.number(
        "The highest rating held in the last 365 days, not counting provisional ones unless there are no others.",
        1655,
        most=MOST,
        least=LEAST,
    )
    history: Sequence[RatingPointShown] = shapes.items(
        "The days of the last 365 on which the rating changed, the earliest first; before them, if there is one, "
        "the day since which it had been as it was when these 365 began.",
        most=367,
    )


class ReliabilityShown(shapes.Shape):
    """What the last 365 days say of how far others can rely on a player."""

    component = "Reliability"

    new: bool = shapes.flag("Whether there are fewer than 20 answers, so that no share is named.")
    answers: int = shapes.number("How many questions with a deadline they answered, or missed for good.", 412)
    late: int = shapes.number("How many of these too late, or never.", 3)
    on_time_percent: int | None = shapes.number(
        "How many of a hundred answers came in time, rounded down; null for somebody new.", 99, most=100
    )
    matches: int = shapes.number(
        "How many matches with other people they sat in that have ended, or that they left.", 25
    )
    finished: int = shapes.number(
        "How many of these they were in at the end. To resign a match of two is an end like others.", 24
    )
    finished_percent: int | None = shapes.number(
        "How many of a hundred matches they were in at the end, rounded down; null for somebody new.", 96, most=100
    )


class PlayerRatings(shapes.Shape):
    """How strong a player is, game by game, and how far others can rely on them."""

    player: str = shapes.ident("The id of the player.")
    ratings: Sequence[GameRatingShown] = shapes.items(
        "A rating for each game in which they have played a rated match, by the name of the game."
    )
    reliability: ReliabilityShown = shapes.part("How far others can rely on them.")
