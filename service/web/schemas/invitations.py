"""What invitations take and show."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from service.web.schemas.fields import Id, Inside, Many, Shown, Strict, Text, When
from service.web.schemas.matches import AT, MATCH, PLAYER, PersonShown, seat_field
from service.web.schemas.players import Address

INVITATION: dict[str, Any] = {
    "id": "v4k8t3w6zpm7q2x9",
    "match": MATCH,
    "player": PLAYER,
    "address": None,
    "seat": None,
    "by": {"id": PLAYER, "name": "Aoife"},
    "at": AT,
    "answer": None,
}


class GuestAddress(Address):
    """The address of somebody else."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401
        super().__init__(**more)
        self.metadata = {**self.metadata, "description": "Or somebody by mail address, with an account or not."}


class InviteBody(Strict):
    """Whom to invite."""

    player = Id(load_default=None, allow_none=True, about="A player, by id.")
    address = GuestAddress(load_default=None, allow_none=True)
    seat = seat_field(load_default=None, allow_none=True, about="The seat offered; any if not given.")

    @ma.validates_schema
    def one_guest(self, data: dict[str, Any], **_: Any) -> None:  # noqa: ANN401
        """Exactly one of the two."""
        if (data.get("player") is None) == (data.get("address") is None):
            raise ma.ValidationError("Give either a player or an address.", "player")


class InvitationShown(Shown):
    """An invitation."""

    id = Id(required=True, about="Its id.")
    match = Id(required=True, about="To which match.", example=MATCH)
    player = Id(required=True, allow_none=True, about="Who is invited, by id.")
    address = Text(required=True, allow_none=True, most=254, about="Or by address.", example=None)
    seat = seat_field(required=True, allow_none=True, about="The seat offered; any if null.")
    by = Inside(PersonShown(), required=True, about="Who invites.")
    at = When(required=True, about="Since when.")
    answer = Text(required=True, allow_none=True, about="`joined`, `declined`, or null while it waits.", example=None)


class InvitationPage(Shown):
    """Invitations."""

    items = Many(Inside(InvitationShown(), about="An invitation."), required=True, about="Latest first.")
