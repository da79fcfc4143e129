"""Tokens: the only way in."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.accounts import tokens
from service.db.connection import rows
from service.web import auth
from service.web import pagination as pages
from service.web import rate_limits as limits
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.credentials import MADE, TOKEN, Exchange, TokenMade, TokenPage
from service.web.schemas.players import ASKED, AskedShown, TokenRequest

blueprint = Blueprint("tokens", __name__, url_prefix="/v1", description="Tokens say who asks, and what they may do.")


@blueprint.route("/tokens", methods=["POST"])
@blueprint.arguments(TokenRequest(), example={"address": "aoife@example.org"})
@blueprint.response(
    202,
    AskedShown(),
    example={**ASKED, "until": "2026-11-16T09:40:00.000Z"},
    description="A letter is on its way, if any.",
)
def ask(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Ask for a token.

    A letter with six digits goes to the address if it has a confirmed account; the answer is the same if it has
    none. The digits are good for ten minutes and five tries. This is the only way to log in, and the way back in
    when a token is lost.
    """
    limits.count_registration()
    return tokens.ask(body["address"])


@blueprint.route("/tokens/<id:request>/code", methods=["POST"])
@blueprint.arguments(Exchange(), example={"code": "493028", "name": "laptop", "scopes": ["play", "read"]})
@blueprint.response(201, TokenMade(), example=MADE, description="The token, shown this once.")
@blueprint.problems("gone", "limit-reached")
def exchange(body: dict[str, Any], request: str) -> Any:  # noqa: ANN401
    """Exchange the code for a token.

    The token is shown this once and kept as a hash; a lost answer means asking for a new code.
    """
    made = tokens.exchange(request, body["code"], body["name"], body["scopes"])
    token = made.token
    row = (token.id, token.name, token.scopes, token.created_at, None)
    return {**_shown(row), "token": made.text}, 201, {"Cache-Control": "no-store"}


@blueprint.route("/me/tokens")
@auth.needs("read")
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, TokenPage(), example={"items": [TOKEN]})
def listed(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List your tokens.

    Those that are good, with their last use. The secrets are not kept, so they are not shown.
    """
    wanted = pages.page("tokens", query)
    sql = (
        "select id, name, scopes, created_at, used_at from token where player = ? and revoked_at is null "
        "and (created_at > ? or (created_at = ? and id > ?)) order by created_at, id limit ?"
    )
    at, after = wanted.after or (0, "")
    found = rows(sql, auth.current().player, at, at, after, wanted.fetch)
    items, headers = pages.answer(found, wanted, lambda row: (row[3], row[0]))
    return {"items": [_shown(row) for row in items]}, 200, headers


@blueprint.route("/me/tokens/<id:token>", methods=["DELETE"])
@auth.needs("read")
@blueprint.response(204, description="The token is worthless from now on.")
def revoke(token: str) -> Any:  # noqa: ANN401
    """Revoke a token.

    Any of your tokens may revoke any other, and itself.
    """
    tokens.revoke(auth.current().player, token)
    return Response(status=204)


def _shown(row: tuple[Any, ...]) -> dict[str, Any]:
    token, name, scopes, created_at, used_at = row
    return {"id": token, "name": name, "scopes": scopes.split(","), "created_at": created_at, "used_at": used_at}
