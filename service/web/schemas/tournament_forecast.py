"""Bodies of what lies ahead: when rounds and a tournament will be over, and which tournaments are to come."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.tournaments.views.tournament_shapes import ForecastClashShown, SlowPlayerShown

START, EARLY, MIDDLE = "2027-01-10T18:00:00.000Z", "2027-02-01T09:00:00.000Z", "2027-02-06T21:00:00.000Z"
LATE, BOUND = "2027-02-19T12:00:00.000Z", "2027-02-21T18:00:00.000Z"


class ForecastTimesShown(shapes.Shape):
    """A time as 400 futures have it."""

    early: int = shapes.timestamp("It comes earlier in 10 of 100 futures.", EARLY)
    middle: int = shapes.timestamp("It comes earlier in half of them.", MIDDLE)
    late: int = shapes.timestamp("It comes earlier in 90 of 100.", LATE)


class ForecastRoundShown(shapes.Shape):
    """When a round begins and ends."""

    stage: str = shapes.text("Its stage.", "swiss", most=40)
    number: int = shapes.number("Its number in the stage.", 1, least=1)
    starts: ForecastTimesShown = shapes.part("When it begins.")
    ends: ForecastTimesShown = shapes.part("When it is over.")
    bound: int | None = shapes.timestamp(
        "When clock and document force its end, however slowly all play; null: nothing does.", BOUND
    )


class RepetitionShown(shapes.Shape):
    """A tournament of a document that repeats."""

    name: str = shapes.text("Its name, NAME-DATE.", "winter-cup-2027-01-10", most=40)
    starts_at: int = shapes.timestamp("When it starts.", START)


class TournamentForecastShown(shapes.Shape):
    """When a tournament will be over, or why that is not known."""

    at: int = shapes.timestamp("The full hour from which it looks ahead.", START)
    reason: str | None = shapes.text(
        "Why nothing is known: no-entrants, no-matches, no-answers, too-far, too-many or over; null: it is.", most=20
    )
    why: str | None = shapes.text("The same in words.", most=500)
    rounds: Sequence[ForecastRoundShown] = shapes.items("Every round that is not over.", most=400)
    ends: ForecastTimesShown | None = shapes.part("When all is over; null where that is not known.")
    bound: int | None = shapes.timestamp("When clock and document force the end of all; null: nothing does.", BOUND)
    clashes: Sequence[ForecastClashShown] = shapes.items(
        "Leave that falls into a round: all of it for organisers, your own for you.", most=20000
    )
    slowest: Sequence[SlowPlayerShown] = shapes.items(
        "Who most likely holds up each round; for organisers only, and empty while fewer than 8 tables are open.",
        most=2000,
    )
    own_times: bool = shapes.flag(
        "Whether everybody is taken to answer as they did before; with few tables all answer as others do.", True
    )
    futures: int = shapes.number("How many futures were played.", 400, most=400)
