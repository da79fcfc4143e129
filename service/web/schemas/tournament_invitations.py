"""What invitations to tournaments take and show."""

from __future__ import annotations

from service import shapes
from service.matches.match_shapes import PersonShown
from service.web.schemas.players import address


class TournamentInviteBody(shapes.Body):
    """Whom to invite to a tournament."""

    player: str | None = shapes.ident("A player, by id.", default=None)
    address: str | None = address("Or somebody by mail address, with an account or not.", default=None)

    def __post_init__(self) -> None:
        if (self.player is None) == (self.address is None):
            raise shapes.BadShape("Give either a player or an address.", "player")


class TournamentInvitationShown(shapes.Shape):
    """An invitation to a tournament."""

    id: str = shapes.ident("Its id.")
    tournament: str = shapes.ident("To which tournament.", shapes.TOURNAMENT_ID)
    player: str | None = shapes.ident("Who is invited, by id.")
    address: str | None = shapes.text("Or by address.", most=254)
    by: PersonShown = shapes.part("Who invites.")
    at: int = shapes.timestamp("Since when.")
