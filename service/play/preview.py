"""Preview of the board after lines that are not sent yet, computed on re-deals, never on the real state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.game import AnyAction, State
from engine.lookahead import HIDDEN, YOU, Imagined, Lookahead, MenuRow, write_rows
from engine.tuples import put
from service.i18n.catalogue import msg
from service.play.accept import NOT_ASCII, choose_action, question_changed_problem, refused_line_problem
from service.play.views import Viewer
from service.problems import Problem
from service.record.match_state import MatchState, Question


@dataclass(frozen=True)
class Preview:
    """A re-dealt state after some lines of a seat; its view looks as the real one would."""

    asked: int
    match_state: MatchState
    steps: tuple[tuple[State, AnyAction], ...]
    """The lines that were made, each with the re-dealt state before it."""
    then: str
    forced: int = 0
    """Number of lines at the end that were added because the seat had no other choice."""

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
    ahead = _look_ahead(match_state, seat, question)
    imagined = ahead.imagine(match_state.state)
    for text in lines:
        shown = _show(match_state, seat, imagined)
        action, why = choose_action(shown, seat, text) if text.isascii() else (None, NOT_ASCII)
        if action is None:
            raise refused_line_problem(shown, seat, text, why)
        imagined = ahead.make(imagined, action)
        if imagined.then != YOU:
            break
    if chain and lines:
        imagined = ahead.add_forced(imagined)
    return Preview(question.asked, _show(match_state, seat, imagined), imagined.steps, imagined.then, imagined.forced)


def menu_rows(viewer: Viewer, options: Iterable[AnyAction]) -> list[MenuRow]:
    """Return the rows of options in a menu. A row includes the forced lines after it that everybody can foresee."""
    match_state, seat, game = viewer.match_state, viewer.seat or 0, viewer.game
    question, listed = match_state.questions[seat], dict.fromkeys(options)
    forced = _look_ahead(match_state, seat, question).forced_after(match_state.state, listed) if question else {}
    view = viewer.view()
    return write_rows(
        game, listed | forced, view, lambda state: game.rules.view(state, seat).with_names(view.names), viewer.locale
    )


def _look_ahead(match_state: MatchState, seat: int, question: Question) -> Lookahead:
    """Return a lookahead whose re-deals depend only on match, seat and question, so that they reveal nothing."""
    name = f"echtra-preview-v1\n{match_state.facts.id}\n{seat}\n{question.asked}\n"
    return Lookahead(match_state.facts.game, seat, name)


def _show(match_state: MatchState, seat: int, imagined: Imagined) -> MatchState:
    """Return the match in the first re-deal. The seat has no question once others or chance act."""
    goes_on = imagined.then in (YOU, HIDDEN)
    questions = match_state.questions if goes_on else put(match_state.questions, seat, None)
    return replace(match_state, state=imagined.states[0], questions=questions)
