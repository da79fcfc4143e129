"""Tokens: the only way in."""

from __future__ import annotations

from flask import Response

from service.accounts import token_codes, tokens
from service.db.models.accounts import TokenRow
from service.matches import key_revocation
from service.shapes import Page
from service.web import auth, pagination, rate_limits
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.schemas.credentials import Exchange, TokenMade, TokenShown
from service.web.schemas.players import AskedShown, TokenRequest

blueprint = Blueprint("tokens", __name__, url_prefix="/v1", description="Tokens say who asks, and what they may do.")


@blueprint.route("/tokens", methods=["POST"])
@blueprint.arguments(TokenRequest)
@blueprint.response(202, AskedShown, description="A letter is on its way, if any.")
def request_code(body: TokenRequest) -> AskedShown:
    """Ask for a token.

    A letter with six digits goes to the address if it has a confirmed account; the answer is the same if it has
    none. The digits are good for ten minutes and for five tries of this request. This is the only way to log in, and
    the way back in when a token is lost.

    Nobody else can use up your codes. After five letters within an hour a request sends none while the newest is less
    than five minutes old: the code in that letter is good for this request too. When wrong codes for one address come
    near to fifty a day, the letter brings a link instead of digits: the 26 characters at its end are the code then, and
    the page behind it shows them.
    """
    rate_limits.count_registration()
    return AskedShown.of(token_codes.request_code(body.address))


@blueprint.route("/tokens/<id:request>/code", methods=["POST"])
@blueprint.arguments(Exchange)
@blueprint.response(201, TokenMade, description="The token, shown this once.")
@blueprint.problems("gone", "limit-reached")
def exchange_code(body: Exchange, request: str) -> Answer[TokenMade]:
    """Exchange the code for a token.

    The token is shown this once and kept as a hash; a lost answer means asking for a new code. A wrong code spends one
    of the five tries of this request, and nothing else.
    """
    issued = tokens.exchange_code(request, body.code, body.name, body.scopes, body.expires_at)
    return TokenMade(**vars(describe_token(issued.token)), token=issued.text), 201, {"Cache-Control": "no-store"}


@blueprint.route("/me/tokens")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.page(TokenShown, "A page of tokens, oldest first.")
def list_tokens(query: pagination.Paging) -> Answer[Page[TokenShown]]:
    """List your tokens.

    Those that are good, with their last use and their end. The secrets are not kept, so they are not shown.
    """
    page = pagination.parse_page_request("tokens", query)
    mine = TokenRow.select().where(tokens.good_tokens(auth.require_caller().player))
    items, headers = pagination.fetch_page(mine, page, TokenRow.created_at, TokenRow.id)
    return Page(items=[describe_token(token) for token in items]), 200, headers


@blueprint.route("/me/tokens/<id:token>", methods=["DELETE"])
@auth.requires_scope("read")
@blueprint.response(204, description="The token is worthless from now on.")
def revoke(token: str) -> Response:
    """Revoke a token.

    Every token may revoke itself; one with the scope `account` may revoke the others too. A key that it let play at all
    your seats is revoked with it, as soon as none of its orders wait.
    """
    me = auth.require_caller()
    if token != me.token:
        auth.require_scope("account")
    tokens.revoke(me.player, token)
    key_revocation.retire_keys_of_token(me.player, token)
    return Response(status=204)


def describe_token(token: TokenRow) -> TokenShown:
    """Return a token as its owner sees it."""
    return TokenShown.of(token, scopes=token.scopes.split(","))
