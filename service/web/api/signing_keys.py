"""Keys with which players sign their moves."""

from __future__ import annotations

from itertools import islice

from service.accounts import signing_keys, tokens
from service.db.connection import write_transaction
from service.db.models.accounts import SigningKeyRow
from service.matches import key_approvals, key_claims, key_revocation
from service.matches.key_approvals import Approval
from service.play.submissions import Submission
from service.problems import Problem, invalid_field_problem
from service.record.keys import KeyRefusedError, PublicKey, from_jwk, from_pem
from service.shapes import Page, to_json
from service.web import auth, pagination, rate_limits
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
    "keys", __name__, url_prefix="/v1/me/keys", description="Ed25519 keys, with which moves are signed."
)


@blueprint.post("", scope="play", once=True)
@blueprint.response(201, "The key is added.")
@blueprint.alternative(200, KeyShown, "You had added this key before.")
@blueprint.problems("conflict", "limit-reached")
def add(body: NewKey) -> Answer[KeyShown]:
    """Add a key.

    The public half of an Ed25519 key, as JWK or as PEM: `openssl genpkey -algorithm ed25519 -out key.pem` creates one
    and `openssl pkey -in key.pem -pubout` prints its public half. Keys of small order or not in canonical form are
    refused, and so are private keys. At most 20 keys.

    A seat has the keys you had when you took it. In a running match, give your seat a new key with a move of its own,
    at any time: the line `keys ID,ID,…` names all keys of the seat from then on, at most eight, and is signed with one
    of its current keys.

    **A device that plays everywhere.** With `"seats": true`, which needs a token with the scope `account`, the key may
    play all your seats. In a match that accepts emails (`moves: any`) a line of the house, `keys SEAT KEYS`, is written
    right before the first line that the key makes there; you get an email about the device, with a link that stops it.
    If a seat would have nine keys, the least recently used one goes. In a match with `moves: signed` a key of the seat
    has to sign for the new one: see `/v1/me/keys/{key}/approvals`. A token has one such key: a newer one replaces it,
    while waiting orders of the old one are still made. Verifiers count what such a key signs as attested by the server,
    not as proved, until an older key of the seat has signed for it.
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


@blueprint.get("", scope="read")
@blueprint.page("A page of keys, oldest first.")
def list_keys(query: pagination.Paging) -> Answer[Page[KeyShown]]:
    """List your keys.

    The list includes revoked keys, because what they signed remains valid.
    """
    mine = SigningKeyRow.select().where(SigningKeyRow.player == auth.require_caller().player)
    items, headers = pagination.fetch_rows(mine, query, SigningKeyRow.created_at, SigningKeyRow.id)
    return Page(items=[_describe_key(key) for key in items]), 200, headers


@blueprint.get("/<kid:key>", scope="read")
def get_key(key: str) -> KeyShown:
    """Read one of your keys.

    Name it by its id.
    """
    return _describe_key(signing_keys.find(auth.require_caller().player, key))


@blueprint.delete("/<kid:key>", scope="play")
@blueprint.response(204, "The key is revoked.")
def revoke(key: str) -> None:
    """Revoke a key.

    This takes effect immediately and is permanent. A line of the house, `keys SEAT KEYS`, removes the key from your
    seat in every running match. What it signed before remains valid.
    """
    key_revocation.revoke_key(auth.require_caller().player, key)


@blueprint.get("/<kid:key>/approvals", scope="read")
@blueprint.page("A line for each running match in which the key is not proved, oldest first.")
def list_approvals(query: pagination.Paging, key: str) -> Answer[Page[ApprovalShown]]:
    """List what another of your devices can sign for a key.

    For each running match in which this key is not proved to be yours: the line `keys …` with it, to be signed by a key
    of the seat that is proved itself. Sign each as a move of one line (`n` 1, before it `now`), and send them with
    POST, at most 50 at once. In matches with signed moves, the key may only play after that. In other matches it may
    play anyway, and what it signs counts as attested until then; signing only gives a pending question a new number, so
    sign whenever you like.
    """
    player = auth.require_caller().player
    signing_keys.find_in_use(player, key)
    found = list(islice(key_approvals.list_approvals(player, key, query.cursor_key), query.fetch_limit))
    items, headers = pagination.slice_page(found, query, lambda each: (each.match.started_at, each.match.id))
    return Page(items=[_describe_approval(each) for each in items]), 200, headers


@blueprint.post("/<kid:key>/approvals", scope="play")
def approve(body: ApprovalsBody, key: str) -> ApprovalResults:
    """Let a key play by the signatures of another one.

    Send one signed line for each match, as listed by GET. Each is a move by itself: if one is refused, because the
    match has moved on or the key does not count, the rest are not affected. Then list what is left.
    """
    me = auth.require_caller()
    signing_keys.find_in_use(me.player, key)
    return ApprovalResults(items=[_approve_in_match(me.player, key, each) for each in body.items])


@blueprint.post("/<kid:key>/claims", scope="account")
@blueprint.response(202, "The claim is pending until `claim_due_at`.")
@blueprint.problems("conflict", "gone")
def claim_seats(body: Claim, key: str) -> KeyShown:
    """Let a key play matches with signed moves when no other key is left.

    In such matches a key of the seat signs for a new one (`approvals`). If all of them are lost: ask for a code by
    `POST /v1/tokens` with your own address, and send it here. You get an email, and so does everybody at your tables
    with signed moves. After 48 hours the house gives the key to your seats there by a line `keys SEAT KEYS`, unless you
    have revoked the key by then, by the link in the email or here; and not where you have moved with an older key. What
    the key signs then counts as attested, not as proved.
    """
    player = auth.require_caller().player
    return _describe_key(key_claims.claim_seats(player, key, body.request, body.code))


def _approve_in_match(player: str, key: str, given: ApprovalBody) -> ApprovedShown:
    """Make one of the lines, and return its outcome."""
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
