"""Logs: one JSON line an event on standard error, with ids and figures and nothing secret."""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress

import structlog
from flask import Response, g, request

from service.web import auth


class Lines:
    """The logger of requests, bound when logging is configured: to bind it for each line costs more than the line."""

    bound: structlog.typing.FilteringBoundLogger = structlog.get_logger("echtra")


log: structlog.typing.FilteringBoundLogger = structlog.get_logger("echtra")


class Stderr:
    """Writes lines where standard error is now."""

    def msg(self, line: str) -> None:
        """One line, if there is room for it: a disk that is full must not keep an answer from its client."""
        with suppress(OSError, ValueError):
            sys.stderr.write(line + "\n")

    debug = info = warning = error = critical = msg


def configure(level: str) -> None:
    """Write events of this level and above."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=lambda *_: Stderr(),
        cache_logger_on_first_use=False,
    )
    Lines.bound = structlog.get_logger("echtra").bind()


def begin() -> None:
    """Remember when the request came."""
    g.began = time.perf_counter()


def tell(response: Response) -> None:
    """One line for the request that is being answered."""
    rule = request.url_rule.rule if request.url_rule else None
    who = auth.maybe()
    line(request.method, rule, response.status_code, g.began, g.get("request_id"), who.player if who else None)


def line(method: str, rule: str | None, status: int, began: float, number: str | None, player: str | None) -> None:
    """One line for a request: its rule and not its path, which may hold a secret."""
    ms = round((time.perf_counter() - began) * 1000, 2)
    Lines.bound.info("request", method=method, rule=rule, status=status, ms=ms, request=number, player=player)
