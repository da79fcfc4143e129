"""Bot accounts: players without an address, run by another player's programs."""

from __future__ import annotations

from typing import Any

from service.accounts import players, tokens
from service.accounts.tokens import IssuedToken
from service.db.models.accounts import PlayerRow
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import now

MOST = 10
SCOPES = ("play", "read")


def create(owner: str, name: str) -> tuple[PlayerRow, IssuedToken]:
    """Create a program account of this player with its first token. Call inside a transaction."""
    mine = players.find(owner)
    if mine.owner is not None:
        raise Problem("forbidden", msg("accounts.program_owns_none"))
    if select_accounts(owner).count() >= MOST:
        raise Problem("limit-reached", msg("accounts.too_many_programs", count=MOST))
    program = players.create(name=name, language=mine.language, zone=mine.zone, at=now(), owner=owner)
    return program, tokens.issue(program.id, "first", SCOPES)


def select_accounts(owner: str) -> Any:  # noqa: ANN401  # a query of peewee
    """Select the programs of a player, oldest first."""
    mine = (PlayerRow.owner == owner) & PlayerRow.deleted_at.is_null() & ~players.is_guest()
    return PlayerRow.select().where(mine).order_by(PlayerRow.created_at, PlayerRow.id)


def require_owned(owner: str, program: str) -> None:
    """Raise Problem unless this account is a program of this player."""
    mine = (PlayerRow.id == program) & (PlayerRow.owner == owner) & PlayerRow.deleted_at.is_null()
    if not PlayerRow.select().where(mine).exists():
        raise Problem("not-found", msg("accounts.no_such_program"))


def add_token(owner: str, program: str, name: str) -> IssuedToken:
    """Add a token to a program account. Call inside a transaction."""
    require_owned(owner, program)
    return tokens.issue(program, name, SCOPES)
