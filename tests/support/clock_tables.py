"""Tables with a clock, for tests that move the time."""

from __future__ import annotations

from typing import Any

from engine.game import HOUSE
from service.config import Config
from service.db.connection import execute, rows
from service.db.models.accounts import PlayerRow
from service.matches import create, join
from tests.support.factories import Seated, log_of, settle, somebody

SeatedMatch = tuple[str, list[Seated]]


def sit(config: Config, seats: int = 2, *, zone: str = "UTC", **wanted: Any) -> SeatedMatch:  # noqa: ANN401  # of a new match
    """Return a match with this clock and policy that has reached its first question, and its players."""
    people = [somebody(f"P{number}") for number in range(seats)]
    for each in people:
        PlayerRow.update(zone=zone).where(PlayerRow.id == each.player.id).execute()
    made = create.create_match(
        people[0].player, create.NewMatch(game="keltis", seats=seats, seat=0, options={"start": 0}, **wanted), config
    )
    for seat, each in enumerate(people[1:], 1):
        join.join_match(each.player, made.id, seat, "-", None, config)
    settle(made.id, config)
    return str(made.id), people


def asked(match: str) -> int:
    """Return the seat that is asked."""
    ((seat,),) = rows("select seat from seat where match = ? and asked is not null", match)
    return int(seat)


def shown(match: str, seat: int, *columns: str) -> tuple[Any, ...]:
    """Return the columns of a seat's row."""
    return rows(f"select {', '.join(columns)} from seat where match = ? and seat = ?", match, seat)[0]  # noqa: S608


def due(match: str) -> int:
    """Return when the answer is due."""
    return int(shown(match, asked(match), "due_at")[0])


def house(match: str) -> list[str]:
    """Return the lines of the house."""
    return [line for seat, line in log_of(match) if seat == HOUSE]


def set_excuses(match: str, count: int) -> None:
    """Leave every seat this many excuses."""
    execute("update seat set excuses = ? where match = ?", count, match)
