"""Bytes of emails: stored with each picture once, kept for some days after the mail server took them, then dropped."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from service.config import Config
from service.db.connection import execute, rows
from service.mail.outgoing import deliver as delivery
from service.mail.outgoing import letter_ledger, retry
from tests.support.mailbox import Sink, asked_for, deliver, match_of, person, relay_port, serving, step
from tests.support.players import Clock

pytestmark = pytest.mark.usefixtures("clock")
STORED = "select id, mime, digest from letter order by created_at, id"


PNG_IN_BASE64 = b"iVBORw0KGgo"
"""The first bytes of every PNG file."""


def count(table: str) -> int:
    """How many rows a table has."""
    return int(rows(f"select count(*) from {table}")[0][0])  # noqa: S608  # our own tables


def send_twice(post: Config) -> list[bytes]:
    """Send the email about a turn and a reminder with the same board; return both as the mail server got them."""
    sink = Sink()
    match = match_of(post, person("Aoife"), person("Brendan"))
    with serving(sink, relay_port(post)):
        deliver(post)
        ((asked,),) = rows("select asked from seat where match = ? and seat = 0", match)
        asked_for(post, {"kind": "reminder", "match": match, "seat": 0, "asked": asked}, "reminder")
    return [bytes(envelope.original_content or b"") for envelope in sink.taken]


def test_two_emails_with_the_same_board_store_its_picture_once(post: Config) -> None:
    sent = send_twice(post)
    assert [b"image/png" in each for each in sent] == [True, True]
    stored = rows(STORED)
    assert (len(stored), count("picture"), count("letter_picture")) == (2, 1, 2)
    for (id_, mime, digest), whole in zip(stored, sent, strict=True):
        letter = letter_ledger.find(id_)
        assert letter is not None
        assert letter.mime == whole
        assert digest == sha256(whole).hexdigest()
        assert PNG_IN_BASE64 in whole
        assert PNG_IN_BASE64 not in bytes(mime), "the picture is elsewhere"


def test_bytes_go_three_days_after_the_mail_server_took_them(post: Config, clock: Clock) -> None:
    send_twice(post)
    digests = [digest for _, _, digest in rows(STORED)]
    clock.forward(days=2.9)
    delivery.forget_old_letters(post)
    assert all(mime is not None for _, mime, _ in rows(STORED))
    clock.forward(days=0.2)
    delivery.forget_old_letters(replace(post, keep_letter_bytes=0))
    assert count("picture") == 1, "0 keeps them for ever"
    delivery.forget_old_letters(post)
    assert [(mime, digest) for _, mime, digest in rows(STORED)] == [(None, digest) for digest in digests]
    assert (count("picture"), count("letter_picture")) == (0, 0)


def test_a_picture_stays_until_the_last_email_that_shows_it_goes(post: Config, clock: Clock) -> None:
    send_twice(post)
    clock.forward(days=4)
    execute("update letter set accepted_at = ? where kind = 'reminder'", clock.at)
    delivery.forget_old_letters(post)
    assert [mime is None for _, mime, _ in rows(STORED)] == [True, False]
    assert (count("picture"), count("letter_picture")) == (1, 1)


def test_an_email_that_waits_keeps_its_bytes(post: Config, clock: Clock) -> None:
    match_of(post, person("Aoife"), person("Brendan"))
    deliver(post)  # no mail server is there
    clock.forward(days=4)
    delivery.forget_old_letters(post)
    sink = Sink()
    with serving(sink, relay_port(post)):
        deliver(post)
    assert len(sink.taken) == 1


@pytest.mark.parametrize("dropped", [False, True])
def test_an_email_sent_again_puts_the_question_that_stands_now(post: Config, clock: Clock, dropped: bool) -> None:
    match = match_of(post, person("Aoife"), person("Brendan", letters="none"))
    sink = Sink()
    with serving(sink, relay_port(post)):
        deliver(post)
        ((old, first),) = rows("select id, seq from letter")
        execute("update letter set state = 'bounced', bounced_at = accepted_at")
        while rows("select asked from seat where match = ? and seat = 0 and asked > ?", match, first) == []:
            step(match, post)
        execute("update job set done_at = 1 where done_at is null")
        if dropped:
            clock.forward(days=4)
            delivery.forget_old_letters(post)
        assert retry.retry_letter(old)
        deliver(post)
    assert len(sink.messages) == 2
    ((asked,),) = rows("select asked from seat where match = ? and seat = 0", match)
    assert rows("select kind, state, seq >= ? from letter where id <> ?", asked, old) == [("turn", "accepted", True)]


def test_an_email_without_bytes_and_without_a_question_is_not_sent_again(post: Config, clock: Clock) -> None:
    match = match_of(post, person("Aoife"), person("Brendan", letters="none"))
    deliver(post)
    ((old,),) = rows("select id from letter")
    execute("update letter set state = 'bounced', bounced_at = created_at")
    execute("update seat set asked = null where match = ?", match)
    clock.forward(days=4)
    delivery.forget_old_letters(post)
    assert not retry.retry_letter(old)
