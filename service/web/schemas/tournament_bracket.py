"""Bodies of brackets: the tables of a knockout, round by round."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.tournaments.views.bracket_view import BracketSeatShown
from service.web.pagination import Paging

FORMATS = ("knockout", "double-elimination")

PARTS = ("winners", "losers")


class BracketQuery(Paging):
    """Which bracket to show."""

    stage: str = shapes.text("The stage; the last knockout that began unless told.", "final", most=40, default="")


class BracketTableShown(shapes.Shape):
    """A table of a bracket; one that nobody has reached yet has no seats."""

    round: int = shapes.number("The round.", 1, least=1)
    place: int = shapes.number("Its place in the round, from the top.", 1, least=1)
    next: int | None = shapes.number(
        "The place in the next round to which the winner goes, where that is settled.", 1, least=1
    )
    part: str | None = shapes.choice(PARTS, "With two lives: of the winners, or of the losers.")
    match: str | None = shapes.ident("Its match; none for a bye and before it is paired.", shapes.MATCH_ID)
    over: bool = shapes.flag("Whether it is known who goes on.", True)
    seats: Sequence[BracketSeatShown] = shapes.items("Who sits there, by seat.", most=5)


class BracketPage(shapes.Shape):
    """The tables of a knockout."""

    stage: str = shapes.text("Which stage.", "final", most=40)
    format: str = shapes.choice(FORMATS, "Its format.")
    tree: bool = shapes.flag("Whether each table follows from two neighbours of the round before.", True)
    over: bool = shapes.flag("Whether all of it has been played.")
    rounds: int = shapes.number("How many rounds are known.", 2)
    items: Sequence[BracketTableShown] = shapes.items("By round, then from the top.")
