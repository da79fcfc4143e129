"""Fewer letters with one click: a link in each letter that stops letters of its scope, and nothing else."""

from __future__ import annotations

import base64
import hmac
import re
from dataclasses import dataclass

from service.accounts import cold_mail_quota as unasked
from service.accounts import email_address as address
from service.config import Config
from service.db import server_secrets as secret
from service.db.connection import rows, run, writing
from service.timestamps import now

FORM = re.compile(r"([a-z2-7]{20})([a-z2-7]{16})")
SCOPES = ("match", "all", "address")


@dataclass(frozen=True)
class Stop:
    """What a link can stop."""

    letter: str
    scope: str
    address: str
    player: str | None
    match: str | None
    language: str
    title: str


def token(letter: str) -> str:
    """What stands in the link of this letter."""
    return letter + _mac(letter)


def _mac(letter: str) -> str:
    digest = hmac.new(secret.of("stopping"), letter.encode(), "sha256").digest()
    return base64.b32encode(digest).decode().lower()[:16]


def url(letter: str, config: Config) -> str:
    """The link of this letter."""
    return f"{config.url}/u/{token(letter)}"


def find(text: str) -> Stop | None:
    """What this link stops; nothing if we never made it."""
    found = FORM.fullmatch(text)
    if found is None or not hmac.compare_digest(found[2], _mac(found[1])):
        return None
    known = rows(
        "select l.address, l.player, l.match, l.seat, p.language, m.game, m.title from letter l "
        "left join player p on p.id = l.player left join match m on m.id = l.match where l.id = ?",
        found[1],
    )
    if not known:
        return None
    address, player, match, seat, language, game, title = known[0]
    scope = "address" if player is None else "match" if match is not None and seat is not None else "all"
    return Stop(found[1], scope, address, player, match, language or "en", title or game or "")


def stop(what: Stop, scope: str | None = None) -> None:
    """Send no more letters of this scope, or of the scope of the letter itself."""
    scope = scope or what.scope
    with writing():
        if scope == "match" and what.match is not None:
            run("update seat set letters = 'none' where match = ? and player = ?", what.match, what.player)
        elif what.player is not None:
            run("update player set letters = 'none' where id = ?", what.player)
        elif what.address:
            close(what.address)


def close(to: str) -> None:
    """Use up all letters that an address may get unasked."""
    sql = "insert into unasked (address, at) values (?, ?) on conflict (address, at) do nothing"
    for number in range(unasked.IN_ALL):
        run(sql, address.mark(to), now() + number)


def resume(what: Stop) -> None:
    """Take it back: letters come as before."""
    with writing():
        run(
            "update seat set letters = null where match = ? and player = ? and letters = 'none'",
            what.match,
            what.player,
        )
        run("update player set letters = 'turn' where id = ? and letters = 'none'", what.player)
