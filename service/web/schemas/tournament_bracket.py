"""Bodies for brackets: the tables of a knockout, round by round."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.tournaments.views.bracket_view import BracketSeatShown
from service.web.pagination import Paging

FORMATS = ("knockout", "double-elimination")

PARTS = ("winners", "losers")


class BracketQuery(Paging):
    """Which bracket to show."""

    stage: str = shapes.text("The stage; the last knockout that began if omitted.", "final", most=40, default="")


class BracketTableShown(shapes.Shape):
    """A table of a bracket; one that nobody has reached yet has no seats."""

    round: int = shapes.number("The round.", 1, least=1)
    place: int = shapes.number("Its place in the round, from the top.", 1, least=1)
    next: int | None = shapes.number(
        "The place in the next round to which the winner goes, if that is settled.", 1, least=1
    )
    part: str | None = shapes.choice(PARTS, "With two lives: the winners' or the losers' bracket.")
    match: str | None = shapes.ident(
        "Its match, in a series the last one; null for a bye and before it is paired.", shapes.MATCH_ID
    )
    matches: Sequence[str] = shapes.items(
        "The matches of a series so far; otherwise its only match.",
        most=16,
        of=shapes.text("A match.", shapes.MATCH_ID),
    )
    over: bool = shapes.flag("Whether it is known who advances.", True)
    seats: Sequence[BracketSeatShown] = shapes.items("The players, by seat.", most=5)


class BracketPage(shapes.Shape):
    """The tables of a knockout."""

    stage: str = shapes.text("The stage.", "final", most=40)
    format: str = shapes.choice(FORMATS, "Its format.")
    tree: bool = shapes.flag("Whether each table is fed by two neighbouring tables of the previous round.", True)
    over: bool = shapes.flag("Whether all tables have been played.")
    rounds: int = shapes.number("The number of rounds known so far.", 2)
    items: Sequence[BracketTableShown] = shapes.items("By round, then from the top.")
