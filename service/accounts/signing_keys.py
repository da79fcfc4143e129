"""A player's own keys: adding, listing and revoking them."""

from __future__ import annotations

from service.accounts import players
from service.db.connection import write_transaction
from service.db.models.accounts import SigningKeyRow
from service.i18n.catalogue import msg
from service.jobs import outbox
from service.problems import Problem
from service.record.keys import PublicKey
from service.timestamps import now

MOST = 20


def add(player: str, key: PublicKey, label: str) -> tuple[SigningKeyRow, bool]:
    """The key as it is kept, and whether it is new; inside a transaction."""
    players.lock(player)
    known = SigningKeyRow.get_or_none((SigningKeyRow.player == player) & (SigningKeyRow.id == key.id))
    if known is not None:
        if known.revoked_at is not None:
            raise Problem("conflict", msg("accounts.key_was_revoked"))
        return known, False
    good = (SigningKeyRow.player == player) & SigningKeyRow.revoked_at.is_null()
    count = SigningKeyRow.select().where(good).count()
    if count >= MOST:
        raise Problem("limit-reached", msg("accounts.too_many_keys", count=count))
    return SigningKeyRow.create(player=player, id=key.id, x=key.x, label=label, created_at=now()), True


def find(player: str, key: str) -> SigningKeyRow:
    """One key of this player."""
    found = SigningKeyRow.get_or_none((SigningKeyRow.player == player) & (SigningKeyRow.id == key))
    if found is None:
        raise Problem("not-found", msg("accounts.no_such_key"))
    return found


def revoke(player: str, key: str) -> None:
    """Let a key sign nothing new from now on; the job it writes takes the key off the seats that have it."""
    good = (SigningKeyRow.player == player) & (SigningKeyRow.id == key) & SigningKeyRow.revoked_at.is_null()
    with write_transaction():
        changed = SigningKeyRow.update(revoked_at=now()).where(good).execute()
        if changed:
            outbox.add("revoke", f"revoke:{player}:{key}", {"player": player, "key": key})
    if not changed:
        raise Problem("not-found", msg("accounts.no_key_to_revoke"))


_public_keys: dict[str, PublicKey] = {}


def public_key(player: str, key: str) -> PublicKey:
    """The public key with this id; an id is the hash of its key, so it can be remembered for ever."""
    if key not in _public_keys:
        found = SigningKeyRow.get_or_none((SigningKeyRow.player == player) & (SigningKeyRow.id == key))
        if found is None:
            raise Problem("not-your-key", msg("accounts.not_your_key", key=key))
        _public_keys[key] = PublicKey(found.x)
    return _public_keys[key]
