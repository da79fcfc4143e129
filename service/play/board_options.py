"""The legal lines of a reader, the marks that are touched to choose them, and how touches narrow the list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from engine.game import AnyAction
from engine.narrowing import Clicks, narrow
from engine.presentation import Marks
from service.play.views import MOST_OPTIONS, Json, Viewer, describe_option

BUTTON_KINDS = ("say", "word")
"""Kinds of marks that have no shape in the picture."""


def list_board_options(
    viewer: Viewer, options: Sequence[AnyAction] | None = None, most: int = MOST_OPTIONS
) -> dict[str, Json]:
    """Return the first `most` lines with their marks, the labels of their buttons, and the number of further lines.

    If there are further lines, the marks of all lines are listed too, since any of them may be touched first.
    """
    listed = viewer.options() if options is None else options
    shown = list(enumerate(islice(listed, most), 1))
    marks = _marks_of(viewer, (action for _, action in shown))
    more = len(listed) - len(shown)
    open_marks = _every_mark(_marks_of(viewer, listed)) if more else _every_mark(marks)
    return {
        "items": _describe_items(viewer, shown, marks),
        "more": more,
        "names": name_buttons(viewer, open_marks),
        **({"open": list(open_marks)} if more else {}),
    }


def narrow_options(viewer: Viewer, clicks: Clicks, most: int = MOST_OPTIONS) -> dict[str, Json]:
    """Narrow the list by touches: return the lines left, what can be touched next, and which lines can be sent now.

    Numbers refer to the whole list. Lines that can be sent now are shown even if more than `most` lines are left.
    """
    listed = list(viewer.options())
    every = _marks_of(viewer, listed)
    narrowed = narrow(every, clicks)
    chosen = sorted({*narrowed.offered[:most], *narrowed.left[: most - len(narrowed.offered[:most])]})
    marks = [every[place] for place in chosen]
    return {
        "items": _describe_items(viewer, [(place + 1, listed[place]) for place in chosen], marks),
        "more": len(narrowed.left) - len(chosen),
        "names": name_buttons(viewer, {**_every_mark(marks), **dict.fromkeys(narrowed.open)}),
        "open": list(narrowed.open),
        "offered": [place + 1 for place in narrowed.offered[:most]],
    }


def name_buttons(viewer: Viewer, marks: Iterable[str]) -> dict[str, str]:
    """Return the labels of those marks that are buttons or have a name in the game."""
    named = ((mark, _name_mark(viewer, mark)) for mark in marks)
    return {mark: name for mark, name in named if name}


def _name_mark(viewer: Viewer, mark: str) -> str:
    game = viewer.game
    if game.presentation.mark_name is not None:
        return game.presentation.mark_name(viewer.view(), mark, viewer.locale)
    kind, _, word = mark.partition(":")
    return game.presentation.words.name(word, viewer.locale) if kind in BUTTON_KINDS else ""


def _marks_of(viewer: Viewer, actions: Iterable[AnyAction]) -> list[Marks]:
    game, view = viewer.game, viewer.view()
    return [game.presentation.marks(view, action) for action in actions]


def _every_mark(lines: Iterable[Marks]) -> dict[str, None]:
    return dict.fromkeys(mark for marks in lines for word in marks for mark in word)


def _describe_items(
    viewer: Viewer, numbered: Sequence[tuple[int, AnyAction]], marks: Sequence[Marks]
) -> list[dict[str, Json]]:
    return [
        {**describe_option(viewer, number, action), "marks": [" ".join(word) for word in words]}
        for (number, action), words in zip(numbered, marks, strict=True)
    ]
