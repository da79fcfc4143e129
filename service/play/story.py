"""What happened since a seat was told last: entries as that seat may see them, told move by move."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from engine.game import CHANCE, CORE_VERBS, HOUSE, State, apply
from engine.reading import read
from service.db.connection import rows
from service.i18n.catalogue import known, say
from service.play import table_store as earlier
from service.play.record_export import is_open
from service.play.story_sitters import Sitters
from service.play.views import Looking

MOST_SENTENCES = 40
ENTRIES_A_SENTENCE = 3
MOST_KEPT = 512
TAKING = ("bot", "seat")
"""Lines of the house by which a seat changes hands."""
ENTRIES = (
    "select seq, seat, line, sealed, reveals, owner, shown from entry "
    "where match = ? and seq > ? and seq <= ? order by seq"
)
_kept: OrderedDict[tuple[str, int], State] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True)
class Story:
    """Sentences by turn, and how many moves before them are left out."""

    items: tuple[str, ...]
    left_out: int = 0


@dataclass(frozen=True)
class Entry:
    """One line as the seat may see it now, with the table before and after it."""

    seq: int
    seat: int
    line: str
    before: State
    after: State


def since(looking: Looking, told: int, most: int = MOST_SENTENCES) -> Story:
    """The story of a table since this entry, at most so many sentences of it."""
    start = max(told, looking.table.seq - most * ENTRIES_A_SENTENCE)
    turns = _turns(looking, start)
    keep(looking)
    chosen: list[str] = []
    count = 0
    for sentences in reversed(turns):
        count += len(sentences)
        if count > most and chosen:
            break
        chosen.append(" ".join(sentences))
    left = len(turns) - len(chosen) + (start - told)
    return Story(tuple(reversed(chosen)), left)


def _turns(looking: Looking, start: int) -> list[tuple[str, ...]]:
    """The sentences of each turn: what chance brings belongs to the move before it."""
    view = Teller(looking)
    turns: list[list[str]] = []
    actor: int | None = None
    for entry in entries(looking, start):
        sentences = view.told(entry)
        if not sentences:
            continue
        if not turns or (entry.seat not in (actor, CHANCE)):
            turns.append([])
            actor = entry.seat
        turns[-1] += [each for each in sentences if each != (turns[-1] or [""])[-1]]
    return [tuple(turn) for turn in turns]


def entries(looking: Looking, start: int, end: int | None = None) -> Iterator[Entry]:
    """The entries after this one, up to the head or to another one, for the seat that looks."""
    table, game = looking.table, looking.game
    viewer = "-" if looking.seat is None else str(looking.seat)
    state = _state(looking, start)
    for seq, seat, line, sealed, reveals, owner, shown in rows(ENTRIES, table.facts.id, start, end or table.seq):
        after = apply(state, seat, read(game, line, seat))
        opened = is_open(table, sealed, reveals, owner, viewer)
        yield Entry(seq, seat, line if opened else shown, state, after)
        state = after


class Teller:
    """Tells entries to one seat."""

    def __init__(self, looking: Looking) -> None:
        self.looking = looking
        self.sitters = Sitters(looking.table, looking.locale, looking.view().names)
        self.names = self.sitters.now
        self.last: tuple[State, Any] | None = None

    def told(self, entry: Entry) -> tuple[str, ...]:
        """The sentences of one entry."""
        locale, game = self.looking.locale, self.looking.game
        verb, *rest = entry.line.split(" ")
        self.sitters.changed |= entry.seat == HOUSE and verb in TAKING
        names = self.sitters.before(entry.seq)
        if names != self.names:
            self.names, self.last = names, None
        if entry.seat == HOUSE or verb in CORE_VERBS:
            return self._core(entry, verb, rest)
        before, after = self.of(entry.before), self.of(entry.after)
        return game.tell(before, after, entry.seat, entry.line, locale)

    def of(self, state: State) -> Any:  # noqa: ANN401  # each game has its own view
        """The seat's view of a state; the one after an entry is the one before the next."""
        if self.last is None or self.last[0] is not state:
            view = self.looking.game.view(state, self.looking.seat)
            self.last = state, replace(view, names=self.names)
        return self.last[1]

    def _core(self, entry: Entry, verb: str, rest: list[str]) -> tuple[str, ...]:
        locale, seat = self.looking.locale, entry.seat
        if verb == "keys" or not known(locale, f"core.{verb}"):
            return ()
        named = seat if seat >= 0 else int(rest[0]) if verb in ("timeout", *TAKING) else seat
        was = self.names[named] if named >= 0 else ""
        who = self.sitters.before(entry.seq + 1)[named] if verb in TAKING else was
        why = rest[0] if rest else ""
        told = say(locale, f"why.{why}") if known(locale, f"why.{why}") else why.replace("-", " ")
        return (say(locale, f"core.{verb}", who=who, was=was, why=told),)


def keep(looking: Looking) -> None:
    """Remember this table, since the next story of its seats begins here."""
    table = looking.table
    with _lock:
        _kept[table.facts.id, table.seq] = table.state
        _kept.move_to_end((table.facts.id, table.seq))
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)


def forget() -> None:
    """Drop what is remembered."""
    with _lock:
        _kept.clear()


def _state(looking: Looking, seq: int) -> State:
    table = looking.table
    if seq == table.seq:
        return table.state
    with _lock:
        found = _kept.get((table.facts.id, seq))
    return found if found is not None else earlier.at(table, seq).state
