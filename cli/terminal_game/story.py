"""A match as a viewer sees it: every move with the state before and after it, told in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cli.command import current_language, localise
from engine.game import CORE_VERBS, AnyAction, AnyGame, Seal, Seat, State, apply, final_scores, seal
from engine.log import Log, Move
from engine.options import Settings
from engine.reading import read


@dataclass(frozen=True)
class GameMove:
    """A move with the state before and after it. A hidden move has only the visible part of its line."""

    seat: Seat
    action: AnyAction | None
    before: State
    after: State
    shown: str = ""

    @property
    def line(self) -> str:
        """The line, or its visible part."""
        return self.action.line if self.action else self.shown

    def visible_line(self, viewer: Seat | None, now: State) -> str:
        """Return the line as this viewer may see it when the match is at `now`."""
        if self.action is None:
            return self.shown
        hidden = seal(self.before, self.action)
        open_now = now.over or (hidden is Seal.UNTIL_REVEAL and now.reveals > self.before.reveals)
        if hidden is Seal.NEVER or open_now:
            return self.action.line
        return self.action.seen_by(self.seat, viewer)


@dataclass(frozen=True)
class MatchHistory:
    """A match with its header and its moves so far."""

    game: AnyGame
    seats: int
    settings: Settings
    revision: int
    beats: list[GameMove]
    people: Mapping[Seat, str] = field(default_factory=dict)
    """Names of the people at their seats, if they are known."""

    @classmethod
    def along(cls, log: Log, upto: int | None = None, people: Mapping[Seat, str] | None = None) -> MatchHistory:
        """Return the history of a log whose moves have been checked."""
        trail = cls(log.game, log.seats, log.settings, log.revision, [], {} if people is None else people)
        for move in log.moves[:upto]:
            trail.make(move.seat, read(log.game, move.line, move.seat))
        return trail

    @property
    def now(self) -> State:
        """The current state."""
        if self.beats:
            return self.beats[-1].after
        return Log(self.game, self.seats, self.settings, revision=self.revision).start()

    def make(self, seat: Seat, action: AnyAction) -> None:
        """Add a move, by a single append, so that an interrupt leaves it complete or absent."""
        before = self.now
        self.beats.append(GameMove(seat, action, before, apply(before, seat, action)))

    def log(self) -> Log:
        """Return the match as a log, with scores if it is over."""
        state = self.now
        scores = tuple(score.total for score in final_scores(self.game, state)) if state.over else None
        moves = tuple(Move(beat.seat, beat.line) for beat in self.beats)
        return Log(self.game, self.seats, self.settings, moves, scores, self.revision)

    def view(self, state: State, viewer: Seat | None) -> Any:  # noqa: ANN401  # each game has its own
        """Return the view of a seat or a spectator, with names."""
        view = self.game.rules.view(state, viewer)
        return replace(view, names=self._seat_names(view, state.house.bots))

    def _seat_names(self, view: Any, bots: Iterable[tuple[Seat, str]]) -> tuple[str, ...]:  # noqa: ANN401
        """Return the names of all seats, with the seat's number if several have the same name."""
        locale = current_language()
        names = [self.people.get(seat) or view.called(seat, locale) for seat in range(view.seats)]
        for seat, name in bots:
            names[seat] = self.game.presentation.words.bot(name, locale)
        often = Counter(names)
        return tuple(f"{name} {seat}" if often[name] > 1 else name for seat, name in enumerate(names))

    def tell(self, beat: GameMove, viewer: Seat | None, line: str | None = None) -> tuple[str, ...]:
        """Return a move in sentences for this viewer, from the line as it was visible then, or from `line`."""
        locale = current_language()
        line = line or beat.visible_line(viewer, beat.after)
        after = self.view(beat.after, viewer)
        if beat.line.split(" ", 1)[0] in CORE_VERBS:
            return self._tell_core_line(self.view(beat.before, viewer), beat.seat, line)
        return self.game.presentation.tell(self.view(beat.before, viewer), after, beat.seat, line, locale)

    def _tell_core_line(self, before: Any, seat: Seat, line: str) -> tuple[str, ...]:  # noqa: ANN401
        locale = current_language()
        verb, *rest = line.split(" ")
        first, *more = rest or [""]
        name = self.game.presentation.words.bot(more[0], locale) if verb == "bot" else first
        holder = before.called(int(first), locale) if first.isdigit() else ""
        if verb == "keys" and more:
            return (localise("terminal_game.story.seat_keys", holder=holder),)
        key = f"terminal_game.story.core.{verb}"
        return (localise(key, who=before.called(seat, locale), holder=holder, name=name),)

    def story(self, since: int, viewer: Seat | None, *, whole: bool = False) -> Iterator[str]:
        """Yield the sentences of every move from this one on. `whole` shows sealed lines early."""
        for at, beat in enumerate(self.beats[since:], since):
            yield from self.tell(beat, viewer, beat.line if whole else None)
            if not whole:
                for opened in self._find_opened(at, viewer):
                    yield from self.tell(opened, viewer, opened.line)

    def _find_opened(self, at: int, viewer: Seat | None) -> Iterator[GameMove]:
        """Yield earlier answers to the question that this move closed, if they were sealed until now."""
        last = self.beats[at]
        question = last.before.agenda[:1]
        for beat in reversed(self.beats[:at]):
            if beat.before.agenda[:1] != question or beat.before.over:
                return
            if beat.visible_line(viewer, beat.after) != beat.visible_line(viewer, last.after):
                yield beat
