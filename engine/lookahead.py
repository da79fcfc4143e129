"""Looking ahead on re-deals: the results of a seat's lines, and the lines that are forced after them.

Everything that a seat cannot see is dealt again, with picks that depend only on the name of the lookahead. So the
answer is the same for all states that the seat cannot distinguish, and reveals nothing that the seat does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import Any

from engine.chance import seeded_pick
from engine.game import CHANCE, AnyAction, AnyGame, Seat, State, apply, legal, to_act
from engine.house import Resign
from engine.words import THEN_WORD, Locale

DEALS = 3
"""Number of re-deals that must agree on the result of a line."""
MOST_FORCED = 8
"""Maximum number of forced lines that are added to a draft."""
YOU, OTHERS, CHANCE_NEXT, HIDDEN = THEN = ("you", "others", "chance", "hidden")
"""The next to act after the lines: this seat, other seats or chance; or unknown, because of hidden information."""
LINE_SEPARATOR = "; "
"""Separates the lines of one option."""


@dataclass(frozen=True)
class Imagined:
    """Re-dealt states after some lines of a seat."""

    states: Sequence[State]
    steps: tuple[tuple[State, AnyAction], ...] = ()
    """Each line with the state before it."""
    then: str = YOU
    forced: int = 0
    """Number of lines at the end that were added because the seat had no other choice."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that were made."""
        return tuple(action.line for _, action in self.steps)


@dataclass(frozen=True)
class Lookahead:
    """Makes lines of one seat on re-deals."""

    game: AnyGame
    seat: Seat
    name: str
    """The text that alone determines the picks of the re-deals."""

    def imagine(self, state: State) -> Imagined:
        """Return re-deals that the seat cannot distinguish from this state."""
        return Imagined(self._redeal(state, self.seat))

    def make(self, before: Imagined, action: AnyAction) -> Imagined:
        """Make a line in all re-deals. If its result is hidden, only `then` changes."""
        after = [apply(state, self.seat, action) for state in before.states]
        then = self._who_is_next(action, before.states[0].reveals, after)
        if then == HIDDEN:
            return replace(before, then=HIDDEN)
        return replace(before, states=after, steps=(*before.steps, (before.states[0], action)), then=then)

    def add_forced(self, before: Imagined) -> Imagined:
        """Make the lines that follow without a choice, as far as everybody can tell that there is none."""
        while before.then == YOU and before.forced < MOST_FORCED:
            action = self._find_forced(before.states[0])
            after = before if action is None else self.make(before, action)
            if action is None or after.then == HIDDEN:
                break
            before = replace(after, forced=before.forced + 1)
        return before

    def forced_after(self, state: State, options: Iterable[AnyAction]) -> dict[AnyAction, Imagined]:
        """Return the options after which lines are forced, each with these lines."""
        start = self.imagine(state)
        # Most options leave a choice or end the turn, which the first re-deal shows at a hundredth of the cost.
        alone = [option for option in options if len(self._choices(apply(start.states[0], self.seat, option))) == 1]
        chains = {option: self.add_forced(self.make(start, option)) for option in alone}
        return {option: chain for option, chain in chains.items() if chain.forced}

    def _choices(self, state: State) -> tuple[AnyAction, ...]:
        """Return at most two lines that the seat can make, or none if others or chance act too."""
        return tuple(islice(legal(state, self.seat), 2)) if to_act(state) == {self.seat} else ()

    def _find_forced(self, state: State) -> AnyAction | None:
        """Return the only line that the seat can make next, if everybody can tell that there is no other.

        A line that is forced by the seat's own hidden cards is not returned: sent together with the line before it, it
        would reveal something about these cards.
        """
        first, *others = (self._choices(each) for each in self._redeal(state, None))
        return first[0] if len(first) == 1 and all(lines == first for lines in others) else None

    def _redeal(self, state: State, viewer: Seat | None) -> list[State]:
        """Return re-deals that the viewer cannot distinguish from this state. They are the same for all such states."""
        names = (f"{self.name}{number}\n" for number in range(DEALS))
        seeds = (int.from_bytes(sha256(name.encode()).digest(), "big") for name in names)
        return [self.game.rules.redeal(state, viewer, seeded_pick(seed)) for seed in seeds]

    def _who_is_next(self, action: AnyAction, reveals: int, states: Sequence[State]) -> str:
        """Return who acts next in all of these states, or that the seat cannot know the result of the line."""
        first, *others = states
        if first.over or first.reveals != reveals or not all(self._look_alike(first, other) for other in others):
            return HIDDEN
        acting = to_act(first)
        if CHANCE in acting:
            return CHANCE_NEXT
        return YOU if self.seat in acting and not isinstance(action, Resign) else OTHERS

    def _look_alike(self, one: State, two: State) -> bool:
        """Return True if two states show and list the same for this seat."""
        seat, rules = self.seat, self.game.rules
        if (one.over, one.reveals, to_act(one)) != (two.over, two.reveals, to_act(two)):
            return False
        return rules.view(one, seat) == rules.view(two, seat) and list(legal(one, seat)) == list(legal(two, seat))


@dataclass(frozen=True)
class MenuRow:
    """An option of a menu with the lines that are forced after it."""

    lines: tuple[str, ...]
    sentence: str
    typed: str
    """All lines in one, in the words that people type in the menu's language."""

    @property
    def line(self) -> str:
        """All lines in one."""
        return LINE_SEPARATOR.join(self.lines)


def write_rows(
    game: AnyGame,
    options: Mapping[AnyAction, Imagined | None],
    view: Any,  # noqa: ANN401  # each game has its own
    view_later: Callable[[State], Any],
    locale: Locale,
) -> list[MenuRow]:
    """Return the menu rows of options, each with the lines that are forced after it."""
    say = game.presentation.say
    rows = []
    for option, chain in options.items():
        sentence = say(view, option, locale)
        for state, action in chain.steps[1:] if chain else ():
            more = say(view_later(state), action, locale)
            sentence = f"{sentence.rstrip('.')}{THEN_WORD[locale]}{more[0].lower()}{more[1:]}"
        lines = chain.lines if chain else (option.line,)
        typed = LINE_SEPARATOR.join(game.presentation.words.typed(line, locale) for line in lines)
        rows.append(MenuRow(lines, sentence, typed))
    return rows
