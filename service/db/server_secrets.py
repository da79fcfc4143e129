"""Secrets of the service: made at their first use, kept in the database."""

from __future__ import annotations

import secrets

from service.db.connection import execute, rows, write_transaction

_known: dict[str, bytes] = {}


def get_secret(name: str) -> bytes:
    """The secret with this name, 32 bytes."""
    if name not in _known:
        with write_transaction():
            execute(
                "insert into secret (name, value) values (?, ?) on conflict (name) do nothing",
                name,
                secrets.token_hex(32),
            )
        _known[name] = bytes.fromhex(rows("select value from secret where name = ?", name)[0][0])
    return _known[name]


def clear_cache() -> None:
    """Read them again at their next use."""
    _known.clear()
