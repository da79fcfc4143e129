"""Challenges on the ladder of a tournament: making, answering and listing them."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.db.models.tournaments import ChallengeRow
from service.shapes import Page
from service.tournaments.rounds.challenges import ACCEPTED, STATES, answer_challenge, make_challenge, select_challenges
from service.tournaments.rounds.standings import find_names
from service.tournaments.tournament_store import find_tournament, load_state
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.pagination import Paging
from service.web.request_context import current_player_id, response_locale

CHALLENGE_ID = "c7m2x9q4w6k3n8p5"
ANSWER_BY = "2027-01-18T18:00:00.000Z"


class ChallengeBody(shapes.Body):
    """A challenge to make."""

    player: str = shapes.ident("A player above you and within reach.")


class ChallengeAnswerBody(shapes.Body):
    """The answer to a challenge."""

    accept: bool = shapes.flag("True: the match begins. False: the challenge is lost at once.", True)


class ChallengeListQuery(Paging):
    """Which challenges to list."""

    state: str | None = shapes.choice(STATES, "Only challenges in this state.", optional=True)


class Rival(shapes.Shape):
    """One of the two players of a challenge."""

    player: str = shapes.ident("Their id.")
    name: str = shapes.text("Their name.", "Brigid")
    place: int | None = shapes.number("Their current place on the ladder; null if they have left.", 4)


class ChallengeShown(shapes.Shape):
    """A challenge on a ladder."""

    component = "Challenge"

    id: str = shapes.ident("Its id.", CHALLENGE_ID)
    stage: str = shapes.text("The stage that is the ladder.", "ladder")
    state: str = shapes.choice(
        STATES,
        "`open` until it is answered; `silent`: lost because nobody answered; `lapsed`: counts for nobody.",
        "accepted",
    )
    challenger: Rival = shapes.part("Who challenges.")
    challenged: Rival = shapes.part("Who must answer.")
    made_at: int = shapes.timestamp("When it was created.")
    answer_by: int = shapes.timestamp(
        "The deadline: no answer by then loses. Leave, pauses and outages move it.", ANSWER_BY
    )
    answered_at: int | None = shapes.timestamp("When it was settled.")
    match: str | None = shapes.ident("The match; null until the challenge is accepted.", shapes.MATCH_ID)


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

    You get all challenges of the ladder, latest first, or those in one state: `open` ones wait for an answer.
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

    Choose a player above you on the ladder, within its reach. They have to answer in the time that the document gives;
    no answer counts as a loss. The document also limits how many challenges a player may have made and received at
    once.
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

    If you accept it, the match begins at once. If you decline it, you lose it: the other player takes your place.
    """
    row = find_tournament(tournament, current_player_id())
    player = auth.require_caller().player
    settled = answer_challenge(player, row.id, challenge_id, accept=body.accept)
    return _challenges_as_json(row.id, [settled])[0]
