"""A letter that was forwarded: nobody who gets it can move with it, and opening its links stops nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage
from functools import partial
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.config import Config
from service.db.connection import execute, rows
from service.db.models.accounts import PlayerRow
from service.mail.incoming import inbox
from service.mail.incoming.answers import MailOutcome
from service.mail.outgoing import build_message
from tests.support.mail_replies import answers, config_with_mail, log, message
from tests.support.mailbox import deliver, html_of, match_of, person, sent, text_of

OTHER = "mallory@evil.example"
MAILTO = re.compile(r'href="(mailto:[^"]+)"')


@pytest.fixture
def mail(config: Config) -> Config:
    """Letters go out without a hold, and answers come in."""
    return replace(config_with_mail(config), letter_hold=0)


@pytest.fixture
def turn(app: Flask, mail: Config) -> tuple[PlayerRow, str, EmailMessage]:
    """A player with the letter about their turn, and its match."""
    with app.app_context():
        aoife = person("Aoife")
        match = match_of(mail, aoife, person("Brann", letters="none"))
        deliver(mail)
        (letter,) = sent("turn")
        return aoife, match, letter


def send(mail: Config, words: str, sender: str | None, to: str, verdict: str = "pass") -> MailOutcome:
    """Put a letter through the door and let it be read."""
    assert sender is not None
    raw = message(words, sender, to, verdict=verdict)
    (number,) = inbox.store(raw, "smtp", mail, envelope=sender, recipients=(to,))
    outcome = inbox.process(number, mail)
    assert outcome is not None
    return outcome


def reply_address(letter: EmailMessage) -> str:
    return str(letter["Reply-To"].addresses[0].addr_spec)


def first_link(letter: EmailMessage) -> tuple[str, str]:
    """The address and the words of the first number in the menu."""
    parts = urlsplit(unescape(MAILTO.findall(html_of(letter))[0]))
    return parts.path, parse_qs(parts.query)["body"][0]


def test_what_a_forward_shows_does_not_hold_the_reply_address(turn: tuple[PlayerRow, str, EmailMessage]) -> None:
    _, _, letter = turn
    local = reply_address(letter).partition("@")[0]
    assert local not in html_of(letter)
    assert "play-" not in text_of(letter)
    assert local not in str(letter["List-Unsubscribe"])


def test_a_forward_that_another_answers_makes_no_move_and_says_why(
    turn: tuple[PlayerRow, str, EmailMessage], mail: Config
) -> None:
    aoife, match, letter = turn
    before = log(match)
    quoted = "\n".join(f"> {line}" for line in text_of(letter).split("\n"))
    to, words = first_link(letter)
    for verdict in ("pass", ""):
        for address in (reply_address(letter), to):
            outcome = send(mail, f"{words}\n\n{quoted}", OTHER, address, verdict)
            assert (outcome.state, outcome.what) == ("refused", "sender")
    assert log(match) == before
    deliver(mail)
    refusals = sent("refused")
    assert {str(each["To"].addresses[0].addr_spec) for each in refusals} == {aoife.address}
    said = " ".join(text_of(refusals[0]).split())
    assert f"came from “{OTHER}”, which is not the address we know" in said
    assert "People you forward our emails to can’t answer for you." in said


def test_a_link_counts_where_a_mail_server_vouches_and_a_forged_sender_never(
    turn: tuple[PlayerRow, str, EmailMessage], mail: Config
) -> None:
    aoife, match, letter = turn
    before = log(match)
    to, words = first_link(letter)
    for verdict, what in (("", "link"), ("none", "link"), ("fail", "dmarc")):
        assert send(mail, words, aoife.address, to, verdict).what == what
    for command in ("resign", "letters none all", "language fr", "new keltis 3", "undo", "auto on", "stop all"):
        assert send(mail, command, aoife.address, to, "").what == "link"
    assert log(match) == before
    assert {each["reason"] for each in answers()} == {"link", "dmarc"}
    assert send(mail, words, aoife.address, to).what == "moves"
    assert len(log(match)) > len(before)


def test_a_mail_program_may_stop_letters_by_the_link_address_without_a_verdict(
    turn: tuple[PlayerRow, str, EmailMessage], mail: Config
) -> None:
    aoife, match, letter = turn
    found = re.search(r"<mailto:([^?>]+)", str(letter["List-Unsubscribe"]))
    assert found is not None
    assert send(mail, "stop", aoife.address, found[1], "").what == "stopped"
    assert rows("select letters from seat where match = ? and player = ?", match, aoife.id) == [("none",)]


def test_links_are_sent_only_to_those_for_whom_a_mail_server_vouches(
    turn: tuple[PlayerRow, str, EmailMessage], mail: Config
) -> None:
    aoife, _, letter = turn
    abroad = replace(mail, smtp_url="smtp://127.0.0.1:9")
    has_links = partial(build_message._is_vouched_for, aoife.id)
    assert MAILTO.findall(html_of(letter))
    assert has_links(abroad)
    assert not has_links(replace(abroad, authserv_id=""))
    send(mail, "help", aoife.address, reply_address(letter), "")
    assert not has_links(abroad)
    execute("update inbox set verdict = 'pass'")
    assert has_links(abroad)


def test_programs_that_open_every_link_stop_nothing(
    turn: tuple[PlayerRow, str, EmailMessage], client: FlaskClient
) -> None:
    aoife, match, letter = turn
    links = set(re.findall(r'href="(https?://[^"]+)"', html_of(letter)))
    assert any("/u/" in link for link in links)
    for link in links:
        path = urlsplit(unescape(link)).path
        for method in (client.get, client.head, client.options):
            assert method(path).status_code < 500
        if "/u/" in link:
            assert "emails to Aoife" in client.get(path).text
    assert rows("select letters from seat where match = ? and player = ?", match, aoife.id) == [(None,)]
    assert rows("select letters from player where id = ?", aoife.id) == [("turn",)]
