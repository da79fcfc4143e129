"""The story since a seat's last email: its visible entries in sentences, move by move."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engine.game import CHANCE, CORE_VERBS, HOUSE, State, apply
from engine.reading import read
from engine.tuples import put
from engine.words import Locale
from service.bounded_cache import BoundedCache
from service.db.connection import rows
from service.i18n.catalogue import has_text, translate
from service.play import match_loader
from service.play.record_export import is_open
from service.play.views import Viewer, seat_names
from service.record.match_state import MatchState

SELECT_SEAT_CHANGES = (
    "select seq, line from entry where match = ? and seat = ? and (line like ? or line like ?) order by seq"
)


class SeatNames:
    """The names at a table, as they were at each entry of its log."""

    def __init__(self, match_state: MatchState, locale: Locale, now: tuple[str, ...]) -> None:
        self.now = now
        self._match_state, self._locale = match_state, locale
        places = match_state.facts.header.places
        begun = tuple(place.player for place in places), tuple(place.bot for place in places)
        self.changed = (match_state.players, match_state.bots) != begun
        """True if a seat has a new occupant since the start. Set when a line of the house says so."""

    def before(self, seq: int) -> tuple[str, ...]:
        """Return the names at the time of this entry."""
        if not self.changed:
            return self.now
        return self._times[bisect_right(self._times, seq - 1, key=lambda time: time[0]) - 1][1]

    @cached_property
    def _times(self) -> list[tuple[int, tuple[str, ...]]]:
        """The names from each entry that changed them."""
        places = self._match_state.facts.header.places
        match_state = replace(
            self._match_state, players=tuple(each.player for each in places), bots=tuple(each.bot for each in places)
        )
        found = [(0, seat_names(match_state, self._locale))]
        for seq, line in rows(SELECT_SEAT_CHANGES, match_state.facts.id, HOUSE, "bot %", "seat %"):
            verb, seat, who = line.split(" ")[:3]
            player, bot = ("", who) if verb == "bot" else (who, "")
            match_state = replace(
                match_state,
                players=put(match_state.players, int(seat), player),
                bots=put(match_state.bots, int(seat), bot),
            )
            found.append((seq, seat_names(match_state, self._locale)))
        return found


MOST_SENTENCES = 40
ENTRIES_A_SENTENCE = 3
CHAPTERS = ("round", "turn")
"""Members of views that number the parts of a match."""
SEAT_CHANGES = ("bot", "seat")
"""Lines of the house by which a seat changes hands."""
ENTRIES = (
    "select seq, seat, line, sealed, reveals, owner, shown, at from entry "
    "where match = ? and seq > ? and seq <= ? order by seq"
)
_states: BoundedCache[tuple[str, int], State] = BoundedCache(512)


@dataclass
class ToldTurn:
    """The moves of one seat until another one acts."""

    seat: int
    chapter: tuple[str, int] | None
    """The round or the turn of the game, as `("round", 3)`."""
    end: int = 0
    """The last entry."""
    took: int = 0
    """Time in ms that the seat took for the turn, since the entry before its first one."""
    sentences: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The sentences in one paragraph."""
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Story:
    """A match told by turns, and the number of moves left out before them."""

    turns: tuple[ToldTurn, ...]
    left_out: int = 0
    start: int = 0
    """The entry before the first of these turns."""

    @property
    def items(self) -> tuple[str, ...]:
        """The paragraphs of the turns."""
        return tuple(turn.text for turn in self.turns)


@dataclass(frozen=True)
class StoryEntry:
    """One line as the seat may see it now, with the state before and after it."""

    seq: int
    seat: int
    line: str
    before: State
    after: State
    waited: int = 0
    """Time in ms since the previous entry."""


def tell_since(viewer: Viewer, told: int, most: int = MOST_SENTENCES, until: int | None = None) -> Story:
    """Return the story of a match since this entry, at most the last `most` sentences, up to the head or to `until`."""
    end = viewer.match_state.seq if until is None else until
    start = max(told, end - most * ENTRIES_A_SENTENCE)
    turns = _sentences_by_turn(viewer, start, end)
    remember(viewer.match_state, viewer.match_state.seq, viewer.match_state.state)
    chosen: list[ToldTurn] = []
    count = 0
    for turn in reversed(turns):
        count += len(turn.sentences)
        if count > most and chosen:
            break
        chosen.append(turn)
    dropped = len(turns) - len(chosen)
    return Story(tuple(reversed(chosen)), dropped + (start - told), turns[dropped - 1].end if dropped else start)


def _sentences_by_turn(viewer: Viewer, start: int, end: int) -> list[ToldTurn]:
    """Return the sentences of each turn. Chance belongs to the move before it."""
    teller = StoryTeller(viewer)
    question = None if viewer.seat is None else viewer.match_state.questions[viewer.seat]
    turns: list[ToldTurn] = []
    for entry in visible_entries(viewer, start, end):
        if question is not None and entry.seq == question.asked:
            remember(viewer.match_state, entry.seq, entry.after)  # a digest continues from its questions
        sentences = teller.tell(entry)
        if not sentences:
            if turns and entry.seat in (turns[-1].seat, CHANCE):
                turns[-1].end = entry.seq
            continue
        if not turns or entry.seat not in (turns[-1].seat, CHANCE):
            turns.append(ToldTurn(entry.seat, teller.chapter_of(entry), took=entry.waited))
        turn = turns[-1]
        turn.sentences += [each for each in sentences if each != (turn.sentences or [""])[-1]]
        turn.end = entry.seq
    return turns


def visible_entries(viewer: Viewer, start: int, end: int | None = None) -> Iterator[StoryEntry]:
    """Return the entries after `start`, up to the head or to `end`, as the viewer's seat sees them."""
    match_state, game = viewer.match_state, viewer.game
    viewer_word = "-" if viewer.seat is None else str(viewer.seat)
    state = _state_at(viewer, start)
    earlier = 0
    for seq, seat, line, sealed, reveals, owner, shown, at in rows(
        ENTRIES, match_state.facts.id, start, match_state.seq if end is None else end
    ):
        after = apply(state, seat, read(game, line, seat))
        opened = is_open(match_state, sealed, reveals, owner, viewer_word)
        yield StoryEntry(seq, seat, line if opened else shown, state, after, at - earlier if earlier else 0)
        state, earlier = after, at


class StoryTeller:
    """Tells entries to one seat."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.sitters = SeatNames(viewer.match_state, viewer.locale, viewer.view().names)
        self.names = self.sitters.now
        self.last: tuple[State, Any] | None = None

    def tell(self, entry: StoryEntry) -> tuple[str, ...]:
        """Return the sentences of one entry."""
        locale, game = self.viewer.locale, self.viewer.game
        verb, *rest = entry.line.split(" ")
        self.sitters.changed |= entry.seat == HOUSE and verb in SEAT_CHANGES
        names = self.sitters.before(entry.seq)
        if names != self.names:
            self.names, self.last = names, None
        if entry.seat == HOUSE or verb in CORE_VERBS:
            return self._tell_core_line(entry, verb, rest)
        before, after = self.view_of(entry.before), self.view_of(entry.after)
        return game.presentation.tell(before, after, entry.seat, entry.line, locale)

    def chapter_of(self, entry: StoryEntry) -> tuple[str, int] | None:
        """Return the round in which an entry was made, in games without rounds the turn, or None."""
        view = self.view_of(entry.before)
        return next(((name, getattr(view, name)) for name in CHAPTERS if hasattr(view, name)), None)

    def view_of(self, state: State) -> Any:  # noqa: ANN401  # each game has its own view
        """Return the seat's view of a state. The view after an entry is the view before the next, so it is cached."""
        if self.last is None or self.last[0] is not state:
            view = self.viewer.game.rules.view(state, self.viewer.seat)
            self.last = state, view.with_names(self.names)
        return self.last[1]

    def _tell_core_line(self, entry: StoryEntry, verb: str, rest: list[str]) -> tuple[str, ...]:
        locale, seat = self.viewer.locale, entry.seat
        if verb == "keys" or not has_text(locale, f"core.{verb}"):
            return ()
        named = seat if seat >= 0 else int(rest[0]) if verb in ("timeout", *SEAT_CHANGES) else seat
        was = self.names[named] if named >= 0 else ""
        who = self.sitters.before(entry.seq + 1)[named] if verb in SEAT_CHANGES else was
        why = rest[0] if rest else ""
        told = translate(locale, f"why.{why}") if has_text(locale, f"why.{why}") else why.replace("-", " ")
        return (translate(locale, f"core.{verb}", who=who, was=was, why=told),)


def find_last_move(match: str, seat: int) -> int | None:
    """Return the last entry that this seat made."""
    (found,) = rows("select max(seq) from entry where match = ? and seat = ?", match, seat)[0]
    return None if found is None else int(found)


def remember(match_state: MatchState, seq: int, state: State) -> None:
    """Cache the state after an entry, because the next story of its seats begins there."""
    _states.put((match_state.facts.id, seq), state)


def _state_at(viewer: Viewer, seq: int) -> State:
    match_state = viewer.match_state
    if seq == match_state.seq:
        return match_state.state
    state = _states.get((match_state.facts.id, seq))
    return state if state is not None else match_loader.position_at(match_state, seq).state
