"""Bodies for invitations."""

from __future__ import annotations

from service import shapes
from service.web.schemas.players import address


class TournamentInviteBody(shapes.Body):
    """The guest of a tournament."""

    player: str | None = shapes.ident("A player, by id.", default=None)
    address: str | None = address("Or anybody by email address, with or without an account.", default=None)

    def __post_init__(self) -> None:
        if (self.player is None) == (self.address is None):
            raise shapes.BadShape("Give either a player or an address.", "player")


class InviteBody(TournamentInviteBody):
    """The guest of a match."""

    seat: int | None = shapes.seat("The seat offered; any if omitted.", default=None)
