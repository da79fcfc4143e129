"""Reply addresses that no letter has handed out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.mail import reply_addresses


def make_reply_address(
    *,
    kind: str,
    match: str | None = None,
    seat: int | None = None,
    asked: int = 0,
    player: str | None = None,
    payload: Mapping[str, Any],
    letter: str | None = None,
) -> str:
    """Store a new address, inside a transaction; its local part."""
    new = reply_addresses.draw(match, seat, asked, player, kind, payload, letter)
    reply_addresses.insert([new])
    return new.local
