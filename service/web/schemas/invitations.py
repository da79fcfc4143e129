"""What invitations take and show."""

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
from service.web.schemas.matches import AT, MATCH_ID, PLAYER_ID, PersonShownSchema, seat_field
from service.web.schemas.players import AddressField

INVITATION_EXAMPLE: dict[str, Any] = {
    "id": "v4k8t3w6zpm7q2x9",
    "match": MATCH_ID,
    "player": PLAYER_ID,
    "address": None,
    "seat": None,
    "by": {"id": PLAYER_ID, "name": "Aoife"},
    "at": AT,
    "answer": None,
}


class GuestAddressField(AddressField):
    """The address of somebody else."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401
        super().__init__(**more)
        self.metadata = {**self.metadata, "description": "Or somebody by mail address, with an account or not."}


class InviteBodySchema(RequestSchema):
    """Whom to invite."""

    player = IdField(load_default=None, allow_none=True, about="A player, by id.")
    address = GuestAddressField(load_default=None, allow_none=True)
    seat = seat_field(load_default=None, allow_none=True, about="The seat offered; any if not given.")

    @ma.validates_schema
    def _require_one_guest(self, data: dict[str, Any], **_: Any) -> None:  # noqa: ANN401
        """Exactly one of the two."""
        if (data.get("player") is None) == (data.get("address") is None):
            raise ma.ValidationError("Give either a player or an address.", "player")


class InvitationShownSchema(ResponseSchema):
    """An invitation."""

    id = IdField(required=True, about="Its id.")
    match = IdField(required=True, about="To which match.", example=MATCH_ID)
    player = IdField(required=True, allow_none=True, about="Who is invited, by id.")
    address = TextField(required=True, allow_none=True, most=254, about="Or by address.", example=None)
    seat = seat_field(required=True, allow_none=True, about="The seat offered; any if null.")
    by = NestedField(PersonShownSchema(), required=True, about="Who invites.")
    at = TimestampField(required=True, about="Since when.")
    answer = TextField(
        required=True, allow_none=True, about="`joined`, `declined`, or null while it waits.", example=None
    )


class InvitationPageSchema(ResponseSchema):
    """Invitations."""

    items = ListField(
        NestedField(InvitationShownSchema(), about="An invitation."), required=True, about="Latest first."
    )
