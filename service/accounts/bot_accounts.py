"""Programs that play: players without an address, for whom another player answers."""

from __future__ import annotations

from service.accounts import players as accounts
from service.accounts import tokens
from service.accounts.tokens import Made
from service.db.models import Player
from service.problems import Problem
from service.timestamps import now

MOST = 10
SCOPES = ("play", "read")


def create(owner: str, name: str) -> tuple[Player, Made]:
    """A new program of this player with its first token, inside a transaction."""
    mine = accounts.of(owner)
    if mine.owner is not None:
        raise Problem("forbidden", "A program has no programs of its own; ask its owner.")
    count = Player.select().where((Player.owner == owner) & Player.deleted_at.is_null()).count()
    if count >= MOST:
        raise Problem("limit-reached", f"You have {MOST} programs, which is the most; erase one first.")
    made = accounts.create(name=name, language=mine.language, zone=mine.zone, at=now(), owner=owner)
    return made, tokens.make(made.id, "first", SCOPES)


def listed(owner: str) -> list[Player]:
    """The programs of a player, oldest first."""
    mine = (Player.owner == owner) & Player.deleted_at.is_null()
    return list(Player.select().where(mine).order_by(Player.created_at, Player.id))


def token(owner: str, program: str, name: str) -> Made:
    """One more token of a program, inside a transaction."""
    found = Player.get_or_none((Player.id == program) & (Player.owner == owner) & Player.deleted_at.is_null())
    if found is None:
        raise Problem("not-found", "You have no such program.")
    return tokens.make(program, name, SCOPES)
