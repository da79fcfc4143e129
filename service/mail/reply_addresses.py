"""Reply addresses: each stands for a seat's question, or for something else that waits; only hashes are kept."""

from __future__ import annotations

import base64
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from service.db.connection import execute
from service.db.models.mail import ReplyAddressRow
from service.timestamps import DAY, now

LIFETIME = 90 * DAY
KINDS = (
    "turn",
    "digest",
    "invitation",
    "seated",
    "confirm",
    "bounce",
    "list",
    "begin",
    "sure",
    "command",
    "link",
)
LOCAL_PART = re.compile(r"play-([a-z2-7]{26})")
TOKEN_BYTES = 17
INSERT = "insert into reply (hash, match, seat, asked, player, kind, payload, letter, created_at, until) values "
HOLES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True)
class ReplyAddress:
    """What an address was handed out for."""

    hash: str
    match: str | None
    seat: int | None
    asked: int
    player: str | None
    kind: str
    payload: dict[str, Any]
    letter: str | None
    in_link: bool = False
    """Whether it stands in links of the letter: who got a forward has it too, so it proves nothing."""


@dataclass(frozen=True)
class NewReplyAddress:
    """An address that nobody knows yet, and what it will stand for once it is written down."""

    local: str
    """What stands before its domain."""
    match: str | None
    seat: int | None
    asked: int
    player: str | None
    kind: str
    payload: Mapping[str, Any]
    letter: str | None


def draw(
    match: str | None,
    seat: int | None,
    asked: int,
    player: str | None,
    kind: str,
    payload: Mapping[str, Any],
    letter: str | None,
) -> NewReplyAddress:
    """Draw a new address, which is good once it is inserted.

    Payloads: a digest `{"tables": {"A": {"match": …, "seat": …, "asked": …}}}`, an invitation `{"invitation": id}`, a
    confirmation `{"code": text}`, a seat `{"match": id, "seat": number}`, a list of open
    matches `{"matches": [ids]}`, the letter that says how to begin `{"address": text}`, a command that nobody vouched
    for `{"verb": …, "rest": …}`, the question whether somebody is sure `{"verb": …, "waiting": id}`, a link
    `{"kind": …, "payload": …}` of the address in whose place it stands; the others are empty.
    """
    if kind not in KINDS:
        raise KeyError(f"{kind} is not a kind of reply; choose from {', '.join(KINDS)}")
    local = "play-" + base64.b32encode(secrets.token_bytes(TOKEN_BYTES)).decode().lower()[:26]
    return NewReplyAddress(local, match, seat, asked, player, kind, payload, letter)


def insert(addresses: Sequence[NewReplyAddress]) -> None:
    """Write new addresses down by one statement, inside a transaction."""
    at, values = now(), list[Any]()
    for new in addresses:
        payload = json.dumps(new.payload, ensure_ascii=False)
        values += [hash_address(new.local), new.match, new.seat, new.asked, new.player, new.kind, payload, new.letter]
        values += [at, at + LIFETIME]
    execute(INSERT + ", ".join([HOLES] * len(addresses)), *values)


def make(
    match: str | None,
    seat: int | None,
    asked: int,
    player: str | None,
    kind: str,
    payload: Mapping[str, Any],
    letter: str | None,
) -> str:
    """Draw a new address and write it down, inside a transaction; its local part."""
    new = draw(match, seat, asked, player, kind, payload, letter)
    insert([new])
    return new.local


def hash_address(local: str) -> str:
    """What is kept of an address."""
    return sha256(local.lower().encode()).hexdigest()


def has_reply_form(local: str) -> bool:
    """Whether this has the form of an address we hand out, in any case."""
    return LOCAL_PART.fullmatch(local.lower()) is not None


def find(local: str) -> ReplyAddress | None:
    """What an address stands for; nothing if we never handed it out, or too long ago."""
    if not has_reply_form(local):
        return None
    row = ReplyAddressRow.get_or_none((ReplyAddressRow.hash == hash_address(local)) & (ReplyAddressRow.until >= now()))
    if row is None:
        return None
    payload, kind, in_link = json.loads(row.payload), row.kind, row.kind == "link"
    if in_link:
        kind, payload = payload["kind"], payload["payload"]
    return ReplyAddress(row.hash, row.match, row.seat, row.asked, row.player, kind, payload, row.letter, in_link)


def delete_expired(at: int) -> int:
    """Drop the addresses whose time is over; how many."""
    count: int = ReplyAddressRow.delete().where(ReplyAddressRow.until < at).execute()
    return count
