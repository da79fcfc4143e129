"""Fields of a document. Each field reads a node and describes itself as JSON Schema."""

from __future__ import annotations

import difflib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from service.look_alikes import find_invisible
from service.tournaments.documents.document_faults import DocumentFault
from service.tournaments.documents.document_nodes import Node
from service.tournaments.documents.document_values import (
    DATE_PATTERN,
    DECIMAL_PATTERN,
    HOUR_PATTERN,
    LENGTH_PATTERN,
    PLACES_PATTERN,
    TIME_PATTERN,
    BadValue,
    read_length,
    read_places,
    read_rule,
    read_utc,
)
from service.tournaments.formats.points import read_points, show_points

FieldTable = Mapping[str, "NodeField"]


class BadNode(ValueError):
    """A node that a field refuses, with all its faults and the good part of its value."""

    def __init__(self, faults: list[DocumentFault], good: Any = None) -> None:  # noqa: ANN401  # what the field means
        super().__init__(faults)
        self.faults = faults
        self.good = good


def refuse(node: Node, kind: str, /, **values: object) -> NoReturn:
    """Raise `BadNode` with the fault of this kind."""
    raise BadNode([node.fault(kind, **values)])


def _suggest(kind: str, text: str, known: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return the kind of fault of an unknown word, which ends in `_near` if a known one is similar, and its values."""
    nearest = difflib.get_close_matches(text[:40], known, 1)
    return f"{kind}_near" if nearest else kind, {"known": ", ".join(known), "nearest": "".join(nearest)}


@dataclass(frozen=True, eq=False)
class NodeField(ABC):
    """A value of the document: its description, True if it is `needed`, and its default.

    `formats` has the formats of a stage with this key. Empty means all formats.
    """

    about: str
    needed: bool = field(default=False, kw_only=True)
    default: Any = field(default=None, kw_only=True)
    formats: tuple[str, ...] = field(default=(), kw_only=True)

    @abstractmethod
    def read(self, node: Node) -> Any:  # noqa: ANN401  # what the field means
        """Return the canonical value; times in the zone are converted later. Raise `BadNode` for a bad value."""

    @abstractmethod
    def form(self) -> dict[str, Any]:
        """Return the JSON Schema of the value alone."""

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema with description and default."""
        about = self.about + (f" Formats: {', '.join(self.formats)}." if self.formats else "")
        stated = {} if self.default is None else {"default": self.default}
        return {**self.form(), "description": about, **stated}


@dataclass(frozen=True, eq=False)
class LineField(NodeField):
    """A line of visible text. `numeric` texts that look like numbers need no quotes."""

    most: int = field(default=80, kw_only=True)
    pattern: str = field(default="", kw_only=True)
    fault: str = field(default="", kw_only=True)
    numeric: bool = field(default=False, kw_only=True)

    def read(self, node: Node) -> str:
        if node.text is None:
            refuse(node, "not_scalar")
        if node.is_null:
            refuse(node, "is_empty")
        if not node.is_text and not self.numeric:
            refuse(node, "not_text", value=node.text[:40])
        if self.pattern and re.search(self.pattern, node.text) is None:
            refuse(node, self.fault, value=node.text[:60])
        text = node.text.strip()
        if not 1 <= len(text) <= self.most:
            refuse(node, "text_length", most=self.most, length=len(text))
        if find_invisible(text):
            refuse(node, "text_sign", code=f"U+{ord(find_invisible(text)):04X}")
        return text

    def form(self) -> dict[str, Any]:
        pattern = {"pattern": self.pattern} if self.pattern else {}
        return {"type": "string", "minLength": 1, "maxLength": self.most, **pattern}


@dataclass(frozen=True, eq=False)
class WordField(NodeField):
    """One of some known words."""

    known: Collection[str]

    def read(self, node: Node) -> str:
        if node.text is None:
            refuse(node, "not_scalar")
        if node.text not in self.known:
            kind, values = _suggest("not_choice", node.text, self.known)
            refuse(node, kind, value=node.text[:40], **values)
        return node.text

    def form(self) -> dict[str, Any]:
        # YAML parses a word such as 2026 as a number.
        return {"enum": [*self.known, *(int(word) for word in self.known if word.isdigit())]}


class FlagField(NodeField):
    """A boolean."""

    def read(self, node: Node) -> bool:
        if node.boolean is None:
            refuse(node, "not_flag")
        return node.boolean

    def form(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True, eq=False)
class CountField(NodeField):
    """An integer in a range, or `null` if `may_be_null`."""

    least: int
    most: int
    may_be_null: bool = field(default=False, kw_only=True)

    def read(self, node: Node) -> int | None:
        if self.may_be_null and node.is_null:
            return None
        number = node.number
        if number is None:
            refuse(node, "not_number", least=self.least, most=self.most)
        if not self.least <= number <= self.most:
            refuse(node, "number_range", least=self.least, most=self.most, value=number)
        return number

    def form(self) -> dict[str, Any]:
        kinds = ["integer", "null"] if self.may_be_null else "integer"
        return {"type": kinds, "minimum": self.least, "maximum": self.most}


class PointsField(NodeField):
    """A number of points with at most four decimals, kept as text."""

    def read(self, node: Node) -> str:
        if node.text is None or re.search(DECIMAL_PATTERN, node.text) is None:
            refuse(node, "not_points")
        return show_points(read_points(node.text))

    def form(self) -> dict[str, Any]:
        number = {"type": "number", "minimum": 0, "maximum": 9_999_999.9999, "multipleOf": 0.0001}
        return {"anyOf": [number, {"type": "string", "pattern": DECIMAL_PATTERN}]}


class ParsedField(NodeField):
    """A text that is kept as written after `parse` has accepted it."""

    def read(self, node: Node) -> str:
        if node.text is None:
            refuse(node, "not_scalar")
        try:
            self.parse(node.text)
        except BadValue as fault:
            refuse(node, fault.name, **{"value": node.text[:40], **fault.values})
        return node.text

    @abstractmethod
    def parse(self, text: str) -> None:
        """Raise `BadValue` for a malformed text."""


@dataclass(frozen=True, eq=False)
class MomentField(ParsedField):
    """A time with an offset or in the zone of the document, or one of `words`, or an `hour` or `date` alone."""

    words: tuple[str, ...] = field(default=(), kw_only=True)
    hour: bool = field(default=False, kw_only=True)
    date: bool = field(default=False, kw_only=True)

    @property
    def patterns(self) -> list[str]:
        """Return the patterns of allowed texts. The first is that of a time."""
        return [TIME_PATTERN, *([HOUR_PATTERN] if self.hour else []), *([DATE_PATTERN] if self.date else [])]

    def parse(self, text: str) -> None:
        if text in self.words or any(re.search(pattern, text) for pattern in self.patterns[1:]):
            return
        if re.search(DATE_PATTERN, text):
            raise BadValue("time_without_hour")
        read_utc(text)

    def form(self) -> dict[str, Any]:
        forms: list[dict[str, Any]] = [{"type": "string", "pattern": pattern} for pattern in self.patterns]
        forms += [{"const": word} for word in self.words]
        return forms[0] if len(forms) == 1 else {"anyOf": forms}


@dataclass(frozen=True, eq=False)
class LengthField(ParsedField):
    """A duration such as 12h, 3d or 5w."""

    least: str = field(default="1h", kw_only=True)
    most: str = field(default="52w", kw_only=True)

    def parse(self, text: str) -> None:
        if not read_length(self.least) <= read_length(text) <= read_length(self.most):
            raise BadValue("length_range", least=self.least, most=self.most)

    def form(self) -> dict[str, Any]:
        return {"type": "string", "pattern": LENGTH_PATTERN}


class PlacesField(ParsedField):
    """A place or a range of places: 1, or 1-16."""

    def parse(self, text: str) -> None:
        read_places(text)

    def form(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": PLACES_PATTERN}]}


class RuleField(ParsedField):
    """A recurrence rule of RFC 5545."""

    def parse(self, text: str) -> None:
        read_rule(text)

    def form(self) -> dict[str, Any]:
        return {"type": "string", "pattern": "^FREQ="}


@dataclass(frozen=True, eq=False)
class RowField(NodeField):
    """A list of values of one kind. A bad value leaves a hole, so that the others keep their indices."""

    inner: NodeField
    least: int = field(default=0, kw_only=True)
    most: int = field(kw_only=True)

    def read(self, node: Node) -> list[Any]:
        if node.items is None:
            refuse(node, "not_list")
        faults: list[DocumentFault] = []
        if not self.least <= len(node.items) <= self.most:
            faults.append(node.fault("list_length", least=self.least, most=self.most, length=len(node.items)))
        values: list[Any] = []
        for item in node.items[: self.most]:
            try:
                values.append(self.inner.read(item))
            except BadNode as bad:
                faults += bad.faults
                values.append(bad.good)
        if faults:
            raise BadNode(faults, values)
        return values

    def form(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": self.inner.json_schema(),
            "minItems": self.least,
            "maxItems": self.most,
        }


def _read_members(
    members: Mapping[str, Node], read: Callable[[str, Node], Any], faults: list[DocumentFault]
) -> dict[str, Any]:
    """Return the values of the members of a map. Raise `BadNode` with all faults and the good values."""
    values: dict[str, Any] = {}
    for name, member in members.items():
        try:
            values[name] = read(name, member)
        except BadNode as bad:
            faults += bad.faults
            if bad.good:
                values[name] = bad.good
    if faults:
        raise BadNode(faults, values)
    return values


@dataclass(frozen=True, eq=False)
class MapField(NodeField):
    """A map with known keys."""

    table: FieldTable

    def read(self, node: Node) -> dict[str, Any]:
        if node.members is None:
            refuse(node, "not_map", known=", ".join(self.table))
        faults = [*self._unknown_keys(node.members)]
        faults += [
            node.fault("missing_key", key=name)
            for name, field in self.table.items()
            if field.needed and name not in node.members
        ]
        known = {name: node.members[name] for name in self.table if name in node.members}
        return _read_members(known, lambda name, member: self.table[name].read(member), faults)

    def _unknown_keys(self, members: Mapping[str, Node]) -> Iterator[DocumentFault]:
        for key, member in members.items():
            if key not in self.table:
                kind, values = _suggest("unknown_key", key, self.table)
                yield member.key_fault(kind, key=key[:40], **values)

    def form(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: field.json_schema() for name, field in self.table.items()},
            "required": [name for name, field in self.table.items() if field.needed],
            "additionalProperties": False,
        }


@dataclass(frozen=True, eq=False)
class OpenMapField(NodeField):
    """A map whose keys and values the game defines. It is read as plain data."""

    key_pattern: str
    inner: NodeField | None = None

    def read(self, node: Node) -> dict[str, Any]:
        if node.members is None:
            refuse(node, "not_map_of_values")
        return _read_members(node.members, self._read_member, [])

    def _read_member(self, key: str, member: Node) -> object:
        if re.search(self.key_pattern, key) is None:
            raise BadNode([member.key_fault("key_form", key=key[:40])])
        if self.inner is not None:
            return self.inner.read(member)
        if member.boolean is not None:
            return member.boolean
        if member.number is not None:
            return member.number
        if member.text is None or not member.is_text or len(member.text) > 200 or find_invisible(member.text):  # noqa: PLR2004
            refuse(member, "not_setting")
        return member.text

    def form(self) -> dict[str, Any]:
        values = {"type": ["string", "integer", "boolean"]} if self.inner is None else self.inner.json_schema()
        return {
            "type": "object",
            "propertyNames": {"pattern": self.key_pattern},
            "additionalProperties": values,
        }


@dataclass(frozen=True, eq=False)
class EitherField(NodeField):
    """A scalar or a map. `choose` returns the index of the map that has these keys."""

    scalar: NodeField
    maps: tuple[MapField, ...]
    choose: Callable[[Mapping[str, Node]], int] = lambda _: 0

    def read(self, node: Node) -> Any:  # noqa: ANN401
        if node.members is not None:
            return self.maps[self.choose(node.members)].read(node)
        return self.scalar.read(node)

    def form(self) -> dict[str, Any]:
        return {"anyOf": [choice.form() for choice in (self.scalar, *self.maps)]}
