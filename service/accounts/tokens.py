"""Tokens: asked for by letter, shown once, kept as a hash."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256

from service import ids
from service.accounts import bounces, login_codes
from service.db.connection import write_transaction
from service.db.models.accounts import TokenRow
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import now

MOST = 50


@dataclass(frozen=True)
class IssuedToken:
    """A new token with the one text that is ever shown of it."""

    token: TokenRow
    text: str


def exchange_code(request: str, code: str, name: str, scopes: Collection[str]) -> IssuedToken:
    """The token for a code from a letter."""
    at = now()
    known, player = login_codes.check_code(request, code, at)
    with write_transaction():
        login_codes.mark_used(known, at, player)
        bounces.clear_bounces(player)
        return issue(player, name, scopes)


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
