"""Bodies of leagues and their standings."""

from __future__ import annotations

from typing import Any

from service.play.time_control import DEFAULT_PRESET, PRESETS
from service.web.schemas.fields import (
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ObjectField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.games import GAME_SLUG
from service.web.schemas.matches import AT, HASH, MATCH_ID, MOST_SEATS, PLAYER_ID, by_seat_field, seat_field

CLOSES_AT = "2026-12-16T09:30:00.000Z"
NEW_LEAGUE_EXAMPLE = {
    "title": "Samhain league",
    "game": GAME_SLUG,
    "seats": 2,
    "bots": {"1": "steady"},
    "seat": 0,
    "closes_at": CLOSES_AT,
}
LEAGUE_EXAMPLE: dict[str, Any] = {
    "id": "l5w8n2d6s0wap4v8",
    "title": "Samhain league",
    "game": GAME_SLUG,
    "seats": 2,
    "seat": 0,
    "bots": {"1": "steady"},
    "clock": "standard",
    "options": {},
    "created_by": PLAYER_ID,
    "created_at": AT,
    "closes_at": CLOSES_AT,
    "published_at": None,
    "seed_hash": HASH,
    "seed": None,
    "your_match": None,
}
STANDING_EXAMPLE = {"player": PLAYER_ID, "name": "Aoife", "status": "over", "match": MATCH_ID, "score": 31}


class NewLeagueBodySchema(RequestSchema):
    """A league to be opened."""

    title = TextField(required=True, least=1, most=80, about="What it is called.", example="Samhain league")
    game = TextField(required=True, least=1, most=32, about="Which game.", example=GAME_SLUG)
    seats = IntegerField(required=True, least=1, most=MOST_SEATS, about="How many seats, bots counted.", example=2)
    seat = seat_field(load_default=0, about="The seat that the player has.")
    bots = by_seat_field(
        TextField(least=1, most=32, about="A bot.", example="steady"),
        required=True,
        about="A bot for each other seat.",
        example={"1": "steady"},
    )
    options = ObjectField(load_default=dict, about="Options of the game.", example={})
    clock = ChoiceField(list(PRESETS), load_default=DEFAULT_PRESET, about="The clock.", example=DEFAULT_PRESET)
    closes_at = TimestampField(required=True, about="Until when one may begin, within a year.", example=CLOSES_AT)


class LeagueShownSchema(ResponseSchema):
    """A league."""

    id = IdField(required=True, about="Its id.")
    title = TextField(required=True, about="What it is called.", example="Samhain league")
    game = TextField(required=True, about="Which game.", example=GAME_SLUG)
    seats = IntegerField(required=True, about="How many seats.", example=2)
    seat = seat_field(required=True, about="The seat that the player has.")
    bots = ObjectField(required=True, about="The bots by seat.", example={"1": "steady"})
    clock = TextField(required=True, about="The clock.", example="standard")
    options = ObjectField(required=True, about="Options of the game.", example={})
    created_by = IdField(required=True, about="Who opened it.")
    created_at = TimestampField(required=True, about="When it was opened.")
    closes_at = TimestampField(required=True, about="Until when one may begin.", example=CLOSES_AT)
    published_at = TimestampField(required=True, allow_none=True, about="When the seed was published.")
    seed_hash = TextField(required=True, about="The hash of the one seed, told at the opening.", example=HASH)
    seed = TextField(required=True, allow_none=True, about="The seed, once the last match is over.", example=None)
    your_match = TextField(required=True, allow_none=True, about="Your match of it.", example=None)


class LeaguePageSchema(ResponseSchema):
    """Leagues."""

    items = ListField(NestedField(LeagueShownSchema(), about="A league."), required=True, about="Latest first.")


class StandingShownSchema(ResponseSchema):
    """How a player fared."""

    player = IdField(required=True, about="Who.")
    name = TextField(required=True, about="Their name.", example="Aoife")
    status = TextField(required=True, about="Where their match stands.", example="over")
    match = TextField(required=True, allow_none=True, about="Their match, once it may be watched.", example=MATCH_ID)
    score = IntegerField(
        required=True, allow_none=True, least=-(2**53) + 1, about="Their points, once the league is over.", example=31
    )


class StandingPageSchema(ResponseSchema):
    """Standings."""

    items = ListField(
        NestedField(StandingShownSchema(), about="A player."),
        required=True,
        most=100_000,
        about="Best first, at the end.",
    )
