"""Submissions: lines a seat sends in together, what proves them, and what became of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from service.database import rows, run
from service.moment import rfc3339
from service.problems import Problem

INSERT = (
    "insert into submission (id, match, seat, player, channel, asked, prev, orders, at, body, made, total, status, "
    "why, receipt) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
REPLACE = "update submission set status = 'replaced' where match = ? and seat = ? and status = 'waiting'"
WITHDRAW = "update submission set status = 'withdrawn' where match = ? and seat = ? and status = 'waiting'"


@dataclass(frozen=True)
class Submission:
    """Lines that a seat sends in together, with the proof of who made them."""

    asked: int
    prev: str
    lines: tuple[str, ...]
    signatures: tuple[str, ...] = ()
    key: str = ""
    orders: bool = False
    channel: str = "api"
    mail: dict[str, Any] | None = None
    note: str = ""
    """Words to the table that come with the lines."""

    @property
    def id(self) -> str:
        """The same for the same submission: a hash over what proves it."""
        parts = [self.channel, *self.signatures, *([json.dumps(self.mail, sort_keys=True)] if self.mail else [])]
        return sha256("\n".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Accepted:
    """What became of a submission when it came in."""

    id: str
    match: str
    seat: int
    made: tuple[str, ...]
    waiting: int
    dropped: tuple[str, ...]
    why: str
    receipt: dict[str, Any]

    @property
    def status(self) -> str:
        """Whether all lines are made, some wait, or some were dropped."""
        return "waiting" if self.waiting else "dropped" if self.dropped else "made"


def keep(sent: Submission, player: str, accepted: Accepted, at: int) -> None:
    """Keep a submission and its answer, inside the transaction that made its lines; it replaces what waits."""
    if accepted.waiting:
        run(REPLACE, accepted.match, accepted.seat)
    run(
        INSERT,
        sent.id,
        accepted.match,
        accepted.seat,
        player,
        sent.channel,
        sent.asked,
        sent.prev,
        sent.orders,
        at,
        json.dumps({"key": sent.key, "lines": sent.lines, "signatures": sent.signatures, "mail": sent.mail}),
        len(accepted.made),
        len(sent.lines),
        accepted.status,
        accepted.why,
        json.dumps(vars(accepted)),
    )


def answered(match: str, submission: str) -> Accepted | None:
    """The stored answer to a submission that came before."""
    found = rows("select receipt from submission where id = ? and match = ?", submission, match)
    if not found:
        return None
    stored = json.loads(found[0][0])
    return Accepted(**{**stored, "made": tuple(stored["made"]), "dropped": tuple(stored["dropped"])})


def withdraw(match: str, seat: int) -> int:
    """Whatever waits for this seat is withdrawn; how many submissions that were."""
    return run(WITHDRAW, match, seat)


def of_player(match: str, submission: str, player: str) -> dict[str, Any]:
    """A submission as its sender sees it now; nobody else finds it."""
    found = rows(
        "select seat, channel, asked, orders, at, body, made, status, why, receipt from submission "
        "where id = ? and match = ? and player = ?",
        submission,
        match,
        player,
    )
    if not found:
        raise Problem("not-found", "There is no such submission of yours.")
    seat, channel, asked, orders, at, body, made, status, why, stored = found[0]
    lines = json.loads(body)["lines"]
    return {
        "id": submission,
        "match": match,
        "seat": seat,
        "channel": channel,
        "asked": asked,
        "orders": bool(orders),
        "at": rfc3339(at),
        "lines": lines,
        "made": made,
        "waiting": len(lines) - made if status == "waiting" else 0,
        "status": status,
        "why": why,
        "receipt": json.loads(stored)["receipt"],
    }
