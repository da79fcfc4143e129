"""A match as a viewer lives through it: every move with the table before and after, told in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.game import CORE_VERBS, Action, Game, Seal, Seat, State, apply, final_scores, seal
from engine.log import Log, Move
from engine.options import Settings
from engine.reading import read
from engine.words import Locale
from service.i18n.catalogue import translate


@dataclass(frozen=True)
class GameMove:
    """One move with the table before and after it; of a hidden one only what is shown of its line is known."""

    seat: Seat
    action: Action[Any] | None
    before: State
    after: State
    shown: str = ""

    @property
    def line(self) -> str:
        """The line, as far as it is known."""
        return self.action.line if self.action else self.shown

    def seen(self, viewer: Seat | None, now: State) -> str:
        """The line as this viewer may see it when the table stands at `now`."""
        if self.action is None:
            return self.shown
        hidden = seal(self.before, self.action)
        open_now = now.over or (hidden is Seal.UNTIL_REVEAL and now.reveals > self.before.reveals)
        if hidden is Seal.NEVER or open_now:
            return self.action.line
        return self.action.seen_by(self.seat, viewer)


@dataclass(frozen=True)
class MatchHistory:
    """A match from its header on, with the beats it has had so far."""

    game: Game[Any]
    seats: int
    settings: Settings
    revision: int
    beats: list[GameMove]
    people: Mapping[Seat, str] = field(default_factory=dict)
    """What the seats are called that people play, where that is known."""

    @classmethod
    def along(cls, log: Log, upto: int | None = None, people: Mapping[Seat, str] | None = None) -> MatchHistory:
        """The beats of a log whose moves are known to be good."""
        trail = cls(log.game, log.seats, log.settings, log.revision, [], {} if people is None else people)
        for move in log.moves[:upto]:
            trail.make(move.seat, read(log.game, move.line, move.seat))
        return trail

    @property
    def now(self) -> State:
        """The table as it stands."""
        if self.beats:
            return self.beats[-1].after
        return Log(self.game, self.seats, self.settings, revision=self.revision).start()

    def make(self, seat: Seat, action: Action[Any]) -> None:
        """One move more; a single append, so that an interrupt finds the beat whole or not at all."""
        before = self.now
        self.beats.append(GameMove(seat, action, before, apply(before, seat, action)))

    def log(self) -> Log:
        """The match as its moves, with scores if it is over."""
        state = self.now
        scores = tuple(score.total for score in final_scores(self.game, state)) if state.over else None
        moves = tuple(Move(beat.seat, beat.line) for beat in self.beats)
        return Log(self.game, self.seats, self.settings, moves, scores, self.revision)

    def view(self, state: State, viewer: Seat | None, locale: Locale) -> Any:  # noqa: ANN401  # each game has its own
        """The view of a seat or a spectator, its names filled in."""
        view = self.game.rules.view(state, viewer)
        return replace(view, names=self._seat_names(view, state.house.bots, locale))

    def _seat_names(self, view: Any, bots: Iterable[tuple[Seat, str]], locale: Locale) -> tuple[str, ...]:  # noqa: ANN401
        """What the seats are called: people and bots by their names, with the seat where several have the same."""
        found = [self.people.get(seat) or view.called(seat, locale) for seat in range(view.seats)]
        for seat, name in bots:
            found[seat] = self.game.presentation.words.bot(name, locale)
        often = Counter(found)
        return tuple(f"{name} {seat}" if often[name] > 1 else name for seat, name in enumerate(found))

    def tell(self, beat: GameMove, viewer: Seat | None, locale: Locale, line: str | None = None) -> tuple[str, ...]:
        """What a beat meant to this viewer, from the line as it was seen then, or as it is given."""
        line = line or beat.seen(viewer, beat.after)
        after = self.view(beat.after, viewer, locale)
        if beat.line.split(" ", 1)[0] in CORE_VERBS:
            return self._core(after.called(beat.seat, locale), line, locale)
        return self.game.presentation.tell(self.view(beat.before, viewer, locale), after, beat.seat, line, locale)

    def _core(self, who: str, line: str, locale: Locale) -> tuple[str, ...]:
        verb, *rest = line.split(" ")
        first, *more = rest or [""]
        name = self.game.presentation.words.bot(more[0], locale) if verb == "bot" else first
        if verb == "keys" and more:
            return (translate(locale, "terminal_game.story.seat_keys", seat=first),)
        return (translate(locale, f"terminal_game.story.core.{verb}", who=who, seat=first, name=name),)

    def story(self, since: int, viewer: Seat | None, locale: Locale, *, whole: bool = False) -> Iterator[str]:
        """The sentences of every beat from this one on, sealed lines shown early only if `whole`."""
        for at, beat in enumerate(self.beats[since:], since):
            yield from self.tell(beat, viewer, locale, beat.line if whole else None)
            if not whole:
                for opened in self._opened(at, viewer):
                    yield from self.tell(opened, viewer, locale, opened.line)

    def _opened(self, at: int, viewer: Seat | None) -> Iterator[GameMove]:
        """Earlier answers to the question that this beat closed, if they were sealed and are open now."""
        last = self.beats[at]
        question = last.before.agenda[:1]
        for beat in reversed(self.beats[:at]):
            if beat.before.agenda[:1] != question or beat.before.over:
                return
            if beat.seen(viewer, beat.after) != beat.seen(viewer, last.after):
                yield beat
