"""The document of a tournament: read from YAML or JSON with all faults, and kept as one canonical value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

from service.play.time_control import PRESETS
from service.tournaments.documents.document_checks import check_document
from service.tournaments.documents.document_faults import BadDocument, DocumentFault, DocumentNote
from service.tournaments.documents.document_fields import BadNode
from service.tournaments.documents.document_nodes import parse_nodes
from service.tournaments.documents.document_reading import DocumentContext, DocumentReading, Person
from service.tournaments.documents.document_schema import ADJUDICATE, NOW, ROOT, json_schema
from service.tournaments.documents.document_values import read_length, read_places, read_utc
from service.tournaments.formats.crosstable import TWO_SEATS
from service.tournaments.formats.document_loading import Key, load
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


def _read_time(text: str) -> int | None:
    """Return a time in ms. None stands for words such as `with-end`, and for an hour without a day."""
    return read_utc(text) if text[:4].isdigit() else None


def _read_times(times: list[str]) -> tuple[int, ...]:
    return tuple(map(read_utc, times))


def _read_hour(text: str) -> str:
    return "" if "-" in text else text


def _read_bots(bots: Mapping[str, str]) -> dict[int, str]:
    return {int(seat): bot for seat, bot in bots.items()}


def _read_pauses(pauses: list[Mapping[str, str]]) -> tuple[tuple[int, int], ...]:
    return tuple((read_utc(pause["from"]), read_utc(pause["to"])) for pause in pauses)


Length: TypeAlias = Annotated[int, Key(read=read_length)]
Time: TypeAlias = Annotated[int | None, Key(read=_read_time)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRules:
    """Rules of entry. `opens` is None if the recurrence sets it, `closes` if entry closes with the end."""

    opens: Time = None
    closes: Time = None
    by: str
    least: int
    most: int
    rating_from: Annotated[int | None, Key("rating/from")] = None
    rating_to: Annotated[int | None, Key("rating/to")] = None
    newcomers: Annotated[bool, Key("rating/newcomers")] = True
    on_time: int | None = None
    programs: bool
    late_until: Annotated[int, Key("late/until_round")] = 0
    """Last round for which late entry is allowed, or 0."""
    late_bye: Annotated[ByeKind, Key("late/bye")] = "zero"
    withdrawn: str
    reserves: Length

    @property
    def closes_with_end(self) -> bool:
        """True if players can enter as long as the first stage runs."""
        return self.closes is None


@dataclass(frozen=True, slots=True)
class StartRule:
    """Start times of the rounds of a stage, in ms. `first` is None if the stage before or a recurrence sets it."""

    first: Time = None
    every: Length = 0
    at: Annotated[tuple[int, ...], Key(read=_read_times)] = ()
    next_when_over: Annotated[bool, Key("next", bool)] = False
    gap: Length = 0
    all_at_once: Annotated[bool, Key("all", bool)] = False
    hour: Annotated[str, Key("first", _read_hour)] = ""
    """Time of day at which each tournament of a recurrence starts."""


@dataclass(frozen=True, slots=True)
class EndRule:
    """End of the stage, longest duration of a round (0 for no limit), and what happens to open matches then."""

    at: Time = None
    at_most: Length = 0
    then: Literal["adjudicate", "as-it-stands", "late-loses"] = ADJUDICATE


@dataclass(frozen=True, slots=True)
class ByeRule:
    """Value of a requested bye, and the number of byes that a player may request."""

    asked: ByeKind = "zero"
    most_asked: int = 0


@dataclass(frozen=True, kw_only=True)
class StagePlan:
    """One stage: the rules of its format, its times, and the settings of its matches."""

    rules: StageRules
    start: Annotated[StartRule, Key(read=partial(load, StartRule))]
    end: Annotated[EndRule, Key(read=partial(load, EndRule))] = EndRule()
    bots: Annotated[Mapping[int, str], Key(read=_read_bots)] = field(default_factory=dict)
    seat: int | None = None
    options: Mapping[str, Any]
    bye: Annotated[ByeRule, Key(read=partial(load, ByeRule))] = ByeRule()
    reach: int = 0
    at_once: int = 0
    answer: Length = 0
    again_after: Length = 0

    @property
    def name(self) -> str:
        """Return the name of the stage."""
        return self.rules.name

    @property
    def format(self) -> str:
        """Return the format of the stage."""
        return self.rules.format

    def allows_bye(self, number: int) -> bool:
        """Return True if players may request a bye in a round: in Swiss and pods, but not in the last round."""
        has_byes = self.format in {SWISS, PODS} and self.bye.most_asked > 0
        return has_byes and number < (self.rules.rounds or 0)

    def most_at_once(self, entrants: int) -> int:
        """Return how many matches of the stage one of this number of entrants can have open at once."""
        if self.format == LADDER:
            return 2 * self.at_once
        if self.format != ROUND_ROBIN or self.start.next_when_over:
            return 1
        size = min(self.rules.section_size or entrants, entrants)
        return max(1, (size - 1) * self.rules.cycles)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """Prize for a range of places."""

    places: Annotated[tuple[int, int], Key(read=read_places)]
    each_section: Annotated[bool, Key("each", bool)] = False
    title: Title

    @property
    def first(self) -> int:
        """Return the first place of the range."""
        return self.places[0]

    @property
    def last(self) -> int:
        """Return the last place of the range."""
        return self.places[1]


def _read_prizes(prizes: list[Mapping[str, Any]]) -> tuple[Prize, ...]:
    return tuple(load(Prize, prize) for prize in prizes)


@dataclass(frozen=True, slots=True)
class RepeatRule:
    """Recurrence of a tournament: its rule, its end, and how long before its start each tournament opens."""

    rule: str
    until: Annotated[int, Key(read=read_utc)]
    opens_before: Length


@dataclass(frozen=True, kw_only=True)
class TournamentDocument:
    """A document with every default written out. Times are in ms."""

    canonical: Mapping[str, Any]
    hash: str
    name: Annotated[str, Key("tournament")]
    game: str
    title: Title
    zone: str
    organisers: Annotated[tuple[str, ...], Key(read=tuple)]
    arbiters: Annotated[tuple[str, ...], Key(read=tuple)] = ()
    """People who may rule, but not change the document."""
    listed: bool
    entry: Annotated[EntryRules, Key(read=partial(load, EntryRules))]
    beacon: Annotated[str, Key("draw/beacon")]
    pauses: Annotated[tuple[tuple[int, int], ...], Key(read=_read_pauses)]
    clock: str
    moves: str
    leave: bool
    late_seat: str
    spectators: str
    rated: bool
    review: Length
    stages: tuple[StagePlan, ...]
    prizes: Annotated[tuple[Prize, ...], Key(read=_read_prizes)]
    repeat: Annotated[RepeatRule | None, Key(read=partial(load, RepeatRule))] = None
    taken: Mapping[str, Person] = field(default_factory=dict)
    """Person that each name in the text means: id and name."""
    notes: tuple[DocumentNote, ...] = ()
    """Values that are ambiguous or may not mean what the author expects."""
    opens_now: bool = False
    """True if the text says `opens: now`. The canonical document has the time at which it was read."""

    @property
    def etag_text(self) -> str:
        """Return a text that is the same whenever the same document is read."""
        if not self.opens_now:
            return self.hash
        return hash_document({**self.canonical, "entry": {**self.canonical["entry"], "opens": NOW}})

    @property
    def counts_leave(self) -> bool:
        """True if leave stops clocks: the document allows it and the clock supports it."""
        return self.leave and PRESETS[self.clock].leave

    def late_policy(self, stage: StagePlan) -> str:
        """Return what happens to a late seat. With two seats it is always forfeited."""
        return "forfeit" if stage.rules.seats == TWO_SEATS else self.late_seat


def read_document(data: bytes, context: DocumentContext) -> TournamentDocument:
    """Read a document in YAML or JSON. Raise `BadDocument` with all faults at once."""
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
    notes = tuple(reading.notes)
    return load_document(reading.data, taken=reading.taken, notes=notes, opens_now=reading.opens_now)


def load_document(
    canonical: Mapping[str, Any],
    *,
    taken: Mapping[str, Person] | None = None,
    notes: tuple[DocumentNote, ...] = (),
    opens_now: bool = False,
) -> TournamentDocument:
    """Load a canonical document. It was checked when it was stored, so nothing is compared with the clock."""
    return load(
        TournamentDocument,
        canonical,
        canonical=canonical,
        hash=hash_document(canonical),
        stages=tuple(
            load(StagePlan, stage, rules=rules)
            for stage, rules in zip(canonical["stages"], read_stages(canonical), strict=True)
        ),
        taken=taken or {},
        notes=notes,
        opens_now=opens_now,
    )
