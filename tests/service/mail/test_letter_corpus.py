"""The corpus of letters: each means what it must, whatever mail programs do to it."""

from __future__ import annotations

import base64
import random
import re
import textwrap
from collections import Counter

import pytest

from service.mail.incoming import parse_message
from tests.support.letter_corpus import EXPECTED, FOLDER, meaning, raw

REFUSED = [name for name, expected in EXPECTED.items() if "refusal" in expected]
MEANT = [name for name in EXPECTED if name not in REFUSED]
SHOWING = frozenset({"help", "board", "history", "clock", "rules"})
ROUNDS = 40
FOOTERS = (
    "Sent from my iPhone",
    "Envoyé de mon iPhone",
    "Get Outlook for Android",
    "-- \nAoife\n3 Main Street",
    "Sent from my Galaxy\n\n-------- Original message --------\nFrom: Echtra\nlay R5",
    "_______________________________\nThis list has 3 members. lay R5",
    "Cordialement,\nAoïfe\n06 12 34 56 78",
    "*** Confidential: 12 pages ***",
    "Virus-free. www.example.org",
)
MARKS = (">", "> ", ">> ", "| ", "A> ", "  > ", "» ")
CHARSETS = ("utf-8", "iso-8859-1", "windows-1252", "utf-16", "us-ascii", "x-nonsense")


def test_every_letter_is_expected_and_there_are_enough_of_each_kind() -> None:
    assert {path.stem for path in FOLDER.glob("*.eml")} == set(EXPECTED)
    assert len(EXPECTED) >= 60
    assert sum(expected.get("published", False) for expected in EXPECTED.values()) >= 30
    for name in EXPECTED:
        mail = parse_message.parse(raw(name))
        assert all(mail.get(header) for header in ("from", "to", "date", "message-id")), name


@pytest.mark.parametrize("name", EXPECTED)
def test_a_letter_means_what_it_must(name: str) -> None:
    expected = {what: value for what, value in EXPECTED[name].items() if what != "published"}
    assert meaning(raw(name)) == expected
    # On the road every line ends in CR LF.
    assert meaning(raw(name).replace(b"\n", b"\r\n")) == expected


def marked(text: str, rng: random.Random) -> str:
    """The text with another quote mark."""
    mark = rng.choice(MARKS)
    return re.sub(r"(?m)^> ?", lambda _: mark, text)


def footed(text: str, rng: random.Random) -> str:
    """The text with a footer above the quote or at the end."""
    footer = rng.choice(FOOTERS)
    quote = re.search(r"(?m)^(?:>|On .*wrote:|Le .*a écrit|From:|De ?:|-----)", text)
    if quote is None or rng.random() < 0.5:
        return f"{text.rstrip()}\n\n{footer}\n"
    return f"{text[: quote.start()].rstrip()}\n\n{footer}\n\n{text[quote.start() :]}"


def wrapped(text: str, rng: random.Random) -> str:
    """The text broken at another width, by a program that knows no quotes."""
    width = rng.randint(24, 100)
    return "\n".join(
        row for line in text.split("\n") for row in textwrap.wrap(line, width, drop_whitespace=True) or [""]
    )


def mutated(name: str, rng: random.Random) -> bytes:
    """The same letter as another program would have sent it."""
    message = raw(name)
    mail = parse_message.parse(message)
    text = mail.text
    for change in rng.sample((marked, footed, wrapped), rng.randint(1, 3)):
        text = change(text, rng)
    charset = rng.choice(CHARSETS)
    written = charset if charset in ("utf-16", "windows-1252", "iso-8859-1") else "utf-8"
    head = message[: parse_message.header_size(message)]
    head = re.sub(rb"(?im)^content-[a-z-]+:.*(?:\n[ \t].*)*\n?", b"", head).rstrip(b"\n")
    kind = f'\nContent-Type: text/plain; charset="{charset}"\nContent-Transfer-Encoding: base64\n\n'
    return head + kind.encode() + base64.encodebytes(text.encode(written, "replace"))


@pytest.mark.parametrize("name", [name for name in REFUSED if not EXPECTED[name].get("bounce")])
def test_no_mutation_turns_a_refusal_into_a_move(name: str) -> None:
    for seed in range(ROUNDS):
        found = meaning(mutated(name, random.Random(f"{name} {seed}")))
        assert "lines" not in found, (seed, found)
        assert found.get("command", "help").split()[0] in SHOWING, (seed, found)


@pytest.mark.parametrize("name", MEANT)
def test_no_mutation_turns_a_letter_into_another_move(name: str) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(ROUNDS):
        found = meaning(mutated(name, random.Random(f"{name} {seed}")))
        outcomes["refused" if "refusal" in found else "kept"] += 1
        # A footer may make a move wait, and a separator hide why one should.
        meant = next((EXPECTED[name][what] for what in ("lines", "held", "asked") if what in EXPECTED[name]), None)
        assert found.get("lines") in (None, meant), (seed, found)
        assert found.get("held") in (None, meant), (seed, found)
        assert "asked" not in EXPECTED[name] or "held" not in found, (seed, found)
        assert found.get("command") in (None, EXPECTED[name].get("command")), (seed, found)
    assert outcomes["kept"] > ROUNDS // 4, outcomes
