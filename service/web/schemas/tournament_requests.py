"""What is said to and asked about tournaments: entering, byes, and which part is wanted."""

from __future__ import annotations

from service import shapes
from service.tournaments.views.tournament_shapes import STATES
from service.web.pagination import Paging


class EnterBody(shapes.Body):
    """What one says when entering."""

    nonce: str = shapes.text(
        "Hex digits of your choice: they go into the headers of your matches, and so into their deals.",
        "8f3a",
        most=64,
        least=1,
        default="-",
    )


class ByeBody(shapes.Body):
    """The round in which somebody does not play."""

    round: str = shapes.text("The round as STAGE:NUMBER.", "swiss:3", most=60, least=3)


class TournamentListQuery(Paging):
    """Which tournaments to list."""

    state: str | None = shapes.choice(STATES, "Only those that stand here.", "entry", optional=True, default=None)
    game: str | None = shapes.text("Only those of this game.", shapes.GAME_SLUG, most=32, optional=True, default=None)
    mine: bool = shapes.flag("Only those that you made or entered.", default=False)


class StageQuery(Paging):
    """Which stage to show."""

    stage: str = shapes.text("The stage; the last one that began unless told.", "swiss", most=40, default="")


class StandingsQuery(StageQuery):
    """Which standings to show."""

    why: bool = shapes.flag("Say of every line why it stands there.", True, default=False)


class OneStageQuery(shapes.Query):
    """Which stage goes into a file."""

    stage: str = shapes.text("The stage; the last one that began unless told.", "swiss", most=40, default="")


class LogQuery(Paging):
    """Which lines to show."""

    after: int = shapes.number("Only lines after this one; a cursor comes first.", 0, default=0)
    limit: int = shapes.number("How many at most.", 200, most=500, least=1, default=200)


class WithdrawQuery(shapes.Query):
    """How to leave."""

    now: bool = shapes.flag("Give up running matches of the tournament too.", default=False)
