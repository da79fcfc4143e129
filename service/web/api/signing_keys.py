"""Keys: what players sign their moves with."""

from __future__ import annotations

from itertools import islice

from flask import Response

from service.accounts import signing_keys, tokens
from service.db.connection import write_transaction
from service.db.models.accounts import SigningKeyRow
from service.matches import key_approvals, key_claims, key_revocation
from service.matches.key_approvals import Approval
from service.play.submissions import Submission
from service.problems import Problem, invalid_field_problem
from service.record.keys import KeyRefusedError, PublicKey, from_jwk, from_pem
from service.shapes import Page, to_json
from service.web import auth, idempotency, pagination, rate_limits
from service.web.middleware import current_record
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import response_locale
from service.web.schemas.credentials import (
    ApprovalBody,
    ApprovalResults,
    ApprovalsBody,
    ApprovalShown,
    ApprovedShown,
    Claim,
    JwkShown,
    KeyShown,
    NewKey,
)

blueprint = Blueprint(
    "keys", __name__, url_prefix="/v1/me/keys", description="Ed25519 keys: moves are signed with them."
)


@blueprint.route("", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewKey)
@blueprint.response(201, KeyShown, description="The key is yours.")
@blueprint.alternative(200, KeyShown, "The key was yours already.")
@blueprint.problems("conflict", "limit-reached")
def add(body: NewKey) -> Answer[KeyShown]:
    """Add a key.

    The public half of an Ed25519 key, as JWK or as PEM: `openssl genpkey -algorithm ed25519 -out key.pem` makes one
    and `openssl pkey -in key.pem -pubout` prints its public half. Keys of small order or not in canonical form are
    refused, and so is a private key. At most 20 keys.

    A seat has the keys you had when you took it. In a match that runs, give your seat a new key with a move of its
    own, at any time: the line `keys ID,ID,…` names all keys of the seat from there on, at most eight, and is signed
    with one it has now.

    **A device that plays everywhere.** With `"seats": true`, which needs a token with the scope `account`, the key
    plays at all your seats. In a match that takes letters (`moves: any`) a line of the house, `keys SEAT KEYS`, is
    written right before the first line that the key makes there; you get a letter about the device, with a link that
    stops it. Of nine keys of a seat the one that was not used there for the longest time goes. In a match with `moves:
    signed` a key of the seat has to sign for the new one: see `/v1/me/keys/{key}/approvals`. A token has one such key:
    a newer one takes its place, while orders of the old one that wait are still made. Verifiers count what such a key
    signs as attested by the server, not as proved, until an older key of the seat has signed for it.
    """
    me = auth.require_caller()
    token = auth.require_scope("account").token if body.seats else None
    label = body.label or (tokens.find(token).name if token else "")
    with write_transaction():
        key, new = signing_keys.add(me.player, _parse_key(body), label, token)
    return _describe_key(key), 201 if new else 200, {"Location": f"/v1/me/keys/{key.id}"}


def _parse_key(body: NewKey) -> PublicKey:
    try:
        return from_pem(body.pem or "") if body.jwk is None else from_jwk({**body.jwk.others, **to_json(body.jwk)})
    except KeyRefusedError as error:
        raise invalid_field_problem("pem" if body.jwk is None else "jwk", error.reason) from None


@blueprint.route("")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.page(KeyShown, "A page of keys, oldest first.")
def list_keys(query: pagination.Paging) -> Answer[Page[KeyShown]]:
    """List your keys.

    Revoked ones too: what they signed stays good.
    """
    page = pagination.parse_page_request("keys", query)
    mine = SigningKeyRow.select().where(SigningKeyRow.player == auth.require_caller().player)
    items, headers = pagination.fetch_page(mine, page, SigningKeyRow.created_at, SigningKeyRow.id)
    return Page(items=[_describe_key(key) for key in items]), 200, headers


@blueprint.route("/<kid:key>")
@auth.requires_scope("read")
@blueprint.response(200, KeyShown)
def get_key(key: str) -> KeyShown:
    """Look at a key.

    One of yours, by its id.
    """
    return _describe_key(signing_keys.find(auth.require_caller().player, key))


@blueprint.route("/<kid:key>", methods=["DELETE"])
@auth.requires_scope("play")
@blueprint.response(204, description="The key signs nothing from now on.")
def revoke(key: str) -> Response:
    """Revoke a key.

    From now on, and for good. A line of the house, `keys SEAT KEYS`, takes it from your seat in every match that
    runs; what it signed before stays good.
    """
    key_revocation.revoke_key(auth.require_caller().player, key)
    return Response(status=204)


@blueprint.route("/<kid:key>/approvals")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.page(ApprovalShown, "A line for each running match in which the key is not proved, the oldest first.")
def list_approvals(query: pagination.Paging, key: str) -> Answer[Page[ApprovalShown]]:
    """See what another device of yours can sign for a key.

    For each running match in which this key is not proved to be yours: the line `keys …` with it, to be signed by a key
    that the seat has and that is proved itself. Sign each as a move of one line (`n` 1, before it `now`), and send them
    with POST, at most 50 at once. Where moves are signed, the key plays only then. Elsewhere it plays anyway, and what
    it signs counts as attested until this is done; there the line only means that a question you are asked has a new
    number, so sign it when you like.
    """
    player = auth.require_caller().player
    signing_keys.find_in_use(player, key)
    page = pagination.parse_page_request("approvals", query)
    found = list(islice(key_approvals.list_approvals(player, key, page.after), page.fetch_limit))
    items, headers = pagination.slice_page(found, page, lambda each: (each.match.started_at, each.match.id))
    return Page(items=[_describe_approval(each) for each in items]), 200, headers


@blueprint.route("/<kid:key>/approvals", methods=["POST"])
@auth.requires_scope("play")
@blueprint.arguments(ApprovalsBody)
@blueprint.response(200, ApprovalResults)
def approve(body: ApprovalsBody, key: str) -> ApprovalResults:
    """Let a key play by the signatures of another one.

    One signed line for each match, as listed by GET. Each is a move of its own: one that is refused, because the match
    went on or the key does not count, does not hold up the others. List again what is left then.
    """
    me = auth.require_caller()
    signing_keys.find_in_use(me.player, key)
    return ApprovalResults(items=[_approve_in_match(me.player, key, each) for each in body.items])


@blueprint.route("/<kid:key>/claims", methods=["POST"])
@auth.requires_scope("account")
@blueprint.arguments(Claim)
@blueprint.response(202, KeyShown, description="The key waits; `claim_due_at` says until when.")
@blueprint.problems("conflict", "gone")
def claim_seats(body: Claim, key: str) -> KeyShown:
    """Let a key play where moves are signed, when no other key is left.

    Where moves are signed, a key of the seat signs for a new one (`approvals`). If all of them are lost: ask for a code
    by `POST /v1/tokens` with your own address, and give it here. You get a letter, and so does everybody at your tables
    with signed moves. After 48 hours the house gives the key to your seats there by a line `keys SEAT KEYS`, unless you
    have revoked the key meanwhile, by the link in the letter or here; and not where you have moved with an older key.
    What the key signs then counts as attested, not as proved.
    """
    player = auth.require_caller().player
    return _describe_key(key_claims.claim_seats(player, key, body.request, body.code))


def _approve_in_match(player: str, key: str, given: ApprovalBody) -> ApprovedShown:
    """Make one of the lines, and return what became of it."""
    sent = Submission(given.asked, given.prev, (given.line,), (given.signature,), given.key)
    try:
        key_approvals.approve_key(player, given.match, key, sent)
    except Problem as problem:
        if problem.kind == "wrong-signature":
            rate_limits.count_failed_signature(current_record(), rate_limits.current_limits())
        detail = problem.detail_in(response_locale())
        return ApprovedShown(match=given.match, made=False, type=f"/problems/{problem.kind}", detail=detail)
    return ApprovedShown(match=given.match, made=True, type=None, detail="")


def _describe_approval(found: Approval) -> ApprovalShown:
    return ApprovalShown.of(
        found.match,
        match=found.match.id,
        seat=found.seat,
        asked=found.match_state.seq,
        prev=found.match_state.hash,
        line=found.line,
        keys=found.signers,
        waiting=found.waiting,
    )


def _describe_key(key: SigningKeyRow) -> KeyShown:
    jwk = JwkShown(kty="OKP", crv="Ed25519", x=key.x)
    return KeyShown.of(key, jwk=jwk, seats=bool(key.seats), claim_due_at=key_claims.due_at(key))
