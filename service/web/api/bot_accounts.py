"""Programs: players that are no people, each with an owner whom everybody sees."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.accounts import bot_accounts, tokens
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow, TokenRow
from service.matches import erasure
from service.web import auth, idempotency, pagination
from service.web.api.players import describe_player
from service.web.api.tokens import describe_token
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.bot_accounts import (
    NEW_PROGRAM_EXAMPLE,
    PROGRAM_EXAMPLE,
    NewProgramSchema,
    NewProgramTokenSchema,
    ProgramMadeSchema,
    ProgramPageSchema,
    ProgramTokenSchema,
)
from service.web.schemas.credentials import NEW_TOKEN_EXAMPLE, TOKEN_EXAMPLE, TokenPageSchema

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
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, ProgramPageSchema(), example={"items": [PROGRAM_EXAMPLE]})
def list_programs(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List your programs.

    Oldest first, as everybody sees them.
    """
    page = pagination.parse_page_request("programs", query)
    mine = bot_accounts.select_accounts(auth.require_caller().player)
    items, headers = pagination.fetch_page(mine, page, PlayerRow.created_at, PlayerRow.id)
    return {"items": [describe_player(each) for each in items]}, 200, headers


@blueprint.route("/<id:program>/tokens", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewProgramTokenSchema(), example={"name": "server"})
@blueprint.response(201, ProgramTokenSchema(), example={"token": NEW_TOKEN_EXAMPLE["token"]})
@blueprint.problems("limit-reached")
def create_token(body: dict[str, Any], program: str) -> Any:  # noqa: ANN401
    """Make another token for a program.

    For when the first one is lost. A token of a program can revoke itself; you can revoke all of them.
    """
    with write_transaction():
        token = bot_accounts.add_token(auth.require_caller().player, program, body["name"])
    return {"token": token.text}, 201, {}


@blueprint.route("/<id:program>/tokens")
@auth.requires_scope("read")
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, TokenPageSchema(), example={"items": [TOKEN_EXAMPLE]})
def list_tokens(query: dict[str, Any], program: str) -> Any:  # noqa: ANN401
    """List the tokens of a program.

    Those that are good, with their last use.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    page = pagination.parse_page_request("program-tokens", query)
    found = TokenRow.select().where(tokens.good_tokens(program))
    items, headers = pagination.fetch_page(found, page, TokenRow.created_at, TokenRow.id)
    return {"items": [describe_token(token) for token in items]}, 200, headers


@blueprint.route("/<id:program>/tokens/<id:token>", methods=["DELETE"])
@auth.requires_scope("account")
@blueprint.response(204, description="The token is worthless from now on.")
def revoke_token(program: str, token: str) -> Any:  # noqa: ANN401
    """Revoke a token of a program.

    From now on, and for good.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    tokens.revoke(program, token)
    return Response(status=204)


@blueprint.route("/<id:program>", methods=["DELETE"])
@auth.requires_scope("account")
@blueprint.response(204, description="The program is erased.")
def erase_program(program: str) -> Any:  # noqa: ANN401
    """Erase a program.

    As `DELETE /v1/me` erases a person: its matches stay, with its seats under an id that names nobody.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    erasure.erase_player(program)
    return Response(status=204)
