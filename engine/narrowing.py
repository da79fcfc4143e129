"""Choosing a line by touching its parts: each touch of a mark leaves fewer lines.

A line is a few words, each with a few marks. Touches fit a line if they can be cut into runs, each of marks of one
word, no word twice, and every run but the last completing its word. `service/web/static/narrowing.js` does the same in
the browser, and `tests/golden/narrow.json` holds for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.presentation import Marks

Clicks = tuple[str, ...]


@dataclass(frozen=True)
class Narrowed:
    """Result of a few touches on a list of lines. Lines are given by their index."""

    left: tuple[int, ...]
    """The lines that fit."""
    open: tuple[str, ...]
    """The marks that can be touched next, in the order of the lines."""
    offered: tuple[int, ...]
    """The lines that can be sent now: the only one left, or those that are complete."""


def narrow(lines: Sequence[Marks], clicks: Clicks) -> Narrowed:
    """Return the lines that fit these touches, the next marks, and the lines that can be sent."""
    left: list[int] = []
    following: dict[Clicks, None] = {}
    for place, marks in enumerate(lines):
        fitting = False
        for rest, unsaid in _cut_into_runs(marks, clicks):
            fitting = True
            for word in (rest,) if rest else unsaid:
                following[word] = None
        if fitting:
            left.append(place)
    open_marks = dict.fromkeys(mark for word in following for mark in word)
    return Narrowed(tuple(left), tuple(open_marks), _sendable_lines(lines, tuple(left), clicks))


def _sendable_lines(lines: Sequence[Marks], left: tuple[int, ...], clicks: Clicks) -> tuple[int, ...]:
    if len(left) == 1:
        return left
    touched = sorted(clicks)
    whole = tuple(place for place in left if sorted(_in_order(lines[place])) == touched)
    in_order = tuple(place for place in whole if _in_order(lines[place]) == clicks)
    return in_order if len(whole) > 1 and in_order else whole


def _in_order(marks: Marks) -> Clicks:
    return tuple(mark for word in marks for mark in word)


def _cut_into_runs(unsaid: Marks, clicks: Clicks) -> Iterator[tuple[Clicks, Marks]]:
    """Yield each way to cut the touches into runs: the marks left of the last run's word, and the words not begun.

    The same mark may belong to several words, so there may be several ways. Each call uses up at least one word, so the
    recursion is at most as deep as the line has words.
    """
    if not clicks:
        yield (), unsaid
        return
    for place, word in enumerate(unsaid):
        if clicks[0] not in word:
            continue
        rest = list(word)
        for mark in clicks[: len(word)]:
            if mark not in rest:
                break
            rest.remove(mark)
        else:
            others = unsaid[:place] + unsaid[place + 1 :]
            if rest:
                yield tuple(mark for mark in dict.fromkeys(word) if mark in rest), others
            else:
                yield from _cut_into_runs(others, clicks[len(word) :])
