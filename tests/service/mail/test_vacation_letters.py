"""Letters about leave: one on the last morning of each booking, with what is left and what waits."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from engine.words import Locale
from service.accounts import vacation
from service.config import Config
from service.db.connection import write_transaction
from service.play import reminders
from tests.support.mailbox import deliver, html_of, match_of, person, sent, text_of
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example")


def ended(config: Config, clock: Clock, locale: Locale, last: date, *, match: bool = True) -> list[str]:
    """The letters about leave after a week with a round each hour: both parts of each, on one line."""
    aoife = person("Aoife", locale)
    if match:
        match_of(config, aoife, bots={1: "steady"}, clock="simple-14")
    with write_transaction():
        vacation.book(aoife.id, "Europe/Dublin", date(2027, 1, 18), last)
    for _ in range((last - date(2027, 1, 15)).days * 24 + 48):
        clock.forward(hours=1)
        reminders.queue_all(config)
    deliver(config)
    return [" ".join(f"{part(each)}".split()) for each in sent("leave-ends") for part in (text_of, html_of)]


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        (
            "en",
            (
                "Your leave ends on Wednesday 20 January 2027.",
                "You have 27 days of leave left in 2027.",
                "Keltis with Steady (bot): You have ",
                "“leave” and the dates",
            ),
        ),
        (
            "fr",
            (
                "Votre congé se termine le mercredi 20 janvier 2027.",
                "Il vous reste 27 jours de congé en 2027.",
                "Keltis avec Constant (robot) : Il vous reste ",
                "« congé » et les jours",
            ),
        ),
    ],
)
def test_the_last_morning_of_a_leave_brings_one_letter(
    service: Config, clock: Clock, locale: Locale, words: tuple[str, ...]
) -> None:
    parts = ended(service, clock, locale, date(2027, 1, 20))
    assert len(parts) == 2
    for part in parts:
        for word in words:
            assert word in part.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("locale", "last", "words"),
    [
        ("en", date(2027, 2, 15), "You have one day of leave left in 2027."),
        ("en", date(2027, 2, 16), "You have no leave left in 2027."),
        ("fr", date(2027, 2, 16), "Il ne vous reste plus de congé en 2027."),
    ],
)
def test_who_has_used_up_their_leave_reads_so(
    service: Config, clock: Clock, locale: Locale, last: date, words: str
) -> None:
    parts = ended(service, clock, locale, last, match=False)
    assert [words in part for part in parts] == [True, True]
