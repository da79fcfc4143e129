"""Invitations to tournaments: sending and listing them, and the link that invites whoever opens it."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.db.models.tournaments import TournamentInvitationRow
from service.matches.match_shapes import PersonShown
from service.play.views import player_names
from service.shapes import Page
from service.tournaments.entry.invitations import (
    accept_link,
    invite_guest,
    link_path,
    renew_link,
    select_sent,
    withdraw_link,
)
from service.tournaments.tournament_store import check_organiser, find_tournament
from service.web import auth, pagination
from service.web.api.tournaments import blueprint
from service.web.openapi.blueprint import Answer
from service.web.request_context import current_config, response_locale
from service.web.schemas.invitations import TournamentInviteBody


class TournamentInvitationShown(shapes.Shape):
    """An invitation to a tournament."""

    id: str = shapes.ident("Its id.")
    tournament: str = shapes.ident("To which tournament.", shapes.TOURNAMENT_ID)
    player: str | None = shapes.ident("Who is invited, by id.")
    address: str | None = shapes.text("Or by address.", most=254)
    by: PersonShown = shapes.part("Who invites.")
    at: int = shapes.timestamp("The time since when.")


class TournamentLinkShown(shapes.Shape):
    """The link that invites everybody who opens it."""

    link: str = shapes.text("Its secret part.", "q7d2m9x4k8t3w6zpv5b1c0fh", most=64)
    url: str = shapes.text("The whole link, to give to others.", "https://example.org/tournaments/…", most=300)


class TournamentLinkBody(shapes.Body):
    """A link that you were given."""

    link: str = shapes.text("The secret part of the link.", "q7d2m9x4k8t3w6zpv5b1c0fh", most=64, least=1)


@blueprint.post("/<named:tournament>/invitations", scope="organise", once=True)
@blueprint.response(201, "The invitation; an email is on its way unless one was sent before.")
@blueprint.problems("conflict", "forbidden", "limit-reached")
def invite_to_tournament(body: TournamentInviteBody, tournament: str) -> TournamentInvitationShown:
    """Invite somebody to a tournament.

    A player by id, or anybody by email address: the answer does not reveal whether that address has an account. A guest
    may see a tournament that is not listed, and enter one with `by: invitation`. The email has the rules in sentences.
    An organiser may invite 500 people a day; these do not count as invitations to matches.
    """
    by = auth.require_caller().player
    made = invite_guest(by, find_tournament(tournament, by).id, body.player, body.address)
    return _describe_invitations([made])[0]


@blueprint.get("/<named:tournament>/invitations", scope="organise")
@blueprint.page("Latest first.")
@blueprint.problems("forbidden")
def list_tournament_invitations(query: pagination.Paging, tournament: str) -> Answer[Page[TournamentInvitationShown]]:
    """List the invitations to a tournament.

    Only organisers can. The list of entrants shows which of the guests have entered.
    """
    by = auth.require_caller().player
    row = find_tournament(tournament, by)
    check_organiser(row, by)
    order = (TournamentInvitationRow.at, TournamentInvitationRow.id)
    items, headers = pagination.fetch_rows(select_sent(row.id), query, *order, newest_first=True)
    return Page(items=_describe_invitations(items)), 200, headers


def _describe_invitations(found: Sequence[TournamentInvitationRow]) -> list[TournamentInvitationShown]:
    names = player_names(sorted({row.by_player for row in found}), response_locale())
    return [
        TournamentInvitationShown.of(row, by=PersonShown(id=row.by_player, name=names[row.by_player])) for row in found
    ]


@blueprint.put("/<named:tournament>/link", scope="organise")
@blueprint.problems("conflict", "forbidden")
def renew_tournament_link(tournament: str) -> TournamentLinkShown:
    """Create a link that invites.

    Everybody who opens it is invited, until you create another or withdraw it. Each person counts as one of the owner's
    500 invitations a day.
    """
    by = auth.require_caller().player
    row = find_tournament(tournament, by)
    link = renew_link(by, row.id)
    return TournamentLinkShown(link=link, url=current_config().url + link_path(row.id, link))


@blueprint.delete("/<named:tournament>/link", scope="organise")
@blueprint.response(204, "The link no longer works.")
@blueprint.problems("forbidden")
def withdraw_tournament_link(tournament: str) -> None:
    """Withdraw the link.

    People who have opened it stay invited.
    """
    by = auth.require_caller().player
    withdraw_link(by, find_tournament(tournament, by).id)


@blueprint.post("/<named:tournament>/link", scope="play")
@blueprint.response(204, "You are invited and may enter.")
@blueprint.problems("conflict", "limit-reached")
def accept_tournament_link(body: TournamentLinkBody, tournament: str) -> None:
    """Accept an invitation by link.

    You may then see the tournament, and enter it while entry is open.
    """
    accept_link(auth.require_caller().player, tournament, body.link)
