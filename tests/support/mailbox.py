"""A mail server to send to, people with addresses, and email jobs done as the worker does them."""

from __future__ import annotations

import asyncio
import random
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from engine.game import legal
from service.accounts import players as accounts
from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.jobs import queue
from service.jobs.payloads import LetterJob
from service.jobs.queue import handles
from service.mail.outgoing import letter_ledger
from service.mail.outgoing.deliver import deliver_letter
from service.matches import create, join
from service.play.match_loader import load_match_state
from service.play.match_log import LogAddition, append, next_entry
from service.record.match_state import MatchState
from service.timestamps import now
from tests.support.factories import settle, with_seat_0_first
from tests.support.letter_jobs import letter_job
from worker.tasks import run_job as do_job


def person(name: str = "Aoife", language: str = "en", zone: str = "Europe/Dublin", **settings: str | int) -> PlayerRow:
    """Return a confirmed player with an address."""
    with write_transaction():
        ((count,),) = rows("select count(*) from player")
        address = f"p{count}@example.org"
        player = accounts.create(name=name, language=language, zone=zone, at=now(), address=address)
    return accounts.change_settings(player.id, settings)


def match_of(
    config: Config,
    *players: PlayerRow,
    game: str = "keltis",
    bots: Mapping[int, str] | None = None,
    **rules: Any,  # noqa: ANN401  # of a new match
) -> str:
    """Start a match in which seat 0 begins, dealt by the worker, and return its id."""
    bots = bots or {}
    free = [seat for seat in range(len(players) + len(bots)) if seat not in bots]
    body = with_seat_0_first({"game": game, "seats": len(players) + len(bots), **rules})
    wanted = create.NewMatch(bots=bots, seat=free[0], **body)
    made = create.create_match(players[0], wanted, config)
    for seat, other in zip(free[1:], players[1:], strict=True):
        join.join_match(other, made.id, seat, "-", None, config)
    settle(made.id, config)
    return str(made.id)


def step(match: str, config: Config, number: int = 0) -> MatchState:
    """Make a line at the seat that is asked first, and resolve the match."""
    match_state = load_match_state(match)
    seat = next(seat for seat, question in enumerate(match_state.questions) if question)
    listed = list(legal(match_state.state, seat))
    row, after = next_entry(match_state, seat, listed[number % len(listed)], "house", max(now(), match_state.at))
    append([LogAddition(match_state, (row,), after, None, wake=False)])
    return settle(match, config)


def play(match: str, config: Config, moves: int, seed: int = 1) -> MatchState:
    """Make this many random moves."""
    rng = random.Random(seed)
    for _ in range(moves):
        if load_match_state(match).state.over:
            break
        step(match, config, rng.randrange(1000))
    return load_match_state(match)


def deliver(config: Config) -> int:
    """Do every email job that is due. Return how many were done."""
    sql = (
        "select id from job where topic = 'letter' and done_at is null and dead_at is null and due_at <= ? order by id"
    )
    return sum(do_job(number, config, dict([handles(LetterJob, deliver_letter)])) for (number,) in rows(sql, now()))


def asked_for(config: Config, payload: Mapping[str, object], key: str) -> None:
    """Queue an email and try to deliver it at once."""
    with write_transaction():
        queue.add(letter_job(payload), key)
    deliver(config)


def ledger(column: str = "state") -> list[str]:
    """Return one column of the ledger, oldest email first."""
    return [found for (found,) in rows(f"select {column} from letter order by created_at, id")]  # noqa: S608  # our own


def sent(kind: str | None = None) -> list[EmailMessage]:
    """Return the emails in the ledger, oldest first."""
    stored = [letter_ledger.find(id_) for (id_,) in rows("select id from letter order by created_at, id")]
    return [opened(each.mime) for each in stored if each and each.mime and kind in (None, each.kind)]


def opened(raw: bytes) -> EmailMessage:
    """Return a message as parsed by the standard library."""
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def text_of(message: EmailMessage) -> str:
    """Return the text part."""
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(message: EmailMessage) -> str:
    """Return the HTML part."""
    part = message.get_body(("html",))
    assert part is not None
    return str(part.get_content())


@dataclass
class Sink:
    """Accepts emails as a mail server does, or misbehaves as one on a bad day."""

    taken: list[Envelope] = field(default_factory=list)
    refuse: str = ""
    """The reply to a recipient, in place of acceptance."""
    hang_up: int = 0
    """How many times it stores an email and dies before it says so."""
    sessions: list[Session] = field(default_factory=list)
    """The connections that delivered emails, each once."""
    goodbyes: int = 0

    async def handle_RCPT(  # noqa: N802  # as aiosmtpd names it
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.refuse:
            return self.refuse
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.taken.append(envelope)
        if not any(session is known for known in self.sessions):
            self.sessions.append(session)
        if self.hang_up:
            self.hang_up -= 1
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
        return "250 OK"

    async def handle_QUIT(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.goodbyes += 1
        return "221 Bye"

    @property
    def messages(self) -> list[EmailMessage]:
        """Messages in order of arrival."""
        return [opened(bytes(envelope.original_content or b"")) for envelope in self.taken]


def relay_port(config: Config) -> int:
    """Return the port of the mail server that takes our emails."""
    return int(config.smtp_url.rpartition(":")[2])


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


class MailServer(Controller):
    """A real SMTP server in a thread, which drops every connection when it ends."""

    def __init__(self, sink: Sink, **more: Any) -> None:  # noqa: ANN401  # what aiosmtpd takes
        self.connections: list[SMTP] = []
        super().__init__(sink, **more)

    def factory(self) -> SMTP:
        made: SMTP = super().factory()  # type: ignore[no-untyped-call]
        self.connections.append(made)
        return made

    async def hang_up(self) -> None:
        """Close all connections, and wake the loop so that it notices."""
        for each in self.connections:
            if each.transport is not None:
                each.transport.close()
        for _ in range(3):
            await asyncio.sleep(0)


@contextmanager
def serving(sink: Sink, port: int, context: ssl.SSLContext | None = None, *, starttls: bool = False) -> Iterator[None]:
    """Provide a real SMTP server on this port."""
    more: dict[str, Any] = {"require_starttls": True, "tls_context": context} if starttls else {"ssl_context": context}
    if context is None:
        more = {}
    controller = MailServer(sink, hostname="127.0.0.1", port=port, **more)
    controller.start()
    try:
        yield
    finally:
        asyncio.run_coroutine_threadsafe(controller.hang_up(), controller.loop).result(10)
        controller.stop()
