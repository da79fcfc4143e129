"""The ledger of emails: each is stored once with its state, and with its bytes for some days."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from service import shapes
from service.db import letter_bytes
from service.db.connection import execute, rows, write_transaction
from service.mail.letters.blocks import Letter
from service.mail.render.mime import encode_picture
from service.timestamps import now

STATES = {
    "queued": "written, and not yet handed to a mail server",
    "accepted": "handed to a mail server, or to the local mailbox",
    "deferred": "a mail server was not there or asked us to wait; it is tried again",
    "bounced": "it came back, or was refused for good",
    "answered": "it was answered, or its question was answered in another way before it went out",
}
INSERT = (
    "insert into letter (id, player, address, kind, match, seat, seq, message_id, subject, return_path, state, "
    "created_at, why, mime, digest) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, '', ?, ?) "
    "on conflict (id) do nothing"
)
UPDATE_ACCEPTED = (
    "update letter set state = 'accepted', accepted_at = ?, why = '' where id = ? and state in ('queued', 'deferred') "
    "and accepted_at is null"
)
STORY_KINDS = frozenset(
    {"begun", "turn", "reminder", "urgent", "late", "dropped", "understood", "stale", "board", "back", "over"}
)
"""Emails that tell what has happened since the last one of these kinds."""
QUESTION_KINDS = (STORY_KINDS - {"begun", "late", "over"}) | {"undone", "refused"}
"""Emails that ask the seat's question, so that no other email need ask the same one."""
TURN_KINDS = frozenset({"turn", "reminder", "urgent"})
"""Emails that are pointless once the question is answered."""
LISTED_COLUMNS = tuple("id kind match seat subject state created_at accepted_at answered_at bounced_at why".split())
SELECT_BEFORE = (
    f"select {', '.join(LISTED_COLUMNS)} from letter where player = ? "  # noqa: S608  # our own columns
    "and (created_at < ? or (created_at = ? and id < ?)) order by created_at desc, id desc limit ?"
)
PICTURE_MARK = b"\0"
"""Surrounds the hash of a picture in stored bytes. An encoded message never contains it."""


@dataclass(frozen=True)
class LedgerLetter:
    """An email in the ledger."""

    id: str
    player: str | None
    address: str
    kind: str
    match: str | None
    seat: int | None
    seq: int
    return_path: str
    state: str
    created_at: int
    accepted_at: int | None
    mime: bytes | None

    @property
    def is_waiting(self) -> bool:
        """True until it is sent or given up."""
        return self.accepted_at is None and self.state in ("queued", "deferred")


def letter_id(key: str) -> str:
    """Return the id of the email of the job with this key, the same however often the job runs."""
    return base64.b32encode(sha256(f"letter\n{key}".encode()).digest()).decode().lower()[:20]


def find(letter: str) -> LedgerLetter | None:
    """Return the email with this id, or None."""
    sql = (
        "select id, player, address, kind, match, seat, seq, return_path, state, created_at, accepted_at, mime "
        "from letter where id = ?"
    )
    stored = rows(sql, letter)
    if not stored:
        return None
    ledger_letter = LedgerLetter(*stored[0])
    if ledger_letter.mime is None:
        return ledger_letter
    return replace(ledger_letter, mime=_put_pictures_back(bytes(ledger_letter.mime)))


def _take_pictures_out(mime: bytes, letter: Letter) -> tuple[bytes, dict[str, bytes]]:
    """Return the bytes of an email with hashes in place of its pictures, and these pictures."""
    pictures = {sha256(picture.png).hexdigest(): picture.png for picture in letter.pictures}
    for name, png in pictures.items():
        mime = mime.replace(encode_picture(png), PICTURE_MARK + name.encode() + PICTURE_MARK)
    return mime, pictures


def _put_pictures_back(mime: bytes) -> bytes:
    """Return the whole bytes of an email, as they were signed."""
    pieces = mime.split(PICTURE_MARK)
    names = [name.decode() for name in pieces[1::2]]
    pictures = letter_bytes.find_pictures(names)
    pieces[1::2] = [encode_picture(pictures[name]) for name in names]
    return b"".join(pieces)


def insert(id_: str, letter: Letter, message_id: str, return_path: str, mime: bytes) -> LedgerLetter | None:
    """Store an email. Return None if it is stored already. Call inside a transaction."""
    to, at = letter.to, now()
    about = (letter.kind, letter.match, letter.seat, letter.seq)
    if letter.match is not None:
        sql = "select max(created_at) from letter where match = ? and address = ?"
        ((last,),) = rows(sql, letter.match, to.address)
        # Emails of one match go out in the order of their times, so no two may have the same.
        at = max(at, last + 1) if last is not None else at
    stored, pictures = _take_pictures_out(mime, letter)
    rest = (message_id, letter.subject, return_path, at, stored, sha256(mime).hexdigest())
    if not execute(INSERT, id_, to.player, to.address, *about, *rest):
        return None
    letter_bytes.insert_pictures(id_, pictures)
    return LedgerLetter(id_, to.player, to.address, *about, return_path, "queued", at, None, mime)


def is_question_sent(match: str, seat: int, player: str, asked: int) -> bool:
    """Return True if an email has asked this player this question."""
    holes = ", ".join("?" * len(QUESTION_KINDS))
    sql = (
        f"select 1 from letter where match = ? and seat = ? and player = ? and seq >= ? and kind in ({holes}) "  # noqa: S608  # only holes
        "and state <> 'bounced' limit 1"
    )
    return bool(rows(sql, match, seat, player, asked, *sorted(QUESTION_KINDS)))


def is_question_open(letter: LedgerLetter) -> bool:
    """Return True if the question of an email was not answered yet, and for emails without a question."""
    if letter.kind not in TURN_KINDS:
        return True
    sql = "select 1 from seat where match = ? and seat = ? and player = ? and asked <= ?"
    return bool(rows(sql, letter.match, letter.seat, letter.player, letter.seq))


def has_older_waiting(letter: LedgerLetter) -> bool:
    """Return True if an older email of the same match to the same address still waits."""
    sql = (
        "select 1 from letter where match = ? and address = ? and accepted_at is null "
        "and state in ('queued', 'deferred') and (created_at < ? or (created_at = ? and id < ?)) limit 1"
    )
    return letter.match is not None and bool(
        rows(sql, letter.match, letter.address, letter.created_at, letter.created_at, letter.id)
    )


def mark_accepted(letter: LedgerLetter) -> None:
    """Record that an email was sent, and the last entry of the log that it covers for its seat."""
    with write_transaction():
        if execute(UPDATE_ACCEPTED, now(), letter.id) != 1:
            return
        if letter.match is not None and letter.seat is not None and letter.kind in STORY_KINDS:
            _advance_told_seq(letter.match, letter.seat, letter.player, letter.seq)
        if letter.kind == "digest":
            for (payload,) in rows("select payload from reply where letter = ? and kind = 'digest'", letter.id):
                for at in json.loads(payload)["tables"].values():
                    _advance_told_seq(at["match"], at["seat"], letter.player, at["asked"])


def _advance_told_seq(match: str, seat: int, player: str | None, seq: int) -> None:
    sql = "update seat set told_seq = ? where match = ? and seat = ? and player = ? and told_seq < ?"
    execute(sql, seq, match, seat, player, seq)


def mark_deferred(letter: LedgerLetter, why: str) -> None:
    """Record that an email could not be sent yet."""
    with write_transaction():
        sql = "update letter set state = 'deferred', why = ? where id = ? and accepted_at is null"
        execute(sql, why[:500], letter.id)


def count_refusal(letter: LedgerLetter) -> int:
    """Count a refusal of the address of an email. Return how many there were."""
    with write_transaction():
        execute("update letter set refusals = refusals + 1, refused_at = ? where id = ?", now(), letter.id)
        return int(rows("select refusals from letter where id = ?", letter.id)[0][0])


def mark_withdrawn(letter: LedgerLetter, why: str) -> None:
    """Record that an email need not go out, since its question was answered."""
    with write_transaction():
        sql = "update letter set state = 'answered', answered_at = ?, why = ? where id = ? and accepted_at is null"
        execute(sql, now(), why[:500], letter.id)


def mark_bounced(letter: LedgerLetter, why: str) -> bool:
    """Record that an email was refused for good. Return True if that is new."""
    with write_transaction():
        sql = "update letter set state = 'bounced', bounced_at = ?, why = ? where id = ? and bounced_at is null"
        return execute(sql, now(), why[:500], letter.id) == 1


def count_by_state() -> dict[str, int]:
    """Return the number of emails in each state."""
    found = dict(rows("select state, count(*) from letter group by state"))
    return {state: int(found.get(state, 0)) for state in STATES}


def list_newest(state: str, player: str, most: int) -> list[tuple[Any, ...]]:
    """Return the newest emails, of one state and player unless empty: id, time, state, kind, player, why."""
    sql = (
        "select id, created_at, state, kind, player, why from letter where (? = '' or state = ?) "
        "and (? = '' or player = ?) order by created_at desc, id desc limit ?"
    )
    return rows(sql, state, state, player, player, most)


class LetterShown(shapes.Shape):
    """An email and its state."""

    id: str = shapes.ident("The id of the letter; its Message-ID begins with it.", "e5v5ha7w7ni7jp3c5aux")
    kind: str = shapes.text("What it is about: turn, reminder, over, understood and others.", "turn")
    match: str | None = shapes.ident("The match it is about.")
    seat: int | None = shapes.number("Your seat there.", 0, most=98)
    subject: str = shapes.text("Its subject.", "Your turn: Keltis with Brendan", most=1000)
    state: str = shapes.choice(tuple(STATES), "; ".join((f"`{state}`: {told}" for state, told in STATES.items())) + ".")
    created_at: int = shapes.timestamp("When it was written.")
    accepted_at: int | None = shapes.timestamp("When a mail server took it.")
    answered_at: int | None = shapes.timestamp("When it was answered.")
    bounced_at: int | None = shapes.timestamp("When it came back.")
    why: str = shapes.text("Why it waits or came back, as the mail server said it.", "", most=500)


def list_before(player: str, before: tuple[Any, ...] | None, most: int) -> list[LetterShown]:
    """Return a player's letters, newest first, from before this moment and id; those of the newest page for None."""
    moment, id_ = before or (2**53, "")
    found = rows(SELECT_BEFORE, player, moment, moment, id_, most)
    return [LetterShown(**dict(zip(LISTED_COLUMNS, row, strict=True))) for row in found]


def list_since(since: int) -> Iterator[dict[str, object]]:
    """Yield every email written since then, latest first, without its address."""
    names = ("id", "created_at", "state", "kind", "match", "seat", "why")
    sql = f"select {', '.join(names)} from letter where created_at >= ? order by created_at desc, id"  # noqa: S608  # our own
    return (dict(zip(names, row, strict=True)) for row in rows(sql, since))
