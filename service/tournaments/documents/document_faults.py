"""Faults of a document: the place, the reason, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.words import Locale
from service.i18n.catalogue import Message, msg, render

MOST_FAULTS = 200
MOST_PATH = 200
"""Maximum length of a path in a fault: an unknown key may be as long as the document."""


@dataclass(frozen=True, slots=True)
class DocumentFault:
    """One fault: its place as a JSON pointer, line and column from 1, the reason, and what would be right."""

    path: str
    line: int
    column: int
    reason: Message
    right: Message

    def describe(self, locale: Locale) -> str:
        """Return the fault as one line of text."""
        values = {"line": self.line, "column": self.column, "path": self.path or "/"}
        return render(msg("tournament_document.fault", reason=self.reason, right=self.right, **values), locale)


@dataclass(frozen=True, slots=True)
class DocumentNote:
    """A note on how an ambiguous value was understood."""

    path: str
    line: int
    column: int
    text: Message


class BadDocument(Exception):
    """A document that is refused. `faults` has everything that is wrong, in the order of the text."""

    def __init__(self, faults: Iterable[DocumentFault]) -> None:
        ordered = sorted(dict.fromkeys(faults), key=lambda one: (one.line, one.column, one.path, one.reason.key))
        self.faults = tuple(ordered[:MOST_FAULTS])
        super().__init__("; ".join(f"{one.line}:{one.column} {one.path} {one.reason.key}" for one in self.faults[:3]))


def make_fault(path: str, line: int, column: int, kind: str, /, **values: object) -> DocumentFault:
    """Return the fault of this kind at a place. `values` fill its two messages."""
    return DocumentFault(
        path[:MOST_PATH],
        line,
        column,
        msg(f"tournament_document.{kind}.reason", **values),
        msg(f"tournament_document.{kind}.right", **values),
    )
