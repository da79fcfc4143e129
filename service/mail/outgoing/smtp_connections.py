"""A pool of connections to mail servers, kept for a few seconds so that successive emails share one."""

from __future__ import annotations

import smtplib
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from typing import Any
from urllib.parse import unquote, urlsplit

TIMEOUT = 10
KEPT_SECONDS = 5.0
"""How long a connection is kept idle; servers close idle ones after minutes."""
MOST_LETTERS = 100
"""Maximum number of emails on one connection; servers allow about 100."""
PORTS = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}
GREETED = 250
_lock = threading.Lock()
_kept: dict[str, list[KeptConnection]] = {}
DATA_WANTED = 354


class LetterConnection(smtplib.SMTP):
    """An SMTP connection that escapes leading dots only in emails that have lines with one.

    The escaping of smtplib takes a tenth of the time of composing the email.
    """

    def data(self, msg: Any) -> tuple[int, bytes]:  # noqa: ANN401  # text or bytes, as its parent takes it
        """Send an email. Return the answer of the server."""
        if not isinstance(msg, bytes) or b"\n." in msg or msg[:1] == b"." or msg[-2:] != b"\r\n":
            return super().data(msg)
        self.putcmd("data")
        code, reply = self.getreply()
        if code != DATA_WANTED:
            raise smtplib.SMTPDataError(code, reply)
        self.send(msg + b".\r\n")
        return self.getreply()


class SecureLetterConnection(LetterConnection, smtplib.SMTP_SSL):
    """The same with TLS from the start."""


@dataclass
class KeptConnection:
    """An open connection, the number of emails sent on it, and until when it is kept idle."""

    server: smtplib.SMTP
    letters: int = 0
    until: float = 0.0


@contextmanager
def use_connection(url: str) -> Iterator[smtplib.SMTP]:
    """Yield a connection to a mail server for one email, from the pool or a new one.

    It returns to the pool only if nothing went wrong.
    """
    connection = _take_kept(url) or KeptConnection(_connect(url))
    try:
        yield connection.server
    except BaseException:
        connection.server.close()
        raise
    connection.letters += 1
    if connection.letters < MOST_LETTERS:
        _keep(url, connection)
    else:
        _say_goodbye(connection)


def close_idle(*, everything: bool = False) -> None:
    """Close the connections that were idle long enough, or all idle ones."""
    with _lock:
        waiting = [(url, each) for url, kept in _kept.items() for each in kept]
        ended = [(url, each) for url, each in waiting if everything or each.until <= monotonic()]
        for url, each in ended:
            _kept[url].remove(each)
        left = len(waiting) - len(ended)
    for _, each in ended:
        _say_goodbye(each)
    if left:
        _close_later()


def load_authorities_again() -> None:
    """Reload the CA certificates."""
    _load_authorities.cache_clear()


def _keep(url: str, connection: KeptConnection) -> None:
    connection.until = monotonic() + KEPT_SECONDS
    with _lock:
        _kept.setdefault(url, []).append(connection)
    _close_later()


class IdleTimer:
    """The timer that closes idle connections; at most one thread waits, however many emails are sent."""

    running: threading.Timer | None = None


def _close_later() -> None:
    with _lock:
        if IdleTimer.running is not None and IdleTimer.running.is_alive():
            return
        IdleTimer.running = timer = threading.Timer(KEPT_SECONDS, _end_wait)
    timer.daemon = True
    timer.start()


def _end_wait() -> None:
    with _lock:
        IdleTimer.running = None
    close_idle()


def _take_kept(url: str) -> KeptConnection | None:
    """Return a pooled connection whose server still answers, and close the others; None if there is none."""
    while True:
        with _lock:
            kept = _kept.get(url)
            found = kept.pop() if kept else None
        if found is None:
            return None
        try:
            if found.until > monotonic() and found.server.noop()[0] == GREETED:
                return found
        except (OSError, smtplib.SMTPException):
            pass
        found.server.close()


def _connect(url: str) -> smtplib.SMTP:
    parts = urlsplit(url)
    host, port = parts.hostname or "localhost", parts.port or PORTS[parts.scheme]
    server: smtplib.SMTP
    if parts.scheme == "smtps":
        server = SecureLetterConnection(host, port, timeout=TIMEOUT, context=_load_authorities())
    else:
        server = LetterConnection(host, port, timeout=TIMEOUT)
    try:
        if parts.scheme == "smtp+starttls":
            server.starttls(context=_load_authorities())
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
    except BaseException:
        server.close()
        raise
    return server


@lru_cache(maxsize=1)
def _load_authorities() -> ssl.SSLContext:
    """Load the CA certificates once, since that takes longer than composing an email."""
    return ssl.create_default_context()


def _say_goodbye(connection: KeptConnection) -> None:
    # The server has the emails, so a failing QUIT does not matter.
    with suppress(OSError, smtplib.SMTPException):
        connection.server.quit()
    connection.server.close()
