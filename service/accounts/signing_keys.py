"""A player's own keys: adding, listing and revoking them."""

from __future__ import annotations

from functools import lru_cache

from peewee import Expression

from service.accounts import players, tokens
from service.accounts.job_payloads import RemoveRevokedKey
from service.db.connection import write_transaction
from service.db.models.accounts import SigningKeyRow, TokenRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.problems import Problem
from service.record.keys import PublicKey
from service.timestamps import now

MOST = 20


def add(player: str, key: PublicKey, label: str, token: str | None = None) -> tuple[SigningKeyRow, bool]:
    """Store a key inside a transaction. Return its row, and whether it is new.

    With a token the key may play at seats of running matches. It replaces the key that this token enrolled before.
    """
    players.lock(player)
    known = SigningKeyRow.get_or_none((SigningKeyRow.player == player) & (SigningKeyRow.id == key.id))
    if known is not None and known.revoked_at is not None:
        raise Problem("conflict", msg("accounts.key_was_revoked"))
    if token is not None:
        _replace_key_of_token(player, token, key.id)
    if known is not None:
        if token is not None:
            device = {"seats": True, "token": token, "replaced_at": None}
            SigningKeyRow.update(**device).where(is_key(player, key.id)).execute()
        return find(player, key.id), False
    count = SigningKeyRow.select().where(keys_in_use(player)).count()
    if count >= MOST:
        raise Problem("limit-reached", msg("accounts.too_many_keys", count=count))
    made = SigningKeyRow.create(
        player=player, id=key.id, x=key.x, label=label, created_at=now(), seats=token is not None, token=token
    )
    return made, True


def _replace_key_of_token(player: str, token: str, key: str) -> None:
    """Stop using the other keys of this token, and of expired or revoked tokens, for new seats."""
    others = keys_in_use(player) & SigningKeyRow.seats & (SigningKeyRow.id != key)
    good = TokenRow.select(TokenRow.id).where(tokens.good_tokens(player) & (TokenRow.id != token))
    SigningKeyRow.update(replaced_at=now()).where(others & SigningKeyRow.token.not_in(good)).execute()


def keys_in_use(*players: str) -> Expression:
    """Return the condition for keys of these players that are neither revoked nor replaced."""
    own = SigningKeyRow.player.in_(players)
    return own & SigningKeyRow.revoked_at.is_null() & SigningKeyRow.replaced_at.is_null()


def is_key(player: str, key: str) -> Expression:
    """Return the condition for one key of this player."""
    return (SigningKeyRow.player == player) & (SigningKeyRow.id == key)


def find_in_use(player: str, key: str) -> SigningKeyRow:
    """Return a key of this player that is neither revoked nor replaced."""
    found = SigningKeyRow.get_or_none(keys_in_use(player) & (SigningKeyRow.id == key))
    if found is None:
        raise Problem("not-found", msg("accounts.no_such_key"))
    return found


def find_device_key(player: str, key: str) -> SigningKeyRow | None:
    """Return a key that may play at seats taken before it was added, replaced or not: its orders may still wait."""
    found: SigningKeyRow | None = SigningKeyRow.get_or_none(
        is_key(player, key) & SigningKeyRow.revoked_at.is_null() & SigningKeyRow.seats
    )
    return found


def find(player: str, key: str) -> SigningKeyRow:
    """Return one key of this player."""
    found = SigningKeyRow.get_or_none((SigningKeyRow.player == player) & (SigningKeyRow.id == key))
    if found is None:
        raise Problem("not-found", msg("accounts.no_such_key"))
    return found


def revoke(player: str, key: str) -> None:
    """Refuse new signatures of a key from now on. The job that it queues removes the key from its seats."""
    good = (SigningKeyRow.player == player) & (SigningKeyRow.id == key) & SigningKeyRow.revoked_at.is_null()
    with write_transaction():
        changed = SigningKeyRow.update(revoked_at=now()).where(good).execute()
        if changed:
            queue.add(RemoveRevokedKey(player=player, key=key), f"revoke:{player}:{key}")
    if not changed:
        raise Problem("not-found", msg("accounts.no_key_to_revoke"))


MOST_CACHED_KEYS = 4096


def find_public_key(player: str, key: str) -> PublicKey | None:
    """Return the public key with this id, revoked or not; None if the player has no such key."""
    try:
        return _read_public_key(player, key)
    except LookupError:
        return None


@lru_cache(maxsize=MOST_CACHED_KEYS)
def _read_public_key(player: str, key: str) -> PublicKey:
    """Return a public key. It is cached for ever, because its id is its hash; a missing key may still be added."""
    row = SigningKeyRow.get_or_none(is_key(player, key))
    if row is None:
        raise LookupError(key)
    return PublicKey(row.x)
