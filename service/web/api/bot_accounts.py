"""Programs: players that are no people, each with an owner whom everybody sees."""

from __future__ import annotations

from typing import Any

from service.accounts import bot_accounts
from service.db.connection import write_transaction
from service.web import auth, idempotency
from service.web.api.players import describe_player
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.bot_accounts import (
    NEW_PROGRAM_EXAMPLE,
    PROGRAM_EXAMPLE,
    NewProgramSchema,
    NewProgramTokenSchema,
    ProgramListSchema,
    ProgramMadeSchema,
    ProgramTokenSchema,
)
from service.web.schemas.credentials import NEW_TOKEN_EXAMPLE

blueprint = Blueprint(
    "programs", __name__, url_prefix="/v1/me/programs", description="Programs that play, and for which you answer."
)


@blueprint.route("", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewProgramSchema(), example={"name": PROGRAM_EXAMPLE["name"]})
@blueprint.response(201, ProgramMadeSchema(), example=NEW_PROGRAM_EXAMPLE)
@blueprint.problems("limit-reached")
def create(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Make a program that plays.

    It has no address and gets no letters; its profile names you as its owner. With its own token it adds a key
    (`POST /v1/me/keys`) and a hook (`POST /v1/hooks` with `turn.ready` and `include: ["view"]`), joins matches, and
    answers each `turn.ready` with `POST /v1/matches/{match}/moves`. If it fails, its clock decides as for anybody.
    """
    with write_transaction():
        program, token = bot_accounts.create(auth.require_caller().player, body["name"])
    return {"player": describe_player(program), "token": token.text}, 201, {"Location": f"/v1/players/{program.id}"}


@blueprint.route("")
@auth.requires_scope("read")
@blueprint.response(200, ProgramListSchema(), example={"items": [PROGRAM_EXAMPLE]})
def list_programs() -> Any:  # noqa: ANN401
    """List your programs.

    A program is erased with its own token, by `DELETE /v1/me`.
    """
    return {"items": [describe_player(each) for each in bot_accounts.list_accounts(auth.require_caller().player)]}


@blueprint.route("/<id:program>/tokens", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewProgramTokenSchema(), example={"name": "server"})
@blueprint.response(201, ProgramTokenSchema(), example={"token": NEW_TOKEN_EXAMPLE["token"]})
@blueprint.problems("limit-reached")
def create_token(body: dict[str, Any], program: str) -> Any:  # noqa: ANN401
    """Make another token for a program.

    For when the first one is lost; the program revokes those it does not need.
    """
    with write_transaction():
        token = bot_accounts.add_token(auth.require_caller().player, program, body["name"])
    return {"token": token.text}, 201, {}
