"""Bodies for invitations to tournaments."""

from __future__ import annotations

from service import shapes
from service.matches.match_shapes import PersonShown


class TournamentInvitationShown(shapes.Shape):
    """An invitation to a tournament."""

    id: str = shapes.ident("Its id.")
    tournament: str = shapes.ident("To which tournament.", shapes.TOURNAMENT_ID)
    player: str | None = shapes.ident("Who is invited, by id.")
    address: str | None = shapes.text("Or by address.", most=254)
    by: PersonShown = shapes.part("Who invites.")
    at: int = shapes.timestamp("The time since when.")
