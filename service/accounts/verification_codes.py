"""Codes and links sent by letter, to be given back once; only hashes are kept."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from service import ids
from service.db.connection import execute, rows, write_transaction
from service.problems import Problem
from service.timestamps import DAY

MOST_TRIES = 5
INSERT = (
    "insert into code (id, purpose, player, address, hash, payload, tries, created_at, until) "
    "values (?, ?, ?, ?, ?, ?, 0, ?, ?)"
)
COUNT_TRY = "update code set tries = tries + 1 where id = ? and used_at is null and until >= ? and tries < ?"


class VerificationCode(NamedTuple):
    """A row of the table."""

    purpose: str
    player: str | None
    address: str
    hash: str
    payload: str
    tries: int
    until: int
    used_at: int | None


def store(purpose: str, secret: str, at: int, until: int, *, player: str | None, address: str, payload: str) -> str:
    """Keep a code, inside a transaction; the answer is its id."""
    execute("delete from code where until < ?", at - DAY)
    made = ids.new_id()
    execute(INSERT, made, purpose, player, address, hash_secret(made, secret), payload, at, until)
    return made


def hash_secret(code: str, secret: str) -> str:
    """What is kept of a secret."""
    return sha256(f"{code}\n{secret}".encode()).hexdigest()


def find(code: str, purpose: str) -> VerificationCode | None:
    """The code with this id."""
    sql = "select purpose, player, address, hash, payload, tries, until, used_at from code where id = ? and purpose = ?"
    found = rows(sql, code, purpose)
    return VerificationCode(*found[0]) if found else None


def is_right_secret(code: str, known: VerificationCode, secret: str) -> bool:
    """Whether this is the secret that was sent."""
    return hmac.compare_digest(known.hash, hash_secret(code, secret))


def check_attempt(code: str, purpose: str, secret: str, at: int) -> VerificationCode:
    """The code, if the secret is right; each try counts, right or wrong, and is kept even when it fails."""
    known = find(code, purpose)
    if known is None:
        raise Problem("not-found", "There is no such code; ask for a new one.")
    with write_transaction():
        counted = execute(COUNT_TRY, code, at, MOST_TRIES)
    if not counted:
        raise Problem("gone", "This code was used, has expired, or was tried five times; ask for a new one.")
    if known.player is None or not is_right_secret(code, known, secret):
        left = max(0, MOST_TRIES - known.tries - 1)
        raise Problem(
            "invalid",
            f"That is not the code in the letter; {left} tries are left.",
            errors=[{"field": "code", "reason": "not the code in the letter"}],
            tries_left=left,
        )
    return known


def mark_used(code: str, at: int, player: str) -> None:
    """Mark a code as used, inside a transaction; it can be used once."""
    changed: Any = execute("update code set used_at = ?, player = ? where id = ? and used_at is null", at, player, code)
    if changed != 1:
        raise Problem("gone", "This code was used already; ask for a new one.")


@dataclass(frozen=True)
class CodeRequest:
    """What everybody is told who asks for a letter, known here or not."""

    id: str
    until: int
