"""Programs: players that are no people, each with an owner whom everybody sees."""

from __future__ import annotations

from flask import Response

from service.accounts import bot_accounts, tokens
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow, TokenRow
from service.matches import erasure
from service.shapes import Page
from service.web import auth, idempotency, pagination
from service.web.api.players import describe_player
from service.web.api.tokens import describe_token
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.schemas.bot_accounts import NewProgram, NewProgramToken, ProgramMade, ProgramToken
from service.web.schemas.credentials import TokenShown
from service.web.schemas.players import PlayerShown

blueprint = Blueprint(
    "programs", __name__, url_prefix="/v1/me/programs", description="Programs that play, and for which you answer."
)


@blueprint.route("", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewProgram)
@blueprint.response(201, ProgramMade)
@blueprint.problems("limit-reached")
def create(body: NewProgram) -> Answer[ProgramMade]:
    """Make a program that plays.

    It has no address and gets no letters; its profile names you as its owner. With its own token it adds a key
    (`POST /v1/me/keys`) and a hook (`POST /v1/hooks` with `turn.ready` and `include: ["view"]`), joins matches, and
    answers each `turn.ready` with `POST /v1/matches/{match}/moves`. If it fails, its clock decides as for anybody.
    """
    with write_transaction():
        program, token = bot_accounts.create(auth.require_caller().player, body.name)
    return (
        ProgramMade(player=describe_player(program), token=token.text),
        201,
        {"Location": f"/v1/players/{program.id}"},
    )


@blueprint.route("")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.page(PlayerShown, "Oldest first; at most ten.", "ProgramPage")
def list_programs(query: pagination.Paging) -> Answer[Page[PlayerShown]]:
    """List your programs.

    Oldest first, as everybody sees them.
    """
    page = pagination.parse_page_request("programs", query)
    mine = bot_accounts.select_accounts(auth.require_caller().player)
    items, headers = pagination.fetch_page(mine, page, PlayerRow.created_at, PlayerRow.id)
    return Page(items=[describe_player(each) for each in items]), 200, headers


@blueprint.route("/<id:program>/tokens", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewProgramToken)
@blueprint.response(201, ProgramToken)
@blueprint.problems("limit-reached")
def create_token(body: NewProgramToken, program: str) -> Answer[ProgramToken]:
    """Make another token for a program.

    For when the first one is lost. A token of a program can revoke itself; you can revoke all of them.
    """
    with write_transaction():
        token = bot_accounts.add_token(auth.require_caller().player, program, body.name)
    return ProgramToken(token=token.text), 201, {}


@blueprint.route("/<id:program>/tokens")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.page(TokenShown, "A page of tokens, oldest first.")
def list_tokens(query: pagination.Paging, program: str) -> Answer[Page[TokenShown]]:
    """List the tokens of a program.

    Those that are good, with their last use.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    page = pagination.parse_page_request("program-tokens", query)
    found = TokenRow.select().where(tokens.good_tokens(program))
    items, headers = pagination.fetch_page(found, page, TokenRow.created_at, TokenRow.id)
    return Page(items=[describe_token(token) for token in items]), 200, headers


@blueprint.route("/<id:program>/tokens/<id:token>", methods=["DELETE"])
@auth.requires_scope("account")
@blueprint.response(204, description="The token is worthless from now on.")
def revoke_token(program: str, token: str) -> Response:
    """Revoke a token of a program.

    From now on, and for good.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    tokens.revoke(program, token)
    return Response(status=204)


@blueprint.route("/<id:program>", methods=["DELETE"])
@auth.requires_scope("account")
@blueprint.response(204, description="The program is erased.")
def erase_program(program: str) -> Response:
    """Erase a program.

    As `DELETE /v1/me` erases a person: its matches stay, with its seats under an id that names nobody.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    erasure.erase_player(program)
    return Response(status=204)
