"""Ratings: how strong a player is at each game, and how far others can rely on them."""

from __future__ import annotations

from service.accounts import players
from service.timestamps import now
from service.tournaments.ratings import ratings, reliability
from service.tournaments.ratings.ratings import GameRating
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.ratings import GameRatingShown, PlayerRatings, RatingPointShown, ReliabilityShown

blueprint = Blueprint("ratings", __name__, url_prefix="/v1", description="How strong and how reliable players are.")


@blueprint.route("/players/<id:player>/ratings")
@blueprint.response(200, PlayerRatings)
def get_ratings(player: str) -> PlayerRatings:
    """Look at a player's ratings.

    A rating for each game (Plackett-Luce, shown as 1500 + 60(µ − 25) ± 60σ), and the reliability of the last 365 days.

    Every match between people counts, in the order in which they ended, a few seconds after its end. Not rated are
    matches with a bot at the table from the start, matches alone, tournaments that say so, and what was
    called off. Who leaves a match takes its last place, and whoever takes their seat is not rated.

    The history goes by days and names no match, so that it shows nothing of private ones. An erased player keeps the
    ratings, under an id that names nobody.
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
