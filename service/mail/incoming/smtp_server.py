"""SMTP or LMTP receiver. It stores a message before it accepts it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import structlog
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from engine.words import is_number
from service.config import BadConfig, Config
from service.db.connection import DatabaseDown, close_connection, drop_connections
from service.i18n.catalogue import msg
from service.jobs import work_metrics
from service.mail import reply_addresses
from service.mail.incoming import inbox, large_messages

IDENT = "Echtra"
IDLE_TIMEOUT = 120
REPLY_KEPT = "250 2.0.0 Kept"
REPLY_UNKNOWN = "550 5.1.1 This address is not known or too old; write to {address}"
REPLY_MANY = "452 4.5.3 Too many recipients; send the others in a message of their own"
REPLY_DOWN = "451 4.3.0 Not now; try again later"
REPLY_LARGE = "552 5.3.4 This message is too large for this address; send it without attachments"
REPLY_EMPTY = "554 5.6.0 There is nothing in this message"
Result = TypeVar("Result")
log = structlog.get_logger("door")


@dataclass(frozen=True)
class ListenAddress:
    """The address and the protocol of the SMTP or LMTP receiver."""

    host: str
    port: int
    lmtp: bool


def parse_listen_address(text: str) -> ListenAddress:
    """Return the address in a setting: `127.0.0.1:8025`, or `lmtp://127.0.0.1:8024` behind a mail server."""
    scheme, _, rest = text.rpartition("://")
    host, _, port = rest.rpartition(":")
    if scheme not in ("", "smtp", "lmtp") or not host or not is_number(port) or int(port) > 65535:  # noqa: PLR2004
        raise BadConfig(msg("config.smtp_door", value=text))
    return ListenAddress(host.strip("[]"), int(port), scheme == "lmtp")


class InboxHandler:
    """Callbacks of the receiver for each step of an SMTP session."""

    def __init__(self, config: Config, *, lmtp: bool) -> None:
        self.config = config
        # LMTP answers for each recipient separately, which the library does not do, so accept one at a time.
        self.most = 1 if lmtp else inbox.MOST_RECIPIENTS
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="door")

    async def handle_RCPT(  # noqa: N802  # as the library calls it
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept mail for our own addresses only, and only until they expire."""
        if len(envelope.rcpt_tos) >= self.most:
            return REPLY_MANY
        try:
            known = await self._run_in_thread(lambda: self._is_known(address))
        except DatabaseDown as error:
            return self._answer_down(error)
        if not known:
            return REPLY_UNKNOWN.format(address=self.config.mail_from)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    def _is_known(self, address: str) -> bool:
        local = inbox.own_local_part(address, self.config)
        return bool(local) and (not reply_addresses.has_reply_form(local) or reply_addresses.find(local) is not None)

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Store the message, then accept it."""
        raw = envelope.original_content or b""
        if not raw.strip():
            return REPLY_EMPTY
        back, to = envelope.mail_from or "", tuple(envelope.rcpt_tos)
        try:
            if not await self._run_in_thread(lambda: self._takes_size(raw, to)):
                return REPLY_LARGE
            with work_metrics.count_mail():
                kept = await self._run_in_thread(
                    lambda: inbox.store(raw, "smtp", self.config, envelope=back, recipients=to)
                )
        except DatabaseDown as error:
            return self._answer_down(error)
        log.info("kept", inbox=kept)
        return REPLY_KEPT

    def _takes_size(self, raw: bytes, to: tuple[str, ...]) -> bool:
        """Return True if all of these addresses accept a message of this size."""
        return large_messages.fits(raw, tuple(inbox.own_local_part(address, self.config) for address in to))

    async def handle_exception(self, error: Exception) -> str:
        """Answer an error of our own with a temporary failure, so that the sender tries again."""
        log.error("door", exc_info=error)
        return REPLY_DOWN

    async def _run_in_thread(self, ask: Callable[[], Result]) -> Result:
        """Query the database in a thread, so that one session does not block the others."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, self._call, ask)

    @staticmethod
    def _call(ask: Callable[[], Result]) -> Result:
        try:
            return ask()
        except DatabaseDown:
            drop_connections()
            raise

    @staticmethod
    def _answer_down(error: Exception) -> str:
        log.warning("database", error=str(error).strip())
        return REPLY_DOWN


class SmtpServer(Controller):
    """The receiver in a thread; `start` opens it, `stop` closes it."""

    def __init__(self, config: Config) -> None:
        self.address = parse_listen_address(config.smtp_door)
        self.inbox_handler = InboxHandler(config, lmtp=self.address.lmtp)
        super().__init__(self.inbox_handler, hostname=self.address.host, port=self.address.port, ready_timeout=10)

    def start(self) -> None:
        """Listen. The port is tried first, since the library reports one in use only after a timeout."""
        family = socket.AF_INET6 if ":" in self.address.host else socket.AF_INET
        socket.create_server((self.address.host, self.address.port), family=family).close()
        super().start()

    def factory(self) -> SMTP:
        """Return the handler of a new session."""
        kind = LMTP if self.address.lmtp else SMTP
        return kind(
            self.inbox_handler,
            data_size_limit=large_messages.MOST_REPLY_BYTES,
            enable_SMTPUTF8=True,
            ident=IDENT,
            hostname=IDENT.lower(),
            timeout=IDLE_TIMEOUT,
            loop=self.loop,
        )

    def stop(self, no_assert: bool = False) -> None:
        """Stop listening."""
        super().stop(no_assert=no_assert)
        self.inbox_handler.pool.submit(close_connection)
        self.inbox_handler.pool.shutdown(wait=True)
