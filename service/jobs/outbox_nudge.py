"""Hints to the worker: best effort, never waited for; what a lost hint leaves behind is found by a sweep."""

from __future__ import annotations

from collections.abc import Callable


class Nudge:
    """Where hints go; the process that knows the worker puts its own function here."""

    send: Callable[[str, str], None] = staticmethod(lambda _task, _what: None)


def resolve(match: str) -> None:
    """Something was accepted at this table."""
    Nudge.send("echtra.resolve", match)


def job(number: int) -> None:
    """There is a job to do."""
    Nudge.send("echtra.job", str(number))
