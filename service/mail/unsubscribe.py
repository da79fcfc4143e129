"""Unsubscribing with one click: a link in each email that stops emails of its scope."""

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

TOKEN_FORM = re.compile(r"([a-z2-7]{20})[a-z2-7]{16}")


@dataclass(frozen=True)
class UnsubscribeTarget:
    """The emails that an unsubscribe link can stop."""

    letter: str
    scope: str
    address: str
    player: str | None
    match: str | None
    language: str
    title: str
    name: str
    """The name of the player, if they have an account."""


def token(letter: str) -> str:
    """Return the token in the unsubscribe link of an email: its id and a signature."""
    return letter + server_secrets.sign_link("stopping", letter)


def url(letter: str, config: Config) -> str:
    """Return the unsubscribe link of an email."""
    return f"{config.url}/u/{token(letter)}"


def find(text: str) -> UnsubscribeTarget | None:
    """Return what a link stops, or None if its token is not ours."""
    form = TOKEN_FORM.fullmatch(text)
    if form is None or not hmac.compare_digest(text, token(form[1])):
        return None
    letters = rows(
        "select l.address, l.player, l.match, l.seat, p.language, m.game, m.title, p.name from letter l "
        "left join player p on p.id = l.player left join match m on m.id = l.match where l.id = ?",
        form[1],
    )
    if not letters:
        return None
    address, player, match, seat, language, game, title, name = letters[0]
    scope = "address" if player is None else "match" if match is not None and seat is not None else "all"
    shown = title or game or ""
    return UnsubscribeTarget(form[1], scope, address, player, match, language or "en", shown, name or "")


def stop_letters(what: UnsubscribeTarget, scope: str | None = None) -> None:
    """Stop emails of this scope, or of the scope of the email itself."""
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
    """Send emails again as before."""
    with write_transaction():
        seat = (SeatRow.match == what.match) & (SeatRow.player == what.player) & (SeatRow.letters == "none")
        SeatRow.update(letters=None).where(seat).execute()
        player = (PlayerRow.id == what.player) & (PlayerRow.letters == "none")
        PlayerRow.update(letters="turn").where(player).execute()
