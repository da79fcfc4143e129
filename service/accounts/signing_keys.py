"""A player's own keys: adding, listing and revoking them."""

from __future__ import annotations

from service.db.connection import rows, run, writing
from service.db.models import SigningKey
from service.jobs import outbox as jobs
from service.matches import key_revocation as revoking
from service.problems import Problem
from service.record.keys import Key
from service.timestamps import now

MOST = 20


def add(player: str, key: Key, label: str) -> tuple[SigningKey, bool]:
    """The key as it is kept, and whether it is new; inside a transaction."""
    run("update player set id = id where id = ?", player)
    known = SigningKey.get_or_none((SigningKey.player == player) & (SigningKey.id == key.id))
    if known is not None:
        if known.revoked_at is not None:
            raise Problem("conflict", "You revoked this key, and that is for good; make a new one.")
        return known, False
    ((count,),) = rows("select count(*) from signing_key where player = ? and revoked_at is null", player)
    if count >= MOST:
        raise Problem("limit-reached", f"You have {count} keys, which is the most; revoke one you do not use.")
    return SigningKey.create(player=player, id=key.id, x=key.x, label=label, created_at=now()), True


def of(player: str, key: str) -> SigningKey:
    """One key of this player."""
    found = SigningKey.get_or_none((SigningKey.player == player) & (SigningKey.id == key))
    if found is None:
        raise Problem("not-found", "You have no such key.")
    return found


def revoke(player: str, key: str) -> None:
    """Let a key sign nothing from now on; a job finishes what a crash may leave undone."""
    with writing():
        sql = "update signing_key set revoked_at = ? where id = ? and player = ? and revoked_at is null"
        changed = run(sql, now(), key, player)
        if changed:
            jobs.add("revoke", f"revoke:{player}:{key}", {"player": player, "key": key})
    if not changed:
        raise Problem("not-found", "You have no such key, or it is revoked already.")
    revoking.revoke(player, key)


def revoke_all(player: str) -> None:
    """Revoke every key of a player who leaves."""
    for (key,) in rows("select id from signing_key where player = ? and revoked_at is null", player):
        revoke(player, key)
