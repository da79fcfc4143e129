"""Tokens: asked for by letter, shown once, kept as a hash."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256

from service import ids as chosen
from service.accounts import bounces
from service.accounts import email_address as addresses
from service.accounts import verification_codes as codes
from service.accounts.players import Asked
from service.accounts.verification_codes import MINUTE
from service.db.connection import rows, run, writing
from service.db.models import Token
from service.jobs import outbox as jobs
from service.problems import Problem
from service.timestamps import now

GOOD = 10 * MINUTE
CODES_AN_HOUR = 5
MOST = 50


@dataclass(frozen=True)
class Made:
    """A new token with the one text that is ever shown of it."""

    token: Token
    text: str


def ask(address: str) -> Asked:
    """Send a code to the address if it has an account; the answer and its time are the same if it has none."""
    at, code, mark = now(), chosen.digits(), addresses.mark(address)
    with writing():
        known = rows("select id from player where address = ? and confirmed_at is not null", address)
        ((recent,),) = rows(
            "select count(*) from code where address = ? and purpose = 'token' and created_at > ?",
            mark,
            at - 60 * MINUTE,
        )
        player = known[0][0] if known and recent < CODES_AN_HOUR else None
        made = codes.write("token", code, at, at + GOOD, player=player, address=mark, payload="{}")
        letter = {"kind": "code", "player": player, "code": code, "request": made, "minutes": GOOD // MINUTE}
        jobs.add("letter", f"code:{made}", letter if player else {}, done=player is None)
    return Asked(made, at + GOOD)


def exchange(request: str, code: str, name: str, scopes: Collection[str]) -> Made:
    """The token for a code from a letter."""
    at = now()
    known = codes.attempt(request, "token", code, at)
    if known.player is None:
        raise Problem("gone", "This code belongs to nobody.")
    with writing():
        codes.use(request, at, known.player)
        bounces.heard(known.player)
        return make(known.player, name, scopes)


def make(player: str, name: str, scopes: Collection[str]) -> Made:
    """A new token of this player, inside a transaction."""
    ((count,),) = rows("select count(*) from token where player = ? and revoked_at is null", player)
    if count >= MOST:
        raise Problem("limit-reached", f"You have {count} tokens, which is the most; revoke one you do not use.")
    secret = secrets.token_urlsafe(32)
    token = Token.create(
        id=chosen.name(),
        player=player,
        name=name,
        hash=sha256(secret.encode()).hexdigest(),
        scopes=",".join(sorted(set(scopes))),
        created_at=now(),
    )
    return Made(token, f"echtra_{token.id}_{secret}")


def revoke(player: str, token: str) -> None:
    """Make a token worthless from now on."""
    with writing():
        sql = "update token set revoked_at = ? where id = ? and player = ? and revoked_at is null"
        changed = run(sql, now(), token, player)
    if not changed:
        raise Problem("not-found", "You have no such token.")
