"""Players' public keys, as submissions need them."""

from __future__ import annotations

from service.db.connection import rows
from service.problems import Problem
from service.record.keys import Key

_known: dict[str, Key] = {}


def known(player: str, key: str) -> Key:
    """The public key with this id; an id is the hash of its key, so it can be remembered for ever."""
    if key not in _known:
        found = rows("select x from signing_key where player = ? and id = ?", player, key)
        if not found:
            raise Problem("not-your-key", f"Key {key} is not one of yours.")
        _known[key] = Key(found[0][0])
    return _known[key]
