"""Requests about tournaments: entering, byes, and queries."""

from __future__ import annotations

from service import shapes
from service.tournaments.views.tournament_shapes import STATES
from service.web.pagination import Paging


class EnterBody(shapes.Body):
    """An entry."""

    nonce: str = shapes.text(
        "Hex digits of your choice: they go into the headers of your matches, and so into their deals.",
        "8f3a",
        most=64,
        least=1,
        default="-",
    )


class ByeBody(shapes.Body):
    """A round to sit out."""

    round: str = shapes.text("The round as STAGE:NUMBER.", "swiss:3", most=60, least=3)


class TournamentListQuery(Paging):
    """The query for a list of tournaments."""

    state: str | None = shapes.choice(STATES, "Only tournaments in this state.", "entry", optional=True)
    game: str | None = shapes.text("Only tournaments of this game.", shapes.GAME_SLUG, most=32, optional=True)
    mine: bool = shapes.flag("Only tournaments that you created or entered.", default=False)


class OneStageQuery(shapes.Query):
    """The query for a file of one stage."""

    stage: str = shapes.text("The stage; the last one that began if omitted.", "swiss", most=40, default="")


class StageQuery(OneStageQuery, Paging):
    """The query for one stage."""


class StandingsQuery(StageQuery):
    """The query for standings."""

    why: bool = shapes.flag("Explain the rank of every line.", True, default=False)


class LogQuery(Paging):
    """The query for a log."""

    after: int = shapes.number("Only lines after this one; ignored with a cursor.", 0, default=0)
    limit: int = shapes.number("Maximum number of items.", 200, most=500, least=1, default=200)


class WithdrawQuery(shapes.Query):
    """How to withdraw."""

    now: bool = shapes.flag("Also give up running matches of the tournament.", default=False)
