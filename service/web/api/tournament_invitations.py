"""Invitations to tournaments: sending and listing them."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.db.models.tournaments import TournamentInvitationRow
from service.matches.match_shapes import PersonShown
from service.play.views import player_names
from service.shapes import Page
from service.tournaments.entry.invitations import invite_guest, select_sent
from service.tournaments.tournament_store import check_organiser, find_tournament
from service.web import auth, pagination
from service.web.api.tournaments import blueprint
from service.web.openapi.blueprint import Answer
from service.web.request_context import response_locale
from service.web.schemas.invitations import TournamentInviteBody


class TournamentInvitationShown(shapes.Shape):
    """An invitation to a tournament."""

    id: str = shapes.ident("Its id.")
    tournament: str = shapes.ident("To which tournament.", shapes.TOURNAMENT_ID)
    player: str | None = shapes.ident("Who is invited, by id.")
    address: str | None = shapes.text("Or by address.", most=254)
    by: PersonShown = shapes.part("Who invites.")
    at: int = shapes.timestamp("The time since when.")


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

    For organisers. The list of entrants shows which of the guests have entered.
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
