"""A tournament's document: read from YAML or JSON with every fault named, and kept as one canonical value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from service.play.time_control import PRESETS
from service.tournaments.documents.document_checks import check_document
from service.tournaments.documents.document_faults import BadDocument, DocumentFault, DocumentNote
from service.tournaments.documents.document_fields import BadNode
from service.tournaments.documents.document_nodes import parse_nodes
from service.tournaments.documents.document_reading import DocumentContext, DocumentReading, Person
from service.tournaments.documents.document_schema import ROOT, WITH_END, json_schema
from service.tournaments.documents.document_values import read_length, read_moment, read_places
from service.tournaments.formats.crosstable import TWO_SEATS
from service.tournaments.formats.log_lines import ByeKind
from service.tournaments.formats.stage_rules import LADDER, PODS, ROUND_ROBIN, SWISS, BadStage, StageRules, read_stages
from service.tournaments.formats.tournament_log import hash_document

__all__ = [
    "BadDocument",
    "DocumentContext",
    "DocumentFault",
    "DocumentNote",
    "EntryRules",
    "StagePlan",
    "TournamentDocument",
    "json_schema",
    "load_document",
    "read_document",
]

Title = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class EntryRules:
    """Who may enter and when; `opens` is None where the repetition says it, `closes` where the end does."""

    opens: int | None
    closes: int | None
    by: str
    least: int
    most: int
    rating_from: int | None
    rating_to: int | None
    newcomers: bool
    on_time: int | None
    programs: bool
    late_until: int
    """The last round for which one may enter late; 0: none."""
    late_bye: ByeKind
    withdrawn: str
    reserves: int

    @property
    def closes_with_end(self) -> bool:
        """Whether one can enter as long as the first stage runs."""
        return self.closes is None


@dataclass(frozen=True, slots=True)
class StartRule:
    """When the rounds of a stage begin, in ms; `first` is None where the stage before or a repetition says it."""

    first: int | None
    every: int
    at: tuple[int, ...]
    next_when_over: bool
    gap: int
    all_at_once: bool
    hour: str = ""
    """The hour of the day at which each repetition begins."""


@dataclass(frozen=True, slots=True)
class EndRule:
    """When the stage ends, how long a round may take (0: as long as it takes), and what then happens."""

    at: int | None
    at_most: int
    then: Literal["adjudicate", "as-it-stands", "late-loses"]


@dataclass(frozen=True, slots=True)
class ByeRule:
    """What a bye that was asked for is worth, and how many one may ask for."""

    asked: ByeKind = "zero"
    most_asked: int = 0


@dataclass(frozen=True)
class StagePlan:
    """One stage: the rules of its format, its times, and what its matches are like."""

    rules: StageRules
    start: StartRule
    end: EndRule
    bots: Mapping[int, str]
    seat: int | None
    options: Mapping[str, Any]
    bye: ByeRule = ByeRule()
    replay: int = 0
    reach: int = 0
    at_once: int = 0
    answer: int = 0
    again_after: int = 0

    @property
    def name(self) -> str:
        """What it is called."""
        return self.rules.name

    @property
    def format(self) -> str:
        """How it is played."""
        return self.rules.format

    def allows_bye(self, number: int) -> bool:
        """Whether one may ask for a bye in a round: in a Swiss and in pods, not in the last round."""
        has_byes = self.format in {SWISS, PODS} and self.bye.most_asked > 0
        return has_byes and number < (self.rules.rounds or 0)

    def most_at_once(self, entrants: int) -> int:
        """How many of its matches one entrant may have open at once, when so many play."""
        if self.format == LADDER:
            return 2 * self.at_once
        if self.format != ROUND_ROBIN or self.start.next_when_over:
            return 1
        size = min(self.rules.section_size or entrants, entrants)
        return max(1, (size - 1) * self.rules.cycles)


@dataclass(frozen=True, slots=True)
class Prize:
    """What some places are worth."""

    first: int
    last: int
    each_section: bool
    title: Title


@dataclass(frozen=True, slots=True)
class RepeatRule:
    """How often the tournament is made anew, until when, and how long before its start it can be entered."""

    rule: str
    until: int
    opens_before: int


@dataclass(frozen=True)
class TournamentDocument:
    """A document whose every default is written out; times are in ms."""

    canonical: Mapping[str, Any]
    hash: str
    name: str
    game: str
    title: Title
    zone: str
    organisers: tuple[str, ...]
    listed: bool
    entry: EntryRules
    beacon: str
    pauses: tuple[tuple[int, int], ...]
    clock: str
    moves: str
    leave: bool
    late_seat: str
    spectators: str
    rated: bool
    review: int
    stages: tuple[StagePlan, ...]
    prizes: tuple[Prize, ...]
    repeat: RepeatRule | None
    taken: Mapping[str, Person] = field(default_factory=dict)
    """Whom each name of the text means: id and name."""
    notes: tuple[DocumentNote, ...] = ()
    """What could be understood in two ways, or holds otherwise than one might think."""

    @property
    def counts_leave(self) -> bool:
        """Whether leave stops clocks here: where the document allows it and the clock knows it."""
        return self.leave and PRESETS[self.clock].leave

    def late_policy(self, stage: StagePlan) -> str:
        """What becomes of a seat that is late: with two seats it is always forfeited."""
        return "forfeit" if stage.rules.seats == TWO_SEATS else self.late_seat


def read_document(data: bytes, context: DocumentContext) -> TournamentDocument:
    """The document that this YAML or JSON text is; raises `BadDocument` with every fault at once."""
    root, faults = parse_nodes(data)
    if root.members is None:
        raise BadDocument([*faults, root.fault("not_document")])
    try:
        members = ROOT.read(root)
    except BadNode as bad:
        faults += bad.faults
        members = bad.good
    reading = DocumentReading(root, context, members, faults)
    check_document(reading)
    if not faults:
        try:
            read_stages(reading.data)
        except BadStage as refused:
            reading.add_fault("/stages", "stages_refused", why=refused.message)
    if faults:
        raise BadDocument(faults)
    return load_document(reading.data, taken=reading.taken, notes=tuple(reading.notes))


def load_document(
    canonical: Mapping[str, Any], *, taken: Mapping[str, Person] | None = None, notes: tuple[DocumentNote, ...] = ()
) -> TournamentDocument:
    """A canonical document as a value; it is stored already, so nothing is checked against the clock."""
    rules = read_stages(canonical)
    return TournamentDocument(
        canonical=canonical,
        hash=hash_document(canonical),
        name=canonical["tournament"],
        game=canonical["game"],
        title=canonical["title"],
        zone=canonical["zone"],
        organisers=tuple(canonical["organisers"]),
        listed=canonical["listed"],
        entry=_load_entry(canonical["entry"]),
        beacon=canonical["draw"]["beacon"],
        pauses=tuple((_at(pause["from"]), _at(pause["to"])) for pause in canonical["pauses"]),
        clock=canonical["clock"],
        moves=canonical["moves"],
        leave=canonical["leave"],
        late_seat=canonical["late_seat"],
        spectators=canonical["spectators"],
        rated=canonical["rated"],
        review=read_length(canonical["review"]),
        stages=tuple(_load_stage(stage, each) for stage, each in zip(canonical["stages"], rules, strict=True)),
        prizes=tuple(_load_prize(prize) for prize in canonical["prizes"]),
        repeat=_load_repeat(canonical.get("repeat")),
        taken=taken or {},
        notes=notes,
    )


def _at(text: str) -> int:
    return read_moment(text, "UTC").at


def _length(text: str | None) -> int:
    return 0 if text is None else read_length(text)


def _load_entry(entry: Mapping[str, Any]) -> EntryRules:
    rating, late = entry.get("rating") or {}, entry.get("late") or {}
    opens, closes = entry["opens"], entry["closes"]
    return EntryRules(
        opens=_at(opens) if opens[:1].isdigit() else None,
        closes=None if closes == WITH_END else _at(closes),
        by=entry["by"],
        least=entry["least"],
        most=entry["most"],
        rating_from=rating.get("from"),
        rating_to=rating.get("to"),
        newcomers=rating.get("newcomers", True),
        on_time=entry.get("on_time"),
        programs=entry["programs"],
        late_until=late.get("until_round", 0),
        late_bye=late.get("bye", "zero"),
        withdrawn=entry["withdrawn"],
        reserves=read_length(entry["reserves"]),
    )


def _load_stage(stage: Mapping[str, Any], rules: StageRules) -> StagePlan:
    start, end, bye = stage["start"], stage.get("end") or {}, stage.get("bye")
    first = start.get("first")
    return StagePlan(
        rules=rules,
        start=StartRule(
            first=_at(first) if first and "-" in first else None,
            every=_length(start.get("every")),
            at=tuple(_at(each) for each in start.get("at") or ()),
            next_when_over="next" in start,
            gap=_length(start.get("gap")),
            all_at_once=bool(start.get("all")),
            hour=first if first and "-" not in first else "",
        ),
        end=EndRule(
            at=_at(end["at"]) if "at" in end else None,
            at_most=_length(end.get("at_most")),
            then=end.get("then", "adjudicate"),
        ),
        bots={int(seat): bot for seat, bot in (stage.get("bots") or {}).items()},
        seat=stage.get("seat"),
        options=stage["options"],
        bye=ByeRule(bye["asked"], bye["most_asked"]) if bye else ByeRule(),
        replay=stage.get("replay", 0),
        reach=stage.get("reach", 0),
        at_once=stage.get("at_once", 0),
        answer=_length(stage.get("answer")),
        again_after=_length(stage.get("again_after")),
    )


def _load_prize(prize: Mapping[str, Any]) -> Prize:
    first, last = read_places(prize["places"])
    return Prize(first, last, prize.get("each") == "section", prize["title"])


def _load_repeat(repeat: Mapping[str, Any] | None) -> RepeatRule | None:
    if repeat is None:
        return None
    return RepeatRule(repeat["rule"], _at(repeat["until"]), read_length(repeat["opens_before"]))
