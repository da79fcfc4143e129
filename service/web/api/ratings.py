"""Ratings: a player's strength at each game, and their reliability."""

from __future__ import annotations

from service.accounts import players
from service.timestamps import now
from service.tournaments.ratings import ratings, reliability
from service.tournaments.ratings.ratings import GameRating
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.ratings import GameRatingShown, PlayerRatings, RatingPointShown, ReliabilityShown

blueprint = Blueprint("ratings", __name__, url_prefix="/v1", description="Players' strength and reliability.")


@blueprint.get("/players/<id:player>/ratings")
def get_ratings(player: str) -> PlayerRatings:
    """Read a player's ratings.

    A rating for each game (Plackett-Luce, shown as 1500 + 60(µ − 25) ± 60σ), and the reliability of the last 365 days.

    Every match between people counts, in the order in which they ended, a few seconds after its end. Not rated are
    matches with a bot at the table from the start, solo matches, tournaments that say so, and cancelled matches.
    Whoever leaves a match takes its last place, and whoever takes over their seat is not rated.

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
