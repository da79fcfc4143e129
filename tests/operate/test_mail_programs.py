"""A whole match by email with real mail programs: mutt in French and s-nail in English, over real SMTP.

The programs are those of Debian (`apt-get install mutt s-nail`). Between them and the service stands a mail server that
delivers into mailboxes and vouches for its users, as the one of a provider does.
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
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from email.utils import formatdate, make_msgid, parseaddr
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.servers import Process, free_port, ready

pytestmark = pytest.mark.operate
OWN = "echtra@echtra.example"
PATIENCE = 30
MOST_TURNS = 300
STORM = 10
"""How many rounds a machine answers each email."""
MUTTRC = """
set realname="{name}" from="{address}" use_from=yes envelope_from=yes
set smtp_url="smtp://127.0.0.1:{port}/" ssl_starttls=no ssl_force_tls=no
set folder="{folder}" record="" mbox_type=mbox spoolfile="{box}" move=no delete=yes header_cache=""
set editor="{editor}" fast_reply=yes include=yes abort_unmodified=no abort_nosubject=no edit_headers=no
set sleep_time=0 wait_key=no quit=yes confirmappend=no reply_to=yes charset="utf-8" tmpdir="{folder}"
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
    door: int
    boxes: dict[str, int] = field(default_factory=dict)
    """How many emails each user got."""
    away: list[str] = field(default_factory=list)
    """Users for whom a machine answers each email at once, with a number on its first line."""
    answered: int = 0

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # aiosmtpd's
        raw = envelope.original_content or b""
        for address in envelope.rcpt_tos:
            if address.endswith("@echtra.example"):
                verdict = b"Authentication-Results: mx.example; dmarc=pass header.from=example.org\r\n"
                with smtplib.SMTP("127.0.0.1", self.door) as service:
                    service.sendmail(envelope.mail_from or "", [address], verdict + raw)
            else:
                box = mailbox.mbox(self.folder / address)
                box.add(raw.replace(b"\r\n", b"\n"))
                box.close()
                self.boxes[address] = self.boxes.get(address, 0) + 1
                if address in self.away:
                    self.answer(address, message_from_bytes(raw))
        return "250 OK"

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
        with smtplib.SMTP("127.0.0.1", self.door) as service:
            service.sendmail("" if marks else address, [parseaddr(to)[1]], text.encode())


@dataclass
class User:
    """Somebody with a mailbox and a mail program, which each test gives."""

    name: str
    address: str
    provider: Provider
    port: int

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

    def send(self, text: str) -> None:
        """Write a new email to the service."""
        raise NotImplementedError

    def reply(self, text: str) -> None:
        """Reply to the latest email, with its text quoted below."""
        raise NotImplementedError


class SnailUser(User):
    """Somebody who uses s-nail."""

    def _run(self, *words: str, typed: str) -> None:
        settings = self.provider.folder / "snailrc"
        settings.write_text(SNAILRC.format(port=self.port, name=self.name, address=self.address))
        env = {**os.environ, "MAILRC": str(settings), "LC_ALL": "C.UTF-8", "HOME": str(self.provider.folder)}
        command = [find_program("s-nail"), "-n", "-#", *words]
        done = subprocess.run(
            command, input=typed, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert "not sent" not in done.stderr + done.stdout, done.stderr + done.stdout

    def send(self, text: str) -> None:
        """Write a new email to the service."""
        self._run("-s", "Hello", OWN, typed=f"{text}\n")

    def reply(self, text: str) -> None:
        """Reply to the latest email, with its text quoted below."""
        self._run("-f", str(self.box), typed=f"reply $\n\n{text}\n~.\nexit\n")


class MuttUser(User):
    """A user of mutt, in a separate terminal."""

    def send(self, text: str) -> None:
        """Write a new email to the service."""
        self._run(f"<mail>{OWN}<enter>Bonjour<enter><send-message><exit>", text)

    def reply(self, text: str) -> None:
        """Reply to the latest email, with its text quoted below."""
        self._run("<last-entry><reply><send-message><exit>", text)

    def _run(self, keys: str, text: str) -> None:
        folder = self.provider.folder
        editor, settings = folder / "editor", folder / "muttrc"
        (folder / "typed").write_text(f"{text}\n")
        editor.write_text(f'#!/bin/sh\ncat {folder}/typed "$1" > {folder}/whole && cat {folder}/whole > "$1"\n')
        editor.chmod(0o700)
        self.box.touch()
        given = {"name": self.name, "address": self.address, "port": self.port, "box": self.box, "folder": folder}
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
def users(tmp_path: Path) -> Iterator[tuple[User, User]]:
    """Run the service and a provider; yield one user of s-nail and one of mutt, strangers both."""
    port, door, relay = free_port(), free_port(), free_port()
    provider = Provider(tmp_path / "mail", door)
    provider.folder.mkdir()
    settings = {
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
    controller = Controller(provider, hostname="127.0.0.1", port=relay)
    controller.start()
    service = Process("serve", env=settings, log=tmp_path / "service.log")
    service.start()
    try:
        ready(port, service)
        yield (
            SnailUser("Aoife", "aoife@example.org", provider, relay),
            MuttUser("Benoit", "benoit@example.org", provider, relay),
        )
    finally:
        service.end()
        controller.stop()


def body_of(message: Message) -> str:
    """Return the plain text of an email on one line."""
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    payload = part.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return " ".join(payload.decode().replace("\u00a0", " ").split())


def test_two_people_play_from_nothing_to_the_scores(users: tuple[User, User]) -> None:
    aoife, benoit = users
    aoife.send("new keltis with benoit@example.org")
    confirm = aoife.await_email(0)
    assert "yes" in body_of(confirm)
    aoife.reply("yes")
    assert "Welcome to Echtra" in body_of(aoife.await_email(1))
    assert "Keltis" in body_of(benoit.await_email(0))
    benoit.reply("Oui, avec plaisir !")
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
