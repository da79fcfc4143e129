"""Tokens, which every client needs."""

from __future__ import annotations

from service.accounts import token_codes, tokens
from service.db.models.accounts import TokenRow
from service.matches import key_revocation
from service.shapes import Page
from service.web import auth, pagination, rate_limits
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.schemas.credentials import Exchange, TokenMade, TokenShown
from service.web.schemas.players import AskedShown, TokenRequest

blueprint = Blueprint(
    "tokens", __name__, url_prefix="/v1", description="Tokens identify callers and limit what they may do."
)


@blueprint.post("/tokens")
@blueprint.response(202, "An email is on its way, if the address has an account.")
def request_code(body: TokenRequest) -> AskedShown:
    """Ask for a token.

    An email with six digits goes to the address if it has a confirmed account; the answer is the same if it has none.
    The digits are valid for ten minutes and for five attempts of this request. This is the only way to log in, and the
    way to recover from a lost token.

    Nobody else can use up your codes. After five emails within an hour, a request sends none while the newest is less
    than five minutes old: the code in that email works for this request too. When wrong codes for one address approach
    fifty a day, the email has a link instead of digits: the 26 characters at its end are the code, and the page behind
    it shows them.
    """
    rate_limits.count_registration()
    return AskedShown.of(token_codes.request_code(body.address))


@blueprint.post("/tokens/<id:request>/code")
@blueprint.response(201, "The token, shown only once.")
@blueprint.problems("gone", "limit-reached")
def exchange_code(body: Exchange, request: str) -> Answer[TokenMade]:
    """Exchange the code for a token.

    The token is shown only once and stored as a hash; if you lose the answer, ask for a new code. A wrong code uses one
    of the five attempts of this request, and nothing else.
    """
    issued = tokens.exchange_code(request, body.code, body.name, body.scopes, body.expires_at)
    return TokenMade(**vars(describe_token(issued.token)), token=issued.text), 201, {"Cache-Control": "no-store"}


@blueprint.get("/me/tokens", scope="read")
@blueprint.page("A page of tokens, oldest first.")
def list_tokens(query: pagination.Paging) -> Answer[Page[TokenShown]]:
    """List your tokens.

    The list has valid tokens only, with their last use and expiry. The secrets are not stored, so they are not shown.
    """
    mine = TokenRow.select().where(tokens.good_tokens(auth.require_caller().player))
    items, headers = pagination.fetch_rows(mine, query, TokenRow.created_at, TokenRow.id)
    return Page(items=[describe_token(token) for token in items]), 200, headers


@blueprint.delete("/me/tokens/<id:token>", scope="read")
@blueprint.response(204, "The token is revoked.")
def revoke(token: str) -> None:
    """Revoke a token.

    Every token may revoke itself; one with the scope `account` may also revoke others. A key that it allowed to play
    all your seats is revoked with it, as soon as none of its orders is waiting.
    """
    me = auth.require_caller()
    if token != me.token:
        auth.require_scope("account")
    tokens.revoke(me.player, token)
    key_revocation.retire_keys_of_token(me.player, token)


def describe_token(token: TokenRow) -> TokenShown:
    """Return a token as its owner sees it."""
    return TokenShown.of(token, scopes=token.scopes.split(","))
