"""Bodies for challenges on ladders."""

from __future__ import annotations

from service import shapes
from service.tournaments.rounds.challenges import STATES
from service.web.pagination import Paging

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
