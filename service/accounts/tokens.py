"""Tokens: asked for by letter, shown once, kept as a hash."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256

from service import ids
from service.accounts import bounces, email_address, verification_codes
from service.accounts.verification_codes import CodeRequest
from service.db.connection import write_transaction
from service.db.models.accounts import CodeRow, PlayerRow, TokenRow
from service.i18n.catalogue import msg
from service.jobs import outbox
from service.problems import Problem
from service.timestamps import HOUR, MINUTE, now

CODE_VALID_FOR = 10 * MINUTE
CODES_AN_HOUR = 5
MOST = 50


@dataclass(frozen=True)
class IssuedToken:
    """A new token with the one text that is ever shown of it."""

    token: TokenRow
    text: str


def request_code(address: str) -> CodeRequest:
    """Send a code to the address if it has an account; the answer and its time are the same if it has none."""
    at, digits, mark = now(), ids.new_digits(), email_address.keyed_hash(address)
    with write_transaction():
        # Not get_or_none(): the exception inside it takes time that would tell who has no account.
        confirmed = (PlayerRow.address == address) & PlayerRow.confirmed_at.is_null(False)
        known = PlayerRow.select(PlayerRow.id).where(confirmed).scalar()
        recent = (CodeRow.address == mark) & (CodeRow.purpose == "token") & (CodeRow.created_at > at - HOUR)
        codes = CodeRow.select().where(recent).count()
        player = known if codes < CODES_AN_HOUR else None
        request = verification_codes.store(
            "token", digits, at, at + CODE_VALID_FOR, player=player, address=mark, payload="{}"
        )
        letter = {
            "kind": "code",
            "player": player,
            "code": digits,
            "request": request,
            "minutes": CODE_VALID_FOR // MINUTE,
        }
        outbox.add("letter", f"code:{request}", letter if player else {}, done=player is None)
    return CodeRequest(request, at + CODE_VALID_FOR)


def exchange_code(request: str, code: str, name: str, scopes: Collection[str]) -> IssuedToken:
    """The token for a code from a letter."""
    at = now()
    known = verification_codes.check_attempt(request, "token", code, at)
    if known.player is None:
        raise Problem("gone", msg("accounts.code_of_nobody"))
    with write_transaction():
        verification_codes.mark_used(request, at, known.player)
        bounces.clear_bounces(known.player)
        return issue(known.player, name, scopes)


def issue(player: str, name: str, scopes: Collection[str]) -> IssuedToken:
    """A new token of this player, inside a transaction."""
    count = TokenRow.select().where((TokenRow.player == player) & TokenRow.revoked_at.is_null()).count()
    if count >= MOST:
        raise Problem("limit-reached", msg("accounts.too_many_tokens", count=count))
    secret = secrets.token_urlsafe(32)
    token = TokenRow.create(
        id=ids.new_id(),
        player=player,
        name=name,
        hash=sha256(secret.encode()).hexdigest(),
        scopes=",".join(sorted(set(scopes))),
        created_at=now(),
    )
    return IssuedToken(token, f"echtra_{token.id}_{secret}")


def revoke(player: str, token: str) -> None:
    """Make a token worthless from now on."""
    mine = (TokenRow.id == token) & (TokenRow.player == player) & TokenRow.revoked_at.is_null()
    with write_transaction():
        changed = TokenRow.update(revoked_at=now()).where(mine).execute()
    if not changed:
        raise Problem("not-found", msg("accounts.no_such_token"))
