"""Emails about turns in tests: who is asked, their email, and a check that no line of it can be read as a move."""

from __future__ import annotations

from contextlib import suppress
from email.message import EmailMessage

import pytest

from service.config import Config
from service.mail.letters import turn
from service.mail.letters.blocks import Letter
from service.mail.letters.context import LetterContext, SeatContext, load_seat
from service.mail.outgoing import build_message
from service.mail.outgoing.build_message import LetterAddresses
from service.play import free_text
from service.play.free_text import Unclear
from service.play.job_payloads import TurnLetter
from service.play.match_loader import load_match_state
from service.play.preview import menu_rows
from tests.support.mailbox import opened

ADDRESSES = LetterAddresses(
    "play-abcdefghijklmnopqrstuvwxyz@mail.example", "play-bcdefghijklmnopqrstuvwxyza@mail.example", "b@mail.example"
)


def asked(match: str) -> int:
    return next(seat for seat, question in enumerate(load_match_state(match).questions) if question)


def turn_letter(match: str, config: Config) -> tuple[SeatContext, Letter]:
    at = load_seat(match, asked(match))
    assert at is not None
    letter = turn.compose_turn(LetterContext(TurnLetter(match=match, seat=at.number, asked=at.asked or 0), config))
    assert letter is not None
    return at, letter


def written(letter: Letter, config: Config) -> EmailMessage:
    return opened(build_message.render_message("a" * 20, letter, ADDRESSES, config))


def harmless(at: SeatContext, text: str) -> None:
    """Check that no line of an email means a move when it is quoted alone. Rows of its menu mean themselves."""
    options = list(at.options)
    menu = {
        " ".join(f"{choice.number} {row.typed} – {row.sentence}".split()): row.lines
        for choice in at.menu().choices
        for row in menu_rows(at.viewer, [options[choice.number - 1]])
    }
    for line in text.split("\n"):
        row = " ".join(line.split())
        own = next((lines for whole, lines in menu.items() if whole.startswith(row)), ())
        if row in menu:
            assert free_text.parse_lines(at.viewer, line) == menu[row]
        elif row and own:
            with suppress(Unclear):
                assert free_text.parse_lines(at.viewer, line) == own
        elif row:
            with pytest.raises(Unclear):
                print(line, free_text.parse_lines(at.viewer, line))
