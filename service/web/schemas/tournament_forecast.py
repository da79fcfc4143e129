"""Bodies for forecasts, and for the future tournaments of a recurrence."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.tournaments.views.tournament_shapes import ForecastClashShown, SlowPlayerShown

START, EARLY, MIDDLE = "2027-01-10T18:00:00.000Z", "2027-02-01T09:00:00.000Z", "2027-02-06T21:00:00.000Z"
LATE, BOUND = "2027-02-19T12:00:00.000Z", "2027-02-21T18:00:00.000Z"


class ForecastTimesShown(shapes.Shape):
    """A time, as found by 400 simulations."""

    early: int = shapes.timestamp("Earlier in 10 of 100 simulations.", EARLY)
    middle: int = shapes.timestamp("Earlier in half of them.", MIDDLE)
    late: int = shapes.timestamp("Earlier in 90 of 100.", LATE)


class ForecastRoundShown(shapes.Shape):
    """When a round begins and ends."""

    stage: str = shapes.text("Its stage.", "swiss", most=40)
    number: int = shapes.number("Its number in the stage.", 1, least=1)
    starts: ForecastTimesShown = shapes.part("When it begins.")
    ends: ForecastTimesShown = shapes.part("When it is over.")
    bound: int | None = shapes.timestamp(
        "When clock and document force its end, however slowly people play; null: never.", BOUND
    )


class RepetitionShown(shapes.Shape):
    """One tournament of a recurring document."""

    name: str = shapes.text("Its name, NAME-DATE.", "winter-cup-2027-01-10", most=40)
    starts_at: int = shapes.timestamp("When it starts.", START)


class TournamentForecastShown(shapes.Shape):
    """A forecast of the end of a tournament, or the reason why there is none."""

    at: int = shapes.timestamp("The full hour from which the forecast is made.", START)
    reason: str | None = shapes.text(
        "Why there is no forecast: no-entrants, no-matches, no-answers, too-far, too-many or over; null: there is one.",
        most=20,
    )
    why: str | None = shapes.text("The same in words.", most=500)
    rounds: Sequence[ForecastRoundShown] = shapes.items("Every round that is not over.", most=400)
    ends: ForecastTimesShown | None = shapes.part("When the tournament is over; null if there is no forecast.")
    bound: int | None = shapes.timestamp("When clock and document force the end; null: never.", BOUND)
    clashes: Sequence[ForecastClashShown] = shapes.items(
        "Leave that falls into a round: all of it for organisers, your own for you.", most=20000
    )
    slowest: Sequence[SlowPlayerShown] = shapes.items(
        "Who is most likely to delay each round; for organisers only, and empty while fewer than 8 tables are open.",
        most=2000,
    )
    own_times: bool = shapes.flag(
        "Whether each player's own answer times are used; with few tables, average ones are.", True
    )
    futures: int = shapes.number("The number of simulations.", 400, most=400)


class FieldOutlookShown(shapes.Shape):
    """The rounds and the end for a given number of entrants."""

    entrants: int = shapes.number("The number of entrants.", 8, least=1)
    rounds: int = shapes.number("The number of rounds of all stages together.", 7)
    forecast: TournamentForecastShown = shapes.part("When it will be over with so many entrants.")
