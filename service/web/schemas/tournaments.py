"""Bodies and queries for tournaments: plans, pairings, standings, crosstables, logs, entrants and receipts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service import shapes
from service.record.canonical_json import JsonValue
from service.tournaments.calendars.leave_clashes import RoundClash
from service.tournaments.views.tournament_shapes import (
    DOCUMENT_EXAMPLE,
    STATES,
    STATUSES,
    CrosstableRowShown,
    PlannedRoundShown,
)
from service.web.pagination import Paging
from service.web.schemas.tournament_forecast import FieldOutlookShown, RepetitionShown, TournamentForecastShown

DOCUMENT_TEXT = f"""\
tournament: winter-cup
game: {shapes.GAME_SLUG}
entry:
  opens: 2026-12-01T18:00
  closes: 2027-01-08T18:00
stages:
  - name: swiss
    format: swiss
    rounds: 7
    start: {{first: 2027-01-10T18:00, next: when-over, gap: 2d}}
    end: {{at_most: 5w, then: adjudicate}}
"""


class PersonTakenShown(shapes.Shape):
    """The player that a name in a document refers to."""

    text: str = shapes.text("What the document says.", "aoife")
    player: str = shapes.ident("The player.")
    name: str = shapes.text("Their name.", "Aoife")


class ChangeShown(shapes.Shape):
    """One value that a document would change."""

    path: str = shapes.text("A JSON pointer to it.", "/stages/0/rounds")
    before: JsonValue = shapes.any_json("The current value; any JSON, null: none.", 7)
    after: JsonValue = shapes.any_json("The new value; any JSON, null: none.", 8)
    allowed: bool = shapes.flag("Whether it may still change.", True)


class TournamentPlanShown(shapes.Shape):
    """The effects of applying a document."""

    name: str = shapes.text("The name of the tournament.", "winter-cup", most=40)
    tournament: str | None = shapes.text("The tournament that would change; null for a new one.")
    etag: str = shapes.text("Send it as `If-Match` with the document.", "0123456789abcdef0123456789abcdef")
    hash: str = shapes.text("The hash of the document with every default.", shapes.HASH)
    document: Mapping[str, JsonValue] = shapes.members(
        "The document with every default, people by id, times in UTC.", DOCUMENT_EXAMPLE
    )
    people: Sequence[PersonTakenShown] = shapes.items("The players that the names refer to.", most=20000)
    changes: Sequence[ChangeShown] = shapes.items("Changes to the existing tournament.", most=5000)
    rounds: Sequence[PlannedRoundShown] = shapes.items("The rounds known so far.", most=400)
    repetitions: Sequence[RepetitionShown] = shapes.items(
        "The future tournaments of a recurring document; rounds and forecast are those of the first.", most=60
    )
    forecast: TournamentForecastShown = shapes.part("When it will be over, given the current entrants.")
    outlooks: Sequence[FieldOutlookShown] = shapes.items(
        "The same for the fewest and for the most entrants, while nobody has entered.", most=2
    )
    warnings: Sequence[str] = shapes.items(
        "What an organiser should know before applying it.",
        ["The draw has no beacon: the server could know it early, and the page says so."],
        of=shapes.text("A warning.", "The draw has no beacon.", most=2000),
    )


class ReasonShown(shapes.Shape):
    """Why an entrant has a rank."""

    summary: str = shapes.text(
        "What decided between entrants with equal points.",
        "4th: 9 points, as Brigid. Firsts: 1 each. Opposition 3.25 against 2.80.",
        most=5000,
    )
    details: Sequence[str] = shapes.items(
        "How each value was computed.",
        ["9 points: 6 (round 1) + 3 (round 2).", "Firsts 1: round 1."],
        of=shapes.text("A value.", "Firsts 1: round 1.", most=20000),
    )


class StandingLineShown(shapes.Shape):
    """A line of the standings."""

    section: int | None = shapes.number("The section, if there are any.", 1)
    rank: int = shapes.number("The rank, ties as 1, 1, 3.", 4, least=1)
    number: int = shapes.number("The number in the tournament.", 7, least=1)
    player: str = shapes.ident("The player's id.")
    name: str = shapes.text("Their name.", "Aoife")
    status: str = shapes.choice(STATUSES, "Whether they are still taking part.", "in")
    points: str = shapes.text("The total points.", "9", most=20)
    by_round: Sequence[str] = shapes.items(
        "Round by round.", ["6", "3"], of=shapes.text("The points of a round.", "6", most=20)
    )
    ties: Mapping[str, JsonValue] = shapes.members(
        "The tie-breaks by name, as decimals. `direct` with two seats and `lots` are places, smaller is better.",
        {"firsts": "1", "opposition": "3.25"},
    )
    why: ReasonShown | None = shapes.part("The reason in words; null unless `why` was requested.")


class StandingsListed(shapes.Shape):
    """The standings of a stage."""

    component = "StandingsPage"

    stage: str = shapes.text("The stage.", "pods", most=40)
    format: str = shapes.text("Its format.", "pods", most=40)
    state: str = shapes.text("planned, running or over.", "running", most=20)
    seq: int = shapes.number("The line of the log after which they were computed.", 48)
    items: Sequence[StandingLineShown] = shapes.items("Best first, by section.")


class CrosstablePage(shapes.Shape):
    """A page of the crosstable."""

    stage: str = shapes.text("The stage.", "swiss", most=40)
    items: Sequence[CrosstableRowShown] = shapes.items("By number.")


class LogLineShown(shapes.Shape):
    """A line of a log."""

    seq: int = shapes.number("Its number.", 1, least=1)
    at: int = shapes.timestamp("When it was written.")
    line: str = shapes.text("The line.", f"enter {shapes.PLAYER_ID} 8f3a", most=2000)
    hash: str = shapes.text("The hash over it and all previous lines.", shapes.HASH)


class LogPage(shapes.Shape):
    """Lines of a log."""

    head: int = shapes.number("The number of lines.", 48)
    items: Sequence[LogLineShown] = shapes.items("In order.", most=500)


class EntrantShown(shapes.Shape):
    """A player in a tournament."""

    player: str = shapes.ident("The player's id.")
    name: str = shapes.text("Their name.", "Aoife")
    status: str = shapes.choice(STATUSES, "Whether they are taking part.", "in")
    number: int | None = shapes.number("Their number, once entry has closed.", 4)
    rating: int | None = shapes.number("The rating that decided their number.", 1500)
    seq: int = shapes.number("The line of the log by which they entered.", 12)


class EntryReceiptShown(shapes.Shape):
    """The server's signature over your entry: keep it."""

    tournament: str = shapes.ident("The tournament.", shapes.TOURNAMENT_ID)
    player: str = shapes.ident("You.")
    status: str = shapes.choice(STATUSES, "in, waiting or reserve.", "in")
    nonce: str = shapes.text("The nonce you gave, or -.", "8f3a")
    seq: int = shapes.number("The line of the log.", 12)
    hash: str = shapes.text("Its hash.", shapes.HASH)
    at: int = shapes.timestamp("When it was written.")
    server: str = shapes.text("The id of the key that signed.", "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    signature: str = shapes.text(
        "Ed25519 over `echtra-enter-v1`, tournament, player, nonce, seq, hash, at in ms; a line feed after each.",
        shapes.SIGNATURE,
    )
    leave: Sequence[RoundClash] = shapes.items("Rounds that overlap with your booked leave.", most=1000)


class EnterBody(shapes.Body):
    """An entry."""

    nonce: str = shapes.text(
        "Hex digits of your choice: they go into the headers of your matches, and so into their deals.",
        "8f3a",
        most=64,
        least=1,
        default="-",
    )


class ByeBody(shapes.Body):
    """A round to sit out."""

    round: str = shapes.text("The round as STAGE:NUMBER.", "swiss:3", most=60, least=3)


class TournamentListQuery(Paging):
    """The query for a list of tournaments."""

    state: str | None = shapes.choice(STATES, "Only tournaments in this state.", "entry", optional=True)
    game: str | None = shapes.text("Only tournaments of this game.", shapes.GAME_SLUG, most=32, optional=True)
    mine: bool = shapes.flag("Only tournaments that you created or entered.", default=False)


class OneStageQuery(shapes.Query):
    """The query for a file of one stage."""

    stage: str = shapes.text("The stage; the last one that began if omitted.", "swiss", most=40, default="")


class StageQuery(OneStageQuery, Paging):
    """The query for one stage."""


class StandingsQuery(StageQuery):
    """The query for standings."""

    why: bool = shapes.flag("Explain the rank of every line.", True, default=False)


class LogQuery(Paging):
    """The query for a log."""

    after: int = shapes.number("Only lines after this one; ignored with a cursor.", 0, default=0)
    limit: int = shapes.number("Maximum number of items.", 200, most=500, least=1, default=200)


class WithdrawQuery(shapes.Query):
    """How to withdraw."""

    now: bool = shapes.flag("Also give up running matches of the tournament.", default=False)
