"""Which letters are written: those that are still wanted when they would go out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.config import Config
from service.db.connection import execute, rows
from service.mail.letters import context
from service.play import match_loader
from tests.support.mailbox import asked_for, deliver, ledger, match_of, person, step
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock", "service")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example")


def test_a_question_answered_during_the_hold_needs_no_letter(config: Config, clock: Clock) -> None:
    config = replace(config, letter_hold=30)
    match = match_of(config, person("Aoife"), person("Brendan"))
    step(match, config)
    clock.forward(seconds=31)
    deliver(config)
    assert [(kind, seat) for kind, seat in rows("select kind, seat from letter")] == [("turn", 0)]
    assert rows("select count(*) from job where done_at is not null and topic = 'letter'") == [(2,)]


@pytest.mark.parametrize(
    ("player", "seat", "kinds"),
    [
        ("turn", None, ["turn", "reminder"]),
        ("reminders", None, ["reminder"]),
        ("none", None, []),
        ("none", "turn", ["turn", "reminder"]),
        ("turn", "none", []),
        ("turn", "reminders", ["reminder"]),
    ],
)
def test_players_and_seats_say_which_letters_they_want(
    config: Config, clock: Clock, player: str, seat: str | None, kinds: list[str]
) -> None:
    match = match_of(config, person(letters=player), person(letters="none"))
    execute("update seat set letters = ? where match = ? and seat = 0", seat, match)
    deliver(config)
    asked = match_loader.load_match_state(match).questions[0]
    assert asked is not None
    clock.forward(minutes=1)
    asked_for(config, {"kind": "reminder", "match": match, "seat": 0, "asked": asked.asked, "due": None}, "reminder:1")
    assert ledger("kind") == kinds


def test_the_same_words_due_another_day_are_another_letter(config: Config, clock: Clock) -> None:
    match = match_of(config, person(), person())
    asked = match_loader.load_match_state(match).questions[0]
    assert asked is not None
    payload = {"kind": "reminder", "match": match, "seat": 0, "asked": asked.asked, "due": None}
    for day in (14, 28):
        clock.forward(days=14)
        asked_for(config, payload, f"day{day}:{match}")
    assert ledger("kind").count("reminder") == 2


def test_the_seat_of_a_turn_letter_is_loaded_once(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_of(config, person(), person(letters="none"))
    loaded: list[tuple[str, int]] = []
    load = context.load_seat

    def count(match: str, seat: int) -> context.SeatContext | None:
        loaded.append((match, seat))
        return load(match, seat)

    monkeypatch.setattr(context, "load_seat", count)
    deliver(config)
    assert ledger("kind") == ["turn"]
    assert loaded == [(match, 0)]
