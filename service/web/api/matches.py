"""Matches: making, finding, joining, leaving, starting, playing again."""

from __future__ import annotations

from dataclasses import fields

from flask import Response

from service.db.models.matches import MatchRow
from service.i18n.catalogue import msg
from service.matches import create, invitations, join, organisers, rematch, search, start
from service.matches.create import NewMatch
from service.matches.match_shapes import JoinReceipt, MatchShown
from service.problems import Problem
from service.shapes import Page
from service.web import auth, idempotency, pagination, rate_limits
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import (
    OPTIONAL_TOKEN_DOC,
    current_config,
    current_player,
    current_player_id,
    find_match,
    response_locale,
)
from service.web.schemas.matches import (
    JoinBody,
    JoinedShown,
    MatchQuery,
    MatchSearchQuery,
    NewMatchBody,
    RematchBody,
    StartBody,
)

blueprint = Blueprint("matches", __name__, url_prefix="/v1/matches", description="Making, finding and joining matches.")
SEARCH_FILTERS = tuple(each.name for each in fields(search.MatchFilter) if each.name not in ("clocks", "bots"))


def describe_match(match: str) -> MatchShown:
    """A match as it is now, for who asks."""
    return describe_row(MatchRow.get_by_id(match))


def describe_row(match: MatchRow) -> MatchShown:
    """A match that was read already, for who asks."""
    return search.describe_matches([match], current_player_id(), response_locale())[0]


@blueprint.route("", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewMatchBody)
@blueprint.response(201, MatchShown, description="The match, with you seated.")
@blueprint.problems("limit-reached", "conflict", "match-full")
def create_match(body: NewMatchBody) -> Answer[MatchShown]:
    """Make a match.

    You take a seat at once, bots take theirs, and the match starts when every seat is taken, or at `starts_at`.
    Against bots alone it starts immediately: the deal is there a moment later. The hash of the seed is told here,
    before anybody plays, and the seed when the match is over, so that every draw can be checked.

    Organisers, with the scope `organise`, may set `sit` to false and seat `players` who agreed to it.
    """
    if not body.sit or body.players:
        auth.require_scope("organise")
    maker = current_player()
    for guest in body.players.values():
        organisers.check_consent(maker.id, "", guest)
    bots, players = ({int(seat): each for seat, each in given.items()} for given in (body.bots, body.players))
    wanted = NewMatch(**{**vars(body), "bots": bots, "players": players})
    if auth.require_caller().guest:
        rate_limits.count_guest_match()
    match = create.create_match(maker, wanted, current_config())
    return describe_match(match.id), 201, {"Location": f"/v1/matches/{match.id}"}


@blueprint.route("")
@blueprint.doc(**OPTIONAL_TOKEN_DOC)
@blueprint.arguments(MatchSearchQuery, location="query")
@blueprint.page(MatchShown, "Latest first.")
@blueprint.problems("no-token")
def search_matches(query: MatchSearchQuery) -> Answer[Page[MatchShown]]:
    """Find matches.

    Open ones, latest first, or with `mine=true` those you sit at, made, organise or are invited to. `status=open` finds
    matches that wait for players. Filters combine.
    """
    if query.mine:
        auth.require_caller()
    page = pagination.parse_page_request("matches", query)
    filters = search.MatchFilter(**{name: getattr(query, name) for name in SEARCH_FILTERS})
    found = search.search_matches(filters, current_player_id(), page.after, page.fetch_limit)
    items, headers = pagination.slice_page(found, page, lambda match: (match.created_at, match.id))
    return Page(items=search.describe_matches(items, current_player_id(), response_locale())), 200, headers


@blueprint.route("/<id:match>")
@blueprint.doc(**OPTIONAL_TOKEN_DOC)
@blueprint.arguments(MatchQuery, location="query")
@blueprint.response(200, MatchShown)
def get_match(query: MatchQuery, match: str) -> MatchShown:
    """Look at a match.

    Who plays, how, and where it stands; the table itself is at `/v1/matches/{match}/table`. A match that is not
    open is found only by those who belong to it, or with its link.
    """
    return describe_row(find_match(match, query.link))


@blueprint.route("/<id:match>/join", methods=["POST"])
@auth.requires_scope("play")
@blueprint.arguments(JoinBody)
@blueprint.response(200, JoinedShown, description="The seat is yours.")
@blueprint.problems("match-full", "match-started", "match-over", "limit-reached", "conflict")
def join_match(body: JoinBody, match: str) -> JoinedShown:
    """Join a match, or change your seat or nonce.

    Until the match starts; it starts when the last seat is taken. The seat gets the keys you have now. The receipt
    is signed by the server and binds it to the seed it committed to: keep it.

    Where moves are signed, a device that you use later plays once a key of the seat has signed for it; if none is left,
    a code from a letter lets it play after 48 hours, and the record says that the house vouched for it.
    """
    receipt = join.join_match(current_player(), match, body.seat, body.nonce, body.link, current_config())
    return JoinedShown(receipt=JoinReceipt(**receipt), match=describe_match(match))


@blueprint.route("/<id:match>/leave", methods=["POST"])
@auth.requires_scope("play")
@blueprint.response(204, description="The seat is free again.")
@blueprint.problems("match-started", "not-your-seat")
def leave_match(match: str) -> Response:
    """Leave before the start.

    A match that nobody sits at any more is cancelled. After the start, make the move `resign` instead.
    """
    join.leave_match(current_player(), match)
    return Response(status=204)


@blueprint.route("/<id:match>/decline", methods=["POST"])
@auth.requires_scope("play")
@blueprint.response(204, description="The invitation is answered.")
def decline_invitation(match: str) -> Response:
    """Decline an invitation.

    To accept it, join.
    """
    invitations.decline(current_player(), match)
    return Response(status=204)


@blueprint.route("/<id:match>/start", methods=["POST"])
@auth.requires_scope("play")
@blueprint.arguments(StartBody)
@blueprint.response(200, MatchShown, description="The match has started.")
@blueprint.problems("match-started", "match-over", "conflict")
def start_match(body: StartBody, match: str) -> MatchShown:
    """Start a match you made, without waiting.

    Bots of the kind named in `fill` take the seats that are still empty. A match that names a round of a public beacon
    (`beacon_round`) starts only like this, with the value of that round in `beacon`: nonces and seed were fixed before
    anybody could know it, so nobody has chosen the cards. Compare the header with what the beacon published.
    """
    find_match(match)
    start.start_now(auth.require_caller().player, match, body.fill, body.beacon)
    return describe_match(match)


@blueprint.route("/<id:match>/rematch", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(RematchBody)
@blueprint.response(201, MatchShown, description="A new match; the others are invited.")
@blueprint.alternative(200, MatchShown, "Another had asked already; you joined.")
@blueprint.problems("not-your-seat", "conflict", "limit-reached", "match-full")
def request_rematch(body: RematchBody, match: str) -> Answer[MatchShown]:
    """Play again.

    The same game, options, clock and bots; everybody moves one seat on, unless bots play. Who asks second joins the
    match that the first one made.
    """
    if find_match(match).status == "open":
        raise Problem("conflict", msg("requests.not_played_yet"))
    if auth.require_caller().guest:
        rate_limits.count_guest_match()
    again, new = rematch.create_rematch(current_player(), match, body.nonce, current_config())
    return describe_match(again.id), 201 if new else 200, {"Location": f"/v1/matches/{again.id}"}
