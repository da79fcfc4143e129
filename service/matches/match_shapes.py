"""Matches and invitations as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service import shapes
from service.play.access import PAIRED_VISIBILITIES
from service.play.time_control import PRESETS

STATUSES = ("open", "running", "over", "cancelled")
POLICIES = ("forfeit", "stand-in", "substitute")
VISIBILITIES = ("open", "invitation", "link")


class JoinReceipt(shapes.Shape):
    """Server signature for a seat: it binds the match to its committed seed."""

    at: int = shapes.number("When, in milliseconds since 1970.", 1794907800000)
    keys: str = shapes.text("The keys of the seat, with commas; `-` for none.", shapes.KEY_ID, most=400)
    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    nonce: str = shapes.text("The nonce of the seat, `-` for none.", "00ff")
    player: str = shapes.ident("Who joined.")
    seat: int = shapes.number("The seat.", 0, most=98)
    seed: str = shapes.text("The hash of the seed: SHA-256 of its 32 bytes, in hex.", shapes.HASH)
    server: str = shapes.text("The server's key, from `/.well-known/echtra.json`.", shapes.KEY_ID)
    signature: str = shapes.text(
        "Its signature over `echtra-join-v1`, `match`, `seat`, `player`, `seed`, `nonce`, `keys` and `at`, "
        "each followed by a line feed.",
        shapes.SIGNATURE,
    )
    type: str = shapes.text("Always `join`.", "join")


class PersonShown(shapes.Shape):
    """A player with their name."""

    id: str = shapes.ident("Their id.")
    name: str = shapes.text("Their name.", "Aoife")


class PlaceShown(shapes.Shape):
    """A seat of a match."""

    seat: int = shapes.seat()
    player: str | None = shapes.ident("Who sits there.")
    name: str | None = shapes.text("How they are called.", "Aoife")
    bot: str | None = shapes.text("The bot that plays there.", "steady")
    asked: bool = shapes.flag("Whether the seat is asked something now.", True)
    due: int | None = shapes.timestamp("By when its answer must be in.")


class HeadShown(shapes.Shape):
    """The head of the log."""

    seq: int = shapes.number("How many entries there are.", 2)
    hash: str = shapes.text("The hash of the last one, or of the header.", shapes.HASH)
    at: int = shapes.timestamp("When it was written.")


class YouShown(shapes.Shape):
    """Your own seat."""

    seat: int = shapes.seat("Your seat: it goes into what you sign.")
    nonce: str = shapes.text("Your nonce.", "00ff")
    keys: Sequence[str] = shapes.items(
        "The keys this seat had when you took it.", [shapes.KEY_ID], of=shapes.text("A key.", shapes.KEY_ID)
    )
    muted: bool = shapes.flag("Whether you want no notes of others.")
    receipt: JoinReceipt | None = shapes.part("The server's signed receipt for joining; keep it.")


class MatchShown(shapes.Shape):
    """A match."""

    id: str = shapes.ident("Its id.", shapes.MATCH_ID)
    title: str = shapes.text("What it is called.", "Sunday evening")
    game: str = shapes.text("Which game.", shapes.GAME_SLUG)
    revision: int = shapes.number("The revision of the rules.", 1)
    seats: int = shapes.number("How many play.", 2)
    options: Mapping[str, str | int | bool] = shapes.members(
        "Every option with its value.",
        {"end-may-open": True, "last-cards": "simultaneous", "short-second-draw": "from-discards", "start": 0},
    )
    moves: str = shapes.choice(("any", "signed"), "`any`, or `signed` for signed moves only.")
    clock: str = shapes.choice(list(PRESETS), "The clock.", "standard")
    policy: str = shapes.choice(POLICIES, "What happens when time is out.", "stand-in")
    leave: bool = shapes.flag("Whether leave stops clocks.", True)
    visibility: str = shapes.choice(
        (*VISIBILITIES, *PAIRED_VISIBILITIES),
        "Who may look at it. A match of a tournament may be closed to others until it is over (`after-match`) "
        "or its stage is (`after-stage`); while others still play the same deal, its record is closed too (`sealed`), "
        "or once it is over all of it (`closed`).",
    )
    status: str = shapes.choice(STATUSES, "Where it stands.", "running")
    created_by: PersonShown = shapes.part("Who made it.")
    arbiter: PersonShown | None = shapes.part(
        "Who decides in it without playing. The arbiter sees what spectators see."
    )
    created_at: int = shapes.timestamp("When it was made.")
    starts_at: int | None = shapes.timestamp("When it shall start.")
    expires_at: int | None = shapes.timestamp("When it is cancelled if it does not fill.")
    started_at: int | None = shapes.timestamp("When it started.")
    ended_at: int | None = shapes.timestamp("When it ended.")
    rematch_of: str | None = shapes.text("The match it is a rematch of.")
    beacon: str = shapes.text(
        "The public randomness that goes into the draws: `NAME:ROUND:VALUE`, `NAME:ROUND` while the value is "
        "awaited, or `-`.",
        "-",
    )
    seed_hash: str = shapes.text("The hash of the seed, told before anybody joins.", shapes.HASH)
    seed: str | None = shapes.text("The seed, once the match is over.")
    head: HeadShown | None = shapes.part("The head of the log, once it has started.")
    places: Sequence[PlaceShown] = shapes.items("The seats.")
    you: YouShown | None = shapes.part("Your seat, if you have one.")
    link: str | None = shapes.text("The link to give to others, for those inside only.")


class InvitationShown(shapes.Shape):
    """An invitation."""

    id: str = shapes.ident("Its id.")
    match: str = shapes.ident("To which match.", shapes.MATCH_ID)
    player: str | None = shapes.ident("Who is invited, by id.")
    address: str | None = shapes.text("Or by address.", most=254)
    seat: int | None = shapes.seat("The seat offered; any if null.")
    by: PersonShown = shapes.part("Who invites.")
    at: int = shapes.timestamp("Since when.")
    answer: str | None = shapes.text("`joined`, `declined`, or null while it waits.")
