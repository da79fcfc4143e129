"""Bodies for organisers: seating players, and deciding about a match."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes


class OrganiserShown(shapes.Shape):
    """An organiser who may seat you."""

    id: str = shapes.ident("Their id.")
    name: str = shapes.text("Their name.", "Aoife")
    since: int = shapes.timestamp("The time since when.")


class SeatBody(shapes.Body):
    """A player and a seat."""

    seat: int = shapes.seat()
    player: str | None = shapes.ident("A player who agreed; null to free the seat.")


class DeadlineBody(shapes.Body):
    """More time for a seat."""

    seat: int = shapes.seat("The seat that gets more time.")
    due: int = shapes.timestamp("The new deadline: not earlier than the old one, and within a year.")


class DecisionBody(shapes.Body):
    """A decision: a line of the house, or more time for a seat."""

    line: str | None = shapes.text(
        "`pause WHY`, `resume`, `end WHY [SCORE…]`, `bot SEAT NAME`, or `seat SEAT PLAYER [KEYS]`. `WHY` is "
        "small letters and hyphens, and stays in the record for good: never a name.",
        "pause illness",
        most=400,
        least=1,
        optional=True,
    )
    deadline: DeadlineBody | None = shapes.part("More time for a seat, instead of a line.", optional=True)

    def __post_init__(self) -> None:
        if (self.line is None) == (self.deadline is None):
            raise shapes.BadShape("Either a line or a deadline.")


class DecidedShown(shapes.Shape):
    """The lines that were written to the log."""

    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    lines: Sequence[str] = shapes.items(
        "The lines of the house, in their order.", of=shapes.text("A line.", "pause illness", most=400)
    )
    seq: int = shapes.number("The number of the last of them.", 41)
    hash: str = shapes.text("The head of the log after it.", shapes.HASH)
    at: int = shapes.timestamp("When they were written.")
