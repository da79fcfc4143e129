"""Fields of a tournament's document: each reads a node, and describes itself as JSON Schema."""

from __future__ import annotations

import difflib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
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
    read_moment,
    read_places,
    read_rule,
)
from service.tournaments.formats.points import read_points, show_points

FieldTable = Mapping[str, "NodeField"]


class BadNode(ValueError):
    """A node that a field refuses: every fault in it, and as much of its value as is good."""

    def __init__(self, faults: list[DocumentFault], good: Any = None) -> None:  # noqa: ANN401  # what the field means
        super().__init__(faults)
        self.faults = faults
        self.good = good


def refuse(node: Node, kind: str, /, **values: object) -> NoReturn:
    """Refuse a value with the fault of this kind."""
    raise BadNode([node.fault(kind, **values)])


@dataclass(frozen=True, eq=False)
class NodeField(ABC):
    """A value of the document: what it is about, whether it must be there, and what holds where it is not.

    `formats` names the formats of a stage that have this key; none named means all.
    """

    about: str
    needed: bool = field(default=False, kw_only=True)
    default: Any = field(default=None, kw_only=True)
    formats: tuple[str, ...] = field(default=(), kw_only=True)

    @abstractmethod
    def read(self, node: Node) -> Any:  # noqa: ANN401  # what the field means
        """Return the value as the canonical document has it, times in the zone apart. A bad one raises `BadNode`."""

    @abstractmethod
    def form(self) -> dict[str, Any]:
        """Return what JSON Schema says of the value alone."""

    def json_schema(self) -> dict[str, Any]:
        """Return the value's form with its description and default."""
        about = self.about + (f" Formats: {', '.join(self.formats)}." if self.formats else "")
        stated = {} if self.default is None else {"default": self.default}
        return {**self.form(), "description": about, **stated}


@dataclass(frozen=True, eq=False)
class LineField(NodeField):
    """A line of text that can be seen; `numeric` texts need no quotes where they look like numbers."""

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
    """One of a few words."""

    known: tuple[str, ...]

    def read(self, node: Node) -> str:
        if node.text is None:
            refuse(node, "not_scalar")
        if node.text not in self.known:
            nearest = difflib.get_close_matches(node.text[:40], self.known, 1)
            name = "not_choice_near" if nearest else "not_choice"
            shown = node.text[:40]
            refuse(node, name, value=shown, known=", ".join(self.known), nearest=nearest[0] if nearest else "")
        return node.text

    def form(self) -> dict[str, Any]:
        # YAML reads a word such as 2026 as a number.
        return {"enum": [*self.known, *(int(word) for word in self.known if word.isdigit())]}


class FlagField(NodeField):
    """Yes or no."""

    def read(self, node: Node) -> bool:
        if node.boolean is None:
            refuse(node, "not_flag")
        return node.boolean

    def form(self) -> dict[str, Any]:
        return {"type": "boolean"}


@dataclass(frozen=True, eq=False)
class CountField(NodeField):
    """A whole number between two others, or nothing where `may_be_null`."""

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
    """A number of points with at most four digits behind the point, kept as text."""

    def read(self, node: Node) -> str:
        if node.text is None or re.search(DECIMAL_PATTERN, node.text) is None:
            refuse(node, "not_points")
        return show_points(read_points(node.text))

    def form(self) -> dict[str, Any]:
        number = {"type": "number", "minimum": 0, "maximum": 9_999_999.9999, "multipleOf": 0.0001}
        return {"anyOf": [number, {"type": "string", "pattern": DECIMAL_PATTERN}]}


@dataclass(frozen=True, eq=False)
class MomentField(NodeField):
    """A time with an offset or in the document's zone, or one of some words, or an hour where `hour` says so."""

    words: tuple[str, ...] = field(default=(), kw_only=True)
    hour: bool = field(default=False, kw_only=True)
    date: bool = field(default=False, kw_only=True)

    @property
    def patterns(self) -> list[str]:
        """Return the patterns of what may be written."""
        return [TIME_PATTERN, *([HOUR_PATTERN] if self.hour else []), *([DATE_PATTERN] if self.date else [])]

    def read(self, node: Node) -> str:
        if node.text is None:
            refuse(node, "not_scalar")
        text = node.text
        if text in self.words or any(re.search(pattern, text) for pattern in self.patterns[1:]):
            return text
        if re.search(DATE_PATTERN, text):
            refuse(node, "time_without_hour", value=text)
        try:
            read_moment(text, "UTC")
        except BadValue as fault:
            refuse(node, fault.name, value=text[:40])
        return text

    def form(self) -> dict[str, Any]:
        forms: list[dict[str, Any]] = [{"type": "string", "pattern": pattern} for pattern in self.patterns]
        forms += [{"const": word} for word in self.words]
        return forms[0] if len(forms) == 1 else {"anyOf": forms}


@dataclass(frozen=True, eq=False)
class LengthField(NodeField):
    """A length of time such as 12h, 3d or 5w."""

    least: str = field(default="1h", kw_only=True)
    most: str = field(default="52w", kw_only=True)

    def read(self, node: Node) -> str:
        if node.text is None:
            refuse(node, "not_scalar")
        try:
            length = read_length(node.text)
        except BadValue as fault:
            refuse(node, fault.name, value=node.text[:40])
        if not read_length(self.least) <= length <= read_length(self.most):
            refuse(node, "length_range", least=self.least, most=self.most)
        return node.text

    def form(self) -> dict[str, Any]:
        return {"type": "string", "pattern": LENGTH_PATTERN}


class CheckedTextField(NodeField):
    """A text that is kept as it is written once `check` has understood it."""

    def read(self, node: Node) -> str:
        if node.text is None:
            refuse(node, "not_scalar")
        try:
            self.check(node.text)
        except BadValue as fault:
            refuse(node, fault.name, **fault.values)
        return node.text

    @abstractmethod
    def check(self, text: str) -> None:
        """Raise BadValue for a text that says nothing."""


class PlacesField(CheckedTextField):
    """A place or a range of places: 1, or 1-16."""

    def check(self, text: str) -> None:
        read_places(text)

    def form(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": PLACES_PATTERN}]}


class RuleField(CheckedTextField):
    """A rule of repetition of RFC 5545."""

    def check(self, text: str) -> None:
        read_rule(text)

    def form(self) -> dict[str, Any]:
        return {"type": "string", "pattern": "^FREQ="}


@dataclass(frozen=True, eq=False)
class RowField(NodeField):
    """A list of values of one kind; what is wrong in it leaves a hole, so that the others keep their places."""

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
    """Return the values of the members of a map. With any fault, `BadNode` has all of them and what is good."""
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
                nearest = difflib.get_close_matches(key[:40], self.table, 1)
                name = "unknown_key_near" if nearest else "unknown_key"
                known, near = ", ".join(self.table), nearest[0] if nearest else ""
                yield member.key_fault(name, key=key[:40], known=known, nearest=near)

    def form(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: field.json_schema() for name, field in self.table.items()},
            "required": [name for name, field in self.table.items() if field.needed],
            "additionalProperties": False,
        }


@dataclass(frozen=True, eq=False)
class OpenMapField(NodeField):
    """A map whose keys and values the game knows; they are read as plain data."""

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
    """A scalar of one kind or a map; `choose` says which map its keys mean."""

    scalar: NodeField
    maps: tuple[MapField, ...]
    choose: Callable[[Mapping[str, Node]], int] = lambda _: 0

    def read(self, node: Node) -> Any:  # noqa: ANN401
        if node.members is not None:
            return self.maps[self.choose(node.members)].read(node)
        return self.scalar.read(node)

    def form(self) -> dict[str, Any]:
        return {"anyOf": [each.form() for each in (self.scalar, *self.maps)]}
