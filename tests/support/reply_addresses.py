"""Reply addresses that no email has contained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.mail import reply_addresses
from service.mail.reply_addresses import ReplyAddress


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
    """Store a new address, inside a transaction. Return its local part."""
    local = reply_addresses.draw()
    new = ReplyAddress(reply_addresses.hash_address(local), match, seat, asked, player, kind, payload, letter)
    reply_addresses.insert([new])
    return local
