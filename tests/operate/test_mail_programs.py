"""Matches and a tournament by email with real mail programs: mutt in French and s-nail in English, over real SMTP.

The programs are those of Debian (`apt-get install mutt s-nail`). Between them and the service stands a mail server that
delivers into mailboxes and vouches for its users, as the one of a provider does. It also answers for users who are
away, and returns email for mailboxes that are gone, as six kinds of mail servers write that.
"""

from __future__ import annotations

import contextlib
import mailbox
import os
import pty
import re
import select
import shutil
import smtplib
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.letter_corpus import WRITER, raw
from tests.support.servers import ROOT, Process, free_port, ready

pytestmark = pytest.mark.operate
OWN = "echtra@echtra.example"
PATIENCE = 30
MOST_TURNS = 300
STORM = 10
"""How many rounds a machine answers each email."""
SERVERS = ("postfix", "exim", "qmail-report", "sendmail", "exchange", "gmail")
"""Mail servers whose bounces are in `tests/letters`."""
RETURNED_TO = b"play-mfzg2ylqnrswc5dbobqxezlomu@echtra.example"
"""The address of ours to which they return email there."""
CUP = """
tournament: mail-cup
title: Mail cup
game: keltis
entry: {{opens: now, closes: "{closes}", least: 4}}
draw: {{beacon: none}}
stages:
  - name: swiss
    format: swiss
    rounds: 1
    start: {{first: "{starts}"}}
    end: {{at_most: 1w, then: as-it-stands}}
"""
ENTRY, BREAK = timedelta(minutes=30), timedelta(hours=1)
"""How long people may enter, and the shortest time between then and the first round."""
CLOCK = """
import time
from pathlib import Path

_time_ns = time.time_ns
time.time_ns = lambda: _time_ns() + int(Path(__file__).with_name("ahead").read_text())
"""
"""What Python loads at its start, so that nobody has to wait until entry closes: a clock that a file sets ahead."""
MUTTRC = """
set realname="{name}" from="{address}" use_from=yes envelope_from=yes
set smtp_url="smtp://127.0.0.1:{port}/" ssl_starttls=no ssl_force_tls=no
set folder="{folder}" record="" mbox_type=mbox spoolfile="{box}" move=no delete=yes header_cache=""
set editor="{editor}" fast_reply=yes include=yes abort_unmodified=no abort_nosubject=no edit_headers=no
set sort=mailbox-order sleep_time=0 wait_key=no quit=yes confirmappend=no reply_to=yes charset="utf-8" tmpdir="{folder}"
"""
SNAILRC = """
set v15-compat mta=smtp://127.0.0.1:{port} smtp-auth=none from="{name} <{address}>" sendwait ttycharset=utf-8
set quote indentprefix="> " dot nosave norecord reply-to-honour=yes hostname=example.org
"""


def find_program(name: str) -> str:
    """Return the program; a test that needs it fails without it."""
    found = shutil.which(name)
    assert found is not None, f"{name} is missing; install it (apt-get install {name})"
    return found


@dataclass
class Provider:
    """Delivers mail to its users into mailboxes, and mail of its users to the service with a verdict."""

    folder: Path
    settings: dict[str, str]
    """The settings of the service."""
    door: int
    """The port at which the service takes mail."""
    relay: int
    """The port at which the provider takes mail."""
    clock: Path
    """The file that says by how many nanoseconds the clock of the service is ahead."""
    boxes: dict[str, int] = field(default_factory=dict)
    """How many emails each user got."""
    away: list[str] = field(default_factory=list)
    """Users for whom a machine answers each email at once, with a number on its first line."""
    answered: int = 0
    gone: dict[str, list[str]] = field(default_factory=dict)
    """Users whose mailbox is gone, with the servers that return the next emails to it."""
    returned: int = 0

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's
        content = envelope.original_content or b""
        for address in envelope.rcpt_tos:
            if address.endswith("@echtra.example"):
                verdict = b"Authentication-Results: mx.example; dmarc=pass header.from=example.org\r\n"
                self.hand_over(envelope.mail_from or "", address, verdict + content)
            elif address in self.gone:
                self.send_back(address, envelope.mail_from or "")
            else:
                box = mailbox.mbox(self.folder / address)
                box.add(content.replace(b"\r\n", b"\n"))
                box.close()
                self.boxes[address] = self.boxes.get(address, 0) + 1
                if address in self.away:
                    self.answer(address, message_from_bytes(content))
        return "250 OK"

    def hand_over(self, sender: str, address: str, content: bytes) -> None:
        """Hand a message to the service."""
        with smtplib.SMTP("127.0.0.1", self.door) as service:
            service.sendmail(sender, [address], content)

    def send_back(self, address: str, return_path: str) -> None:
        """Return an email to a mailbox that is gone, in the words of the next server."""
        self.returned += 1
        assert self.gone[address], f"one email too many to {address}"
        report = raw(f"bounce-{self.gone[address].pop(0)}").replace(RETURNED_TO, return_path.encode())
        named = report.replace(WRITER.encode(), address.encode())
        self.hand_over("", return_path, b"\r\n".join(named.splitlines()))

    def answer(self, address: str, got: Message) -> None:
        """Answer for somebody who is away; every other machine does not say that it is one."""
        self.answered += 1
        marks = "Auto-Submitted: auto-replied\r\nX-Autoreply: yes\r\n" if self.answered % 2 else ""
        to = str(got["Reply-To"] or got["From"])
        text = (
            f"Authentication-Results: mx.example; dmarc=pass header.from=example.org\r\nFrom: {address}\r\nTo: {to}\r\n"
            f"Subject: Out of office: {got['Subject']}\r\nDate: {formatdate()}\r\nMessage-ID: {make_msgid()}\r\n"
            f"In-Reply-To: {got['Message-ID']}\r\n{marks}\r\n"
            "1\r\nI am out of the office until 3 January and will read your email then.\r\n"
        )
        self.hand_over("" if marks else address, parseaddr(to)[1], text.encode())


@dataclass
class User(ABC):
    """Somebody with a mailbox and a mail program, which each test gives."""

    name: str
    address: str
    provider: Provider

    @property
    def box(self) -> Path:
        """The file of the mailbox."""
        return self.provider.folder / self.address

    def await_email(self, seen: int) -> Message:
        """Return the latest email once there are more than those seen."""
        until = time.monotonic() + PATIENCE
        while self.provider.boxes.get(self.address, 0) <= seen:
            assert time.monotonic() < until, f"no email to {self.address} after {seen}"
            time.sleep(0.05)
        return self.emails[-1]

    @property
    def emails(self) -> list[Message]:
        """The emails in the mailbox, oldest first."""
        with contextlib.closing(mailbox.mbox(self.box)) as box:
            return list(box)

    @abstractmethod
    def send(self, text: str) -> None:
        """Write a new email to the service."""

    @abstractmethod
    def reply(self, text: str, number: int = 0) -> None:
        """Reply to the email with this number, else to the latest, with its text quoted below."""


class SnailUser(User):
    """Somebody who uses s-nail."""

    def _run(self, *words: str, typed: str) -> None:
        settings = self.provider.folder / "snailrc"
        settings.write_text(SNAILRC.format(port=self.provider.relay, name=self.name, address=self.address))
        env = {**os.environ, "MAILRC": str(settings), "LC_ALL": "C.UTF-8", "HOME": str(self.provider.folder)}
        command = [find_program("s-nail"), "-n", "-#", *words]
        done = subprocess.run(
            command, input=typed, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert "not sent" not in done.stderr + done.stdout, done.stderr + done.stdout

    def send(self, text: str) -> None:
        """Write a new email to the service."""
        self._run("-s", "Hello", OWN, typed=f"{text}\n")

    def reply(self, text: str, number: int = 0) -> None:
        """Reply to the email with this number, else to the latest, with its text quoted below."""
        self._run("-f", str(self.box), typed=f"reply {number or '$'}\n\n{text}\n~.\nexit\n")


class MuttUser(User):
    """A user of mutt, in a separate terminal."""

    def send(self, text: str) -> None:
        """Write a new email to the service."""
        self._run(f"<mail>{OWN}<enter>Bonjour<enter><send-message><exit>", text)

    def reply(self, text: str, number: int = 0) -> None:
        """Reply to the email with this number, else to the latest, with its text quoted below."""
        place = f"<jump>{number}<enter>" if number else "<last-entry>"
        self._run(f"{place}<reply><send-message><exit>", text)

    def _run(self, keys: str, text: str) -> None:
        folder = self.provider.folder
        editor, settings = folder / "editor", folder / "muttrc"
        (folder / "typed").write_text(f"{text}\n")
        editor.write_text(
            f'#!/bin/sh\ncat {folder}/typed "$1" > {folder}/whole && cat {folder}/whole > "$1"\ntouch -d @0 "$1"\n'
        )
        editor.chmod(0o700)
        self.box.touch()
        given = {
            "name": self.name,
            "address": self.address,
            "port": self.provider.relay,
            "box": self.box,
            "folder": folder,
        }
        settings.write_text(MUTTRC.format(editor=f"{editor}", **given) + f"push '{keys}'\n")
        env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": str(folder)}
        mine, its = pty.openpty()
        command = [find_program("mutt"), "-n", "-F", str(settings), "-f", str(self.box)]
        process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=env, start_new_session=True)
        os.close(its)
        shown = b""
        until = time.monotonic() + PATIENCE
        while process.poll() is None:
            assert time.monotonic() < until, shown[-2000:]
            if select.select([mine], [], [], 0.05)[0]:
                with contextlib.suppress(OSError):
                    shown += os.read(mine, 65536)
        os.close(mine)
        assert process.returncode == 0, shown[-2000:]


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[Provider]:
    """Run the service, and a provider for people who do not know it."""
    port, door, relay = free_port(), free_port(), free_port()
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(CLOCK)
    (site / "ahead").write_text("0")
    settings = {
        "PYTHONPATH": str(site),
        "ECHTRA_DATA": str(tmp_path / "data"),
        "ECHTRA_PORT": str(port),
        "ECHTRA_LOG_LEVEL": "warning",
        "ECHTRA_SMTP_URL": f"smtp://127.0.0.1:{relay}",
        "ECHTRA_SMTP_DOOR": f"127.0.0.1:{door}",
        "ECHTRA_MAIL_FROM": OWN,
        "ECHTRA_MAIL_DOMAIN": "echtra.example",
        "ECHTRA_AUTHSERV_ID": "mx.example",
        "ECHTRA_LETTER_HOLD": "0",
    }
    provider = Provider(tmp_path / "mail", settings, door, relay, site / "ahead")
    provider.folder.mkdir()
    controller = Controller(provider, hostname="127.0.0.1", port=relay)
    controller.start()
    service = Process("serve", env=settings, log=tmp_path / "service.log")
    service.start()
    try:
        ready(port, service)
        yield provider
    finally:
        service.end()
        controller.stop()


@pytest.fixture
def users(provider: Provider) -> tuple[User, User]:
    """Return one user of s-nail and one of mutt, strangers both."""
    return (
        SnailUser("Aoife", "aoife@example.org", provider),
        MuttUser("Benoit", "benoit@example.org", provider),
    )


def body_of(message: Message) -> str:
    """Return the plain text of an email on one line."""
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return " ".join(payload.decode().replace("\u00a0", " ").split())


def begin_match(aoife: User, benoit: User) -> None:
    """Let a stranger open a match with another, who agrees."""
    aoife.send("new keltis with benoit@example.org")
    confirm = aoife.await_email(0)
    assert "yes" in body_of(confirm)
    aoife.reply("yes")
    assert "Welcome to Echtra" in body_of(aoife.await_email(1))
    assert "Keltis" in body_of(benoit.await_email(0))
    benoit.reply("Oui, avec plaisir !")


def test_two_people_play_from_nothing_to_the_scores(users: tuple[User, User]) -> None:
    aoife, benoit = users
    begin_match(aoife, benoit)
    seen = dict.fromkeys((aoife.address, benoit.address), 0)
    for _ in range(MOST_TURNS):
        user, text = await_turn(users, seen)
        if re.search(r"\b(?:Scores|Points)\b.* Total", text):
            break
        user.reply("1")
    for user in users:
        await_scores(user)
        subjects = {str(message["Subject"]) for message in user.emails if str(message["Subject"]).startswith("Keltis")}
        assert len(subjects) == 1, subjects
        assert any(message["Echtra-Receipt"] for message in user.emails)


def test_a_solo_match_survives_ten_rounds_of_machines_that_answer(users: tuple[User, User]) -> None:
    aoife = users[0]
    aoife.send("new tir-na-nog solo")
    aoife.await_email(0)
    aoife.reply("yes")
    seen, replies = {aoife.address: 1}, 0
    aoife.provider.away.append(aoife.address)
    for _ in range(MOST_TURNS):
        _, text = await_turn((aoife,), seen)
        if " Total " in text:
            break
        if replies == STORM:
            aoife.provider.away.clear()
        aoife.reply("1")
        replies += 1
    await_scores(aoife)
    assert replies > STORM
    assert aoife.provider.answered >= STORM
    # One email for each move of hers, the welcome, and none for what the machine wrote.
    assert aoife.provider.boxes[aoife.address] <= replies + 4, [str(each["Subject"]) for each in aoife.emails]


def test_bounces_of_six_mail_servers_stop_email_and_tell_the_other_player(users: tuple[User, User]) -> None:
    aoife, benoit = users
    provider, servers = aoife.provider, list(SERVERS)
    begin_match(aoife, benoit)
    table = await_subject(aoife, "Keltis", 1)
    await_subject(benoit, "Keltis", 1)
    provider.gone[benoit.address] = servers
    for number, question in enumerate(("pendule", "historique", "table"), 1):
        # What he writes is proof that he is there, so that the count of bounces begins again.
        benoit.reply(question)
        await_returned(provider, 2 * number - 1)
        aoife.reply(f"note Are you there? I have asked {number} times.", table)
        await_returned(provider, 2 * number)
        await_subject(aoife, "A player cannot be reached", number)
        aoife.reply(f"note Nobody hears this, not even after {number}.", table)
        await_email(aoife, lambda message: "Nobody hears this" in body_of(message), number)
    assert (servers, provider.returned) == ([], len(SERVERS))
    # Nobody else was written to, no daemon either, and whoever comes back is answered.
    assert provider.boxes.keys() == {aoife.address, benoit.address}
    del provider.gone[benoit.address]
    seen = len(benoit.emails)
    benoit.reply("parties")
    benoit.await_email(seen)
    assert provider.returned == len(SERVERS)


def test_four_people_play_a_round_of_a_tournament(provider: Provider, tmp_path: Path) -> None:
    benoit = MuttUser("Benoit", "benoit@example.org", provider)
    others = [SnailUser(name, f"{name.lower()}@example.org", provider) for name in ("Aoife", "Ciara", "Delphine")]
    users = (*others, benoit)
    for user in users:
        user.send("inscription" if user is benoit else "register")
        user.await_email(0)
        user.reply("oui" if user is benoit else "yes")
        user.await_email(1)
    apply_cup(provider, tmp_path / "cup.yaml", others[0].name)
    for user in users:
        user.send("enter mail-cup")
        user.await_email(2)
    provider.clock.write_text(str((ENTRY + BREAK) // timedelta(microseconds=1) * 1000 + 10**9))
    # The leap looks like an outage, after which tournaments rest for a minute.
    for user in users:
        await_subject(user, "Mail cup", 1, patience=3 * PATIENCE)
    play_all(users)
    for user in users:
        over = await_email(user, lambda message: "curl -o mail-cup.jsonl" in body_of(message), 1)
        assert "1. " in body_of(user.emails[over - 1])
        seen = len(user.emails)
        user.reply("standing mail-cup", over)
        assert "1. " in body_of(user.await_email(seen))


def play_all(users: tuple[User, ...]) -> None:
    """Answer every turn with the first move of its list until each of the users has seen scores."""
    seen, playing = dict.fromkeys((user.address for user in users), 0), {user.address for user in users}
    for _ in range(MOST_TURNS * len(users) // 2):
        user, text = await_turn(users, seen)
        if " Total " not in text:
            user.reply("1", seen[user.address])
            continue
        playing.discard(user.address)
        if not playing:
            return
    raise AssertionError(playing)


def apply_cup(provider: Provider, document: Path, owner: str) -> None:
    """Announce a tournament of one round that anybody may enter for a short while."""
    closes = datetime.now(UTC) + ENTRY
    times = {"closes": closes, "starts": closes + BREAK}
    document.write_text(CUP.format(**{name: f"{at:%Y-%m-%dT%H:%M:%SZ}" for name, at in times.items()}))
    command = [sys.executable, "-m", "cli", "tournament", "apply", str(document), "--as", owner]
    env = {**os.environ, **provider.settings}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def await_email(user: User, fits: Callable[[Message], bool], count: int, patience: float = PATIENCE) -> int:
    """Return the number of the email with which this many fit."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        found = [number for number, message in enumerate(user.emails, 1) if fits(message)]
        if len(found) >= count:
            return found[count - 1]
        time.sleep(0.05)
    raise AssertionError([str(message["Subject"]) for message in user.emails])


def await_subject(user: User, subject: str, count: int, patience: float = PATIENCE) -> int:
    """Return the number of the email with which this many have a subject that begins like this."""
    return await_email(user, lambda message: str(message["Subject"]).startswith(subject), count, patience)


def await_returned(provider: Provider, count: int) -> None:
    """Wait until this many emails were returned."""
    until = time.monotonic() + PATIENCE
    while provider.returned < count:
        assert time.monotonic() < until, provider.returned
        time.sleep(0.05)


def await_scores(user: User) -> None:
    """Wait for the last email of the match, which has the scores."""
    until = time.monotonic() + PATIENCE
    while not any(" Total " in body_of(message) for message in user.emails):
        assert time.monotonic() < until, body_of(user.emails[-1])
        time.sleep(0.2)


def await_turn(users: tuple[User, ...], seen: dict[str, int]) -> tuple[User, str]:
    """Return who got a new email with a list of moves or with the scores, and its text."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for user in users:
            if user.provider.boxes.get(user.address, 0) > seen[user.address]:
                seen[user.address] += 1
                text = body_of(user.emails[seen[user.address] - 1])
                if "Your moves 1 " in text or "Vos coups 1 " in text or " Total " in text:
                    return user, text
        time.sleep(0.05)
    raise AssertionError({user.address: body_of(user.emails[-1])[:800] for user in users})
