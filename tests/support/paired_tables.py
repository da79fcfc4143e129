"""Tables of a tournament for tests: matches made for a pairing, with all players seated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service import ids
from service.config import Config
from service.db.connection import rows
from service.matches.paired_matches import PairedMatch, make_paired_matches, start_paired_matches
from service.matches.seat_results import read_seat_results
from service.timestamps import now
from tests.support.factories import Seated, settle, somebody, with_seat_0_first

ORGANISER = "organiser000"


def paired(people: Sequence[Seated], **wanted: Any) -> PairedMatch:  # noqa: ANN401  # of a paired match
    """Return a match for these people in their order. Each has a nonce."""
    players = {seat: (each.player.id, f"{seat}f") for seat, each in enumerate(people)}
    bots = wanted.get("bots", {})
    given: dict[str, Any] = {
        "id": ids.new_id(),
        "game": "keltis",
        "seats": len(people) + len(bots),
        "seed": ids.new_seed(),
        "created_by": people[0].player.id,
        "players": players,
    }
    return PairedMatch(**with_seat_0_first({**given, **wanted}))


def seat(config: Config, seats: int = 2, **wanted: Any) -> tuple[str, list[Seated]]:  # noqa: ANN401
    """Return people at a match of a tournament that has started and reached its first question."""
    people = [somebody(f"P{number}") for number in range(seats)]
    made = paired(people, **wanted)
    make_paired_matches([made])
    start_paired_matches([made.id], now())
    settle(made.id, config)
    return made.id, people


def result(match: str) -> str:
    """Return the seats' results as a line of a tournament has them."""
    return " ".join(map(str, read_seat_results(match)))


def hows(match: str) -> list[str]:
    """Return how each seat ended."""
    return [each.how for each in read_seat_results(match)]


def places(match: str) -> list[int]:
    """Return the place of each seat."""
    return [each.place for each in read_seat_results(match)]


def result_jobs() -> list[str]:
    """Return the keys of the jobs that take results, in the order in which they were written."""
    return [key for (key,) in rows("select key from job where topic = 'tournament-result' order by id")]
