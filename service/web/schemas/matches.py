"""What matches take and show."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.matches.create import POLICIES, VISIBILITIES
from service.matches.search import STATUSES
from service.play.access import PAIRED_VISIBILITIES
from service.play.time_control import DEFAULT_PRESET, PRESETS
from service.web.pagination import PagingQuerySchema
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    MaxMembers,
    NestedField,
    ObjectField,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.games import GAME_SLUG

JOIN_RECEIPT_EXAMPLE: dict[str, Any] = {
    "at": 1_794_907_800_000,
    "keys": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    "match": "m7q2x9v4k8t3w6zp",
    "nonce": "00ff",
    "player": "k3v9m2x7q4p8w6ya",
    "seat": 0,
    "seed": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    "server": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    "signature": "5c" * 64,
    "type": "join",
}


class JoinReceiptSchema(ResponseSchema):
    """What the server signs for a seat: it binds the match to the seed it committed to."""

    at = IntegerField(required=True, about="When, in milliseconds since 1970.", example=JOIN_RECEIPT_EXAMPLE["at"])
    keys = TextField(
        required=True,
        most=400,
        about="The keys of the seat, with commas; `-` for none.",
        example=JOIN_RECEIPT_EXAMPLE["keys"],
    )
    match = IdField(required=True, about="The match.", example=JOIN_RECEIPT_EXAMPLE["match"])
    nonce = TextField(
        required=True, about="The nonce of the seat, `-` for none.", example=JOIN_RECEIPT_EXAMPLE["nonce"]
    )
    player = IdField(required=True, about="Who joined.", example=JOIN_RECEIPT_EXAMPLE["player"])
    seat = IntegerField(required=True, most=98, about="The seat.", example=JOIN_RECEIPT_EXAMPLE["seat"])
    seed = TextField(
        required=True,
        about="The hash of the seed: SHA-256 of its 32 bytes, in hex.",
        example=JOIN_RECEIPT_EXAMPLE["seed"],
    )
    server = TextField(
        required=True,
        about="The server's key, from `/.well-known/echtra.json`.",
        example=JOIN_RECEIPT_EXAMPLE["server"],
    )
    signature = TextField(
        required=True,
        about="Its signature over `echtra-join-v1`, `match`, `seat`, `player`, `seed`, `nonce`, `keys` and `at`, "
        "each followed by a line feed.",
        example=JOIN_RECEIPT_EXAMPLE["signature"],
    )
    type = TextField(required=True, about="Always `join`.", example="join")


MOST_SEATS = 99
MOST_OPTIONS = 50
MATCH_ID = "m7q2x9v4k8t3w6zp"
PLAYER_ID = "k3v9m2x7q4p8w6ya"
KEY_ID = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
HASH = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
AT = "2026-11-16T09:30:00.000Z"
SIGNATURE = "5c" * 64
NONCE_PATTERN = r"^(-|[0-9a-f]{1,64})$"
BEACON_PATTERN = r"^(-|[a-z0-9-]{1,32}:(0|[1-9][0-9]{0,15}):[0-9a-f]{32,128})$"
ROUND_PATTERN = r"^([a-z0-9-]{1,32}:(0|[1-9][0-9]{0,15}))?$"
BEACON_VALUE_PATTERN = r"^[0-9a-f]{32,128}$"
LINK = "h7k2m9x4v8q3w6t5y2z8r4p7"
MATCH_EXAMPLE: dict[str, Any] = {
    "id": MATCH_ID,
    "title": "Sunday evening",
    "game": GAME_SLUG,
    "revision": 1,
    "seats": 2,
    "options": {"end-may-open": True, "last-cards": "simultaneous", "short-second-draw": "from-discards", "start": 0},
    "moves": "any",
    "clock": "standard",
    "policy": "stand-in",
    "leave": True,
    "visibility": "open",
    "status": "running",
    "created_by": {"id": PLAYER_ID, "name": "Aoife"},
    "arbiter": None,
    "created_at": AT,
    "starts_at": None,
    "expires_at": None,
    "started_at": AT,
    "ended_at": None,
    "rematch_of": None,
    "beacon": "-",
    "seed_hash": HASH,
    "seed": None,
    "head": {"seq": 2, "hash": HASH, "at": AT},
    "places": [
        {
            "seat": 0,
            "player": PLAYER_ID,
            "name": "Aoife",
            "bot": None,
            "asked": True,
            "due": "2026-11-19T09:30:00.000Z",
        },
        {"seat": 1, "player": None, "name": "Steady (bot)", "bot": "steady", "asked": False, "due": None},
    ],
    "you": {"seat": 0, "nonce": "00ff", "keys": [KEY_ID], "muted": False, "receipt": JOIN_RECEIPT_EXAMPLE},
    "link": None,
}
NEW_MATCH_EXAMPLE: dict[str, Any] = {"game": GAME_SLUG, "seats": 2, "bots": {"1": "steady"}, "seat": 0, "nonce": "00ff"}


def seat_field(**more: Any) -> IntegerField:  # noqa: ANN401  # as marshmallow has it
    """The number of a seat."""
    more.setdefault("about", "The seat, from 0.")
    return IntegerField(most=MOST_SEATS - 1, example=more.pop("example", 0), **more)


def nonce_field() -> TextField:
    """A nonce, or `-`."""
    return TextField(
        load_default="-",
        most=64,
        least=1,
        pattern=NONCE_PATTERN,
        about="Hex digits of your choice that go into every draw, so that the server alone cannot choose the cards; "
        "`-` for none.",
        example="00ff",
    )


def by_seat_field(inner: fields.Field[Any], **more: Any) -> fields.Dict:  # noqa: ANN401
    """An object whose names are seats."""
    about, example = more.pop("about"), more.pop("example")
    return fields.Dict(
        keys=fields.String(validate=validate.Regexp(r"^(0|[1-9][0-9]?)$", error="A seat is 0 to 98.")),
        values=inner,
        validate=MaxMembers(MOST_SEATS),
        metadata={"description": about, "example": example},
        **more,
    )


class NewMatchBodySchema(RequestSchema):
    """A match to be made."""

    game = TextField(
        required=True, least=1, most=32, about="Which game; `GET /v1/games` lists them.", example=GAME_SLUG
    )
    seats = IntegerField(required=True, least=1, most=MOST_SEATS, about="How many play, bots counted.", example=2)
    options = ObjectField(
        load_default=dict,
        validate=MaxMembers(MOST_OPTIONS),
        about="Options of the game, where they shall not have their defaults. In the first match of a person who "
        "makes it and sits at it (no earlier seat at this game; programs are not meant), an option may "
        "have another default, its `x-first-match` in `GET /v1/games`: the Geas of Tír na nÓg are then the three for "
        "a first match, as with `geas: first`; give `geas: random` for any others.",
        example={"last-cards": "seat-order"},
    )
    bots = by_seat_field(
        TextField(least=1, most=32, about="A bot.", example="steady"),
        load_default=dict,
        about="Bots by their seats.",
        example={"1": "steady"},
    )
    seat = seat_field(load_default=None, allow_none=True, about="Your seat; any free one if not given.")
    nonce = nonce_field()
    title = TextField(load_default="", most=80, about="What the match is called.", example="Sunday evening")
    clock = ChoiceField(
        list(PRESETS),
        load_default=DEFAULT_PRESET,
        about="How long a seat has: a bank that grows with each turn (`standard`, `relaxed`, `tournament`, "
        "`reactions`, …), so many days for each move (`simple-N`, `phases`), or no limit (`none`).",
        example=DEFAULT_PRESET,
    )
    policy = ChoiceField(
        POLICIES,
        load_default="stand-in",
        about="What happens when a seat's time is out: it loses, a bot plays on, or a substitute is looked for.",
        example="stand-in",
    )
    leave = BooleanField(load_default=True, about="Whether the players' leave stops their clocks.", example=True)
    moves = ChoiceField(
        ("any", "signed"), load_default="any", about="`signed`: only signed moves, none by mail.", example="any"
    )
    visibility = ChoiceField(
        VISIBILITIES,
        load_default="open",
        about="`open`: in the list, for everybody to join and watch. `invitation`: only for those invited. `link`: "
        "also for those who have its link.",
        example="open",
    )
    starts_at = TimestampField(
        load_default=None,
        allow_none=True,
        about="When it starts, within a year; if it is not full by then, it is cancelled. As soon as every seat is "
        "taken if not given.",
    )
    beacon = TextField(
        load_default="-",
        least=1,
        most=180,
        pattern=BEACON_PATTERN,
        about="Public randomness that goes into every draw beside seed and nonces, as `NAME:ROUND:VALUE`: a round that "
        "a public beacon has published. `-` for none.",
        example="-",
    )
    beacon_round = TextField(
        load_default="",
        most=50,
        pattern=ROUND_PATTERN,
        about="For events, instead of `beacon`: a round that is still to come, as `NAME:ROUND`, named before anybody "
        "joins. Such a match starts only when its organiser gives the value, see `POST …/start`. Needs `sit` false.",
        example="drand:4242",
    )
    sit = BooleanField(
        load_default=True,
        about="Whether you play. An organiser who does not is the arbiter: players are told, and the arbiter sees what "
        "spectators see. Needs the scope `organise`.",
        example=True,
    )
    players = by_seat_field(
        IdField(about="A player."),
        load_default=dict,
        about="Players by their seats, seated at once: each must have named you under `/v1/me/organisers`. Needs the "
        "scope `organise`.",
        example={},
    )


class JoinBodySchema(RequestSchema):
    """Taking a seat."""

    seat = seat_field(load_default=None, allow_none=True, about="Which seat; any free one if not given.")
    nonce = nonce_field()
    link = TextField(
        load_default=None, allow_none=True, most=64, about="The link of a match that is not open.", example=LINK
    )


class StartBodySchema(RequestSchema):
    """Starting before the match is full."""

    fill = TextField(
        load_default=None, allow_none=True, most=32, about="The bot that takes every empty seat.", example="steady"
    )
    beacon = TextField(
        load_default=None,
        allow_none=True,
        most=128,
        pattern=BEACON_VALUE_PATTERN,
        about="For a match that names a round of a beacon: the value that the beacon published for it, in hex.",
        example=None,
    )


class RematchBodySchema(RequestSchema):
    """Playing again."""

    nonce = nonce_field()


class MatchQuerySchema(QuerySchema):
    """Reading one match."""

    link = TextField(load_default=None, most=64, about="The link of a match that is not open.", example=LINK)


class MatchSearchQuerySchema(PagingQuerySchema):
    """Looking for matches."""

    mine = BooleanField(
        load_default=False, about="Your own matches and invitations instead of open ones; needs a token."
    )
    game = TextField(load_default=None, most=32, about="Only this game.", example=GAME_SLUG)
    status = ChoiceField(STATUSES, load_default=None, about="Only matches like this; `open` ones wait for players.")
    seats = IntegerField(load_default=None, least=1, most=MOST_SEATS, about="Only matches for so many.", example=2)
    player = IdField(load_default=None, about="Only matches of this player.", example=PLAYER_ID)
    title = TextField(
        load_default=None, least=1, most=80, about="Only where the title contains this.", example="sunday"
    )


class PersonShownSchema(ResponseSchema):
    """A player, named."""

    id = IdField(required=True, about="Their id.")
    name = TextField(required=True, about="Their name.", example="Aoife")


class PlaceShownSchema(ResponseSchema):
    """A seat of a match."""

    seat = seat_field(required=True)
    player = IdField(required=True, allow_none=True, about="Who sits there.")
    name = TextField(required=True, allow_none=True, about="How they are called.", example="Aoife")
    bot = TextField(required=True, allow_none=True, about="The bot that plays there.", example="steady")
    asked = BooleanField(required=True, about="Whether the seat is asked something now.", example=True)
    due = TimestampField(required=True, allow_none=True, about="By when its answer must be in.")


class HeadShownSchema(ResponseSchema):
    """The head of the log."""

    seq = IntegerField(required=True, about="How many entries there are.", example=2)
    hash = TextField(required=True, about="The hash of the last one, or of the header.", example=HASH)
    at = TimestampField(required=True, about="When it was written.")


class YouShownSchema(ResponseSchema):
    """Your own seat."""

    seat = seat_field(required=True, about="Your seat: it goes into what you sign.")
    nonce = TextField(required=True, about="Your nonce.", example="00ff")
    keys = ListField(
        TextField(about="A key.", example=KEY_ID),
        required=True,
        about="The keys this seat had when you took it.",
        example=[KEY_ID],
    )
    muted = BooleanField(required=True, about="Whether you want no notes of others.")
    receipt = NestedField(
        JoinReceiptSchema(), required=True, allow_none=True, about="The server's signed receipt for joining; keep it."
    )


class MatchShownSchema(ResponseSchema):
    """A match."""

    id = IdField(required=True, about="Its id.", example=MATCH_ID)
    title = TextField(required=True, about="What it is called.", example="Sunday evening")
    game = TextField(required=True, about="Which game.", example=GAME_SLUG)
    revision = IntegerField(required=True, about="The revision of the rules.", example=1)
    seats = IntegerField(required=True, about="How many play.", example=2)
    options = ObjectField(required=True, about="Every option with its value.", example=MATCH_EXAMPLE["options"])
    moves = ChoiceField(("any", "signed"), required=True, about="`any`, or `signed` for signed moves only.")
    clock = ChoiceField(list(PRESETS), required=True, about="The clock.", example="standard")
    policy = ChoiceField(POLICIES, required=True, about="What happens when time is out.", example="stand-in")
    leave = BooleanField(required=True, about="Whether leave stops clocks.", example=True)
    visibility = ChoiceField(
        (*VISIBILITIES, *PAIRED_VISIBILITIES),
        required=True,
        about="Who may look at it. A match of a tournament may be closed to others until it is over (`after-match`) "
        "or its stage is (`after-stage`); while others still play the same deal, its record is closed too (`sealed`), "
        "or once it is over all of it (`closed`).",
        example="open",
    )
    status = ChoiceField(STATUSES, required=True, about="Where it stands.", example="running")
    created_by = NestedField(PersonShownSchema(), required=True, about="Who made it.")
    arbiter = NestedField(
        PersonShownSchema(),
        required=True,
        allow_none=True,
        about="Who decides in it without playing. The arbiter sees what spectators see.",
    )
    created_at = TimestampField(required=True, about="When it was made.")
    starts_at = TimestampField(required=True, allow_none=True, about="When it shall start.")
    expires_at = TimestampField(required=True, allow_none=True, about="When it is cancelled if it does not fill.")
    started_at = TimestampField(required=True, allow_none=True, about="When it started.")
    ended_at = TimestampField(required=True, allow_none=True, about="When it ended.")
    rematch_of = TextField(required=True, allow_none=True, about="The match it is a rematch of.", example=None)
    beacon = TextField(
        required=True,
        about="The public randomness that goes into the draws: `NAME:ROUND:VALUE`, `NAME:ROUND` while the value is "
        "awaited, or `-`.",
        example="-",
    )
    seed_hash = TextField(required=True, about="The hash of the seed, told before anybody joins.", example=HASH)
    seed = TextField(required=True, allow_none=True, about="The seed, once the match is over.", example=None)
    head = NestedField(
        HeadShownSchema(), required=True, allow_none=True, about="The head of the log, once it has started."
    )
    places = ListField(
        NestedField(PlaceShownSchema(), about="A seat."),
        required=True,
        about="The seats.",
        example=MATCH_EXAMPLE["places"],
    )
    you = NestedField(YouShownSchema(), required=True, allow_none=True, about="Your seat, if you have one.")
    link = TextField(
        required=True, allow_none=True, about="The link to give to others, for those inside only.", example=None
    )


class MatchPageSchema(ResponseSchema):
    """Matches."""

    items = ListField(NestedField(MatchShownSchema(), about="A match."), required=True, about="Latest first.")


class JoinedShownSchema(ResponseSchema):
    """A seat taken."""

    receipt = NestedField(
        JoinReceiptSchema(), required=True, about="The server's signed receipt; keep it to prove the terms."
    )
    match = NestedField(MatchShownSchema(), required=True, about="The match as it is now.")


class SubstituteBodySchema(RequestSchema):
    """Which seat is wanted."""

    seat: Any = IntegerField(load_default=None, most=99, about="The seat; the first open one if left out.", example=1)
    link: Any = TextField(load_default=None, most=64, about="The link of a match that is not open.", example=LINK)
