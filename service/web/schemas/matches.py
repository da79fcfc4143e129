"""What matches take and show."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.matches.create import POLICIES, VISIBILITIES
from service.matches.search import STATUSES
from service.play.time_control import DEFAULT, PRESETS
from service.web.pagination import Paging
from service.web.schemas.fields import (
    Choice,
    Flag,
    Free,
    Id,
    Inside,
    Many,
    Members,
    Query,
    Shown,
    Strict,
    Text,
    When,
    Whole,
)
from service.web.schemas.games import SLUG
from service.web.schemas.matches_receipts import JOIN, JoinReceipt

MOST_SEATS = 99
MOST_OPTIONS = 50
MATCH = "m7q2x9v4k8t3w6zp"
PLAYER = "k3v9m2x7q4p8w6ya"
KEY = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
HASH = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
AT = "2026-11-16T09:30:00.000Z"
SIGNATURE = "5c" * 64
NONCE = r"^(-|[0-9a-f]{1,64})$"
BEACON = r"^(-|[a-z0-9-]{1,32}:(0|[1-9][0-9]{0,15}):[0-9a-f]{32,128})$"
ROUND = r"^([a-z0-9-]{1,32}:(0|[1-9][0-9]{0,15}))?$"
VALUE = r"^[0-9a-f]{32,128}$"
LINK = "h7k2m9x4v8q3w6t5y2z8r4p7"
SHOWN: dict[str, Any] = {
    "id": MATCH,
    "title": "Sunday evening",
    "game": SLUG,
    "revision": 1,
    "seats": 2,
    "options": {"end-may-open": True, "last-cards": "simultaneous", "short-second-draw": "from-discards", "start": 0},
    "moves": "any",
    "clock": "standard",
    "policy": "stand-in",
    "leave": True,
    "visibility": "open",
    "status": "running",
    "created_by": {"id": PLAYER, "name": "Aoife"},
    "arbiter": None,
    "created_at": AT,
    "starts_at": None,
    "expires_at": None,
    "started_at": AT,
    "ended_at": None,
    "league": None,
    "rematch_of": None,
    "beacon": "-",
    "seed_hash": HASH,
    "seed": None,
    "head": {"seq": 2, "hash": HASH, "at": AT},
    "places": [
        {"seat": 0, "player": PLAYER, "name": "Aoife", "bot": None, "asked": True, "due": "2026-11-19T09:30:00.000Z"},
        {"seat": 1, "player": None, "name": "Steady (bot)", "bot": "steady", "asked": False, "due": None},
    ],
    "you": {"seat": 0, "nonce": "00ff", "keys": [KEY], "muted": False, "receipt": JOIN},
    "link": None,
}
NEW: dict[str, Any] = {"game": SLUG, "seats": 2, "bots": {"1": "steady"}, "seat": 0, "nonce": "00ff"}


def seat_field(**more: Any) -> Whole:  # noqa: ANN401  # as marshmallow has it
    """The number of a seat."""
    more.setdefault("about", "The seat, from 0.")
    return Whole(most=MOST_SEATS - 1, example=more.pop("example", 0), **more)


def nonce_field() -> Text:
    """A nonce, or `-`."""
    return Text(
        load_default="-",
        most=64,
        least=1,
        pattern=NONCE,
        about="Hex digits of your choice that go into every draw, so that the server alone cannot choose the cards; "
        "`-` for none.",
        example="00ff",
    )


def by_seat(inner: fields.Field[Any], **more: Any) -> fields.Dict:  # noqa: ANN401
    """An object whose names are seats."""
    about, example = more.pop("about"), more.pop("example")
    return fields.Dict(
        keys=fields.String(validate=validate.Regexp(r"^(0|[1-9][0-9]?)$", error="A seat is 0 to 98.")),
        values=inner,
        validate=Members(MOST_SEATS),
        metadata={"description": about, "example": example},
        **more,
    )


class NewMatchBody(Strict):
    """A match to be made."""

    game = Text(required=True, least=1, most=32, about="Which game; `GET /v1/games` lists them.", example=SLUG)
    seats = Whole(required=True, least=1, most=MOST_SEATS, about="How many play, bots counted.", example=2)
    options = Free(
        load_default=dict,
        validate=Members(MOST_OPTIONS),
        about="Options of the game, where they shall not have their defaults.",
        example={"last-cards": "seat-order"},
    )
    bots = by_seat(
        Text(least=1, most=32, about="A bot.", example="steady"),
        load_default=dict,
        about="Bots by their seats.",
        example={"1": "steady"},
    )
    seat = seat_field(load_default=None, allow_none=True, about="Your seat; any free one if not given.")
    nonce = nonce_field()
    title = Text(load_default="", most=80, about="What the match is called.", example="Sunday evening")
    clock = Choice(
        list(PRESETS),
        load_default=DEFAULT,
        about="How long a seat has: a bank that grows with each turn (`standard`, `relaxed`, `tournament`, "
        "`reactions`, …), so many days for each move (`simple-N`, `phases`), or no limit (`none`).",
        example=DEFAULT,
    )
    policy = Choice(
        POLICIES,
        load_default="stand-in",
        about="What happens when a seat's time is out: it loses, a bot plays on, or a substitute is looked for.",
        example="stand-in",
    )
    leave = Flag(load_default=True, about="Whether the players' leave stops their clocks.", example=True)
    moves = Choice(
        ("any", "signed"), load_default="any", about="`signed`: only signed moves, none by mail.", example="any"
    )
    visibility = Choice(
        VISIBILITIES,
        load_default="open",
        about="`open`: in the list, for everybody to join and watch. `invitation`: only for those invited. `link`: "
        "also for those who have its link.",
        example="open",
    )
    starts_at = When(
        load_default=None,
        allow_none=True,
        about="When it starts, within a year; if it is not full by then, it is cancelled. As soon as every seat is "
        "taken if not given.",
    )
    beacon = Text(
        load_default="-",
        least=1,
        most=180,
        pattern=BEACON,
        about="Public randomness that goes into every draw beside seed and nonces, as `NAME:ROUND:VALUE`: a round that "
        "a public beacon has published. `-` for none.",
        example="-",
    )
    beacon_round = Text(
        load_default="",
        most=50,
        pattern=ROUND,
        about="For events, instead of `beacon`: a round that is still to come, as `NAME:ROUND`, named before anybody "
        "joins. Such a match starts only when its organiser gives the value, see `POST …/start`. Needs `sit` false.",
        example="drand:4242",
    )
    sit = Flag(
        load_default=True,
        about="Whether you play. An organiser who does not is the arbiter; needs the scope `organise`.",
        example=True,
    )
    players = by_seat(
        Id(about="A player."),
        load_default=dict,
        about="Players by their seats, seated at once: each must have named you under `/v1/me/organisers`. Needs the "
        "scope `organise`.",
        example={},
    )


class JoinBody(Strict):
    """Taking a seat."""

    seat = seat_field(load_default=None, allow_none=True, about="Which seat; any free one if not given.")
    nonce = nonce_field()
    link = Text(
        load_default=None, allow_none=True, most=64, about="The link of a match that is not open.", example=LINK
    )


class StartBody(Strict):
    """Starting before the match is full."""

    fill = Text(
        load_default=None, allow_none=True, most=32, about="The bot that takes every empty seat.", example="steady"
    )
    beacon = Text(
        load_default=None,
        allow_none=True,
        most=128,
        pattern=VALUE,
        about="For a match that names a round of a beacon: the value that the beacon published for it, in hex.",
        example=None,
    )


class RematchBody(Strict):
    """Playing again."""

    nonce = nonce_field()


class MatchQuery(Query):
    """Reading one match."""

    link = Text(load_default=None, most=64, about="The link of a match that is not open.", example=LINK)


class SearchQuery(Paging):
    """Looking for matches."""

    mine = Flag(load_default=False, about="Your own matches and invitations instead of open ones; needs a token.")
    game = Text(load_default=None, most=32, about="Only this game.", example=SLUG)
    status = Choice(STATUSES, load_default=None, about="Only matches like this; `open` ones wait for players.")
    seats = Whole(load_default=None, least=1, most=MOST_SEATS, about="Only matches for so many.", example=2)
    player = Id(load_default=None, about="Only matches of this player.", example=PLAYER)
    title = Text(load_default=None, least=1, most=80, about="Only where the title contains this.", example="sunday")


class PersonShown(Shown):
    """A player, named."""

    id = Id(about="Their id.")
    name = Text(about="Their name.", example="Aoife")


class PlaceShown(Shown):
    """A seat of a match."""

    seat = seat_field()
    player = Id(allow_none=True, about="Who sits there.")
    name = Text(allow_none=True, about="How they are called.", example="Aoife")
    bot = Text(allow_none=True, about="The bot that plays there.", example="steady")
    asked = Flag(about="Whether the seat is asked something now.", example=True)
    due = When(allow_none=True, about="By when its answer must be in.")


class HeadShown(Shown):
    """The head of the log."""

    seq = Whole(about="How many entries there are.", example=2)
    hash = Text(about="The hash of the last one, or of the header.", example=HASH)
    at = When(about="When it was written.")


class YouShown(Shown):
    """Your own seat."""

    seat = seat_field(about="Your seat: it goes into what you sign.")
    nonce = Text(about="Your nonce.", example="00ff")
    keys = Many(Text(about="A key.", example=KEY), about="The keys this seat had when you took it.", example=[KEY])
    muted = Flag(about="Whether you want no notes of others.")
    receipt = Inside(JoinReceipt(), allow_none=True, about="The server's signed receipt for joining; keep it.")


class MatchShown(Shown):
    """A match."""

    id = Id(required=True, about="Its id.", example=MATCH)
    title = Text(required=True, about="What it is called.", example="Sunday evening")
    game = Text(required=True, about="Which game.", example=SLUG)
    revision = Whole(required=True, about="The revision of the rules.", example=1)
    seats = Whole(required=True, about="How many play.", example=2)
    options = Free(required=True, about="Every option with its value.", example=SHOWN["options"])
    moves = Text(required=True, about="`any`, or `signed` for signed moves only.", example="any")
    clock = Text(required=True, about="The clock.", example="standard")
    policy = Text(required=True, about="What happens when time is out.", example="stand-in")
    leave = Flag(required=True, about="Whether leave stops clocks.", example=True)
    visibility = Text(required=True, about="Who may look at it.", example="open")
    status = Choice(STATUSES, required=True, about="Where it stands.", example="running")
    created_by = Inside(PersonShown(), required=True, about="Who made it.")
    arbiter = Inside(PersonShown(), required=True, allow_none=True, about="Its organiser, who sees all of it.")
    created_at = When(required=True, about="When it was made.")
    starts_at = When(required=True, allow_none=True, about="When it shall start.")
    expires_at = When(required=True, allow_none=True, about="When it is cancelled if it does not fill.")
    started_at = When(required=True, allow_none=True, about="When it started.")
    ended_at = When(required=True, allow_none=True, about="When it ended.")
    league = Text(required=True, allow_none=True, about="The league it belongs to.", example=None)
    rematch_of = Text(required=True, allow_none=True, about="The match it is a rematch of.", example=None)
    beacon = Text(
        required=True,
        about="The public randomness that goes into the draws: `NAME:ROUND:VALUE`, `NAME:ROUND` while the value is "
        "awaited, or `-`.",
        example="-",
    )
    seed_hash = Text(required=True, about="The hash of the seed, told before anybody joins.", example=HASH)
    seed = Text(required=True, allow_none=True, about="The seed, once the match is over.", example=None)
    head = Inside(HeadShown(), required=True, allow_none=True, about="The head of the log, once it has started.")
    places = Many(Inside(PlaceShown(), about="A seat."), required=True, about="The seats.", example=SHOWN["places"])
    you = Inside(YouShown(), required=True, allow_none=True, about="Your seat, if you have one.")
    link = Text(
        required=True, allow_none=True, about="The link to give to others, for those inside only.", example=None
    )


class MatchPage(Shown):
    """Matches."""

    items = Many(Inside(MatchShown(), about="A match."), required=True, about="Latest first.")


class JoinedShown(Shown):
    """A seat taken."""

    receipt = Inside(JoinReceipt(), required=True, about="The server's signed receipt; keep it to prove the terms.")
    match = Inside(MatchShown(), required=True, about="The match as it is now.")
