"""Bodies for matches."""

from __future__ import annotations

from collections.abc import Mapping

from service import shapes
from service.matches.match_shapes import POLICIES, STATUSES, VISIBILITIES, JoinReceipt, MatchShown
from service.play.time_control import DEFAULT_PRESET, PRESETS
from service.record.canonical_json import JsonValue
from service.web.pagination import Paging

MOST_OPTIONS = 50
SEAT_PATTERN = r"^(0|[1-9][0-9]?)$"
NONCE_PATTERN = r"^(-|[0-9a-f]{1,64})$"

BEACON_PATTERN = r"^(-|[a-z0-9-]{1,32}:(0|[1-9][0-9]{0,15}):[0-9a-f]{32,128})$"

ROUND_PATTERN = r"^([a-z0-9-]{1,32}:(0|[1-9][0-9]{0,15}))?$"

BEACON_VALUE_PATTERN = r"^[0-9a-f]{32,128}$"

LINK = "h7k2m9x4v8q3w6t5y2z8r4p7"


def nonce() -> str:
    """Describe a nonce, or `-`."""
    return shapes.text(
        "Hex digits of your choice that go into every draw, so that the server alone cannot choose the cards; "
        "`-` for none.",
        "00ff",
        most=64,
        least=1,
        pattern=NONCE_PATTERN,
        default="-",
        in_example=True,
    )


class NewMatchBody(shapes.Body):
    """A new match."""

    game: str = shapes.text("Which game; `GET /v1/games` lists them.", shapes.GAME_SLUG, most=32, least=1)
    seats: int = shapes.number("The number of players, bots included.", 2, most=shapes.MOST_SEATS, least=1)
    options: Mapping[str, JsonValue] = shapes.members(
        "Options of the game, where they shall not have their defaults. In the first match of a person who "
        "makes it and sits at it (no earlier seat at this game; programs are not meant), an option may "
        "have another default, its `x-first-match` in `GET /v1/games`: the Geas of Tír na nÓg are then the three for "
        "a first match, as with `geas: first`; give `geas: random` for any others.",
        {"last-cards": "seat-order"},
        most=MOST_OPTIONS,
        default=dict,
    )
    bots: Mapping[str, str] = shapes.members(
        "Bots by their seats.",
        {"1": "steady"},
        of=shapes.text("A bot.", "steady", most=32, least=1),
        most=shapes.MOST_SEATS,
        keys=SEAT_PATTERN,
        default=dict,
    )
    seat: int | None = shapes.seat("Your seat; any free one if omitted.", default=None)
    nonce: str = nonce()
    title: str = shapes.text("The title of the match.", "Sunday evening", most=80, default="")
    clock: str = shapes.choice(
        list(PRESETS),
        "How long a seat has: a bank that grows with each turn (`standard`, `relaxed`, `tournament`, "
        "`reactions`, …), so many days for each move (`simple-N`, `phases`), or no limit (`none`).",
        default=DEFAULT_PRESET,
    )
    policy: str = shapes.choice(
        POLICIES,
        "What happens when a seat runs out of time: it loses, a bot takes over, or a substitute is sought.",
        default="stand-in",
    )
    leave: bool = shapes.flag("Whether the players' leave stops their clocks.", True, default=True)
    moves: str = shapes.choice(("any", "signed"), "`signed`: only signed moves, none by email.", default="any")
    visibility: str = shapes.choice(
        VISIBILITIES,
        "`open`: in the list, for everybody to join and watch. `invitation`: only for those invited. `link`: "
        "also for those who have its link.",
        default="open",
    )
    starts_at: int | None = shapes.timestamp(
        "When it starts, within a year; if it is not full by then, it is cancelled. As soon as every seat is "
        "taken if not given.",
        default=None,
    )
    beacon: str = shapes.text(
        "Public randomness that goes into every draw beside seed and nonces, as `NAME:ROUND:VALUE`: a round that "
        "a public beacon has published. `-` for none.",
        "-",
        most=180,
        least=1,
        pattern=BEACON_PATTERN,
        default="-",
    )
    beacon_round: str = shapes.text(
        "For events, instead of `beacon`: a round that is still to come, as `NAME:ROUND`, named before anybody "
        "joins. Such a match starts only when its organiser gives the value, see `POST …/start`. Needs `sit` false.",
        "drand:4242",
        most=50,
        pattern=ROUND_PATTERN,
        default="",
    )
    sit: bool = shapes.flag(
        "Whether you play. An organiser who does not is the arbiter: players are told, and the arbiter sees what "
        "spectators see. Needs the scope `organise`.",
        True,
        default=True,
    )
    players: Mapping[str, str] = shapes.members(
        "Players by their seats, seated at once: each must have named you under `/v1/me/organisers`. Needs the "
        "scope `organise`.",
        {},
        of=shapes.ident("A player."),
        most=shapes.MOST_SEATS,
        keys=SEAT_PATTERN,
        default=dict,
    )


class JoinBody(shapes.Body):
    """A seat to take."""

    seat: int | None = shapes.seat("The seat; any free one if omitted.", default=None)
    nonce: str = nonce()
    link: str | None = shapes.text("The link of a match that is not open.", LINK, most=64, default=None)


class StartBody(shapes.Body):
    """How to start a match that is not full."""

    fill: str | None = shapes.text("The bot that takes every empty seat.", "steady", most=32, default=None)
    beacon: str | None = shapes.text(
        "For a match that names a round of a beacon: the value that the beacon published for it, in hex.",
        most=128,
        pattern=BEACON_VALUE_PATTERN,
        default=None,
    )


class RematchBody(shapes.Body):
    """A rematch."""

    nonce: str = nonce()
    swap: bool | None = shapes.flag(
        "True to move everybody one seat on, bots too; False to keep the seats. If omitted, seats move on unless there "
        "are bots.",
        default=None,
    )


class MatchQuery(shapes.Query):
    """The query for one match."""

    link: str | None = shapes.text("The link of a match that is not open.", LINK, most=64, default=None)


class MatchSearchQuery(Paging):
    """The query for a list of matches."""

    mine: bool = shapes.flag("Your own matches and invitations instead of open ones; needs a token.", default=False)
    game: str | None = shapes.text("Only this game.", shapes.GAME_SLUG, most=32, default=None)
    status: str | None = shapes.choice(
        STATUSES, "Only matches with this status; `open` ones wait for players.", default=None
    )
    seats: int | None = shapes.number(
        "Only matches with this many seats.", 2, most=shapes.MOST_SEATS, least=1, default=None
    )
    player: str | None = shapes.ident("Only matches of this player.", default=None)
    title: str | None = shapes.text("Only where the title contains this.", "sunday", most=80, least=1, default=None)


class JoinedShown(shapes.Shape):
    """A seat that was taken."""

    receipt: JoinReceipt = shapes.part("The server's signed receipt; keep it to prove the terms.")
    match: MatchShown = shapes.part("The match as it is now.")


class SubstituteBody(shapes.Body):
    """The seat to take over."""

    seat: int | None = shapes.number("The seat; the first open one if omitted.", 1, most=99, default=None)
    link: str | None = shapes.text("The link of a match that is not open.", LINK, most=64, default=None)
