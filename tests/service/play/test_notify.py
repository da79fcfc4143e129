"""Effects of a resolution besides its entries: emails are queued, and cancelled once the question is answered."""

from __future__ import annotations

from service.config import Config
from service.db.connection import execute, rows
from service.timestamps import now
from tests.support.factories import match_of, settle, somebody


def undone_letters(match: str) -> list[int]:
    """The seats that a letter about their turn still waits for."""
    found = rows("select key from job where done_at is null and topic = ? order by id", "letter")
    parts = [key.split(":") for (key,) in found if key.startswith("turn:")]
    return [int(seat) for _, about, seat, *_ in parts if about == match]


def test_who_answers_before_the_letter_goes_out_gets_none(service: Config) -> None:
    one, two = somebody("Aoife"), somebody("Brendan")
    match = match_of(service, one, two)
    asked = settle(match, service)
    first = next(seat for seat, question in enumerate(asked.questions) if question)
    assert undone_letters(match) == [first]
    (one, two)[first].move(match)
    settle(match, service)
    assert len(undone_letters(match)) == 1
    (one, two)[first].move(match)
    settle(match, service)
    assert undone_letters(match) == [1 - first]


def test_a_letter_that_a_worker_has_begun_is_left_to_it(service: Config) -> None:
    one, two = somebody("Aoife"), somebody("Brendan")
    match = match_of(service, one, two)
    first = next(seat for seat, question in enumerate(settle(match, service).questions) if question)
    execute("update job set lease_token = 'somebody', due_at = ? where topic = ?", now(), "letter")
    (one, two)[first].move(match)
    settle(match, service)
    assert undone_letters(match)[0] == first
    assert len(undone_letters(match)) == 2
