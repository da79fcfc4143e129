"""Bodies for organisers of tournaments: rulings, messages, matches to decide, bounced emails."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from service import shapes
from service.tournaments.rulings.ruling_words import LONGEST_TEXT, REASONS, WHATS

ROUND_NAME = "swiss:2"
RULING_EXAMPLE = f"ruling result {shapes.MATCH_ID} time {shapes.HASH}"


def read_local_time(text: str) -> str:
    """Return a time in UTC if it has an offset, else unchanged: the document of the tournament has its zone."""
    try:
        time = datetime.fromisoformat(text)
        return text if time.tzinfo is None else time.astimezone(UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError):
        raise ValueError("This is not a time. Use the form 2027-03-01T18:00, or add an offset.") from None


class RulingBody(shapes.Body):
    """A ruling: what is decided about whom, and why. Which members are required depends on `what`."""

    what: str = shapes.choice(WHATS, "What is decided.", "result")
    why: str = shapes.choice(REASONS, "The reason as a code, which stays in the public log.", "time")
    text: str = shapes.text(
        "The reason in your own words, for those concerned and for organisers; the log has its salted hash.",
        "Both were far ahead of the others; the herd decides.",
        most=LONGEST_TEXT,
        default="",
    )
    player: str | None = shapes.ident("For `exclude`, `accept` and `replace`: whom it is about.", default=None)
    other: str | None = shapes.ident(
        "For `replace`: a willing player who takes over place, points and seats.", default=None
    )
    match: str | None = shapes.ident(
        "For `result` and `replay`: the match of the pairing.", shapes.MATCH_ID, default=None
    )
    round: str = shapes.text("For `extend` and `repair`: a round, as STAGE:NUMBER.", ROUND_NAME, most=60, default="")
    until: str | None = shapes.text(
        "For `extend`: the new end, later than the old. Without an offset it is in the `zone` of the document.",
        "2027-03-01T18:00",
        most=40,
        read=read_local_time,
        default=None,
    )
    places: Sequence[int] = shapes.items(
        "For `result`: the place of each seat.",
        most=99,
        of=shapes.number("A place, ties as 1, 1, 3.", 1, most=99, least=1),
        default=list,
    )
    scores: Sequence[int] = shapes.items(
        "For `result`, instead of places: the points of each seat, as the game can give them.",
        most=99,
        of=shapes.number("Points of a seat.", 31, most=999_999_999, least=-999_999_999),
        default=list,
    )
    tables: Sequence[Sequence[str]] = shapes.items(
        "For `repair`: the tables of the round. Without them the format pairs those present now.",
        most=20_000,
        of=shapes.items(
            "The players at one table, by seat; a single player has a bye.", most=99, of=shapes.ident("A player.")
        ),
        default=list,
    )
    value: str = shapes.text(
        "For `beacon`: the randomness of the beacon's round that the draw waits for, in hex.",
        "8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a8f3a",
        most=200,
        default="",
    )
    seq: int | None = shapes.number(
        "The last line of the log that you have seen (`head.seq` of the tournament, or `seq` of a dry run); "
        "needed unless it is a dry run.",
        48,
        least=0,
        default=None,
    )
    dry_run: bool = shapes.flag("Only show what it would do; nothing is written.", default=False)


class RulingLetter(shapes.Shape):
    """An email that a ruling sends."""

    kind: str = shapes.text("The kind of email.", "tournament-ruling")
    player: str = shapes.ident("Who gets it, unless they muted emails.")
    name: str = shapes.text("Their name.", "Aoife")


class StandingChangeShown(shapes.Shape):
    """A line of the standings before and after a ruling."""

    component = "StandingChange"

    stage: str = shapes.text("The stage.", "swiss")
    player: str = shapes.ident("The player on this line after it.")
    name: str = shapes.text("Their name.", "Aoife")
    rank_before: int | None = shapes.number("The rank before; null if there was none.", 4)
    rank_after: int | None = shapes.number("The rank after.", 2)
    points_before: str | None = shapes.text("The points before, as a decimal.", "1")
    points_after: str | None = shapes.text("The points after, as a decimal.", "2")


class RulingMadeShown(shapes.Shape):
    """The effects of a ruling that was made or simulated."""

    component = "RulingMade"

    seq: int = shapes.number("The line of the log with the ruling; for a dry run, the last line.", 49)
    at: int = shapes.timestamp("The time.")
    lines: Sequence[str] = shapes.items("The lines of the log.", most=20_001, of=shapes.text("A line.", RULING_EXAMPLE))
    letters: Sequence[RulingLetter] = shapes.items("The emails it sends.", most=20_000)
    standings: Sequence[StandingChangeShown] = shapes.items(
        "The lines of the standings that change, at most 200.", most=200
    )
    written: bool = shapes.flag("False: it was a dry run.", True)


class MessageBody(shapes.Body):
    """A message to all entrants."""

    text: str = shapes.text(
        "Plain text; links are shown as they are written.",
        "Round 3 begins on Sunday. The prize table is at https://example.org/prizes",
        most=4000,
        least=1,
    )


class TournamentPerson(shapes.Shape):
    """A player."""

    player: str = shapes.ident("Their id.")
    name: str = shapes.text("Their name.", "Aoife")


class OpenDecisionShown(shapes.Shape):
    """A match whose time is over and that an organiser must decide."""

    component = "OpenDecision"

    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    stage: str = shapes.text("Its stage.", "swiss")
    round: int = shapes.number("Its round.", 2)
    until: int = shapes.timestamp("Without a ruling by then, the current scores count.")
    players: Sequence[TournamentPerson] = shapes.items("The players, by seat.", most=99)
    table: str = shapes.text("The table in words, as spectators see it.", "…", most=20_000)
