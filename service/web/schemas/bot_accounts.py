"""Bodies of programs: players that are no people, and their tokens."""

from __future__ import annotations

from typing import Any

from service.web.schemas.credentials import NEW_TOKEN_EXAMPLE
from service.web.schemas.fields import ListField, NestedField, RequestSchema, ResponseSchema, TextField
from service.web.schemas.players import PLAYER_EXAMPLE, NameField, PlayerNameField, PlayerShownSchema

PROGRAM_EXAMPLE: dict[str, Any] = {
    **PLAYER_EXAMPLE,
    "id": "b5n9k3x7w2m6q4tz",
    "name": "Aoife's engine",
    "owner": PLAYER_EXAMPLE["id"],
}
NEW_PROGRAM_EXAMPLE: dict[str, Any] = {"player": PROGRAM_EXAMPLE, "token": NEW_TOKEN_EXAMPLE["token"]}


class NewProgramSchema(RequestSchema):
    """A program to be made."""

    name: Any = PlayerNameField(
        required=True, about="What it is called: 1 to 60 characters.", example=PROGRAM_EXAMPLE["name"]
    )


class NewProgramTokenSchema(RequestSchema):
    """A token to be made."""

    name: Any = NameField(load_default="token", about="A name by which you will know it.", example="server")


class ProgramMadeSchema(ResponseSchema):
    """A program and its token."""

    player: Any = NestedField(PlayerShownSchema(), required=True, about="The program, a player like any other.")
    token: Any = TextField(
        required=True, about="Its token: keep it, it is not shown again.", example=NEW_TOKEN_EXAMPLE["token"]
    )


class ProgramTokenSchema(ResponseSchema):
    """A token of a program, shown this once."""

    token: Any = TextField(
        required=True, about="The token: keep it, it is not shown again.", example=NEW_TOKEN_EXAMPLE["token"]
    )


class ProgramPageSchema(ResponseSchema):
    """Your programs."""

    items: Any = ListField(
        NestedField(PlayerShownSchema(), about="A program."), required=True, about="Oldest first; at most ten."
    )
