"""Reply addresses: each belongs to a seat's question or to another action that waits. Only hashes are stored."""

from __future__ import annotations

import base64
import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from service.db import server_secrets
from service.db.connection import execute
from service.db.models.mail import ReplyAddressRow
from service.timestamps import DAY, now

LIFETIME = 90 * DAY
KINDS = tuple("turn digest invitation seated confirm bounce list begin sure command link".split())
LOCAL_PART = re.compile(r"play-([a-z2-7]{26})")
TOKEN_BYTES = 17
INSERT = "insert into reply (hash, match, seat, asked, player, kind, payload, letter, created_at, until) values "
HOLES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
RENEW = "on conflict (hash) do update set until = excluded.until"


@dataclass(frozen=True)
class ReplyAddress:
    """A reply address as it was given out."""

    hash: str
    match: str | None
    seat: int | None
    asked: int
    player: str | None
    kind: str
    payload: Mapping[str, Any]
    """A digest `{"tables": {"A": {"match": …, "seat": …, "asked": …}}}`, an invitation `{"invitation": id}`, a
    confirmation `{"code": text}`, a seat `{"match": id, "seat": number}`, a list of open matches `{"matches": [ids]}`,
    the email that says how to begin `{"address": text}`, a command that nobody vouched for `{"verb": …, "rest": …}`,
    the question whether somebody is sure `{"verb": …, "waiting": id}`, a link `{"kind": …, "payload": …}` of the
    address that it replaces; all others are empty."""
    letter: str | None
    in_link: bool = False
    """True if it is used in links: whoever gets a forwarded email has it too, so it proves nothing."""


def draw() -> str:
    """Draw the local part of a new address. It is valid once an address with its hash is inserted."""
    return "play-" + base64.b32encode(secrets.token_bytes(TOKEN_BYTES)).decode().lower()[:26]


def insert(addresses: Sequence[ReplyAddress]) -> None:
    """Store new addresses by one statement, or renew those that are there. Call inside a transaction."""
    at, values = now(), list[Any]()
    for new in addresses:
        if new.kind not in KINDS:
            raise KeyError(f"{new.kind} is not a kind of reply; choose from {', '.join(KINDS)}")
        payload = json.dumps(new.payload, ensure_ascii=False)
        values += [new.hash, new.match, new.seat, new.asked, new.player, new.kind, payload, new.letter]
        values += [at, at + LIFETIME]
    execute(f"{INSERT}{', '.join([HOLES] * len(addresses))} {RENEW}", *values)


def keep_turn_address(match: str, seat: int, asked: int, player: str) -> str:
    """Return the local part of a question's address for the page of its player. Call inside a transaction.

    It is derived from the question, so that each visit of the page finds the same one.
    """
    local = "play-" + server_secrets.sign_link("reply", f"{match} {seat} {asked} {player}", 26)
    if find(local) is None:
        insert([ReplyAddress(hash_address(local), match, seat, asked, player, "turn", {}, None)])
    return local


def hash_address(local: str) -> str:
    """Return the hash by which an address is stored."""
    return sha256(local.lower().encode()).hexdigest()


def has_reply_form(local: str) -> bool:
    """Return True if this has the form of a reply address, in upper or lower case."""
    return LOCAL_PART.fullmatch(local.lower()) is not None


def find(local: str) -> ReplyAddress | None:
    """Return a reply address by its local part; None if it was never given out, or has expired."""
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
    """Delete expired addresses. Return how many."""
    count: int = ReplyAddressRow.delete().where(ReplyAddressRow.until < at).execute()
    return count
