"""What invitations to tournaments take and show."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from service.web.schemas.fields import (
    IdField,
    ListField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.invitations import GuestAddressField
from service.web.schemas.matches import AT, PLAYER_ID, PersonShownSchema
from service.web.schemas.tournaments import TOURNAMENT_ID

TOURNAMENT_INVITATION_EXAMPLE: dict[str, Any] = {
    "id": "v4k8t3w6zpm7q2x9",
    "tournament": TOURNAMENT_ID,
    "player": PLAYER_ID,
    "address": None,
    "by": {"id": PLAYER_ID, "name": "Aoife"},
    "at": AT,
}


class TournamentInviteBodySchema(RequestSchema):
    """Whom to invite to a tournament."""

    player = IdField(load_default=None, allow_none=True, about="A player, by id.")
    address = GuestAddressField(load_default=None, allow_none=True)

    @ma.validates_schema
    def _require_one_guest(self, data: dict[str, Any], **_: Any) -> None:  # noqa: ANN401
        """Exactly one of the two."""
        if (data.get("player") is None) == (data.get("address") is None):
            raise ma.ValidationError("Give either a player or an address.", "player")


class TournamentInvitationShownSchema(ResponseSchema):
    """An invitation to a tournament."""

    id = IdField(required=True, about="Its id.")
    tournament = IdField(required=True, about="To which tournament.", example=TOURNAMENT_ID)
    player = IdField(required=True, allow_none=True, about="Who is invited, by id.")
    address = TextField(required=True, allow_none=True, most=254, about="Or by address.", example=None)
    by = NestedField(PersonShownSchema(), required=True, about="Who invites.")
    at = TimestampField(required=True, about="Since when.")


class TournamentInvitationPageSchema(ResponseSchema):
    """Invitations to a tournament."""

    items = ListField(
        NestedField(TournamentInvitationShownSchema(), about="An invitation."), required=True, about="Latest first."
    )
