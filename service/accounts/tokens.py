"""API tokens and browser sessions: requested by email, shown once, stored as a hash."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256

from peewee import Expression, fn

from service import ids
from service.accounts import bounces, token_codes
from service.db.connection import write_transaction
from service.db.models.accounts import TokenRow
from service.i18n.catalogue import msg
from service.problems import Problem, invalid_field_problem
from service.timestamps import DAY, now

MOST = 50
SESSION_LASTS = 180 * DAY
"""How long a session stays valid after its last use."""
SESSION_RENEWED_AFTER = DAY
"""Minimum time between two updates of a session in use."""


@dataclass(frozen=True)
class IssuedToken:
    """A new token with its secret, which is shown only this once."""

    token: TokenRow
    text: str


def exchange_code(
    request: str, code: str, name: str, scopes: Collection[str], expires_at: int | None = None
) -> IssuedToken:
    """Exchange an emailed code for a token. Only such a token has the scope `account`."""
    at = now()
    if expires_at is not None and expires_at <= at:
        raise invalid_field_problem("expires_at", msg("accounts.expires_in_past"))
    known, player = token_codes.check_code(request, code, at)
    with write_transaction():
        token_codes.mark_used(known, at, player)
        bounces.clear_bounces(player)
        return issue(player, name, scopes, expires_at)


def issue_session(player: str, name: str, scopes: Collection[str]) -> IssuedToken:
    """Start a session inside a transaction. Past the limit the least recently used session ends."""
    good = TokenRow.select(TokenRow.id).where(good_tokens(player))
    if good.count() >= MOST:
        last_use = fn.COALESCE(TokenRow.used_at, TokenRow.created_at)
        oldest = good.where(TokenRow.session).order_by(last_use, TokenRow.id).limit(1)
        TokenRow.update(revoked_at=now()).where(TokenRow.id.in_(list(oldest))).execute()
    return issue(player, name, scopes, now() + SESSION_LASTS, session=True)


def renew_session(token: str) -> None:
    """Renew a session in use for its full lifetime."""
    with write_transaction():
        TokenRow.update(expires_at=now() + SESSION_LASTS).where((TokenRow.id == token) & TokenRow.session).execute()


def issue(
    player: str, name: str, scopes: Collection[str], expires_at: int | None = None, *, session: bool = False
) -> IssuedToken:
    """Create a token of this player inside a transaction."""
    count = TokenRow.select().where(good_tokens(player)).count()
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
        expires_at=expires_at,
        session=session,
    )
    return IssuedToken(token, f"echtra_{token.id}_{secret}")


def good_tokens(player: str) -> Expression:
    """Return the condition for tokens of this player that are neither revoked nor expired."""
    lasting = TokenRow.expires_at.is_null() | (TokenRow.expires_at > now())
    return (TokenRow.player == player) & TokenRow.revoked_at.is_null() & lasting


def find(token: str) -> TokenRow:
    """Return the row of a presented token."""
    found: TokenRow = TokenRow.get_by_id(token)
    return found


def revoke(player: str, token: str) -> None:
    """Revoke a token."""
    with write_transaction():
        changed = TokenRow.update(revoked_at=now()).where((TokenRow.id == token) & good_tokens(player)).execute()
    if not changed:
        raise Problem("not-found", msg("accounts.no_such_token"))
