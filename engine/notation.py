"""One line of text for every action: written and read from the fields of its dataclass."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from engine.reasons import Reason, reason

if TYPE_CHECKING:
    from engine.game import Action
    from engine.options import Setting

LINE = re.compile(r"[A-Za-z0-9+:|,_-]+(?: [A-Za-z0-9+:|,_-]+)*")
MOST_BYTES = 400
MOST_SEATS = 99


class NotALine(ValueError):
    """Raised for a text that is not a line of this game, with the reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class Hidden(Enum):
    """How a sealed field is shown while it is hidden."""

    NO = "no"
    EACH = "each"
    WHOLE = "whole"


@dataclass(frozen=True)
class Words:
    """Words of a fixed vocabulary, kept as text."""

    known: Container[str]

    def read(self, word: str) -> str | None:
        """Return the word, or None if it is unknown."""
        return word if word in self.known else None


@dataclass(frozen=True)
class Pattern:
    """Words of a given form, kept as text."""

    form: str

    def read(self, word: str) -> str | None:
        """Return the word, or None if it has another form."""
        return word if re.fullmatch(self.form, word) else None


@dataclass(frozen=True)
class Number:
    """A whole number in plain digits between `low` and `high`."""

    low: int = 0
    high: int = 2**53 - 1

    def read(self, word: str) -> int | None:
        """Return the number, or None if the word is not its canonical form."""
        if not re.fullmatch(r"0|-?[1-9][0-9]{0,15}", word):
            return None
        return int(word) if self.low <= int(word) <= self.high else None


Form = Words | Pattern | Number
SEAT = Number(0, MOST_SEATS - 1)


@dataclass(frozen=True)
class Slot:
    """The place of one field in a line."""

    form: Form
    many: bool = False
    maybe: bool = False
    empty: str = ""
    hidden: Hidden = Hidden.NO


def word(form: Form | Container[str], *, hidden: Hidden = Hidden.NO) -> Any:  # noqa: ANN401  # as dataclasses.field
    """Declare a field that is one word."""
    return field(metadata={"slot": Slot(_form(form), hidden=hidden)})


def maybe(form: Form | Container[str]) -> Any:  # noqa: ANN401
    """Declare an optional last field."""
    return field(default=None, metadata={"slot": Slot(_form(form), maybe=True)})


def words(form: Form | Container[str], *, empty: str = "", hidden: Hidden = Hidden.NO) -> Any:  # noqa: ANN401
    """Declare a last field of any number of words. `empty` is written if there are none."""
    return field(default=(), metadata={"slot": Slot(_form(form), many=True, empty=empty, hidden=hidden)})


def _form(form: Form | Container[str]) -> Form:
    return form if isinstance(form, Words | Pattern | Number) else Words(form)


@cache
def slots(kind: type[Action[Any]]) -> tuple[tuple[str, Slot], ...]:
    """Return the named fields in the line of this kind of action."""
    return tuple((each.name, each.metadata["slot"]) for each in fields(kind))


def write(action: Action[Any]) -> str:
    """Return the canonical line of an action."""
    words = [_write_field(getattr(action, name), slot) for name, slot in slots(type(action))]
    return " ".join([action.verb, *chain.from_iterable(words)])


def redact(action: Action[Any]) -> str:
    """Return the line with `?` for every hidden word."""
    parts = [action.verb]
    for name, slot in slots(type(action)):
        words = list(_write_field(getattr(action, name), slot))
        shown = {Hidden.NO: words, Hidden.EACH: ["?"] * len(words), Hidden.WHOLE: ["?"]}
        parts += shown[slot.hidden]
    return " ".join(parts)


def _write_field(value: object, slot: Slot) -> Iterator[str]:
    if isinstance(value, tuple):
        yield from (str(each) for each in value)
        if not value and slot.empty:
            yield slot.empty
    elif value is not None:
        yield str(value)


def is_line(text: str) -> bool:
    """Return True if the text has the form of a line, whatever the game."""
    return len(text) <= MOST_BYTES and LINE.fullmatch(text) is not None


def parse(kinds: Mapping[str, tuple[type[Action[Any]], ...]], line: str) -> Action[Any]:
    """Return the action of a canonical line, among kinds of actions by verb."""
    if not is_line(line):
        raise NotALine(reason("line.form"))
    verb, *rest = line.split(" ")
    for kind in kinds.get(verb, ()):
        action = _action(kind, rest)
        if action is not None:
            return action
    if verb not in kinds:
        raise NotALine(reason("line.verb", verb=verb))
    if not rest:
        raise NotALine(reason("line.alone", verb=verb))
    raise NotALine(reason("line.words", words=" ".join(rest), verb=verb))


def _action(kind: type[Action[Any]], rest: list[str]) -> Action[Any] | None:
    values: list[object] = []
    for _, slot in slots(kind):
        taken, rest = (rest, []) if slot.many else (rest[:1], rest[1:])
        if slot.many:
            if slot.empty:
                taken = [] if taken == [slot.empty] else taken or ["?"]
            values.append(tuple(map(slot.form.read, taken)))
        else:
            values.append(slot.form.read(taken[0]) if taken else None)
        if None in (values[-1] if isinstance(values[-1], tuple) else [values[-1]]) and not (slot.maybe and not taken):
            return None
    return None if rest else kind(*values)


def setting(value: Setting) -> str:
    """Return the value of an option as text."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def read_setting(text: str, like: Setting) -> Setting | None:
    """Return the value of a text, of the same type as `like`, or None if it has none."""
    if isinstance(like, bool):
        return {"on": True, "off": False}.get(text)
    if isinstance(like, int):
        return Number(-(2**53) + 1).read(text)
    return text
