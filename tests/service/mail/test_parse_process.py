"""Messages that take too much: kept, named to the operator, and answered only at a player's reply address."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from service.db.connection import rows
from service.jobs import alarms
from service.mail.incoming import inbox, parse_message, parse_process
from service.standing_process import ProcessLimits, StandingProcess
from service.timestamps import now
from tests.support.http_tables import make
from tests.support.letter_corpus import EXPECTED, raw
from tests.support.mail_replies import SeatMail, answers, config_with_mail, message
from tests.support.players import Person


def spin(_raw: bytes) -> str:
    """Never answer."""
    while True:
        pass


@pytest.fixture
def asked(app: Flask, person: Callable[..., Person], monkeypatch: pytest.MonkeyPatch) -> Iterator[SeatMail]:
    """The mail of a seat that is asked, read by a parser that never ends."""
    slow = StandingProcess("mail", spin, ProcessLimits(cpu_seconds=0.2, memory_bytes=parse_process.LIMITS.memory_bytes))
    monkeypatch.setattr(parse_process, "_process", slow)
    with app.app_context():
        yield SeatMail(make(person("Aoife"), person("Brann"))[0], config_with_mail(app.config["ECHTRA"]))


def test_a_message_to_a_reply_address_is_kept_named_and_answered(asked: SeatMail) -> None:
    outcome = asked.reply("1")
    assert (outcome.state, outcome.why) == ("refused", "cpu")
    assert [letter["reason"] for letter in answers()] == ["unreadable"]
    (kept,) = rows("select mime from inbox where id = ?", asked.sent[0])
    assert b"1" in bytes(kept[0])
    (alarm,) = alarms.list_active(now())
    assert (alarm.kind, alarm.detail) == ("mail-unread", f"{asked.sent[0]} cpu")


def test_a_message_to_our_own_address_is_named_but_not_answered(asked: SeatMail) -> None:
    person, mail = asked.seat_client.person, asked.config
    text = message("help", person.address, mail.mail_from)
    (number,) = inbox.store(text, "smtp", mail, envelope=person.address, recipients=(mail.mail_from,))
    outcome = inbox.process(number, mail)
    assert outcome is not None
    assert (outcome.state, outcome.why) == ("ignored", "cpu")
    assert answers() == []
    assert [alarm.kind for alarm in alarms.list_active(now())] == ["mail-unread"]


def test_the_other_process_reads_what_we_would_read() -> None:
    for name in list(EXPECTED)[:40]:
        assert parse_process.parse(raw(name)) == parse_message.parse(raw(name))


def test_what_cannot_be_read_is_named_as_before() -> None:
    with pytest.raises(parse_message.UnreadableMessage) as unreadable:
        parse_process.parse(b"X-A: " + b"a" * 100_000 + b"\n\n3\n")
    assert unreadable.value.why == "headers"
