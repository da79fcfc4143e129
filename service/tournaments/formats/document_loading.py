"""Load dataclasses from a canonical document. The fields of a dataclass declare its keys and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Key:
    """Key of a field: its path, with slashes, if it differs from the name of the field, and a reader of its value."""

    path: str = ""
    read: Callable[[Any], Any] | None = None


def load(kind: Callable[..., T], values: Mapping[str, Any], **given: Any) -> T:  # noqa: ANN401  # fields without a key
    """Return a dataclass with the values of its keys. A key that is missing or `null` leaves the field's default."""
    for name, path, read in _list_keys(kind):
        value: Any = None if name in given else values
        for part in path:
            value = None if value is None else value.get(part)
        if value is not None:
            given[name] = value if read is None else read(value)
    return kind(**given)


@cache
def _list_keys(kind: Any) -> list[tuple[str, list[str], Callable[[Any], Any] | None]]:  # noqa: ANN401  # a dataclass
    hints = get_type_hints(kind, include_extras=True)
    keys = []
    for member in fields(kind):
        notes = getattr(hints[member.name], "__metadata__", ())
        key = next((note for note in notes if isinstance(note, Key)), Key())
        keys.append((member.name, (key.path or member.name).split("/"), key.read))
    return keys
