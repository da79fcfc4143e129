"""Why something could not be done, told in the reader's language, whatever the service said in English."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from flask import Flask

from engine.games import GAMES
from engine.options import BadSetting
from service.accounts import vacation
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.i18n.legacy import mail_reasons
from service.mail.incoming import new_match_command
from service.matches import create
from service.play import notes
from service.problems import Problem
from tests.support.players import Person

People = Callable[..., Person]
ENGLISH = ("you", "is for", "has no", "says nothing", "begins", "The ", "Leave ", "It is", "it takes", "cannot")


def booked(player: PlayerRow, first: str, last: str) -> None:
    with write_transaction():
        vacation.book(player.id, "UTC", date.fromisoformat(first), date.fromisoformat(last))


def refusal(attempt: Callable[[], object]) -> str:
    """What the service says against something."""
    with pytest.raises(Problem) as refused:
        attempt()
    return refused.value.detail


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("2027-02-03", "2027-02-01"),
        ("2020-02-01", "2020-02-03"),
        ("2028-06-01", "2028-06-03"),
        ("2027-03-01", "2027-05-01"),
        ("2027-02-12", "2027-02-14"),
    ],
)
def test_what_stands_against_leave_is_said_in_french(app: Flask, person: People, first: str, last: str) -> None:
    with app.app_context():
        me = PlayerRow.get_by_id(person("Aoife", language="fr").id)
        booked(me, "2027-02-10", "2027-02-13")
        english = refusal(lambda: booked(me, first, last))
    _french(english)


def test_too_many_bookings_are_refused_in_french(app: Flask, person: People) -> None:
    with app.app_context():
        me = PlayerRow.get_by_id(person("Aoife", language="fr").id)
        for month in (2, 3, 4):
            booked(me, f"2027-{month:02}-01", f"2027-{month:02}-02")
        english = refusal(lambda: booked(me, "2027-05-01", "2027-05-02"))
    _french(english)


@pytest.mark.parametrize("text", ["chess", "keltis 77", "keltis solo singing", "keltis x=1", "tir-na-nog geas=foo"])
def test_what_stands_against_a_new_match_is_said_in_french(app: Flask, person: People, text: str) -> None:
    with app.app_context():
        me = PlayerRow.get_by_id(person("Aoife", language="fr").id)
        english = refusal(lambda: create.create_match(me, new_match_command.parse(text), app.config["ECHTRA"]))
    _french(english)


def test_what_stands_against_a_note_is_said_in_french() -> None:
    _french(refusal(lambda: notes.check_body("")))


def test_a_game_refuses_in_words_we_know() -> None:
    with pytest.raises(BadSetting) as refused:
        GAMES["keltis"].start(9, {})
    _french(f"{refused.value}.")


def _french(english: str) -> None:
    said = mail_reasons.said("fr", english)
    assert said != english
    assert [word for word in ENGLISH if word in said.partition("prend")[0]] == []
    assert mail_reasons.said("en", english) == english


def test_what_we_have_no_french_for_is_said_otherwise() -> None:
    assert mail_reasons.said("fr", "Whatever.", "autre chose") == "autre chose"
    assert mail_reasons.said("fr", "Whatever.") == "Whatever."
