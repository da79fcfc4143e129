"""Every key of a document, declared once: its values, its default, and the JSON Schema made from both."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from engine.games import GAMES
from service.matches.match_shapes import POLICIES
from service.play.time_control import DEFAULT_PRESET, PRESETS
from service.tournaments.documents.document_fields import (
    CountField,
    EitherField,
    FieldTable,
    FlagField,
    LengthField,
    LineField,
    MapField,
    MomentField,
    OpenMapField,
    PlacesField,
    PointsField,
    RowField,
    RuleField,
    WordField,
)
from service.tournaments.documents.document_nodes import Node
from service.tournaments.formats.draw import QUICKNET
from service.tournaments.formats.rulesets import NEWEST, RULESETS
from service.tournaments.formats.series import BEST_OF, TIED_RULES
from service.tournaments.formats.stage_rules import (
    DOUBLE,
    DUPLICATE,
    FORMATS,
    KNOCKOUT,
    LADDER,
    MOST_REPLAYS,
    MOST_ROUNDS,
    PODS,
    ROUND_ROBIN,
    SAME_DEAL,
    SWISS,
)
from service.tournaments.formats.tiebreaks import FIDE_CODES, POD_TIES

MOST_STAGES = 12
MOST_ORGANISERS = 20
MOST_ENTRANTS = 20_000
MOST_PAUSES = 50
MOST_PRIZES = 50
MOST_AVOID = 500
MOST_SEATS = 5
MOST_TITLE = 80
BEACON, NO_BEACON = QUICKNET, "none"
WITH_END, WITH_REPEAT, NOW = "with-end", "with-repeat", "now"
WHEN_OVER = "when-over"
CANCEL, AS_PLAYED = "cancel-if-under-half", "score-as-played"
ADJUDICATE: Final = "adjudicate"
AS_IT_STANDS, LATE_LOSES = "as-it-stands", "late-loses"
NAME_PATTERN = r"^[a-z0-9-]{3,40}$"
STAGE_PATTERN = r"^[a-z][a-z0-9-]{0,31}$"
SEAT_PATTERN = r"^[0-4]$"
OPTION_PATTERN = r"^[a-z][a-z0-9_-]{0,31}$"

TITLE: FieldTable = {
    "en": LineField("In English.", most=MOST_TITLE),
    "fr": LineField("In French.", most=MOST_TITLE),
}


def _title(about: str, **more: Any) -> EitherField:  # noqa: ANN401  # as the fields have it
    return EitherField(about, LineField("For every language.", most=MOST_TITLE), (MapField(about, TITLE),), **more)


def _person(about: str) -> LineField:
    return LineField(about, most=80, numeric=True)


ENTRY: FieldTable = {
    "opens": MomentField(
        "When players can enter; `now`: as soon as the document is applied.", words=(WITH_REPEAT, NOW), needed=True
    ),
    "closes": MomentField(
        "Until when; `with-end`: as long as the stage runs (ladder and same-deal).", words=(WITH_END,), needed=True
    ),
    "by": WordField("Who can enter.", ("open", "invitation", "approval"), default="open"),
    "least": CountField(
        "With fewer entrants at closing the tournament is cancelled. Pods whose tables two cannot fill have the "
        "smallest table as their default.",
        1,
        MOST_ENTRANTS,
        default=2,
    ),
    "most": CountField(
        "Beyond so many there is a waiting list. Where it is not given: as many as the first stage can take.",
        1,
        MOST_ENTRANTS,
    ),
    "rating": MapField(
        "Between which ratings entrants must be; `to` by their peak of 365 days.",
        {
            "from": CountField("The least rating.", -10_000, 10_000, may_be_null=True),
            "to": CountField("The highest rating.", -10_000, 10_000, may_be_null=True),
            "newcomers": FlagField("Whether who has no rating yet may enter.", default=True),
        },
    ),
    "on_time": CountField("So many percent of an entrant's answers were on time; newcomers pass.", 0, 100),
    "programs": FlagField("Whether programs may enter; an owner and their programs are one entrant.", default=True),
    "late": MapField(
        "Entering after closing.",
        {
            "until_round": CountField("The last round for which one may still enter.", 1, MOST_ROUNDS, needed=True),
            "bye": WordField(
                "What one missed round is worth; others are worth nothing.", ("half", "zero"), default="zero"
            ),
        },
    ),
    "withdrawn": WordField(
        "What becomes of the results of who withdraws; `cancel-if-under-half` is for round robins.",
        (AS_PLAYED, CANCEL),
        default=AS_PLAYED,
    ),
    "reserves": LengthField("How long who is offered a place has to answer.", most="14d", default="24h"),
}

POINTS_OF_WINS: FieldTable = {
    "win": PointsField("For a win.", needed=True),
    "draw": PointsField("For a shared first place.", needed=True),
}
POINTS_OF_PLACES: FieldTable = {
    "places": RowField("For each place of a full table.", PointsField("For a place."), least=1, most=5, needed=True),
    "short": RowField("For each place of a table one seat short.", PointsField("For a place."), most=4),
}


def _choose_points(members: Mapping[str, Node]) -> int:
    return 1 if "places" in members or "short" in members else 0


START: FieldTable = {
    "first": MomentField(
        "When the first round begins; with `repeat` the hour alone. A later stage may have `next` instead.", hour=True
    ),
    "every": LengthField("Each round begins so long after the one before."),
    "at": RowField("When each round begins.", MomentField("When a round begins."), least=1, most=MOST_ROUNDS),
    "next": WordField("A round begins when the one before is over.", (WHEN_OVER,)),
    "gap": LengthField("So long after that, at the hour of the first round.", least="0h"),
    "all": FlagField("Whether all rounds begin at once.", formats=(ROUND_ROBIN,)),
}
END: FieldTable = {
    "at": MomentField("When the stage ends."),
    "at_most": LengthField("How long each round may take."),
    "then": WordField(
        "What then becomes of matches that are not over.", (ADJUDICATE, AS_IT_STANDS, LATE_LOSES), default=ADJUDICATE
    ),
}
SOURCE: FieldTable = {
    "stage": LineField("An earlier stage.", pattern=STAGE_PATTERN, fault="stage_name", needed=True),
    "places": PlacesField("The places that go on."),
    "each": WordField("`section`: of each section.", ("section",)),
    "advance": CountField("So many of each table of its last round.", 1, MOST_SEATS - 1),
}
BYE: FieldTable = {
    "points": PointsField("For a bye by pairing; as a win where it is not given.", formats=(SWISS,)),
    "asked": WordField("What a bye that was asked for is worth.", ("half", "zero"), default="half"),
    "most_asked": CountField("How many byes one may ask for.", 0, MOST_ROUNDS, default=1),
}

STAGE: FieldTable = {
    "name": LineField("What the stage is called.", pattern=STAGE_PATTERN, fault="stage_name", needed=True),
    "format": WordField("How it is played.", FORMATS, needed=True),
    "seats": CountField("Seats at a table, bots counted.", 1, MOST_SEATS, default=2),
    "from": MapField("Whom a later stage takes.", SOURCE),
    "options": OpenMapField("Options of the game that differ from the tournament's.", OPTION_PATTERN),
    "rounds": CountField(
        "How many rounds; a knockout goes on until one table is left where it is not given.",
        1,
        MOST_ROUNDS,
        formats=(SWISS, PODS, DUPLICATE, KNOCKOUT),
    ),
    "system": WordField(
        "`dutch`: the FIDE Dutch system, at most 64 entrants; `brackets`: any number.",
        ("dutch", "brackets"),
        default="dutch",
        formats=(SWISS,),
    ),
    "group": WordField(
        "Who meets whom: those with like points, like ratings, or anybody.",
        ("points", "rating", "none"),
        default="points",
        formats=(PODS, DUPLICATE),
    ),
    "cycles": CountField("How often each meets each.", 1, MOST_ROUNDS, default=1, formats=(ROUND_ROBIN,)),
    "sections": MapField(
        "Groups that play and are ranked apart.",
        {
            "size": CountField("The most entrants of a section.", 2, MOST_ROUNDS + 1, needed=True),
            "by": WordField("How they are cut.", ("rating", "draw"), default="rating"),
        },
        formats=(ROUND_ROBIN,),
    ),
    "advance": CountField("So many of each table go on.", 1, MOST_SEATS - 1, default=1, formats=(KNOCKOUT,)),
    "best_of": CountField(
        "How many matches two people play at a table: 3, 5 or 7, one after another with seats exchanged, until it is "
        "decided.",
        1,
        max(BEST_OF),
        formats=(KNOCKOUT,),
    ),
    "replay": CountField(
        "How often a tied table plays again; in a series, how many tied matches are replayed.",
        0,
        MOST_REPLAYS,
        default=0,
        formats=(KNOCKOUT,),
    ),
    "tied": WordField(
        "Who advances from a series that stays level: the better `seed`, or the higher total `score`, then the seed.",
        TIED_RULES,
        formats=(KNOCKOUT,),
    ),
    "reset": FlagField(
        "Whether who has not lost yet needs two defeats in the final.", default=False, formats=(DOUBLE,)
    ),
    "reach": CountField("How many places above one may challenge.", 1, 1000, default=3, formats=(LADDER,)),
    "at_once": CountField(
        "How many challenges one may have made, and received, at once.", 1, 20, default=1, formats=(LADDER,)
    ),
    "answer": LengthField("How long one may be silent when challenged.", most="30d", default="3d", formats=(LADDER,)),
    "again_after": LengthField(
        "After how long the same two may meet again.", least="0h", default="7d", formats=(LADDER,)
    ),
    "seat": CountField("The entrant's seat; where it is not given, the one without a bot.", 0, 4, formats=(SAME_DEAL,)),
    "bots": OpenMapField(
        "Bots by their seats; such matches are not rated.",
        SEAT_PATTERN,
        LineField("A bot of the game.", most=32),
    ),
    "start": MapField("When rounds begin.", START, needed=True),
    "end": MapField("When a round, or the stage, must be over.", END),
    "points": EitherField(
        "What a result is worth: `{win, draw}`, `{places, short}`, `share` of all scores, or the `score` itself.",
        WordField("By the scores.", ("share", "score")),
        (MapField("For a win and a draw.", POINTS_OF_WINS), MapField("For each place.", POINTS_OF_PLACES)),
        _choose_points,
        default={"win": "1", "draw": "0.5"},
        formats=(ROUND_ROBIN, SWISS, PODS, SAME_DEAL),
    ),
    "bye": MapField("Rounds without a match.", BYE, formats=(SWISS, PODS)),
    "ties": RowField(
        "What parts those with as many points, in this order; where it is not given, what is usual for the format.",
        WordField("A tie-break.", tuple(dict.fromkeys((*FIDE_CODES, *POD_TIES)))),
        most=12,
        formats=(ROUND_ROBIN, SWISS, PODS, SAME_DEAL, DUPLICATE),
    ),
    "rules": WordField(
        "The version of FIDE's tie-breaks.", ("2026", "2024"), default="2026", formats=(ROUND_ROBIN, SWISS)
    ),
    "avoid": RowField(
        "People who are not paired if that is avoidable.",
        RowField("Any two of these.", _person("A player's id or name."), least=2, most=10),
        most=MOST_AVOID,
        formats=(SWISS, PODS),
    ),
}

TOURNAMENT: FieldTable = {
    "tournament": LineField(
        "The name of the tournament among one's own.", most=40, pattern=NAME_PATTERN, fault="name_form", needed=True
    ),
    "title": _title("What it is called; its name where it is not given."),
    "game": WordField("Which game.", GAMES, needed=True),
    "options": OpenMapField("Options of the game.", OPTION_PATTERN, default={}),
    "zone": LineField("The zone of times without an offset, as in Europe/Dublin.", most=64, default="UTC"),
    "organisers": RowField(
        "Who may rule; where it is not given, who applies.",
        _person("A player's id or name."),
        least=1,
        most=MOST_ORGANISERS,
    ),
    "arbiters": RowField(
        "Who may rule besides the organisers, without changing the document.",
        _person("A player's id or name."),
        most=MOST_ORGANISERS,
    ),
    "listed": FlagField("Whether strangers see it; yes, unless entry is by invitation."),
    "entry": MapField("Who may enter, and when.", ENTRY, needed=True),
    "draw": MapField(
        "Where chance comes from.",
        {
            "beacon": WordField(
                "A public source of chance, or none; where it is not given, drand-quicknet if this server can ask it.",
                (BEACON, NO_BEACON),
            )
        },
    ),
    "pauses": RowField(
        "Times in which nothing of the tournament runs.",
        MapField(
            "A pause.",
            {"from": MomentField("Its beginning.", needed=True), "to": MomentField("Its end.", needed=True)},
        ),
        most=MOST_PAUSES,
        default=[],
    ),
    "clock": WordField("How long a seat has for its answers.", tuple(PRESETS), default=DEFAULT_PRESET),
    "moves": WordField("`signed`: only signed moves, none by mail.", ("any", "signed"), default="any"),
    "leave": FlagField("Whether leave stops the clock; where it is not given, what the clock says."),
    "late_seat": WordField(
        "What becomes of a seat that is late; with two seats always `forfeit`.", POLICIES, default="stand-in"
    ),
    "spectators": WordField("When others may watch.", ("now", "after-match", "after-stage"), default="after-match"),
    "rated": FlagField("Whether matches count for ratings.", default=True),
    "review": LengthField("How long pairings are public before they begin.", least="0h", most="14d", default="0h"),
    "stages": RowField(
        "The parts of the tournament.", MapField("A part.", STAGE), least=1, most=MOST_STAGES, needed=True
    ),
    "prizes": RowField(
        "What places are worth.",
        MapField(
            "A prize.",
            {
                "places": PlacesField("For which places.", needed=True),
                "each": WordField("`section`: in each section.", ("section",)),
                "title": _title("What it is.", needed=True),
            },
        ),
        most=MOST_PRIZES,
        default=[],
    ),
    "ruleset": WordField(
        "The version of the counting rules. A document from before 2026-11 has none and keeps the rules of its time.",
        tuple(RULESETS),
        default=NEWEST.value,
    ),
    "repeat": MapField(
        "Makes a tournament again and again.",
        {
            "rule": RuleField("When, as RFC 5545 has it: FREQ=WEEKLY;BYDAY=FR.", needed=True),
            "until": MomentField("The last day.", date=True, needed=True),
            "opens_before": LengthField("How long before its start each can be entered.", most="52w", default="7d"),
        },
    ),
}
ROOT = MapField("A tournament of weeks, as one document.", TOURNAMENT)


def fill_defaults(table: FieldTable, given: dict[str, Any], format_: str = "") -> dict[str, Any]:
    """Add the default of every missing key that the format has, in this map and in the maps in it. Return the map."""
    for name, field in table.items():
        if field.formats and format_ not in field.formats:
            continue
        if name not in given and field.default is not None:
            given[name] = deepcopy(field.default)
        if isinstance(field, MapField) and isinstance(given.get(name), dict):
            fill_defaults(field.table, given[name], format_)
    return given


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a document, for editors and for `GET /v1/tournaments/schema`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Echtra tournament",
        **ROOT.json_schema(),
    }
