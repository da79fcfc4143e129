"""Challenges on the ladder of a tournament: making, answering and listing them."""

from __future__ import annotations

from collections.abc import Sequence

from service.db.models.tournaments import ChallengeRow
from service.shapes import Page
from service.tournaments.rounds.challenges import ACCEPTED, answer_challenge, make_challenge, select_challenges
from service.tournaments.rounds.standings import find_names
from service.tournaments.tournament_store import find_tournament, load_state
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_player_id, response_locale
from service.web.schemas.tournament_challenges import (
    CHALLENGE_ID,
    ChallengeAnswerBody,
    ChallengeBody,
    ChallengeListQuery,
    ChallengeShown,
    Rival,
)

blueprint = Blueprint(
    "challenges",
    __name__,
    url_prefix="/v1/tournaments",
    description="Ladders: players challenge those a few places above them, and the winner takes the better place.",
)


def _challenges_as_json(tournament: str, rows: Sequence[ChallengeRow]) -> list[ChallengeShown]:
    state = load_state(tournament)
    names = find_names(sorted({one for row in rows for one in (row.challenger, row.challenged)}), response_locale())
    places = {
        stage: {state.holders[number]: at for at, number in enumerate(state.ladder_order(stage), 1)}
        for stage in {row.stage for row in rows}
    }

    def show_rival(row: ChallengeRow, player: str) -> Rival:
        return Rival(player=player, name=names[player], place=places[row.stage].get(player))

    return [
        ChallengeShown.of(
            row,
            challenger=show_rival(row, row.challenger),
            challenged=show_rival(row, row.challenged),
            match=row.pairing if row.state == ACCEPTED else None,
        )
        for row in rows
    ]


@blueprint.get("/<named:tournament>/challenges", scope="optional")
@blueprint.page("Latest first.")
def list_challenges(query: ChallengeListQuery, tournament: str) -> Answer[Page[ChallengeShown]]:
    """List challenges.

    All challenges of the ladder, latest first, or those in one state: `open` ones wait for an answer.
    """
    row = find_tournament(tournament, current_player_id())
    order = (ChallengeRow.made_at, ChallengeRow.id)
    found = select_challenges(row.id, query.state)
    items, headers = pagination.fetch_rows(found, query, *order, newest_first=True)
    return Page(items=_challenges_as_json(row.id, items)), 200, headers


@blueprint.post("/<named:tournament>/challenges", scope="play", once=True)
@blueprint.response(201, "The challenge; the player gets an email and must answer.")
@blueprint.problems("conflict")
def challenge(body: ChallengeBody, tournament: str) -> Answer[ChallengeShown]:
    """Challenge somebody.

    A player above you on the ladder, within its reach. They have to answer in the time that the document gives; whoever
    does not answer loses. The document also limits how many challenges a player may have made and received at once.
    """
    row = find_tournament(tournament, current_player_id())
    made = make_challenge(auth.require_caller().player, row.id, body.player)
    return _challenges_as_json(row.id, [made])[0], 201, {"Location": f"/v1/tournaments/{row.id}/challenges"}


@blueprint.post(
    "/<named:tournament>/challenges/<id:challenge_id>",
    scope="play",
    once=True,
    parameters=[
        {"in": "path", "name": "challenge_id", "description": "The id of the challenge.", "example": CHALLENGE_ID}
    ],
)
@blueprint.response(200, "The challenge is answered.")
@blueprint.problems("conflict")
def answer(body: ChallengeAnswerBody, tournament: str, challenge_id: str) -> ChallengeShown:
    """Answer a challenge.

    Accept it, and the match begins at once; or decline it, and you lose it: the other player takes your place.
    """
    row = find_tournament(tournament, current_player_id())
    player = auth.require_caller().player
    settled = answer_challenge(player, row.id, challenge_id, accept=body.accept)
    return _challenges_as_json(row.id, [settled])[0]
