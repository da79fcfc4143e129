"""Rules of pairing and counting, read from a tournament's document.

The document is the canonical one: every default is written out or as here, people are ids, decimals are text. Exports
come from strangers, so every value is converted and checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from service.tournaments.formats.crosstable import TWO_SEATS
from service.tournaments.formats.document_loading import Key, load
from service.tournaments.formats.faults import FormatFault
from service.tournaments.formats.points import (
    DealPoints,
    PlacePoints,
    PointsRule,
    ScorePoints,
    Scoring,
    SharePoints,
    WinPoints,
    read_points,
)
from service.tournaments.formats.rulesets import RULESETS, Ruleset
from service.tournaments.formats.series import BEST_OF, BY_SEED, TIED_RULES, SeriesRules
from service.tournaments.formats.tiebreaks import POD_TIES, TieRules, check_ties

ROUND_ROBIN, SWISS, PODS, KNOCKOUT = "round-robin", "swiss", "pods", "knockout"
DOUBLE, LADDER, SAME_DEAL, DUPLICATE = "double-elimination", "ladder", "same-deal", "duplicate"
MOST_ROUNDS = 30
MOST_REPLAYS = 9
FORMATS = (ROUND_ROBIN, SWISS, PODS, KNOCKOUT, DOUBLE, LADDER, SAME_DEAL, DUPLICATE)

ROUNDS_NEEDED = frozenset({SWISS, PODS, DUPLICATE})
"""Formats that must state their number of rounds."""
_SEATS = {
    **dict.fromkeys((ROUND_ROBIN, SWISS, DOUBLE, LADDER), (2, 2)),
    **dict.fromkeys((KNOCKOUT, DUPLICATE), (2, 5)),
    PODS: (3, 5),
    SAME_DEAL: (1, 5),
}
DEFAULT_TIES: Mapping[str, tuple[str, ...]] = {
    ROUND_ROBIN: ("wins", "sonneborn-berger", "direct", "koya", "lots"),
    SWISS: ("buchholz-cut-1", "buchholz", "sonneborn-berger", "direct", "wins", "lots"),
    PODS: POD_TIES,
    DUPLICATE: POD_TIES,
}


class BadStage(FormatFault):
    """A stage of a document that cannot be read."""

    reason = "document"


@dataclass(frozen=True, slots=True)
class StageSource:
    """Source of a stage's entrants: places of an earlier stage, or the best of each table of its last round."""

    stage: str
    first: int = 0
    last: int = 0
    each_section: bool = False
    advance: int = 0


def _read_source(source: Mapping[str, Any]) -> StageSource:
    stage = str(source["stage"])
    if "advance" in source:
        return StageSource(stage, advance=int(source["advance"]))
    first, _, last = str(source["places"]).partition("-")
    return StageSource(stage, int(first), int(last or first), each_section=source.get("each") == "section")


def _read_avoid(pairs: Iterable[Iterable[str]]) -> frozenset[tuple[str, str]]:
    return frozenset((min(pair), max(pair)) for pair in map(tuple, pairs))


Count: TypeAlias = Annotated[int, Key(read=int)]
Word: TypeAlias = Annotated[str, Key(read=str)]


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """One stage: its format and everything that determines its pairings and standings."""

    name: Word
    format: Word
    seats: Count = TWO_SEATS
    rounds: Annotated[int | None, Key(read=int)] = None
    scoring: Scoring
    ties: TieRules
    ruleset: Ruleset
    avoid: Annotated[frozenset[tuple[str, str]], Key(read=_read_avoid)] = frozenset()
    source: Annotated[StageSource | None, Key("from", _read_source)] = None
    system: Word = "dutch"
    group: Word = "points"
    cycles: Count = 1
    section_size: Annotated[int, Key("sections/size", int)] = 0
    section_by: Annotated[str, Key("sections/by", str)] = "rating"
    advance: Count = 1
    reset: Annotated[bool, Key(read=bool)] = False
    replay: Count = 0
    """Number of replays of a tied knockout table, or of tied matches of a series, before `tied` decides."""
    best_of: Count = 1
    """Maximum number of matches at each table of a knockout. The series ends once it is decided."""
    tied: Word = BY_SEED
    has_end: Annotated[bool, Key("end", bool)] = False
    """True if the document limits the time of its rounds."""
    cancels: bool = False
    """True if entrants who withdraw early count for nobody."""

    @property
    def series(self) -> SeriesRules | None:
        """Return the rules of its series, or None if every table plays one match."""
        return SeriesRules(self.best_of, self.replay, self.tied) if self.best_of > 1 else None

    @property
    def one_draw(self) -> bool:
        """True if draw 0 of the stage applies to all its rounds."""
        return self.format in {ROUND_ROBIN, LADDER}

    @property
    def is_dutch(self) -> bool:
        """True for a Swiss by the Dutch system, which never repeats a pairing by itself."""
        return self.format == SWISS and self.system == "dutch"


def read_stages(document: Mapping[str, Any]) -> tuple[StageRules, ...]:
    """Return the stages of a document in order. Raise `BadStage` for the first that cannot be read."""
    try:
        entry = document.get("entry") or {}
        cancels = entry.get("withdrawn") == "cancel-if-under-half"
        ruleset = read_ruleset(document)
        stages = tuple(_read_stage(stage, ruleset, cancels=cancels) for stage in document["stages"])
        for rules in stages:
            _check_stage(rules)
    except FormatFault as fault:
        raise BadStage("stages_unreadable", why=fault.message) from None
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise BadStage("stages_unreadable", why=str(fault)) from None
    if not stages or len({rules.name for rules in stages}) < len(stages):
        raise BadStage("stage_names")
    return stages


def seats_of_format(format_: str) -> tuple[int, int]:
    """Return the least and most seats of a table."""
    return _SEATS[format_]


def read_ruleset(document: Mapping[str, Any]) -> Ruleset:
    """Return the version of the rules that a document names. Without the key it is the first version."""
    if "ruleset" not in document:
        return Ruleset.FIRST
    if document["ruleset"] not in RULESETS:
        raise BadStage("ruleset", ruleset=document["ruleset"], known=", ".join(RULESETS))
    return Ruleset(document["ruleset"])


def _check_stage(rules: StageRules) -> None:
    """Raise `BadStage` for numbers that no stage can have, before anything is computed with them."""
    least, most = seats_of_format(rules.format)
    if not least <= rules.seats <= most:
        raise BadStage("stage_seats", format=rules.format, least=least, most=most)
    if not (1 <= rules.cycles <= MOST_ROUNDS and rules.section_size >= 0 and 1 <= rules.advance <= rules.seats):
        raise BadStage("stage_range")
    if rules.rounds is None and rules.format in ROUNDS_NEEDED:
        raise BadStage("stage_rounds", format=rules.format)
    if rules.rounds is not None and not 1 <= rules.rounds <= MOST_ROUNDS:
        raise BadStage("stage_many_rounds", most=MOST_ROUNDS)
    single = rules.best_of == 1 and rules.tied == BY_SEED
    if rules.best_of not in BEST_OF or rules.tied not in TIED_RULES or not 0 <= rules.replay <= MOST_REPLAYS:
        raise BadStage("stage_range")
    if not single and (rules.format != KNOCKOUT or rules.seats != TWO_SEATS):
        raise BadStage("stage_series")
    points = rules.scoring.rule
    if isinstance(points, PlacePoints) and (
        len(points.places) != rules.seats or (points.short and len(points.short) != rules.seats - 1)
    ):
        raise BadStage("stage_places")
    check_ties(rules.ties.ties, rules.seats, one_deal=rules.format == DUPLICATE)


def _read_stage(stage: Mapping[str, Any], ruleset: Ruleset, *, cancels: bool) -> StageRules:
    kind = str(stage["format"])
    if kind not in FORMATS:
        raise BadStage("stage_format", format=kind, known=", ".join(FORMATS))
    robin, ties = kind == ROUND_ROBIN, stage.get("ties")
    names = tuple(DEFAULT_TIES.get(kind, ()) if ties is None else ties)
    return load(
        StageRules,
        stage,
        scoring=_read_scoring(stage, kind, int(stage.get("seats", TWO_SEATS))),
        ties=TieRules(names, str(stage.get("rules", "2026")), robin=robin),
        ruleset=ruleset,
        cancels=cancels and robin,
    )


def _read_scoring(stage: Mapping[str, Any], kind: str, seats: int) -> Scoring:
    if kind == DUPLICATE:
        return Scoring(DealPoints(), seats, bye=None)
    rule = read_points_rule(stage.get("points"))
    if kind == ROUND_ROBIN:
        return Scoring(rule, seats, bye=0, asked=0)
    if seats > TWO_SEATS:
        return Scoring(rule, seats, bye=None)
    win, draw = (rule.win, rule.draw) if isinstance(rule, WinPoints) else (WinPoints().win, WinPoints().draw)
    bye = stage.get("bye") or {}
    return Scoring(rule, seats, bye=read_points(bye["points"]) if "points" in bye else win, asked=draw)


def read_points_rule(points: object) -> PointsRule:
    """Return the rule for the key `points` of a stage."""
    if points is None:
        return WinPoints()
    if points == "share":
        return SharePoints()
    if points == "score":
        return ScorePoints()
    if not isinstance(points, Mapping):
        raise BadStage("stage_points")
    if "places" in points:
        return PlacePoints(
            tuple(map(read_points, points["places"])),
            tuple(map(read_points, points.get("short") or ())),
        )
    return WinPoints(read_points(points["win"]), read_points(points["draw"]))
