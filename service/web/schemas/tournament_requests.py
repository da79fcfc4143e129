"""What is said to and asked about tournaments: entering, byes, and which part is wanted."""

from __future__ import annotations

from service.web.pagination import PagingQuerySchema
from service.web.schemas.fields import BooleanField, ChoiceField, IntegerField, QuerySchema, RequestSchema, TextField
from service.web.schemas.games import GAME_SLUG
from service.web.schemas.tournaments import STATES


class EnterBodySchema(RequestSchema):
    """What one says when entering."""

    nonce = TextField(
        load_default="-",
        most=64,
        least=1,
        about="Hex digits of your choice: they go into the headers of your matches, and so into their deals.",
        example="8f3a",
    )


class ByeBodySchema(RequestSchema):
    """The round in which somebody does not play."""

    round = TextField(required=True, least=3, most=60, about="The round as STAGE:NUMBER.", example="swiss:3")


class TournamentListQuerySchema(PagingQuerySchema):
    """Which tournaments to list."""

    state = ChoiceField(STATES, about="Only those that stand here.", example="entry")
    game = TextField(most=32, about="Only those of this game.", example=GAME_SLUG)
    mine = BooleanField(load_default=False, about="Only those that you made or entered.", example=False)


class StageQuerySchema(PagingQuerySchema):
    """Which stage to show."""

    stage = TextField(
        load_default="", most=40, about="The stage; the last one that began unless told.", example="swiss"
    )


class StandingsQuerySchema(StageQuerySchema):
    """Which standings to show."""

    why = BooleanField(load_default=False, about="Say of every line why it stands there.", example=True)


class OneStageQuerySchema(QuerySchema):
    """Which stage goes into a file."""

    stage = TextField(
        load_default="", most=40, about="The stage; the last one that began unless told.", example="swiss"
    )


class LogQuerySchema(PagingQuerySchema):
    """Which lines to show."""

    after = IntegerField(load_default=0, about="Only lines after this one; a cursor comes first.", example=0)
    limit = IntegerField(load_default=200, least=1, most=500, about="How many at most.", example=200)


class WithdrawQuerySchema(QuerySchema):
    """How to leave."""

    now = BooleanField(load_default=False, about="Give up running matches of the tournament too.", example=False)
