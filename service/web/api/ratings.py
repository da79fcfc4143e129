"""Ratings: a player's strength at each game, and their reliability."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from service import shapes
from service.accounts import players
from service.timestamps import now
from service.tournaments.ratings import ratings, reliability
from service.tournaments.ratings.ratings import GameRating
from service.web.openapi.blueprint import Blueprint

LEAST, MOST = -100_000, 100_000
DEVIATION_TEXT = (
    "How sure the rating is: two times in three the true strength is within so many points of it. It begins at 500 and "
    "shrinks with every match."
)


class RatingPointShown(shapes.Shape):
    """A rating on one day."""

    component = "RatingPoint"

    day: date = shapes.day("The day, in UTC; the rating is that at its end.", "2026-11-16")
    rating: int = shapes.number("The rating.", 1612, most=MOST, least=LEAST)
    deviation: int = shapes.number("Its deviation.", 148, most=MOST)


class GameRatingShown(shapes.Shape):
    """How strong a player is at one game."""

    component = "GameRating"

    game: str = shapes.text("The game.", shapes.GAME_SLUG)
    rating: int = shapes.number("The rating; a new player has 1500.", 1612, most=MOST, least=LEAST)
    deviation: int = shapes.number(DEVIATION_TEXT, 148, most=MOST)
    matches: int = shapes.number("The number of rated matches behind it.", 23)
    provisional: bool = shapes.flag("Whether there are fewer than 10 of these, so that the rating is uncertain.")
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
    """How reliable a player was in the last 365 days."""

    component = "Reliability"

    new: bool = shapes.flag("Whether there are fewer than 20 answers, too few for a percentage.")
    answers: int = shapes.number("The number of questions with a deadline that they answered or missed.", 412)
    late: int = shapes.number("How many of these were late or never answered.", 3)
    on_time_percent: int | None = shapes.number(
        "The percentage of answers on time, rounded down; null for a new player.", 99, most=100
    )
    matches: int = shapes.number("The number of matches with other people that ended or that they left.", 25)
    finished: int = shapes.number(
        "How many of these they played to the end. Resigning a two-player match counts as an end.", 24
    )
    finished_percent: int | None = shapes.number(
        "The percentage of matches they played to the end, rounded down; null for a new player.", 96, most=100
    )


class PlayerRatings(shapes.Shape):
    """A player's strength at each game, and their reliability."""

    player: str = shapes.ident("The id of the player.")
    ratings: Sequence[GameRatingShown] = shapes.items(
        "A rating for each game with a rated match, ordered by the name of the game."
    )
    reliability: ReliabilityShown = shapes.part("How reliable they are.")


blueprint = Blueprint("ratings", __name__, url_prefix="/v1", description="Players' strength and reliability.")


@blueprint.get("/players/<id:player>/ratings")
def get_ratings(player: str) -> PlayerRatings:
    """Read a player's ratings.

    A rating for each game (Plackett-Luce, shown as 1500 + 60(µ − 25) ± 60σ), and the reliability of the last 365 days.

    Every match between people counts, in the order in which they ended, a few seconds after its end. Matches with a bot
    at the table from the start, solo matches, tournaments that opt out, and cancelled matches are not rated. A player
    who leaves a match gets its last place, and the player who takes over their seat is not rated.

    The history is by day and names no match, so that it reveals nothing about private ones. An erased player keeps the
    ratings, under an id that identifies nobody.
    """
    row, at = players.find(player), now()
    return PlayerRatings(
        player=row.id,
        ratings=[_describe_rating(each) for each in ratings.list_ratings(row.id, at)],
        reliability=ReliabilityShown.of(found := reliability.find_reliability(row.id, at), new=found.is_new),
    )


def _describe_rating(rating: GameRating) -> GameRatingShown:
    skill = rating.skill
    return GameRatingShown.of(
        skill,
        game=rating.game,
        peak=rating.peak,
        history=[RatingPointShown.of(point.skill, day=point.day) for point in rating.history],
    )
