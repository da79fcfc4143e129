"""Programs: players that are no people, each with an owner whom everybody sees."""

from __future__ import annotations

from typing import Any

from service.accounts import bot_accounts as programs
from service.db.connection import writing
from service.web import auth, idempotency
from service.web.api.players import shown
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.credentials import MADE
from service.web.schemas.fields import Inside, Many, Shown, Strict, Text
from service.web.schemas.players import PLAYER, Name, PlayerShown

blueprint = Blueprint(
    "programs", __name__, url_prefix="/v1/me/programs", description="Programs that play, and for which you answer."
)
PROGRAM: dict[str, Any] = {**PLAYER, "id": "b5n9k3x7w2m6q4tz", "name": "Aoife's engine", "owner": PLAYER["id"]}
WITH_TOKEN: dict[str, Any] = {"player": PROGRAM, "token": MADE["token"]}


class NewProgram(Strict):
    """A program to be made."""

    name: Any = Name(required=True, about="What it is called: 1 to 60 characters.", example=PROGRAM["name"])


class NewProgramToken(Strict):
    """A token to be made."""

    name: Any = Name(load_default="token", about="A name by which you will know it.", example="server")


class ProgramMade(Shown):
    """A program and its token."""

    player: Any = Inside(PlayerShown(), required=True, about="The program, a player like any other.")
    token: Any = Text(required=True, about="Its token: keep it, it is not shown again.", example=MADE["token"])


class ProgramToken(Shown):
    """A token of a program, shown this once."""

    token: Any = Text(required=True, about="The token: keep it, it is not shown again.", example=MADE["token"])


class ProgramList(Shown):
    """Your programs."""

    items: Any = Many(Inside(PlayerShown(), about="A program."), required=True, about="Oldest first; at most ten.")


@blueprint.route("", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(NewProgram(), example={"name": PROGRAM["name"]})
@blueprint.response(201, ProgramMade(), example=WITH_TOKEN)
@blueprint.problems("limit-reached")
def create(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Make a program that plays.

    It has no address and gets no letters; its profile names you as its owner. With its own token it adds a key
    (`POST /v1/me/keys`) and a hook (`POST /v1/hooks` with `turn.ready` and `include: ["view"]`), joins matches, and
    answers each `turn.ready` with `POST /v1/matches/{match}/moves`. If it fails, its clock decides as for anybody.
    """
    with writing():
        made, token = programs.create(auth.current().player, body["name"])
    return {"player": shown(made), "token": token.text}, 201, {"Location": f"/v1/players/{made.id}"}


@blueprint.route("")
@auth.needs("read")
@blueprint.response(200, ProgramList(), example={"items": [PROGRAM]})
def listed() -> Any:  # noqa: ANN401
    """List your programs.

    A program is erased with its own token, by `DELETE /v1/me`.
    """
    return {"items": [shown(each) for each in programs.listed(auth.current().player)]}


@blueprint.route("/<id:program>/tokens", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(NewProgramToken(), example={"name": "server"})
@blueprint.response(201, ProgramToken(), example={"token": MADE["token"]})
@blueprint.problems("limit-reached")
def token(body: dict[str, Any], program: str) -> Any:  # noqa: ANN401
    """Make another token for a program.

    For when the first one is lost; the program revokes those it does not need.
    """
    with writing():
        made = programs.token(auth.current().player, program, body["name"])
    return {"token": made.text}, 201, {}
