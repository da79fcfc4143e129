"""Fewer letters with one click: a link in each letter that stops letters of its scope, and nothing else."""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass

from service.config import Config
from service.db import server_secrets
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import SeatRow
from service.matches import erasure

TOKEN_FORM = re.compile(r"([a-z2-7]{20})([a-z2-7]{16})")


@dataclass(frozen=True)
class UnsubscribeTarget:
    """What a link can stop."""

    letter: str
    scope: str
    address: str
    player: str | None
    match: str | None
    language: str
    title: str
    name: str
    """Whose letters they are, if they have an account."""


def token(letter: str) -> str:
    """What stands in the link of this letter."""
    return letter + _sign(letter)


def _sign(letter: str) -> str:
    return server_secrets.sign_link("stopping", letter)


def url(letter: str, config: Config) -> str:
    """The link of this letter."""
    return f"{config.url}/u/{token(letter)}"


def find(text: str) -> UnsubscribeTarget | None:
    """What this link stops; nothing if we never made it."""
    found = TOKEN_FORM.fullmatch(text)
    if found is None or not hmac.compare_digest(found[2], _sign(found[1])):
        return None
    known = rows(
        "select l.address, l.player, l.match, l.seat, p.language, m.game, m.title, p.name from letter l "
        "left join player p on p.id = l.player left join match m on m.id = l.match where l.id = ?",
        found[1],
    )
    if not known:
        return None
    address, player, match, seat, language, game, title, name = known[0]
    scope = "address" if player is None else "match" if match is not None and seat is not None else "all"
    shown = title or game or ""
    return UnsubscribeTarget(found[1], scope, address, player, match, language or "en", shown, name or "")


def stop_letters(what: UnsubscribeTarget, scope: str | None = None) -> None:
    """Send no more letters of this scope, or of the scope of the letter itself."""
    scope = scope or what.scope
    with write_transaction():
        if scope == "match" and what.match is not None:
            seat = (SeatRow.match == what.match) & (SeatRow.player == what.player)
            SeatRow.update(letters="none").where(seat).execute()
        elif what.player is not None:
            PlayerRow.update(letters="none").where(PlayerRow.id == what.player).execute()
        elif what.address:
            erasure.decline_for_good(what.address)


def resume_letters(what: UnsubscribeTarget) -> None:
    """Send letters again as before."""
    with write_transaction():
        seat = (SeatRow.match == what.match) & (SeatRow.player == what.player) & (SeatRow.letters == "none")
        SeatRow.update(letters=None).where(seat).execute()
        player = (PlayerRow.id == what.player) & (PlayerRow.letters == "none")
        PlayerRow.update(letters="turn").where(player).execute()
