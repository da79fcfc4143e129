"""Typed lines of a tournament's log. The fields of a dataclass declare the words of a line, their order and form.

`write` turns a line into text and `read` parses it; no other module takes the text of a line apart.
`write` reproduces byte for byte whatever `read` accepts. `docs/TOURNAMENT_LOG.md` explains each kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from service.record.patterns import HASH, ID, NAME, NONCE, is_beacon, parse_number
from service.tournaments.formats.crosstable import BadResultText, SeatResult, read_seat_result
from service.tournaments.formats.faults import FormatFault

T = TypeVar("T")
RULING = "ruling"
BOT_PREFIX = "bot:"
NO_VALUE = "-"
"""Written in place of a missing rating, section or beacon value."""


class BadLine(FormatFault):
    """A line that is malformed, or that does not follow from the lines before it."""

    def __init__(self, reason: str, what: str, **values: object) -> None:
        super().__init__(what, **values)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """Form of one word of a line. `label` is its name in the documentation."""

    label: str
    read: Callable[[str], T]
    write: Callable[[T], str] = str


@dataclass(frozen=True, slots=True, order=True)
class RoundName:
    """Name of a round in a line, `STAGE:N`. Round 0 is the draw before the first round."""

    stage: str
    number: int

    def __str__(self) -> str:
        return f"{self.stage}:{self.number}"

    @classmethod
    def read(cls, text: str) -> RoundName:
        """Return the round that `STAGE:N` names."""
        stage, _, word = text.rpartition(":")
        number = parse_number(word)
        if not stage or number is None:
            raise BadLine("line", "unknown_round", round=text)
        return cls(stage, number)


def is_bot(seat: str) -> bool:
    """Return True if a word at a seat names a bot and not a player."""
    return seat.startswith(BOT_PREFIX)


def _matching(pattern: re.Pattern[str], reason: str, what: str) -> Callable[[str], str]:
    """Return a reader that accepts only words of this pattern."""

    def read_word(text: str) -> str:
        if pattern.fullmatch(text) is None:
            raise BadLine(reason, what, word=text)
        return text

    return read_word


def _read_seat(text: str) -> str:
    if is_bot(text) and NAME.fullmatch(text.removeprefix(BOT_PREFIX)) is None:
        raise BadLine("line", "unknown_bot", player=text)
    return text if is_bot(text) else _read_player(text)


def _read_nonce(text: str) -> str:
    if NONCE.fullmatch(text) is None:
        raise BadLine("line", "line_form", form=describe(EnterLine))
    return text


def _read_number(text: str) -> int:
    number = parse_number(text)
    if number is None:
        raise BadLine("number", "number_form", word=text)
    return number


def _read_section(text: str) -> int:
    number = 0 if text == NO_VALUE else parse_number(text)
    if number is None or text == "0":
        raise BadLine("line", "section_form")
    return number


def _read_bye_kind(text: str) -> ByeKind:
    if text not in BYE_KINDS:
        raise BadLine("line", "bye_kind")
    return BYE_KINDS[text]


def _read_value(text: str) -> str:
    if not is_beacon(text):
        raise BadLine("draw", "beacon_form", value=text)
    return text


def _read_result(text: str) -> SeatResult:
    try:
        return read_seat_result(text)
    except BadResultText:
        raise BadLine("result", "result_form", text=text) from None


ByeKind: TypeAlias = Literal["half", "zero"]
BYE_KINDS: dict[str, ByeKind] = {"half": "half", "zero": "zero"}
_read_player = _matching(ID, "line", "player_id")
Player: TypeAlias = Annotated[str, Form("P", _read_player)]
Seat: TypeAlias = Annotated[str, Form("P", _read_seat)]
"""A player's id, or `bot:` and the name of a bot."""
MatchId: TypeAlias = Annotated[str, Form("ID", _matching(ID, "line", "match_id"))]
RuledMatch: TypeAlias = Annotated[str, Form("ID", str)]
Stage: TypeAlias = Annotated[str, Form("STAGE", str)]
Round: TypeAlias = Annotated[RoundName, Form("ROUND", RoundName.read)]
Nonce: TypeAlias = Annotated[str, Form("NONCE", _read_nonce)]
EntrantNumber: TypeAlias = Annotated[int, Form("N", _read_number)]
Rating: TypeAlias = Annotated[
    int | None,
    Form(
        "RATING",
        lambda text: None if text == NO_VALUE else _read_number(text),
        lambda rating: NO_VALUE if rating is None else str(rating),
    ),
]
Section: TypeAlias = Annotated[int, Form("SECTION", _read_section, lambda section: str(section or NO_VALUE))]
Bye: TypeAlias = Annotated[ByeKind, Form("KIND", _read_bye_kind)]
DrawKey: TypeAlias = Annotated[str, Form("KEY", _matching(HASH, "draw", "key_form"))]
BeaconValue: TypeAlias = Annotated[str, Form("VALUE", _read_value)]
Result: TypeAlias = Annotated[SeatResult, Form("PLACE:SCORE:HOW", _read_result)]
DocumentHash: TypeAlias = Annotated[str, Form("HASH", _matching(HASH, "document", "no_document"))]
Deals: TypeAlias = Annotated[str, Form("DEALS", _matching(HASH, "deals", "deals_form"))]
Moment: TypeAlias = Annotated[int, Form("MS", _read_number)]
Reason: TypeAlias = Annotated[str, Form("WHY", str)]
TextHash: TypeAlias = Annotated[str, Form("HASH", _matching(HASH, "line", "text_hash"))]
RulingKind: TypeAlias = Annotated[str, Form("WHAT", str)]
Subject: TypeAlias = Annotated[str, Form("SUBJECT", str)]


KINDS: dict[str, type[Line]] = {}
"""Kinds of lines by their first word; rulings by their first two words."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Line:
    """A line of the log: its first word, then the words of its fields. Each subclass is a frozen dataclass."""

    verb: ClassVar[str] = ""

    def __init_subclass__(cls, verb: str = "", *, kw_only: bool = False) -> None:
        dataclass(frozen=True, kw_only=kw_only)(cls)
        if verb:
            cls.verb = verb
            KINDS[verb] = cls


class DocumentLine(Line, verb="document"):
    """Another document is in force from here on."""

    hash: DocumentHash


class EnterLine(Line, verb="enter"):
    """A player enters. The nonce goes into the seeds of their matches."""

    player: Player
    nonce: Nonce | None = None


class StatusLine(Line):
    """A line that changes the status of an entrant."""

    player: Player


class AcceptLine(StatusLine, verb="accept"):
    """An entrant is accepted."""


class ReserveLine(StatusLine, verb="reserve"):
    """An entrant is put on the waiting list."""


class WithdrawLine(StatusLine, verb="withdraw"):
    """An entrant withdraws."""


class ExcludeLine(StatusLine, verb="exclude"):
    """An organiser excludes an entrant."""

    why: Reason


class NumberLine(Line, verb="number"):
    """An entrant gets the next number, with the rating when entry closed."""

    player: Player
    number: EntrantNumber
    rating: Rating


class ByeLine(Line, verb="bye"):
    """An entrant takes a bye in a round."""

    player: Player
    round: Round
    kind: Bye


class CloseLine(Line, verb="close"):
    """Entry closes."""


class DrawLine(Line, verb="draw"):
    """One draw: its round, its key of the hash chain, and the beacon value or `-`."""

    round: Round
    key: DrawKey
    value: BeaconValue


class PairLine(Line, verb="pair"):
    """A match of a round and its players by seat. A single player has a bye. Section 0 is written `-`."""

    match: MatchId
    round: Round
    section: Section
    seats: tuple[Seat, ...]


class StartLine(Line, verb="start"):
    """A round starts."""

    round: Round


class ResultLine(Line, verb="result"):
    """The result of each seat of a match. The last result of a match counts."""

    match: MatchId
    results: tuple[Result, ...]


class OverLine(Line, verb="over"):
    """A round is over."""

    round: Round


class AdvanceLine(Line, verb="advance"):
    """A stage takes its entrants from an earlier stage, in the order of their seeds."""

    stage: Stage
    players: tuple[Player, ...] = ()


class EndLine(Line, verb="end"):
    """The tournament is over. The secret of the deals is published."""

    deals: Deals


class Ruling(Line, kw_only=True):
    """A decision of an organiser: its subjects, the code of the reason, and the salted hash of its text."""

    why: Reason
    text_hash: TextHash | None = None

    @property
    def what(self) -> str:
        """Return the kind of the ruling."""
        return self.verb.partition(" ")[2]

    @property
    def subjects(self) -> tuple[str, ...]:
        """Return the words for the players, matches or rounds it concerns."""
        return tuple(_list_words(self, SLOTS[type(self)][: -len(fields(Ruling))]))


class PauseRuling(Ruling, verb="ruling pause"):
    """The tournament is paused."""


class ResumeRuling(Ruling, verb="ruling resume"):
    """The tournament resumes after a pause."""


class ExtendRuling(Ruling, verb="ruling extend"):
    """The end of a round is moved."""

    round: Round
    until: Moment


class ReplaceRuling(Ruling, verb="ruling replace"):
    """Another player takes over an entrant's number, points and tables."""

    player: Player
    other: Player


class ExcludeRuling(Ruling, verb="ruling exclude"):
    """An entrant is excluded. An `exclude` line follows."""

    player: Player


class AcceptRuling(Ruling, verb="ruling accept"):
    """An entrant is accepted. An `accept` or `reserve` line follows."""

    player: Player


class SeedRuling(Ruling, verb="ruling seed"):
    """These entrants get the first numbers, in this order. The others follow by rating, then by the draw."""

    players: tuple[Player, ...]


class ResultRuling(Ruling, verb="ruling result"):
    """A match gets the result of the `result` line that follows."""

    match: RuledMatch


class ReplayRuling(Ruling, verb="ruling replay"):
    """A match is void and replayed. A `pair` line follows."""

    match: RuledMatch


class RepairRuling(Ruling, verb="ruling repair"):
    """All pairs of a round are void. New `pair` lines follow."""

    round: Round


class BeaconRuling(Ruling, verb="ruling beacon"):
    """An organiser supplies the beacon value of the draw that follows."""

    value: BeaconValue


class CancelRuling(Ruling, verb="ruling cancel"):
    """The tournament is cancelled."""


class OtherRuling(Ruling, verb=RULING):
    """A ruling of another kind or form. It is kept in the log and changes nothing."""

    kind: RulingKind
    about: tuple[Subject, ...] = ()

    @property
    def what(self) -> str:
        """Return the kind of the ruling."""
        return self.kind

    @property
    def subjects(self) -> tuple[str, ...]:
        """Return the words for the players, matches or rounds it concerns."""
        return self.about


@dataclass(frozen=True, slots=True)
class Slot:
    """Place of a field in a line: one word, or any number of words at its end. It may be optional."""

    name: str
    form: Form[Any]
    many: bool
    optional: bool

    @property
    def label(self) -> str:
        """Return the slot as the documentation writes it."""
        label = f"{self.form.label} …" if self.many else self.form.label
        return f"[{label}]" if self.optional else label


def _list_slots(kind: type[Line]) -> tuple[Slot, ...]:
    """Return the slots of a kind of line in order. Fields shared by all rulings come last."""
    hints = get_type_hints(kind, include_extras=True)
    slots = []
    for member in sorted(fields(kind), key=lambda member: member.kw_only is True):
        hint = hints[member.name]
        form = next(iter(getattr(hint, "__metadata__", ())), None) or get_args(hint)[0].__metadata__[0]
        slots.append(Slot(member.name, form, get_origin(hint) is tuple, member.default is not MISSING))
    return tuple(slots)


RULINGS_FOR_ALL = frozenset({"pause", "resume", "extend", "repair", "beacon", "cancel"})
"""Kinds of rulings that concern every entrant. Others concern the players they name and their tables."""
SLOTS: dict[type[Line], tuple[Slot, ...]] = {kind: _list_slots(kind) for kind in KINDS.values()}


def describe(kind: type[Line]) -> str:
    """Return the form of a kind of line, as in `enter P [NONCE]`."""
    return " ".join([kind.verb, *(slot.label for slot in SLOTS[kind])])


def write(line: Line) -> str:
    """Return the text of a line."""
    return " ".join([line.verb, *words_of(line)])


def words_of(line: Line) -> Iterator[str]:
    """Return the words of a line after its verb."""
    return _list_words(line, SLOTS[type(line)])


def _list_words(line: Line, slots: Sequence[Slot]) -> Iterator[str]:
    for slot in slots:
        value = getattr(line, slot.name)
        if slot.many:
            yield from map(slot.form.write, value)
        elif value is not None or not slot.optional:
            yield slot.form.write(value)


def read(text: str) -> Line:
    """Parse the text of a line. Raise `BadLine` if it is not one."""
    verb, *words = text.split(" ")
    kind = KINDS.get(verb)
    if kind is None or not all(words):
        raise BadLine("line", "unknown_line", line=text)
    return _read_ruling(words) if kind is OtherRuling else _read_words(kind, words)


def _read_words(kind: type[Line], words: Sequence[str]) -> Line:
    slots = SLOTS[kind]
    least = sum(not slot.optional for slot in slots)
    most = len(words) if any(slot.many for slot in slots) else len(slots)
    if not least <= len(words) <= most:
        if least == most:
            raise BadLine("line", "words", count=least)
        raise BadLine("line", "line_form", form=describe(kind))
    values: dict[str, Any] = {}
    for index, slot in enumerate(slots):
        if slot.many:
            values[slot.name] = tuple(map(slot.form.read, words[index:]))
        elif index < len(words):
            values[slot.name] = slot.form.read(words[index])
    return kind(**values)


def _read_ruling(words: Sequence[str]) -> Line:
    """Parse a ruling. An unknown kind, or a wrong number of subjects, gives an `OtherRuling`."""
    what, *rest = words or [""]
    text_hash = rest.pop() if len(rest) > 1 and HASH.fullmatch(rest[-1]) else None
    if not rest:
        raise BadLine("line", "line_form", form=describe(OtherRuling))
    *about, why = rest
    kind = KINDS.get(f"{RULING} {what}")
    if kind is SeedRuling and about:
        return SeedRuling(tuple(map(_read_player, about)), why=why, text_hash=text_hash)
    if kind is not None and kind is not SeedRuling and len(about) == len(SLOTS[kind]) - len(fields(Ruling)):
        return _read_words(kind, words[1:])
    return OtherRuling(what, tuple(about), why=why, text_hash=text_hash)
