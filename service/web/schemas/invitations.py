"""What invitations take and show."""

from __future__ import annotations

from service import shapes
from service.web.schemas.players import address


class InviteBody(shapes.Body):
    """Whom to invite."""

    player: str | None = shapes.ident("A player, by id.", default=None)
    address: str | None = address("Or somebody by mail address, with an account or not.", default=None)
    seat: int | None = shapes.seat("The seat offered; any if not given.", default=None)

    def __post_init__(self) -> None:
        if (self.player is None) == (self.address is None):
            raise shapes.BadShape("Give either a player or an address.", "player")
