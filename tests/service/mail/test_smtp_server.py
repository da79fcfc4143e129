"""The mail door in real conversations: what it takes, what it refuses, and whole matches played through it."""

from __future__ import annotations

import random
import smtplib
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from peewee import OperationalError

from engine.game import legal
from engine.games import GAMES
from service.accounts import players
from service.config import BadConfig, Config
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.mail.incoming import inbox
from service.mail.incoming.smtp_server import SmtpServer, parse_listen_address
from service.matches import create
from service.matches.create import NewMatch
from service.play.match_loader import load_match_state
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from service.timestamps import now
from tests.support.mail_replies import config_with_mail, message
from tests.support.reply_addresses import make_reply_address
from worker import schedule
from worker.tasks import run_job

MOST_TURNS = 600
pytestmark = pytest.mark.usefixtures("clock")


def free() -> int:
    """A port that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def open_door(service: Config) -> Iterator[Config]:
    """A service whose mail door is open."""
    config = replace(config_with_mail(service), smtp_door=f"127.0.0.1:{free()}", letter_hold=0)
    door = SmtpServer(config)
    door.start()
    yield config
    door.stop()


def client(config: Config) -> smtplib.SMTP:
    """A conversation with the door."""
    place = parse_listen_address(config.smtp_door)
    return (smtplib.LMTP if place.lmtp else smtplib.SMTP)(place.host, place.port, timeout=10)


def send(config: Config, raw: bytes, sender: str, *to: str) -> None:
    """Send a message as a mail program does."""
    with client(config) as smtp:
        smtp.sendmail(sender, list(to), raw)


def player(name: str = "Aoife") -> PlayerRow:
    """A confirmed player."""
    with write_transaction():
        return players.create(name=name, language="en", zone="UTC", at=now(), address=f"{name.lower()}@example.org")


def read_all(config: Config) -> list[str]:
    """Do the jobs of letters that came in; the states they are in now."""
    for (number,) in rows("select id from job where topic = 'inbox' and done_at is null order by id"):
        assert run_job(number, config, schedule.JOB_HANDLERS)
    return [state for (state,) in rows("select state from inbox order by received, id")]


def test_a_letter_is_kept_before_it_is_accepted(open_door: Config, clock: Callable[[], int]) -> None:
    raw = message("help", "aoife@example.org", "echtra@echtra.example")
    send(open_door, raw, "aoife@example.org", "ECHTRA@echtra.example")
    found = rows("select received, door, sender, recipient, state, mime from inbox")
    assert [row[:5] for row in found] == [(clock(), "smtp", "aoife@example.org", "echtra", "new")]
    assert bytes(found[0][5]).strip() == raw.strip()
    send(open_door, raw, "aoife@example.org", "echtra@echtra.example")
    assert rows("select count(*) from inbox") == [(1,)]


def test_mail_for_others_and_for_old_addresses_is_refused(open_door: Config) -> None:
    raw = message("help", "a@example.org", "x")
    for to in (
        "someone@elsewhere.example",
        "echtra@elsewhere.example",
        f"play-{'a' * 26}@echtra.example",
        "play-x@echtra.example",
    ):
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            send(open_door, raw, "a@example.org", to)
        ((code, said),) = refused.value.recipients.values()
        assert (code, b"echtra@echtra.example" in said) == (550, True)
    assert rows("select count(*) from inbox") == [(0,)]


def test_too_much_and_nothing_are_refused(open_door: Config) -> None:
    with client(open_door) as smtp:
        smtp.ehlo()
        assert smtp.esmtp_features["size"] == str(10 * 1024 * 1024), "for reply addresses"
        smtp.mail("a@example.org")
        smtp.rcpt("echtra@echtra.example")
        code, _ = smtp.data(b"Subject: x\r\n\r\n" + b"x\r\n" * 400_000)
        assert code == 552
    with pytest.raises(smtplib.SMTPDataError) as refused:
        send(open_door, b"\r\n", "a@example.org", "echtra@echtra.example")
    assert refused.value.smtp_code == 554
    assert rows("select count(*) from inbox") == [(0,)]


def test_a_database_that_is_down_makes_the_sender_wait(open_door: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: object, **__: object) -> None:
        raise OperationalError("no")

    raw = message("help", "a@example.org", "echtra@echtra.example")
    monkeypatch.setattr(inbox, "store", down)
    with pytest.raises(smtplib.SMTPDataError) as refused:
        send(open_door, raw, "a@example.org", "echtra@echtra.example")
    assert refused.value.smtp_code == 451
    monkeypatch.undo()
    send(open_door, raw, "a@example.org", "echtra@echtra.example")
    assert rows("select count(*) from inbox") == [(1,)]


def test_bare_line_feeds_do_not_smuggle_a_second_message(open_door: Config) -> None:
    place = parse_listen_address(open_door.smtp_door)
    with socket.create_connection((place.host, place.port), timeout=10) as wire:
        wire.recv(1000)
        for row in (b"EHLO x", b"MAIL FROM:<a@example.org>", b"RCPT TO:<echtra@echtra.example>", b"DATA"):
            wire.sendall(row + b"\r\n")
            wire.recv(1000)
        wire.sendall(
            b"Subject: one\r\n\r\nhelp\n.\nMAIL FROM:<b@example.org>\nRCPT TO:<echtra@echtra.example>\n"
            b"DATA\ntwo\r\n.\r\n"
        )
        wire.recv(1000)
    assert rows("select count(*) from inbox where sender = 'b@example.org'") == [(0,)]


def test_the_empty_sender_is_noted(open_door: Config) -> None:
    send(open_door, message("1", "a@example.org", "echtra@echtra.example"), "", "echtra@echtra.example")
    assert rows("select sender from inbox") == [("<>",)]
    assert read_all(open_door) == ["ignored"]


def test_behind_a_mail_server_the_door_speaks_lmtp(service: Config) -> None:
    config = replace(config_with_mail(service), smtp_door=f"lmtp://127.0.0.1:{free()}")
    door = SmtpServer(config)
    door.start()
    try:
        send(
            config, message("help", "a@example.org", "echtra@echtra.example"), "a@example.org", "echtra@echtra.example"
        )
    finally:
        door.stop()
    assert rows("select door, state from inbox") == [("smtp", "new")]


@pytest.mark.parametrize("text", ["8025", "localhost", "127.0.0.1:x", "127.0.0.1:99999", "ftp://127.0.0.1:25", ""])
def test_a_door_that_cannot_be_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(BadConfig, match="ECHTRA_SMTP_DOOR"):
        parse_listen_address(text)


def ask(config: Config, match: str, person: PlayerRow) -> str | None:
    """Let the table go on; the reply address of the letter that asks this player, or nothing once it is over."""
    resolve_match(match, make_effects(config), config.most_entries)
    table = load_match_state(match)
    question = table.questions[0]
    if table.state.over:
        return None
    assert question is not None, "nobody is asked"
    with write_transaction():
        local = make_reply_address(match=match, seat=0, asked=question.asked, player=person.id, kind="turn", payload={})
        return f"{local}@echtra.example"


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_over_smtp(open_door: Config, game: str) -> None:
    person, rng = player(), random.Random(game)
    match = create.create_match(person, NewMatch(game, 2, bots={1: "random"}, seat=0), open_door)
    turns = 0
    while (to := ask(open_door, match.id, person)) is not None:
        options = legal(load_match_state(match.id).state, 0)
        number = rng.randint(1, len(options))
        text = str(number) if rng.random() < 0.5 else list(options)[number - 1].line
        quote = "On Friday, Echtra wrote:\r\n> 1  something\r\n> 2  something else"
        raw = message(f"{text}\n\nSent from my phone\n\n{quote}", "Aoife <aoife@example.org>", to)
        send(open_door, raw, "aoife@example.org", to)
        assert read_all(open_door)[-1:] == ["done"], rows(
            "select result from inbox order by received desc, read_at desc limit 3"
        )
        turns += 1
        assert turns < MOST_TURNS
    assert rows("select distinct state from inbox") == [("done",)]
    ((replies,),) = rows("select count(distinct mail) from entry where match = ?", match.id)
    assert replies == turns > 5, "the lines of one reply share its proof"
