"""Ratings: how strong a player is at each game, and how far others can rely on them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from service.accounts import players
from service.timestamps import now
from service.tournaments.formats.skill import Skill
from service.tournaments.ratings import ratings, reliability
from service.tournaments.ratings.ratings import GameRating
from service.tournaments.ratings.reliability import Reliability
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.ratings import RATINGS_EXAMPLE, PlayerRatingsSchema

blueprint = Blueprint("ratings", __name__, url_prefix="/v1", description="How strong and how reliable players are.")


@blueprint.route("/players/<id:player>/ratings")
@blueprint.response(200, PlayerRatingsSchema(), example=RATINGS_EXAMPLE)
def get_ratings(player: str) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Look at a player's ratings.

    A rating for each game (Plackett-Luce, shown as 1500 + 60(µ − 25) ± 60σ), and the reliability of the last 365 days.

    Every match between people counts, in the order in which they ended, a few seconds after its end. Not rated are
    matches with a bot at the table from the start, matches alone, tournaments that say so, and what was
    called off. Who leaves a match takes its last place, and whoever takes their seat is not rated.

    The history goes by days and names no match, so that it shows nothing of private ones. An erased player keeps the
    ratings, under an id that names nobody.
    """
    row, at = players.find(player), now()
    return {
        "player": row.id,
        "ratings": [describe_rating(each) for each in ratings.list_ratings(row.id, at)],
        "reliability": describe_reliability(reliability.find_reliability(row.id, at)),
    }


def describe_rating(rating: GameRating) -> dict[str, Any]:
    """A rating at one game as everybody sees it."""
    return {
        "game": rating.game,
        **_describe_skill(rating.skill),
        "matches": rating.skill.matches,
        "provisional": rating.skill.provisional,
        "peak": rating.peak,
        "history": [{"day": point.day, **_describe_skill(point.skill)} for point in rating.history],
    }


def _describe_skill(skill: Skill) -> dict[str, int]:
    return {"rating": skill.rating, "deviation": skill.deviation}


def describe_reliability(found: Reliability) -> dict[str, Any]:
    """A player's reliability as everybody sees it."""
    return {
        **asdict(found),
        "new": found.is_new,
        "on_time_percent": found.on_time_percent,
        "finished_percent": found.finished_percent,
    }
