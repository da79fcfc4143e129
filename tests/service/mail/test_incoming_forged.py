"""A forged From changes nothing: without a verdict or a reply address every change is asked about first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from service.accounts import cold_mail_quota
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.mail import commands
from service.mail.incoming import account_commands, inbox
from service.mail.incoming.answers import MailOutcome
from service.mail.letters import compose
from service.timestamps import now
from tests.support.letter_jobs import letter_context
from tests.support.mail_replies import answers, message, told
from tests.support.players import Clock, Person
from tests.support.reply_addresses import make_reply_address

People = Callable[..., Person]
OWN = "echtra@echtra.example"


def send(mail: Config, text: str, sender: str, to: str = OWN, verdict: str = "") -> MailOutcome:
    """Put a letter through the door and let it be read."""
    raw = message(text, sender, to, verdict=verdict)
    (number,) = inbox.store(raw, "smtp", mail, envelope=sender, recipients=(to,))
    outcome = inbox.process(number, mail)
    assert outcome is not None
    return outcome


def settings() -> list[tuple[object, ...]]:
    """Everything that commands to the service change."""
    sql = "select letters, language, zone, digest_hour, (select count(*) from leave), (select count(*) from match)"
    return rows(f"{sql} from player order by id")


CHANGES = ["stop", "letters digest", "stop all", "leave 2027-06-01", "language fr", "zone Europe/Paris", "digest 18"]
CHANGES += ["new keltis 2", "new keltis solo"]


def test_every_command_that_is_not_a_question_is_asked_about() -> None:
    asked = {
        verb for verb in account_commands.ACCOUNT_COMMANDS if commands.changes_something(commands.Command(verb, "x"))
    }
    assert asked == set(account_commands.ACCOUNT_COMMANDS) - commands.QUESTIONS


def test_no_forged_command_changes_anything_and_a_yes_does_it_once(app: Flask, person: People, mail: Config) -> None:
    with app.app_context():
        aoife = person("Aoife")
        for text in CHANGES:
            before = settings()
            assert send(mail, text, aoife.address).what == "unverified"
            assert settings() == before
            letter = told()
            assert letter["kind"] == "unverified"
            written = compose(letter_context(letter, mail))
            assert written is not None
            assert written.to.address == aoife.address
            assert written.reply_purpose is not None
            purpose = written.reply_purpose
            with write_transaction():
                local = make_reply_address(player=aoife.id, kind=purpose.kind, payload=purpose.payload)
            to = f"{local}@echtra.example"
            assert send(mail, "yes", "mallory@evil.example", to).state == "refused"
            assert send(mail, "yes but not now", aoife.address, to).what == "unverified"
            assert send(mail, "oui ?", aoife.address, to).what == "unverified"
            assert send(mail, "yes\nor rather not", aoife.address, to).what == "unverified"
            assert settings() == before
            assert send(mail, "Yes.", aoife.address, to).state == "done", text
            assert settings() != before, text
            assert send(mail, "yes", aoife.address, to).what == "unknown-address"
            execute("delete from inbox")


def test_a_no_is_the_end_of_it(app: Flask, person: People, mail: Config) -> None:
    with app.app_context():
        aoife, before = person("Aoife"), settings()
        with write_transaction():
            payload = {"verb": "stop", "rest": "all"}
            local = make_reply_address(player=aoife.id, kind="command", payload=payload)
        assert send(mail, "no", aoife.address, f"{local}@echtra.example").what == "not-mine"
        assert send(mail, "yes", aoife.address, f"{local}@echtra.example").what == "unknown-address"
        assert settings()[0][0] == before[0][0] if before else True


@pytest.mark.parametrize("text", [f"{text}?" for text in CHANGES] + [f"{text}\nI changed my mind" for text in CHANGES])
def test_a_command_with_a_question_mark_or_with_other_words_changes_nothing(
    app: Flask, person: People, mail: Config, text: str
) -> None:
    with app.app_context():
        aoife = person("Aoife")
        before = settings()
        assert send(mail, text, aoife.address, verdict="pass").state == "refused"
        assert settings() == before
        assert told()["kind"] == "refused"


def test_a_verdict_of_pass_needs_no_second_letter(app: Flask, person: People, mail: Config) -> None:
    with app.app_context():
        aoife = person("Aoife")
        assert send(mail, "language fr", aoife.address, verdict="pass").state == "done"
        assert rows("select language from player where id = ?", aoife.id) == [("fr",)]


def test_questions_without_a_verdict_are_limited(app: Flask, person: People, mail: Config) -> None:
    with app.app_context():
        aoife = person("Aoife")
        for number in range(14):
            send(mail, f"rules {'keltis' if number % 2 else 'tain'} {number}", aoife.address)
        assert len([letter for letter in answers() if letter["kind"] == "rules"]) == inbox.MOST_REFUSALS
        assert send(mail, "rules bardwood-grove", aoife.address, verdict="pass").state == "answered"


def test_who_writes_with_a_verdict_is_answered_whatever_others_sent_there(
    app: Flask, mail: Config, clock: Clock
) -> None:
    with app.app_context():
        with write_transaction():
            cold_mail_quota.use_up("nuala@example.org")
        send(mail, "register", "nuala@example.org")
        assert rows("select count(*) from job where topic = 'letter' and payload <> '{}'") == [(0,)]
        for _ in range(3):
            send(mail, "register", "nuala@example.org", verdict="pass")
        assert rows("select count(*) from job where topic = 'letter' and payload <> '{}'") == [(1,)]
        clock.forward(days=2)
        assert now() == clock.at
        send(mail, "register", "nuala@example.org", verdict="pass")
        assert rows("select count(*) from job where topic = 'letter' and payload <> '{}'") == [(2,)]
