"""Lines of a tournament's log as values: the fields of a dataclass give the words of a line, their order and form.

`write` returns the text of a line and `read` the line of a text; no other module takes the text of a line apart.
What `read` accepts, `write` gives back byte for byte. `docs/TOURNAMENT_LOG.md` explains each kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from service.record.patterns import HASH, ID, NAME, NONCE, is_beacon, parse_number
from service.tournaments.formats.crosstable import BadResultText, SeatResult, read_seat_result
from service.tournaments.formats.faults import FormatFault

T = TypeVar("T")
RULING = "ruling"
BOT_PREFIX = "bot:"
NO_VALUE = "-"
"""Written where there is no rating, section or beacon value."""


class BadLine(FormatFault):
    """A text that is not a line of a tournament's log. `reason` is the code that reports give the fault."""

    def __init__(self, reason: str, what: str, **values: object) -> None:
        super().__init__(what, **values)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """How one word of a line is written. `label` stands for it in the documentation."""

    label: str
    read: Callable[[str], T]
    write: Callable[[T], str] = str


@dataclass(frozen=True, slots=True, order=True)
class RoundName:
    """A round as lines write it, `STAGE:N`; round 0 is what is drawn before the first."""

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
    """Return a reader of words of this pattern; other words are refused."""

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
"""The kinds of lines by their first word, those of rulings by the first two."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: its first word, then the words of its fields."""

    verb: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if cls.verb:
            KINDS[cls.verb] = cls


@dataclass(frozen=True, slots=True)
class DocumentLine(Line):
    """Another document is in force from here on."""

    verb: ClassVar[str] = "document"
    hash: DocumentHash


@dataclass(frozen=True, slots=True)
class EnterLine(Line):
    """Somebody enters; their nonce goes into the seeds of their matches."""

    verb: ClassVar[str] = "enter"
    player: Player
    nonce: Nonce | None = None


@dataclass(frozen=True, slots=True)
class StatusLine(Line):
    """A line that changes what an entrant is."""

    player: Player


@dataclass(frozen=True, slots=True)
class AcceptLine(StatusLine):
    """An entrant is in."""

    verb: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True)
class ReserveLine(StatusLine):
    """An entrant is on the waiting list."""

    verb: ClassVar[str] = "reserve"


@dataclass(frozen=True, slots=True)
class WithdrawLine(StatusLine):
    """An entrant leaves."""

    verb: ClassVar[str] = "withdraw"


@dataclass(frozen=True, slots=True)
class ExcludeLine(StatusLine):
    """An organiser sends an entrant away."""

    verb: ClassVar[str] = "exclude"
    why: Reason


@dataclass(frozen=True, slots=True)
class NumberLine(Line):
    """An entrant gets the next number, with the rating at the closing of entry."""

    verb: ClassVar[str] = "number"
    player: Player
    number: EntrantNumber
    rating: Rating


@dataclass(frozen=True, slots=True)
class ByeLine(Line):
    """An entrant does not play a round."""

    verb: ClassVar[str] = "bye"
    player: Player
    round: Round
    kind: Bye


@dataclass(frozen=True, slots=True)
class CloseLine(Line):
    """Entry closes."""

    verb: ClassVar[str] = "close"


@dataclass(frozen=True, slots=True)
class DrawLine(Line):
    """One draw: the round it is for, its key of the chain, and the beacon's value or `-`."""

    verb: ClassVar[str] = "draw"
    round: Round
    key: DrawKey
    value: BeaconValue


@dataclass(frozen=True, slots=True)
class PairLine(Line):
    """A match of a round and who sits at it; one alone has a bye. Section 0 is written `-`."""

    verb: ClassVar[str] = "pair"
    match: MatchId
    round: Round
    section: Section
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class StartLine(Line):
    """A round starts."""

    verb: ClassVar[str] = "start"
    round: Round


@dataclass(frozen=True, slots=True)
class ResultLine(Line):
    """How each seat of a match ended; the last line about a match counts."""

    verb: ClassVar[str] = "result"
    match: MatchId
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class OverLine(Line):
    """A round is over."""

    verb: ClassVar[str] = "over"
    round: Round


@dataclass(frozen=True, slots=True)
class AdvanceLine(Line):
    """A stage takes its entrants from an earlier one, by seed."""

    verb: ClassVar[str] = "advance"
    stage: Stage
    players: tuple[Player, ...] = ()


@dataclass(frozen=True, slots=True)
class EndLine(Line):
    """The tournament is over, and the secret of the deals is open."""

    verb: ClassVar[str] = "end"
    deals: Deals


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Line):
    """A decision of an organiser: its subjects, then the code of the reason and the salted hash of its text."""

    why: Reason
    text_hash: TextHash | None = None

    @property
    def what(self) -> str:
        """Return the kind of the ruling."""
        return self.verb.partition(" ")[2]

    @property
    def subjects(self) -> tuple[str, ...]:
        """Return the words that say whom or what it is about."""
        return tuple(_list_words(self, SLOTS[type(self)][: -len(fields(Ruling))]))


@dataclass(frozen=True, slots=True)
class PauseRuling(Ruling):
    """The tournament is paused."""

    verb: ClassVar[str] = "ruling pause"


@dataclass(frozen=True, slots=True)
class ResumeRuling(Ruling):
    """The tournament goes on after a pause."""

    verb: ClassVar[str] = "ruling resume"


@dataclass(frozen=True, slots=True)
class ExtendRuling(Ruling):
    """A round may be played until another time."""

    verb: ClassVar[str] = "ruling extend"
    round: Round
    until: Moment


@dataclass(frozen=True, slots=True)
class ReplaceRuling(Ruling):
    """Another player takes an entrant's number, points and tables."""

    verb: ClassVar[str] = "ruling replace"
    player: Player
    other: Player


@dataclass(frozen=True, slots=True)
class ExcludeRuling(Ruling):
    """An entrant is sent away; an `exclude` line follows."""

    verb: ClassVar[str] = "ruling exclude"
    player: Player


@dataclass(frozen=True, slots=True)
class AcceptRuling(Ruling):
    """An entrant is let in; an `accept` or `reserve` line follows."""

    verb: ClassVar[str] = "ruling accept"
    player: Player


@dataclass(frozen=True, slots=True)
class ResultRuling(Ruling):
    """A match gets the result of the `result` line that follows."""

    verb: ClassVar[str] = "ruling result"
    match: RuledMatch


@dataclass(frozen=True, slots=True)
class ReplayRuling(Ruling):
    """A match is void and played again by the `pair` line that follows."""

    verb: ClassVar[str] = "ruling replay"
    match: RuledMatch


@dataclass(frozen=True, slots=True)
class RepairRuling(Ruling):
    """The pairs of a round are void; others follow."""

    verb: ClassVar[str] = "ruling repair"
    round: Round


@dataclass(frozen=True, slots=True)
class BeaconRuling(Ruling):
    """An organiser gives the beacon's value of the draw that follows."""

    verb: ClassVar[str] = "ruling beacon"
    value: BeaconValue


@dataclass(frozen=True, slots=True)
class CancelRuling(Ruling):
    """The tournament is cancelled."""

    verb: ClassVar[str] = "ruling cancel"


@dataclass(frozen=True, slots=True)
class OtherRuling(Ruling):
    """A ruling of another kind or form. It stands in the log and changes nothing."""

    verb: ClassVar[str] = RULING
    kind: RulingKind
    about: tuple[Subject, ...] = ()

    @property
    def what(self) -> str:
        """Return the kind of the ruling."""
        return self.kind

    @property
    def subjects(self) -> tuple[str, ...]:
        """Return the words that say whom or what it is about."""
        return self.about


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a field in a line: one word, or any number of words at its end; it may be optional."""

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
    """Return the slots of a kind of line in their order; the fields that all rulings share come last."""
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for each in sorted(fields(kind), key=lambda each: each.kw_only is True):
        hint = hints[each.name]
        form = next(iter(getattr(hint, "__metadata__", ())), None) or get_args(hint)[0].__metadata__[0]
        found.append(Slot(each.name, form, get_origin(hint) is tuple, each.default is not MISSING))
    return tuple(found)


RULINGS_FOR_ALL = frozenset({"pause", "resume", "extend", "repair", "beacon", "cancel"})
"""Kinds of rulings that concern every entrant; others concern those whom they name, and their tables."""
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
    """Return the line of a text. A text that is no line raises `BadLine`."""
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
    for at, slot in enumerate(slots):
        if slot.many:
            values[slot.name] = tuple(map(slot.form.read, words[at:]))
        elif at < len(words):
            values[slot.name] = slot.form.read(words[at])
    return kind(**values)


def _read_ruling(words: Sequence[str]) -> Line:
    """Return a ruling; one of an unknown kind, or with other subjects than its kind has, is an `OtherRuling`."""
    what, *rest = words or [""]
    text_hash = rest.pop() if len(rest) > 1 and HASH.fullmatch(rest[-1]) else None
    if not rest:
        raise BadLine("line", "line_form", form=describe(OtherRuling))
    *about, why = rest
    kind = KINDS.get(f"{RULING} {what}")
    if kind is not None and len(about) == len(SLOTS[kind]) - len(fields(Ruling)):
        return _read_words(kind, words[1:])
    return OtherRuling(what, tuple(about), why=why, text_hash=text_hash)
