"""Why something could not be done, told in the language of the player by the letter that answers theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask import Flask

from engine.games import GAMES
from engine.words import Locale
from service.config import Config
from service.db.connection import execute
from service.mail import letters
from service.mail.incoming import inbox
from service.mail.letters.blocks import Para
from service.play import notes
from service.problems import Problem
from tests.support.http_tables import make
from tests.support.letter_jobs import letter_context
from tests.support.mail_replies import SeatMail, config_with_mail, message, told
from tests.support.players import Person

People = Callable[..., Person]
OWN = "echtra@echtra.example"
pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def mail(app: Flask) -> Config:
    """The settings under which letters are read, once the service is there."""
    return config_with_mail(app.config["ECHTRA"])


def written_to(player: Person, text: str, mail: Config) -> str:
    """The last sentence of the letter that answers this one, which is the reason of a refusal."""
    (number,) = inbox.store(
        message(text, player.address, OWN), "smtp", mail, envelope=player.address, recipients=(OWN,)
    )
    outcome = inbox.process(number, mail)
    assert outcome is not None
    return reason_told(mail) if outcome.state == "refused" else ""


def reason_told(mail: Config) -> str:
    """The reason that the latest answer tells."""
    letter = letters.compose(letter_context(told(), mail))
    assert letter is not None
    words = [block.words.replace("\u00a0", " ") for block in letter.blocks if isinstance(block, Para)]
    return next(each for each in words if each.startswith(("La raison : ", "Reason: "))).partition(": ")[2]


LEAVE = [
    ("2027-02-03..2027-02-01", "Le dernier jour est avant le premier.", "The last day is before the first."),
    (
        "2020-02-01..2020-02-03",
        "Chez vous, nous sommes le 2027-01-15 ; un congé commence aujourd’hui au plus tôt.",
        "It is 2027-01-15 where you are; leave can start today at the earliest.",
    ),
    (
        "2028-06-01..2028-06-03",
        "Un congé se réserve un an à l’avance au plus.",
        "Leave can be booked at most a year ahead.",
    ),
    (
        "2027-03-01..2027-05-01",
        "Il vous reste 26 jours de congé sur 30 en 2027.",
        "You have 26 of 30 days of leave left in 2027.",
    ),
    (
        "2027-02-12..2027-02-14",
        "Ces jours recoupent un congé que vous avez déjà.",
        "These days overlap with leave that you have already booked.",
    ),
]


@pytest.mark.parametrize(("days", "french", "english"), LEAVE)
def test_what_stands_against_leave_is_said_in_the_language_of_the_player(
    mail: Config, person: People, days: str, french: str, english: str
) -> None:
    for name, locale, reason in (("Aoife", "fr", french), ("Brann", "en", english)):
        me = person(name, language=locale)
        assert not written_to(me, "leave 2027-02-10..2027-02-13", mail)
        assert written_to(me, f"leave {days}", mail) == reason


def test_too_many_bookings_are_refused_in_french(mail: Config, person: People) -> None:
    me = person("Aoife", language="fr")
    for month in (2, 3, 4):
        assert not written_to(me, f"leave 2027-{month:02}-01..2027-{month:02}-02", mail)
    reason = "Vous avez déjà 3 congés à venir, c’est le maximum ; annulez-en un d’abord."
    assert written_to(me, "leave 2027-05-01..2027-05-02", mail) == reason


@pytest.mark.parametrize(
    ("text", "french"),
    [
        ("chess", f"Nommez un jeu après « nouvelle » : {', '.join(GAMES)}."),
        ("keltis 77", "Keltis se joue à 2 jusqu’à 4 places, pas à 77."),
        ("keltis solo singing", "« singing » ne dit rien pour keltis."),
        ("keltis x=1", "Keltis n’a pas d’option x=1."),
        ("tir-na-nog geas=foo", "L’option geas de tir-na-nog ne peut pas être foo ; elle prend : "),
    ],
)
def test_what_stands_against_a_new_match_is_said_in_french(
    mail: Config, person: People, text: str, french: str
) -> None:
    assert written_to(person("Aoife", language="fr"), f"new {text}", mail).startswith(french)


def test_too_many_matches_are_refused_in_french(mail: Config, person: People) -> None:
    me, few = person("Aoife", language="fr"), replace(mail, open_matches=1)
    assert not written_to(me, "new keltis", few)
    reason = "Un joueur peut avoir 1 parties ouvertes ; terminez-en ou quittez-en une d’abord."
    assert written_to(me, "new keltis", few) == reason


@pytest.mark.parametrize(
    ("locale", "reason"),
    [
        ("fr", "La partie n’est pas terminée ; jouez-la d’abord."),
        ("en", "The match is not over. Offer to end it, or play on."),
    ],
)
def test_what_stands_against_a_rematch_is_said_in_the_language_of_the_player(
    mail: Config, person: People, locale: Locale, reason: str
) -> None:
    one, _ = make(person("Aoife"), person("Brann"))
    execute("update player set language = ?", locale)
    assert SeatMail(one, mail).reply("rematch").what == "rematch"
    assert reason_told(mail) == reason


def test_what_stands_against_a_note_is_said_in_french() -> None:
    with pytest.raises(Problem) as refused:
        notes.check_text("")
    assert refused.value.detail == "A note must have 1 to 1000 characters."
    assert refused.value.detail_in("fr") == "Un mot à la table a de 1 à 1000 caractères."
