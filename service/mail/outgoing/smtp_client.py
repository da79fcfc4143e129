"""Sending emails to the configured mail server; without one they stay in the local mailbox."""

from __future__ import annotations

import smtplib
from threading import Lock

from service.config import Config
from service.mail.outgoing import refusals, smtp_connections
from service.timestamps import now

PAUSE = 15_000
PERMANENT_FAILURE = 500
_lock = Lock()
_paused_until: dict[str, int] = {}
"""Unreachable servers, and when to try them again."""


class DeliveryDeferred(Exception):
    """The email cannot be sent now. `policy` is True if the mail server refuses us, whatever the address."""

    def __init__(self, why: str, *, policy: bool = False) -> None:
        super().__init__(why)
        self.policy = policy


class DeliveryRefused(Exception):
    """The email was refused for good. `address` is True if that is because of its address."""

    def __init__(self, why: str, *, address: bool) -> None:
        super().__init__(why)
        self.address = address


def is_local(config: Config) -> bool:
    """Return True if emails stay in the local mailbox, to be read in the browser."""
    return not config.smtp_url


def send(sender: str, to: str, mime: bytes, config: Config) -> None:
    """Send an email. When this returns, the mail server has it."""
    if is_local(config):
        return
    url = config.smtp_url
    with _lock:
        if _paused_until.get(url, 0) > now():
            raise DeliveryDeferred("the mail server could not be reached a moment ago")
    try:
        with smtp_connections.use_connection(url) as server:
            _submit(server, sender, to, mime)
    except (OSError, smtplib.SMTPConnectError, smtplib.SMTPServerDisconnected, smtplib.SMTPHeloError) as error:
        if not isinstance(error, smtplib.SMTPServerDisconnected):
            _pause_server(url)
        raise DeliveryDeferred(_describe_error(error)) from error
    except smtplib.SMTPException as error:
        # A permanent refusal before the recipient is named is about us: the login or the sender.
        code = error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else 0
        raise DeliveryDeferred(_describe_error(error), policy=code >= PERMANENT_FAILURE) from error


def _pause_server(url: str) -> None:
    smtp_connections.load_authorities_again()
    with _lock:
        _paused_until[url] = now() + PAUSE


def clear_pauses() -> None:
    """Allow trying unreachable servers again at once."""
    with _lock:
        _paused_until.clear()


def _submit(server: smtplib.SMTP, sender: str, to: str, mime: bytes) -> None:
    try:
        server.sendmail(sender, [to], mime)
    except smtplib.SMTPRecipientsRefused as error:
        code, words = error.recipients[to]
        raise _refusal(code, words, address=True) from error
    except smtplib.SMTPDataError as error:
        raise _refusal(error.smtp_code, error.smtp_error, address=False) from error


def _refusal(code: int, words: bytes | str, *, address: bool) -> DeliveryDeferred | DeliveryRefused:
    """Return what a refusal means: for good because of this email, or only for now."""
    why = f"{code} {_one_line(words)}"
    if code < PERMANENT_FAILURE or refusals.is_policy(why):
        return DeliveryDeferred(why, policy=code >= PERMANENT_FAILURE)
    return DeliveryRefused(why, address=address)


def _one_line(words: bytes | str) -> str:
    text = words.decode("ascii", "replace") if isinstance(words, bytes) else words
    return " ".join(text.split())[:300]


def _describe_error(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {_one_line(error.smtp_error)}"
    return f"{type(error).__name__}: {error}"[:300]
