"""What waits for a second word: moves that are held for ten minutes, and what somebody was asked to be sure about.

Each is a row of the inbox of its own, beside the letter that brought it: one letter may bring several.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from service.db.connection import write_transaction
from service.db.models.mail import InboxRow
from service.jobs import queue
from service.mail.incoming.move_replies import mail_proof
from service.timestamps import DAY, now

HOLD_FOR = 600_000
WAITS_AT_MOST = 7 * DAY


def find(match: str, seat: int, state: str) -> InboxRow | None:
    """What waits at this seat in this state: `held` or `asked`."""
    recent = now() - WAITS_AT_MOST
    where = (
        (InboxRow.match == match) & (InboxRow.seat == seat) & (InboxRow.state == state) & (InboxRow.received > recent)
    )
    found: InboxRow | None = InboxRow.select().where(where).order_by(InboxRow.received.desc()).first()
    return found


def hold(
    letter: str, verdict: str, match: str, seat: int, state: str, result: dict[str, Any], until: int | None
) -> None:
    """Let what a letter brought wait, in place of what waited before, inside a transaction.

    With `until` a move is made then; without, only a yes makes it, and no clock stops meanwhile.
    """
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
        result=json.dumps(result, ensure_ascii=False),
        read_at=now() if until is None else None,
        **kept,
    ).on_conflict_ignore().execute()
    if until is not None:
        queue.add("inbox", f"held:{number}", {"inbox": number, "due": True}, until)


def lines(kept: InboxRow) -> tuple[str, ...]:
    """The lines that wait."""
    return tuple(json.loads(kept.result).get("lines", ()))


def note(kept: InboxRow) -> str:
    """The note that waits with them."""
    return str(json.loads(kept.result).get("note", ""))


def question_number(kept: InboxRow) -> int:
    """The question they answer."""
    return int(json.loads(kept.result).get("asked", -1))


def offer(kept: InboxRow) -> tuple[str, int]:
    """Return the offer we asked about and the last log entry at that time; an empty id if there was none."""
    found = json.loads(kept.result)
    return str(found.get("offer", "")), int(found.get("seq", 0))


def proof(kept: InboxRow) -> dict[str, Any]:
    """What the record will say of the lines: the letter that brought them."""
    return mail_proof(kept.door, bytes(kept.mime), kept.received, kept.verdict)


def close(number: str, state: str) -> None:
    """Let this wait no more."""
    with write_transaction():
        waiting = (InboxRow.id == number) & InboxRow.state.in_(("held", "asked"))
        InboxRow.update(state=state, read_at=now()).where(waiting).execute()


def withdraw(match: str, seat: int, state: str) -> tuple[str, ...]:
    """Take back what waits in this state; its lines."""
    kept = find(match, seat, state)
    if kept is None:
        return ()
    close(kept.id, "withdrawn")
    return lines(kept)


def withdraw_all(match: str, seat: int) -> list[str]:
    """Take back everything that waits; the lines that were held."""
    withdraw(match, seat, "asked")
    return list(withdraw(match, seat, "held"))
