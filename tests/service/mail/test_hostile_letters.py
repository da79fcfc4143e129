"""Messages made to break a reader: each is over in a second, raises nothing, and makes no move."""

from __future__ import annotations

import time

import pytest

from service.mail.incoming import parse_message, sender_checks
from service.mail.incoming.reading.zones import extract_reply
from tests.support.letter_corpus import meaning

MOST_SECONDS = 5.0
HEAD = (
    b"From: Aoife <aoife@example.org>\nTo: play-mfzg2ylqnrswc5dbobqxezlomu@echtra.example\n"
    b"Date: Mon, 16 Nov 2026 10:00:00 +0000\n"
    b"Message-ID: <hostile@example.org>\nReturn-Path: <aoife@example.org>\n"
)
PLAIN = HEAD + b"Content-Type: text/plain; charset=utf-8\n\n"
HTML = HEAD + b"Content-Type: text/html\n\n"


def deep(levels: int) -> bytes:
    """Containers inside containers."""
    form = b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n'
    return b"".join([HEAD, *(form % (level, level) for level in range(levels)), b"Content-Type: text/plain\n\n3\n"])


def many(count: int) -> bytes:
    """Parts beside parts."""
    return HEAD + b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\n3\n" * count + b"--b--\n"


HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "one byte": b"\xff",
    "only nulls": b"\0" * 100_000,
    "no headers": b"\n\n3\n",
    "two megabytes": PLAIN + b"x" * 2_000_000,
    "header block": HEAD + b"X-A: " + b"a" * 100_000 + b"\n\n3\n",
    "ten thousand headers": HEAD + b"X-A: a\n" * 10_000 + b"\n3\n",
    "folded header": HEAD + b"Subject: a\n" + b" a\n" * 20_000 + b"\n3\n",
    "encoded words": HEAD + b"Subject: " + b"=?utf-8?q?a?= " * 4_000 + b"\n\n3\n",
    "bad encoded word": HEAD + b"Subject: =?utf-8?b?!!!?= =?x-no?q?=FF?=\n\n\xff\xfe3\n",
    "parameter bomb": HEAD + b"Content-Type: text/plain" + b"; a=b" * 12_000 + b"\n\n3\n",
    "parameter bomb inside": many(1)[:-7] + b"Content-Type: text/plain" + b'; "a' * 200_000 + b"\n\n3\n--b--\n",
    "continued parameters": HEAD
    + b"Content-Type: text/plain; "
    + b"".join(b"a*%d*=%%41;" % at for at in range(4_000))
    + b"\n\n3\n",
    "deep": deep(2_000),
    "very deep": deep(15_000),
    "many parts": many(100_000),
    "some parts": many(400),
    "no boundary": HEAD + b"Content-Type: multipart/mixed\n\n--\n3\n",
    "boundary of dashes": HEAD + b'Content-Type: multipart/mixed; boundary="-"\n\n' + b"---\n" * 100_000,
    "message in message": HEAD + b"Content-Type: message/rfc822\n\n" * 500 + b"3\n",
    "bad charset": HEAD + b"Content-Type: text/plain; charset=punycode\n\n" + b"a-" * 400_000,
    "charset of codecs": HEAD + b"Content-Type: text/plain; charset=unicode_escape\n\n\\x33\n",
    "charset with null": HEAD + b'Content-Type: text/plain; charset="utf-8\0"\n\n\xe9\n',
    "bad base64": HEAD + b"Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n" + b"=A=" * 300_000,
    "bad quoted-printable": HEAD
    + b"Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
    + b"=" * 1_000_000,
    "unknown transfer": HEAD
    + b"Content-Type: text/plain\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n\xff\n",
    "one long line": PLAIN + b"lay R5 " * 140_000,
    "long word": PLAIN + b"a" * 1_000_000,
    "many lines": PLAIN + b"On a wrote\n" * 80_000,
    "attributions": PLAIN + (b"On " + b"1:23 wrote " * 80 + b"\n") * 1_000,
    "commas": PLAIN + b"3," * 400_000,
    "html tags": HEAD + b"Content-Type: text/html\n\n" + b"<div>" * 200_000,
    "html brackets": HEAD + b"Content-Type: text/html\n\n" + b"<" * 1_000_000,
    "html comments": HEAD + b"Content-Type: text/html\n\n" + b"<!--" * 250_000,
    "html attributes": HEAD + b"Content-Type: text/html\n\n<p " + b"class=" * 100_000 + b">3",
    "html entities": HEAD + b"Content-Type: text/html\n\n" + b"&#x33" * 150_000,
    "html style sheets": HTML + b"<style>" * 41_000,
    "html style sheets that end": HTML + b"<style></style>" * 19_000,
    "html style tags that do not end": HTML + b"<style " * 41_000,
    "html rules and paragraphs": HTML + b"<style>" + b"p{color:red}" * 10_000 + b"</style>" + b"<p></p>" * 25_000,
    "html selectors": HTML + b"<style>" + (b"p," * 50 + b"b{color:" + b"a" * 1_900 + b"}") * 140 + b"</style>",
    "html rules that do not end": HTML + b"<style>" + b"p{a;" * 70_000 + b"</style>",
    "html style comments": HTML + b"<style>" + b"/*" * 140_000 + b"</style>",
    "html decorations": HTML + b"<p style='" + b"text-decoration:" * 500 + b"'>" * 30,
    "html blockquotes": HEAD + b"Content-Type: text/html\n\n" + b"<blockquote>a" * 20_000,
    "from with a thousand names": b"From: " + b", ".join(b"a%d@example.org" % at for at in range(1_500)) + b"\n\n3\n",
    "from of brackets": b"From: " + b"<(" * 4_000 + b"\n\n3\n",
    "from twice": HEAD + b"From: mallory@evil.example\n\n3\n",
    "no sender": b"To: x\n\n3\n",
    "report of nothing": HEAD
    + b'Content-Type: multipart/report; boundary="b"\n\n--b\nContent-Type: message/delivery-status\n\n\n\n--b--\n',
    "report bomb": HEAD
    + b'Content-Type: multipart/report; boundary="b"\n\n--b\nContent-Type: message/delivery-status\n\n'
    + b"Action: failed\nStatus: 5.1.1\n\n" * 20_000
    + b"--b--\n",
    "surrogates": HEAD + b"Content-Type: text/plain; charset=utf-8\n\n\xed\xa0\x80\xed\xb0\x80\n",
    "right to left": PLAIN + "\u202e3 yal\u202c".encode() + b"\n",
}
MADE = {"some parts", "folded header", "encoded words"}
"""Odd, but a reader can tell what they say."""


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_hostile_raises_lasts_or_moves(name: str) -> None:
    start = time.thread_time()
    found = meaning(HOSTILE[name])
    head = parse_message.parse_headers(HOSTILE[name])
    sender_checks.recipients(head), sender_checks.return_path(head)
    assert time.thread_time() - start < MOST_SECONDS
    if name not in MADE:
        assert "lines" not in found, found


def test_a_text_of_only_marks_is_read_quickly() -> None:
    for sign in (">", "> On 1:23 wrote", "From: ", "-- ", "Le 1/2/2026 à 1:23 a écrit", "From: a\nSent: b", ": " * 900):
        start = time.thread_time()
        extract_reply(f"{sign}\n" * 20_000)
        assert time.thread_time() - start < MOST_SECONDS
