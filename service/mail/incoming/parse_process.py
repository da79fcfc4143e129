"""Parsing of strangers' messages in a separate process, so that no message can hold up the worker."""

from __future__ import annotations

from service.mail.incoming import parse_message
from service.mail.incoming.parse_message import ParsedMessage, UnreadableMessage
from service.standing_process import LimitExceeded, ProcessLimits, StandingProcess

LIMITS = ProcessLimits(cpu_seconds=2, memory_bytes=256 * 1024 * 1024, niceness=0)
"""The slowest message of `tests/letters` takes 20 ms, the largest one that is allowed well under a second."""
EXCEEDED = ("cpu", "memory", "crash")
"""Reason for a message that exceeded the limits."""


def _answer(raw: bytes) -> ParsedMessage | str:
    """Return the parsed message, or the reason why it cannot be read. This runs in the other process."""
    try:
        return parse_message.parse(raw)
    except UnreadableMessage as error:
        return error.why


_process: StandingProcess[bytes, ParsedMessage | str] = StandingProcess("mail", _answer, LIMITS)


def parse(raw: bytes) -> ParsedMessage:
    """Return the message in these bytes. Raise only `UnreadableMessage`, also if it exceeds the limits."""
    try:
        found = _process.ask(raw)
    except LimitExceeded as error:
        raise UnreadableMessage(error.what) from None
    if isinstance(found, str):
        raise UnreadableMessage(found)
    return found
