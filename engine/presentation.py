"""How people see a game: its words, texts, pictures and pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from engine.game import Action, Options, Seat
from engine.words import Locale

if TYPE_CHECKING:
    from engine.lesson import Lesson
    from engine.picture import Shape
    from engine.rulebook import Rulebook
    from engine.task import Task
    from engine.words import Words

Marks = tuple[tuple[str, ...], ...]
"""The words of a line, each with the marks that are touched for it: `kind` or `kind:word`, ASCII, no spaces."""


def plain_marks(_view: object, action: Action[Any]) -> Marks:
    """Return a button for the verb of a line and one for each of its words."""
    verb, *words = action.line.split()
    return ((f"say:{verb}",), *((f"word:{word}",) for word in words))


class DrawTable(Protocol):
    """Draws the table of a view: of any width, or at most 400 units wide if `narrow`."""

    def __call__(self, view: Any, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:  # noqa: ANN401
        """Return the shapes, the lowest first."""


class CardTable(NamedTuple):
    """A table of cards as plain values, for printing."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """The words, texts and pictures of one game. Every function reads a view, never the state."""

    title: Mapping[Locale, str]
    about: Mapping[Locale, str] = field(default_factory=dict)
    """One sentence that describes the game."""
    rules_summary: Mapping[Locale, str] = field(default_factory=dict)
    rulebook: Mapping[Locale, Rulebook] = field(default_factory=dict)
    """The whole rules. If there are none, the summary is shown."""
    lesson: Lesson | None = None
    """Guided first match."""
    tables: Callable[[Locale], tuple[CardTable, ...]] | None = None
    """List the cards of a game whose cards have texts."""

    words: Words
    say: Callable[[Any, Action[Any], Locale], str]
    """Describe a listed action."""
    task: Callable[[Any, Locale], Task] | None = None
    """Return the current task of a viewer who is asked. If None, there is only the list of lines."""
    kind: Callable[[Any, Action[Any], Locale], str] | None = None
    """Name the heading under which a long menu lists an action. If None, its verb is the heading."""
    short: Callable[[Any, Options, str], tuple[str, ...] | None] = lambda _view, _options, _text: None
    """Read the short form of a move that a player typed."""
    tell: Callable[[Any, Any, Seat, str, Locale], tuple[str, ...]]
    """Tell the effect of a line and everything that followed by itself: views before and after, seat, line as seen."""

    text: Callable[[Any, Locale], str]
    prose: Callable[[Any, Locale], str] | None = None
    """Write the table in 78 columns without drawings, for emails and for reading aloud. If None, use `text`."""
    board: Callable[[Any, Locale, int], str] | None = None
    """Write the table with moves and scores for a terminal of 80 columns or more. If None, use `text`."""
    compact: Callable[[Any, Locale], str] | None = None
    """Write the table in 80 columns and at most 20 rows, for a small window. If None, use `board`."""
    picture: DrawTable
    emblem: tuple[Shape, ...] = ()
    """Drawing for lists of games, of the size in `engine/emblem.py`. If empty, a corner of the table is shown."""
    inks: tuple[tuple[str, str], ...] = ()
    marks: Callable[[Any, Action[Any]], Marks] = plain_marks
    """Name the parts of the picture to touch for a line. A mark that no group of the picture has is a button."""
    mark_name: Callable[[Any, str, Locale], str] | None = None
    """Label the button of a mark. If None, the label is the game's name of the word in the mark."""
