"""Tournaments and rounds as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service import shapes
from service.record.canonical_json import JsonObject, JsonValue

STATES = ("draft", "announced", "entry", "drawn", "running", "paused", "over", "cancelled")
STATUSES = ("waiting", "in", "reserve", "withdrawn", "excluded")
OPENS_AT, CLOSES_AT = "2026-12-01T18:00:00.000Z", "2027-01-08T18:00:00.000Z"
FIRST_START, FIRST_END = "2027-01-10T18:00:00.000Z", "2027-02-14T18:00:00.000Z"
DOCUMENT_EXAMPLE: JsonObject = {
    "tournament": "winter-cup",
    "game": shapes.GAME_SLUG,
    "entry": {"opens": "2026-12-01T18:00", "closes": "2027-01-08T18:00"},
    "stages": [
        {
            "name": "swiss",
            "format": "swiss",
            "rounds": 7,
            "start": {"first": "2027-01-10T18:00", "next": "when-over", "gap": "2d"},
            "end": {"at_most": "5w", "then": "adjudicate"},
        }
    ],
}


class TournamentHeadShown(shapes.Shape):
    """The position of a log."""

    seq: int = shapes.number("How many lines the log has.", 48)
    hash: str = shapes.text("The hash of the last line, over it and all before it.", shapes.HASH)


class OwnEntryShown(shapes.Shape):
    """Your own place in a tournament."""

    status: str = shapes.choice(STATUSES, "Whether you are in.", "in")
    number: int | None = shapes.number("Your number, once entry has closed.", 4)


class TournamentShown(shapes.Shape):
    """A tournament in a list."""

    id: str = shapes.ident("Its id.", shapes.TOURNAMENT_ID)
    name: str = shapes.text("Its name among those of its maker.", "winter-cup", most=40)
    title: str = shapes.text("What it is called, in the language of the answer.", "Winter cup")
    game: str = shapes.text("Which game.", shapes.GAME_SLUG)
    state: str = shapes.choice(STATES, "Where it stands.", "running")
    listed: bool = shapes.flag("Whether strangers see it.", True)
    created_at: int = shapes.timestamp("When it was made.")
    opens_at: int | None = shapes.timestamp("When entry opens.", OPENS_AT)
    closes_at: int | None = shapes.timestamp("When entry closes; null: with the end.", CLOSES_AT)
    started_at: int | None = shapes.timestamp("When its first round began.")
    ended_at: int | None = shapes.timestamp("When it ended.")
    entrants: int = shapes.number("How many are in.", 24)
    reserves: int = shapes.number("How many are on the waiting list.", 0)
    waiting: int = shapes.number("How many wait for approval.", 0)
    head: TournamentHeadShown = shapes.part("Where its log stands.")
    you: OwnEntryShown | None = shapes.part("Your own place; null if you have not entered.")


class TournamentOrganiserShown(shapes.Shape):
    """An organiser of a tournament."""

    player: str = shapes.ident("Their id.")
    name: str = shapes.text("Their name.", "Aoife")


class StageShown(shapes.Shape):
    """A stage of a tournament."""

    name: str = shapes.text("Its name.", "swiss", most=40)
    format: str = shapes.text("How it is played.", "swiss", most=40)
    state: str = shapes.text("planned, running or over.", "running", most=20)


class WholeTournamentShown(TournamentShown):
    """A tournament with its document."""

    beacon: str = shapes.text("Whose randomness goes into the draws, or none.", "none", most=40)
    organisers: Sequence[TournamentOrganiserShown] = shapes.items("Who may rule and change the document.", most=21)
    arbiters: Sequence[TournamentOrganiserShown] = shapes.items("Who may rule besides them.", most=20)
    stages: Sequence[StageShown] = shapes.items("In order.", most=12)
    document: Mapping[str, JsonValue] = shapes.members(
        "The document in force, with every default, people by id.", DOCUMENT_EXAMPLE
    )


class PlannedRoundShown(shapes.Shape):
    """A round that a plan knows."""

    stage: str = shapes.text("Its stage.", "swiss", most=40)
    number: int = shapes.number("Its number in the stage.", 1, least=1)
    state: str = shapes.text("planned, paired, running or over.", "planned", most=20)
    starts_at: int | None = shapes.timestamp(
        "When it begins; null: when the one before is over. If its time has passed while the one before is still "
        "played, this is when it begins at the latest.",
        FIRST_START,
    )
    ends_at: int | None = shapes.timestamp("When it ends at the latest.", FIRST_END)
    started_at: int | None = shapes.timestamp("When it began.")
    over_at: int | None = shapes.timestamp("When its last result came.")


class RoundShown(PlannedRoundShown):
    """A round with its times, and how many of its tables have a result."""

    tables: int = shapes.number("How many tables it has, byes counted.", 12)
    finished: int = shapes.number("How many of them have a result.", 5)
    repeats: int = shapes.number(
        "How many pairs of people meet again in it; the fewest that could be found once it is paired.", 0
    )
    moved: bool
    """True if `starts_at` is the latest time: the round starts as soon as the one before is over."""
    stage_place: int
    """Place of its stage in the tournament."""

    @property
    def sort_key(self) -> tuple[int, int]:
        """Place in the list of rounds."""
        return self.stage_place, self.number


class CellShown(shapes.Shape):
    """One round of an entrant."""

    round: int = shapes.number("Which round.", 1, least=1)
    match: str = shapes.ident("The match.", shapes.MATCH_ID)
    seat: int = shapes.number("At which seat.", 0, most=99)
    opponents: Sequence[int] = shapes.items(
        "Their numbers; 0 is a bot, nobody a bye.", most=99, of=shapes.number("An opponent.", 12)
    )
    result: str = shapes.text("PLACE:SCORE:HOW, empty while it runs.", "1:31:played")
    points: str | None = shapes.text("What it counts.", "1", most=20)


class CrosstableRowShown(shapes.Shape):
    """The rounds of an entrant."""

    number: int = shapes.number("The number in the tournament.", 7, least=1)
    player: str = shapes.ident("Who.")
    name: str = shapes.text("Their name.", "Aoife")
    cells: Sequence[CellShown] = shapes.items("By round.", most=2000)


class ForecastClashShown(shapes.Shape):
    """Leave that falls into a round."""

    player: str = shapes.ident("Whose leave.")
    name: str = shapes.text("Their name.", "Aoife")
    stage: str = shapes.text("The stage.", "swiss", most=40)
    number: int = shapes.number("The round.", 1, least=1)


class SlowPlayerShown(ForecastClashShown):
    """A player who is likely to hold up a round."""

    percent: int = shapes.number("In so many of 100 futures they do.", 31, most=100)


class SeatOfPairingShown(shapes.Shape):
    """A seat of a table."""

    seat: int = shapes.number("Which seat.", 0, most=99)
    player: str | None = shapes.text("Who sits there; null: a bot.", shapes.PLAYER_ID, most=32)
    name: str = shapes.text("Their name.", "Aoife")
    place: int | None = shapes.number("The place at the table, ties as 1, 1, 3.", 1)
    score: int | None = shapes.number("The score of the game.", 31, least=shapes.LEAST_NUMBER)
    how: str | None = shapes.text(
        "How it came about: played, forfeit, stand-in, substitute, adjudicated, ruled, bye or lapsed.",
        "played",
        most=20,
    )
    points: str | None = shapes.text("What it counts for the standings.", "1", most=20)
    units: int | None
    """The same points in units of 1/10,000."""


class PairingShown(shapes.Shape):
    """A table of a round."""

    match: str = shapes.ident("Its match; a bye has the id and no match.", shapes.MATCH_ID)
    place: int = shapes.number("Which pairing of its round it is.", 1, least=1)
    section: int | None = shapes.number("Its section, if there are any.", 1)
    over: bool = shapes.flag("Whether it has its result.", True)
    seats: Sequence[SeatOfPairingShown] = shapes.items("One alone: a bye.", most=99)
    stage: str
    round: int
    is_bye: bool
    """True if a player sits alone and no match is played. With the same deal for all, one player does play."""
