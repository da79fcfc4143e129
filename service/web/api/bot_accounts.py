"""Program accounts: players that are not people, each with a publicly named owner."""

from __future__ import annotations

from service import shapes
from service.accounts import bot_accounts, tokens
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow, TokenRow
from service.matches import erasure
from service.shapes import Page
from service.web import auth, pagination
from service.web.api.players import describe_player
from service.web.api.tokens import describe_token
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.schemas.credentials import TokenShown
from service.web.schemas.players import CREDENTIAL_EXAMPLE, PlayerShown, player_name, read_label


class NewProgram(shapes.Body):
    """A new program account."""

    name: str = player_name("Its name: 1 to 60 characters.", "Aoife's engine")


class NewProgramToken(shapes.Body):
    """A new token."""

    name: str = shapes.text(
        "A name for yourself, to recognise it.", "server", least=1, most=60, read=read_label, default="token"
    )


class ProgramMade(shapes.Shape):
    """A program and its token."""

    player: PlayerShown = shapes.part("The program, a player like any other.")
    token: str = shapes.text("Its token. Keep it: it is not shown again.", CREDENTIAL_EXAMPLE)


class ProgramToken(shapes.Shape):
    """A program's token, shown only once."""

    token: str = shapes.text("The token. Keep it: it is not shown again.", CREDENTIAL_EXAMPLE)


blueprint = Blueprint(
    "programs",
    __name__,
    url_prefix="/v1/me/programs",
    description="Programs that play, and for which you are responsible.",
)


@blueprint.post("", scope="play", once=True)
@blueprint.response(201)
@blueprint.problems("limit-reached")
def create(body: NewProgram) -> Answer[ProgramMade]:
    """Create a program account.

    It has no address and gets no emails; its profile names you as its owner. With its own token it adds a key (`POST
    /v1/me/keys`) and a hook (`POST /v1/hooks` with `turn.ready` and `include: ["view"]`), joins matches, and answers
    each `turn.ready` with `POST /v1/matches/{match}/moves`. If it fails to move, its clock decides as for everybody.
    """
    with write_transaction():
        program, token = bot_accounts.create(auth.require_caller().player, body.name)
    return (
        ProgramMade(player=describe_player(program), token=token.text),
        201,
        {"Location": f"/v1/players/{program.id}"},
    )


@blueprint.get("", scope="read")
@blueprint.page("Oldest first; at most ten.", "ProgramPage")
def list_programs(query: pagination.Paging) -> Answer[Page[PlayerShown]]:
    """List your programs.

    The list starts with the oldest and shows each as everybody sees it.
    """
    mine = bot_accounts.select_accounts(auth.require_caller().player)
    items, headers = pagination.fetch_rows(mine, query, PlayerRow.created_at, PlayerRow.id)
    return Page(items=[describe_player(each) for each in items]), 200, headers


@blueprint.post("/<id:program>/tokens", scope="play", once=True)
@blueprint.response(201)
@blueprint.problems("limit-reached")
def create_token(body: NewProgramToken, program: str) -> Answer[ProgramToken]:
    """Create another token for a program.

    Use this if the first one is lost. A program's token can revoke itself; you can revoke all of them.
    """
    with write_transaction():
        token = bot_accounts.add_token(auth.require_caller().player, program, body.name)
    return ProgramToken(token=token.text), 201, {}


@blueprint.get("/<id:program>/tokens", scope="read")
@blueprint.page("A page of tokens, oldest first.")
def list_tokens(query: pagination.Paging, program: str) -> Answer[Page[TokenShown]]:
    """List the tokens of a program.

    The list has valid tokens only, each with its last use.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    found = TokenRow.select().where(tokens.good_tokens(program))
    items, headers = pagination.fetch_rows(found, query, TokenRow.created_at, TokenRow.id)
    return Page(items=[describe_token(token) for token in items]), 200, headers


@blueprint.delete("/<id:program>/tokens/<id:token>", scope="account")
@blueprint.response(204, "The token is revoked.")
def revoke_token(program: str, token: str) -> None:
    """Revoke a token of a program.

    This takes effect immediately and is permanent.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    tokens.revoke(program, token)


@blueprint.delete("/<id:program>", scope="account")
@blueprint.response(204, "The program is erased.")
def erase_program(program: str) -> None:
    """Erase a program.

    Like `DELETE /v1/me` for a person: its matches remain, with its seats under an id that identifies nobody.
    """
    bot_accounts.require_owned(auth.require_caller().player, program)
    erasure.erase_player(program)
