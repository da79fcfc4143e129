"""Moves that are held for a while, and actions that wait for a yes.

Each has its own row in the inbox, separate from the email that brought it, since one email may bring several.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from service.db.connection import write_transaction
from service.db.models.mail import InboxRow
from service.db.models.matches import SeatRow
from service.jobs import queue
from service.mail.incoming.move_replies import mail_proof
from service.mail.job_payloads import ReadInbox
from service.timestamps import DAY, HOUR, now

HOLD_FOR, HOLD_LONG = 600_000, HOUR
"""How long a move is held. The longer time applies if days are left on the clock."""
WAITS_AT_MOST = 7 * DAY


@dataclass(frozen=True)
class WaitingAction:
    """An action that waits for a yes or for a time: moves, or a command that we ask about first."""

    verb: str
    """`move`, `resign` or `agree`."""
    asked: int
    """The question that it answers."""
    lines: tuple[str, ...] = ()
    note: str = ""
    offer: str = ""
    """The offer to agree to."""
    seq: int = 0
    """The last log entry when we asked."""
    until: int | None = None
    """The time at which it is done without a yes; None if never."""


def find(match: str, seat: int, state: str) -> InboxRow | None:
    """Return the action that waits at this seat in this state, `held` or `asked`, or None."""
    recent = now() - WAITS_AT_MOST
    where = (
        (InboxRow.match == match) & (InboxRow.seat == seat) & (InboxRow.state == state) & (InboxRow.received > recent)
    )
    row: InboxRow | None = InboxRow.select().where(where).order_by(InboxRow.received.desc()).first()
    return row


def find_by_id(number: str, match: str, seat: int) -> InboxRow | None:
    """Return the row with this id if it still waits for a yes at this seat."""
    recent = now() - WAITS_AT_MOST
    where = (InboxRow.id == number) & (InboxRow.match == match) & (InboxRow.seat == seat)
    row: InboxRow | None = InboxRow.get_or_none(where & (InboxRow.state == "asked") & (InboxRow.received > recent))
    return row


def was_held(match: str, seat: int, asked: int) -> bool:
    """Return True if a move was held for this question before. One notice for a question is enough."""
    where = (InboxRow.match == match) & (InboxRow.seat == seat) & (InboxRow.received > now() - WAITS_AT_MOST)
    waited = InboxRow.select().where(where & InboxRow.state.in_(("held", "released", "withdrawn")))
    return any(action.asked == asked and action.until is not None for action in map(read_action, waited))


def choose_time(match: str, seat: int) -> int:
    """Return until when a move is held: an hour if days are left, else ten minutes."""
    due = SeatRow.get((SeatRow.match == match) & (SeatRow.seat == seat)).due_at
    return now() + (HOLD_LONG if due is None or due - now() > DAY else HOLD_FOR)


def hold(letter: str, verdict: str, match: str, seat: int, action: WaitingAction) -> str:
    """Let an action wait in place of the previous one, inside a transaction. Return its id.

    With a time it is done then, and no clock runs out meanwhile. Without a time, only a yes does it.
    """
    state = "asked" if action.until is None else "held"
    withdraw(match, seat, state)
    source = InboxRow.get_by_id(letter)
    number = sha256(f"{letter}\n{match}\n{seat}\n{state}".encode()).hexdigest()[:32]
    kept = {name: getattr(source, name) for name in ("received", "door", "sender", "recipient", "digest", "player")}
    InboxRow.insert(
        id=number,
        mime=bytes(source.mime),
        verdict=verdict,
        state=state,
        match=match,
        seat=seat,
        result=json.dumps(asdict(action), ensure_ascii=False),
        read_at=now() if action.until is None else None,
        **kept,
    ).on_conflict_ignore().execute()
    if action.until is not None:
        queue.add(ReadInbox(inbox=number, due=True), f"held:{number}", action.until)
    return number


def read_action(row: InboxRow) -> WaitingAction:
    """Return the action that waits in a row; one that does nothing for the row of an email."""
    members = json.loads(row.result or "{}")
    if "verb" not in members:
        return WaitingAction("", -1)
    return WaitingAction(**{**members, "lines": tuple(members["lines"])})


def proof(kept: InboxRow) -> dict[str, Any]:
    """Return the attestation of the lines for the record: the email that brought them."""
    return mail_proof(kept.door, bytes(kept.mime), kept.received, kept.verdict)


def close(number: str, state: str) -> None:
    """End the wait of a row."""
    with write_transaction():
        waiting = (InboxRow.id == number) & InboxRow.state.in_(("held", "asked"))
        InboxRow.update(state=state, read_at=now()).where(waiting).execute()


def withdraw(match: str, seat: int, state: str) -> tuple[str, ...]:
    """Withdraw the actions that wait in this state. Return their lines."""
    kept = find(match, seat, state)
    if kept is None:
        return ()
    close(kept.id, "withdrawn")
    return read_action(kept).lines


def withdraw_all(match: str, seat: int) -> list[str]:
    """Withdraw all waiting actions. Return their lines."""
    return [*withdraw(match, seat, "held"), *withdraw(match, seat, "asked")]
