"""The board as lines would leave it before they are sent, computed on re-deals, never on the real state.

What a seat cannot see is dealt again with picks that depend on match, seat and question alone. So the answer is the
same for all states that the seat cannot tell apart, and reveals nothing that the seat does not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice

from engine.chance import seeded_pick
from engine.game import CHANCE, AnyAction, AnyGame, State, apply, legal, to_act
from engine.house import Resign
from engine.tuples import put
from service.i18n.catalogue import msg
from service.play.accept import NOT_ASCII, choose_action, question_changed_problem, refused_line_problem
from service.problems import Problem
from service.record.match_state import MatchState, Question

DEALS = 3
"""Number of re-deals that must agree on the result of a line."""
MOST_FORCED = 8
"""Maximum number of forced lines that are added to a draft."""
YOU, OTHERS, CHANCE_NEXT, HIDDEN = THEN = ("you", "others", "chance", "hidden")
"""Next to act after the lines: this seat, other seats or chance; or the next line depends on hidden information."""


@dataclass(frozen=True)
class Preview:
    """A re-dealt state after some lines of a seat; its view looks as the real one would."""

    asked: int
    match_state: MatchState
    steps: tuple[tuple[MatchState, AnyAction], ...]
    """The lines that were made, each with the re-dealt state before it."""
    then: str
    forced: int = 0
    """How many of the last lines were added because the seat had no other choice."""

    @property
    def made(self) -> tuple[str, ...]:
        """The lines that were made."""
        return tuple(action.line for _, action in self.steps)


def preview_lines(match_state: MatchState, seat: int, lines: Sequence[str], *, chain: bool = False) -> Preview:
    """Return what the seat would see after these lines, as far as it can be known before they are made.

    It stops after a line that others or chance follow, and before a line that reveals something or whose result depends
    on hidden information. A line that is not listed is refused as if it were sent. With `chain`, forced lines that
    follow are added.
    """
    question = match_state.questions[seat]
    if match_state.state.over:
        raise Problem("match-over", msg("play.match_over"))
    if question is None:
        raise question_changed_problem(match_state, seat)
    states: Sequence[State] = _imagine_states(match_state, seat, question, seat)
    shown = Preview(question.asked, replace(match_state, state=states[0]), (), YOU)
    for text in lines:
        action, why = choose_action(shown.match_state, seat, text) if text.isascii() else (None, NOT_ASCII)
        if action is None:
            raise refused_line_problem(shown.match_state, seat, text, why)
        shown, states = _make_line(shown, states, seat, action)
        if shown.then != YOU:
            return shown
    while chain and lines and shown.forced < MOST_FORCED:
        forced = _find_forced_line(shown.match_state, seat, question)
        if forced is None:
            break
        after, states = _make_line(shown, states, seat, forced)
        if after.then == HIDDEN:
            break
        shown = replace(after, forced=shown.forced + 1)
        if shown.then != YOU:
            break
    return shown


def _make_line(
    shown: Preview, states: Sequence[State], seat: int, action: AnyAction
) -> tuple[Preview, Sequence[State]]:
    """Make a line in all re-deals. Where its result is hidden, only `then` changes."""
    match_state = shown.match_state
    after = [apply(state, seat, action) for state in states]
    then = _who_is_next(match_state.facts.game, seat, action, states[0].reveals, after)
    if then == HIDDEN:
        return replace(shown, then=HIDDEN), states
    questions = match_state.questions if then == YOU else put(match_state.questions, seat, None)
    after_state = replace(match_state, state=after[0], questions=questions)
    return replace(shown, match_state=after_state, steps=(*shown.steps, (match_state, action)), then=then), after


def _find_forced_line(match_state: MatchState, seat: int, question: Question) -> AnyAction | None:
    """Return the only line that the seat can make next, if everybody can tell that there is no other.

    A line that is forced by the seat's own hidden cards is not returned: sent together with the line before it, it
    would tell others about these cards.
    """
    listed = [
        tuple(islice(legal(state, seat), 2)) if to_act(state) == {seat} else ()
        for state in _imagine_states(match_state, seat, question, None)
    ]
    first = listed[0]
    return first[0] if len(first) == 1 and all(lines == first for lines in listed) else None


def _imagine_states(match_state: MatchState, seat: int, question: Question, viewer: int | None) -> list[State]:
    """Return re-deals that the viewer cannot tell from the real state; they are the same for all such states."""
    found = []
    for number in range(DEALS):
        name = f"echtra-preview-v1\n{match_state.facts.id}\n{seat}\n{question.asked}\n{number}\n"
        pick = seeded_pick(int.from_bytes(sha256(name.encode()).digest(), "big"))
        found.append(match_state.facts.game.rules.redeal(match_state.state, viewer, pick))
    return found


def _who_is_next(game: AnyGame, seat: int, action: AnyAction, reveals: int, states: Sequence[State]) -> str:
    """Return who acts next in all of these states, or that the seat cannot know the result of the line."""
    first, *others = states
    if first.over or first.reveals != reveals or not all(_look_alike(game, seat, first, other) for other in others):
        return HIDDEN
    acting = to_act(first)
    if CHANCE in acting:
        return CHANCE_NEXT
    return YOU if seat in acting and not isinstance(action, Resign) else OTHERS


def _look_alike(game: AnyGame, seat: int, one: State, two: State) -> bool:
    """Return True if two states show and list the same for this seat."""
    if (one.over, one.reveals, to_act(one)) != (two.over, two.reveals, to_act(two)):
        return False
    if game.rules.view(one, seat) != game.rules.view(two, seat):
        return False
    return list(legal(one, seat)) == list(legal(two, seat))
