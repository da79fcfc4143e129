"""Submissions: lines that a seat sends together, their proof, and their outcome."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from service.db.connection import execute, rows
from service.db.log_writer import SubmissionRow
from service.i18n.catalogue import Explanation, dump_message, load_message, msg
from service.problems import Problem
from service.timestamps import rfc3339

REPLACE = "update submission set status = 'replaced' where match = ? and seat = ? and status = 'waiting' and id <> ?"
WITHDRAW = "update submission set status = 'withdrawn' where match = ? and seat = ? and status = 'waiting'"


@dataclass(frozen=True)
class Submission:
    """Lines that a seat sends together, with the proof of their author."""

    asked: int
    prev: str
    lines: tuple[str, ...]
    signatures: tuple[str, ...] = ()
    key: str = ""
    orders: bool = False
    channel: str = "api"
    mail: dict[str, Any] | None = None
    note: str = ""
    """A note to the table that comes with the lines."""

    @cached_property
    def id(self) -> str:
        """Stable id: a hash over the proof, the same for the same submission."""
        parts = [self.channel, *self.signatures, *([json.dumps(self.mail, sort_keys=True)] if self.mail else [])]
        return sha256("\n".join(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class SubmissionResult:
    """Outcome of a submission when it arrived."""

    id: str
    match: str
    seat: int
    made: tuple[str, ...]
    waiting: int
    dropped: tuple[str, ...]
    why: str
    receipt: dict[str, Any]
    reason: Explanation | None = None
    """Reason why the first of the dropped lines was not made, stored so that it can be shown in any language."""

    @property
    def status(self) -> str:
        """The status: "waiting" if some lines wait, "dropped" if some were dropped, else "made"."""
        return "waiting" if self.waiting else "dropped" if self.dropped else "made"

    @property
    def path(self) -> str:
        """Address of its outcome; for a withdrawal, that of the table."""
        return f"/v1/matches/{self.match}/" + (f"submissions/{self.id}" if self.id else "table")

    @cached_property
    def text(self) -> str:
        """The answer as JSON, for sending and for storing."""
        plain = {
            "id": self.id or None,
            "match": self.match,
            "seat": self.seat,
            "made": self.made,
            "waiting": self.waiting,
            "dropped": self.dropped,
            "why": self.why,
            "receipt": self.receipt,
            "status": self.status,
        }
        return json.dumps(plain, separators=(",", ":"))


def row_of(sent: Submission, player: str, accepted: SubmissionResult, at: int) -> SubmissionRow:
    """Return the stored form of a submission and its answer."""
    body = {"key": sent.key, "lines": sent.lines, "signatures": sent.signatures, "mail": sent.mail}
    return SubmissionRow(
        id=sent.id,
        match=accepted.match,
        seat=accepted.seat,
        player=player,
        channel=sent.channel,
        asked=sent.asked,
        prev=sent.prev,
        orders=sent.orders,
        at=at,
        body=json.dumps(body),
        made=len(accepted.made),
        total=len(sent.lines),
        status=accepted.status,
        why=accepted.why,
        receipt=accepted.text,
        reason=dump_reason(accepted.reason),
    )


def replace_waiting(accepted: SubmissionResult) -> None:
    """Replace the waiting lines of this seat by this submission, inside the transaction that stored it."""
    execute(REPLACE, accepted.match, accepted.seat, accepted.id)


def dump_reason(reason: Explanation | None) -> str:
    """Return a reason as text for its column, empty for None."""
    return "" if reason is None else json.dumps(dump_message(reason), ensure_ascii=False)


def load_reason(text: str) -> Explanation | None:
    """Return the reason stored in its column, or None."""
    return load_message(json.loads(text)) if text else None


def stored_result(match: str, submission: str) -> SubmissionResult | None:
    """Return the stored answer to the same submission, or None."""
    found = rows("select receipt, reason from submission where id = ? and match = ?", submission, match)
    if not found:
        return None
    stored = json.loads(found[0][0])
    stored.pop("status", None)
    lines = {name: tuple(stored[name]) for name in ("made", "dropped")}
    return SubmissionResult(**{**stored, **lines}, reason=load_reason(found[0][1]))


def withdraw(match: str, seat: int) -> None:
    """Withdraw all waiting lines of this seat."""
    execute(WITHDRAW, match, seat)


def waiting_keys(player: str, match: str = "") -> set[str]:
    """Return the keys that signed waiting lines of this player, in one match or in all."""
    sql = (
        "select s.body from seat t join submission s on s.match = t.match and s.seat = t.seat "
        "and s.status = 'waiting' and s.player = t.player where t.player = ? and (t.match = ? or ? = '')"
    )
    return {json.loads(body)["key"] for (body,) in rows(sql, player, match, match)}


def list_waiting_lines(match: str, seat: int) -> tuple[str, ...]:
    """Return the waiting lines of this seat."""
    sql = (
        "select body, made from submission where match = ? and seat = ? and status = 'waiting' order by at desc limit 1"
    )
    return tuple(line for body, made in rows(sql, match, seat) for line in json.loads(body)["lines"][made:])


def find_for_sender(match: str, submission: str, player: str) -> dict[str, Any]:
    """Return a submission as its sender sees it now. For anyone else it does not exist."""
    found = rows(
        "select seat, channel, asked, orders, at, body, made, status, why, receipt from submission "
        "where id = ? and match = ? and player = ?",
        submission,
        match,
        player,
    )
    if not found:
        raise Problem("not-found", msg("play.no_such_submission"))
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
