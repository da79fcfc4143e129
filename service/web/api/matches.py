"""Matches: creating, finding, joining, leaving, starting, playing again."""

from __future__ import annotations

from dataclasses import fields

from service.db.models.matches import MatchRow
from service.i18n.catalogue import msg
from service.matches import create, invitations, join, organisers, rematch, search, start
from service.matches.create import NewMatch
from service.matches.match_shapes import JoinReceipt, MatchShown
from service.problems import Problem
from service.shapes import Page
from service.web import auth, pagination, rate_limits
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import (
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

blueprint = Blueprint(
    "matches", __name__, url_prefix="/v1/matches", description="Creating, finding and joining matches."
)
SEARCH_FILTERS = tuple(each.name for each in fields(search.MatchFilter) if each.name not in ("clocks", "bots"))


def describe_match(match: str) -> MatchShown:
    """Return a match as the caller sees it now."""
    return describe_row(MatchRow.get_by_id(match))


def describe_row(match: MatchRow) -> MatchShown:
    """Return a match that is loaded already, as the caller sees it."""
    return search.describe_matches([match], current_player_id(), response_locale())[0]


@blueprint.post("", scope="play", once=True)
@blueprint.response(201, "The match, with you seated.")
@blueprint.problems("limit-reached", "conflict", "match-full")
def create_match(body: NewMatchBody) -> Answer[MatchShown]:
    """Create a match.

    You take a seat at once, bots take theirs, and the match starts when every seat is taken, or at `starts_at`. Against
    bots alone it starts immediately; the deal follows a moment later. The hash of the seed is published here, before
    anybody plays, and the seed when the match is over, so that every draw can be checked.

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


@blueprint.get("", scope="optional")
@blueprint.page("Latest first.")
@blueprint.problems("no-token")
def search_matches(query: MatchSearchQuery) -> Answer[Page[MatchShown]]:
    """Find matches.

    You get open matches, latest first, or with `mine=true` those you play, created, organise or are invited to.
    `status=open` finds matches that wait for players. Filters can be combined.
    """
    if query.mine:
        auth.require_caller()
    filters = search.MatchFilter(**{name: getattr(query, name) for name in SEARCH_FILTERS})
    found = search.search_matches(filters, current_player_id(), query.cursor_key, query.fetch_limit)
    items, headers = pagination.slice_page(found, query, lambda match: (match.created_at, match.id))
    return Page(items=search.describe_matches(items, current_player_id(), response_locale())), 200, headers


@blueprint.get("/<id:match>", scope="optional")
def get_match(query: MatchQuery, match: str) -> MatchShown:
    """Read about a match.

    The answer has the players, the settings and the status; the table itself is at `/v1/matches/{match}/table`. A match
    that is not open is visible only to those who belong to it, or with its link.
    """
    return describe_row(find_match(match, query.link))


@blueprint.post("/<id:match>/join", scope="play")
@blueprint.response(200, "The seat is yours.")
@blueprint.problems("match-full", "match-started", "match-over", "limit-reached", "conflict")
def join_match(body: JoinBody, match: str) -> JoinedShown:
    """Join a match, or change your seat or nonce.

    You can do this until the match starts, which it does when the last seat is taken. The seat gets your current keys.
    The server signs a receipt that binds your seat to the seed it committed to: keep it.

    In matches with signed moves, a device that you add later may play once a key of the seat has signed for it. If no
    key is left, a code from an email lets it play after 48 hours, and the record says that the house vouched for it.
    """
    receipt = join.join_match(current_player(), match, body.seat, body.nonce, body.link, current_config())
    return JoinedShown(receipt=JoinReceipt(**receipt), match=describe_match(match))


@blueprint.post("/<id:match>/leave", scope="play")
@blueprint.response(204, "The seat is free again.")
@blueprint.problems("match-started", "not-your-seat")
def leave_match(match: str) -> None:
    """Leave before the start.

    A match without players is cancelled. After the start, make the move `resign` instead.
    """
    join.leave_match(current_player(), match)


@blueprint.post("/<id:match>/decline", scope="play")
@blueprint.response(204, "The invitation is answered.")
def decline_invitation(match: str) -> None:
    """Decline an invitation.

    To accept it, join the match.
    """
    invitations.decline(current_player(), match)


@blueprint.post("/<id:match>/start", scope="play")
@blueprint.response(200, "The match has started.")
@blueprint.problems("match-started", "match-over", "conflict")
def start_match(body: StartBody, match: str) -> MatchShown:
    """Start a match you created, without waiting.

    Bots of the kind named in `fill` take the empty seats. A match that names a round of a public beacon
    (`beacon_round`) can only be started like this, with the value of that round in `beacon`: nonces and seed were fixed
    before anybody could know it, so nobody has chosen the cards. Compare the header with what the beacon published.
    """
    find_match(match)
    start.start_now(auth.require_caller().player, match, body.fill, body.beacon)
    return describe_match(match)


@blueprint.post("/<id:match>/rematch", scope="play", once=True)
@blueprint.response(201, "A new match; the others are invited.")
@blueprint.alternative(200, MatchShown, "Another player had asked already; you joined.")
@blueprint.problems("not-your-seat", "conflict", "limit-reached", "match-full")
def request_rematch(body: RematchBody, match: str) -> Answer[MatchShown]:
    """Play again.

    The new match has the same game, options, clock and bots. Everybody moves one seat on, unless there are bots or
    `swap` says otherwise. The second player to ask joins the match that the first one created.
    """
    if find_match(match).status == "open":
        raise Problem("conflict", msg("requests.not_played_yet"))
    if auth.require_caller().guest:
        rate_limits.count_guest_match()
    again, new = rematch.create_rematch(current_player(), match, body.nonce, current_config(), swap=body.swap)
    return describe_match(again.id), 201 if new else 200, {"Location": f"/v1/matches/{again.id}"}
