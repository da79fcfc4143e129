"""Codes and links that are sent by email and used once. Only keyed hashes are stored.

A plain hash of six digits would be reversed in no time. The key is a server secret, encrypted if a secret key is set.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass

from service import ids
from service.db import server_secrets
from service.db.connection import write_transaction
from service.db.models.accounts import CodeRow
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import DAY

MOST_TRIES = 5


def store(
    purpose: str,
    secret: str,
    at: int,
    until: int,
    *,
    player: str | None,
    address: str,
    payload: str,
    shared: CodeRow | None = None,
) -> str:
    """Store a code inside a transaction. Return its id.

    With `shared` the secret is the one that was sent with another code, which the payload names as its `letter`.
    """
    CodeRow.delete().where(CodeRow.until < at - DAY).execute()
    code = ids.new_id()
    CodeRow.create(
        id=code,
        purpose=purpose,
        player=player,
        address=address,
        hash=shared.hash if shared else hash_secret(code, secret),
        payload=payload,
        tries=0,
        created_at=at,
        until=until,
    )
    return code


def hash_secret(code: str, secret: str) -> str:
    """Return the stored HMAC of a secret."""
    return hmac.digest(server_secrets.get_secret("code"), f"{code}\n{secret}".encode(), "sha256").hex()


def find(code: str, *purposes: str) -> CodeRow | None:
    """Return the code with this id and one of these purposes."""
    return CodeRow.get_or_none((CodeRow.id == code) & CodeRow.purpose.in_(purposes))


def letter_of(code: CodeRow) -> str:
    """Return the id of the code whose email contained this code's secret: another code's, or its own."""
    return str(json.loads(code.payload).get("letter", code.id))


def is_right_secret(code: CodeRow, secret: str) -> bool:
    """Return True if this is the secret that was sent with the code."""
    return hmac.compare_digest(code.hash, hash_secret(letter_of(code), secret))


def check_attempt(code: str, purposes: Sequence[str], secret: str, at: int, *, newcomers: bool = False) -> CodeRow:
    """Return the code if the secret is right. A wrong secret uses up a try, although the call raises.

    Codes sent to someone without an account are accepted only with `newcomers`.
    """
    known = find(code, *purposes)
    if known is None:
        raise Problem("not-found", msg("accounts.no_such_code"))
    right = is_right_secret(known, secret) and (newcomers or known.player is not None)
    open_ = (CodeRow.id == code) & CodeRow.used_at.is_null() & (CodeRow.until >= at) & (CodeRow.tries < MOST_TRIES)
    with write_transaction():
        counted = CodeRow.update(tries=CodeRow.tries + (0 if right else 1)).where(open_).execute()
    if not counted:
        raise Problem("gone", msg("accounts.code_is_spent"))
    if not right:
        left = max(0, MOST_TRIES - known.tries - 1)
        raise Problem(
            "invalid",
            msg("accounts.wrong_code", count=left),
            errors=[{"field": "code", "reason": "not the code in the letter"}],
            tries_left=left,
        )
    return known


def mark_used(code: str, at: int, player: str | None) -> None:
    """Mark a code as used, inside a transaction. It can be used only once."""
    unused = (CodeRow.id == code) & CodeRow.used_at.is_null()
    if CodeRow.update(used_at=at, player=player).where(unused).execute() != 1:
        raise Problem("gone", msg("accounts.code_was_used"))


@dataclass(frozen=True)
class CodeRequest:
    """Answer to a request for a code, the same whether or not we know the address."""

    id: str
    until: int
