"""Fields of a tournament's document: marshmallow fields that read nodes, and say themselves as JSON Schema."""

from __future__ import annotations

import difflib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import marshmallow as ma

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


def refuse(node: Node, kind: str, /, **values: object) -> NoReturn:
    """Refuse a value with the fault of this kind."""
    raise ma.ValidationError([node.fault(kind, **values)])


def collect_faults(messages: object) -> Iterator[DocumentFault]:
    """Every fault among the messages of marshmallow."""
    if isinstance(messages, DocumentFault):
        yield messages
    elif isinstance(messages, Mapping):
        for inner in messages.values():
            yield from collect_faults(inner)
    elif isinstance(messages, Sequence) and not isinstance(messages, str):
        for inner in messages:
            yield from collect_faults(inner)


class NodeField(ma.fields.Field[Any], ABC):
    """A value of the document: what it is about, whether it must be there, and what holds where it is not.

    `formats` names the formats of a stage that have this key; none named means all.
    """

    def __init__(
        self,
        about: str,
        *,
        needed: bool = False,
        default: object = None,
        formats: Collection[str] = (),
    ) -> None:
        super().__init__(metadata={"description": about})
        self.about = about
        self.needed = needed
        self.default = default
        self.formats = tuple(formats)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> Any:  # noqa: ANN401
        return self.read(value)

    @abstractmethod
    def read(self, node: Node) -> Any:  # noqa: ANN401  # what the field means
        """The value as the canonical document has it, times in the zone apart."""

    @abstractmethod
    def form(self) -> dict[str, Any]:
        """What JSON Schema says of the value alone."""

    def json_schema(self) -> dict[str, Any]:
        """The value's form with its description and default."""
        about = self.about + (f" Formats: {', '.join(self.formats)}." if self.formats else "")
        stated = {} if self.default is None else {"default": self.default}
        return {**self.form(), "description": about, **stated}


class LineField(NodeField):
    """A line of text that can be seen; `numeric` texts need no quotes where they look like numbers."""

    def __init__(
        self,
        about: str,
        *,
        most: int = 80,
        pattern: str = "",
        fault: str = "",
        numeric: bool = False,
        **more: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(about, **more)
        self.most = most
        self.numeric = numeric
        self.pattern = pattern
        self.fault = fault

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


class WordField(NodeField):
    """One of a few words."""

    def __init__(self, about: str, known: Sequence[str], **more: Any) -> None:  # noqa: ANN401
        super().__init__(about, **more)
        self.known = tuple(known)

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


class CountField(NodeField):
    """A whole number between two others, or nothing where `may_be_null`."""

    def __init__(self, about: str, least: int, most: int, *, may_be_null: bool = False, **more: Any) -> None:  # noqa: ANN401
        super().__init__(about, **more)
        self.least = least
        self.most = most
        self.may_be_null = may_be_null

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


class MomentField(NodeField):
    """A time with an offset or in the document's zone, or one of some words, or an hour where `hour` says so."""

    def __init__(
        self,
        about: str,
        *,
        words: Sequence[str] = (),
        hour: bool = False,
        date: bool = False,
        **more: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(about, **more)
        self.words = tuple(words)
        self.patterns = [TIME_PATTERN, *([HOUR_PATTERN] if hour else []), *([DATE_PATTERN] if date else [])]

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


class LengthField(NodeField):
    """A length of time such as 12h, 3d or 5w."""

    def __init__(self, about: str, *, least: str = "1h", most: str = "52w", **more: Any) -> None:  # noqa: ANN401
        super().__init__(about, **more)
        self.least = least
        self.most = most

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


class RowField(NodeField):
    """A list of values of one kind; what is wrong in it leaves a hole, so that the others keep their places."""

    def __init__(self, about: str, inner: NodeField, *, least: int = 0, most: int, **more: Any) -> None:  # noqa: ANN401
        super().__init__(about, **more)
        self.inner = inner
        self.least = least
        self.most = most

    def read(self, node: Node) -> list[Any]:
        if node.items is None:
            refuse(node, "not_list")
        faults: list[DocumentFault] = []
        if not self.least <= len(node.items) <= self.most:
            faults.append(node.fault("list_length", least=self.least, most=self.most, length=len(node.items)))
        found: list[Any] = []
        for item in node.items[: self.most]:
            try:
                found.append(self.inner.read(item))
            except ma.ValidationError as error:
                faults += collect_faults(error.messages)
                found.append(error.valid_data)
        if faults:
            raise ma.ValidationError(faults, valid_data=found)
        return found

    def form(self) -> dict[str, Any]:
        return {
            "type": "array",
            "items": self.inner.json_schema(),
            "minItems": self.least,
            "maxItems": self.most,
        }


class MapField(NodeField):
    """A map with known keys."""

    def __init__(self, about: str, table: FieldTable, **more: Any) -> None:  # noqa: ANN401
        super().__init__(about, **more)
        self.table = dict(table)
        self.schema = ma.Schema.from_dict(dict(table))(unknown=ma.EXCLUDE)

    def read(self, node: Node) -> dict[str, Any]:
        if node.members is None:
            refuse(node, "not_map", known=", ".join(self.table))
        faults = [*self._unknown_keys(node.members)]
        faults += [
            node.fault("missing_key", key=name)
            for name, field in self.table.items()
            if field.needed and name not in node.members
        ]
        loaded: Any
        try:
            loaded = self.schema.load(node.members)
        except ma.ValidationError as error:
            faults += collect_faults(error.messages)
            loaded = error.valid_data
        if faults:
            raise ma.ValidationError(faults, valid_data=loaded)
        return dict(loaded)

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


class OpenMapField(NodeField):
    """A map whose keys and values the game knows; they are read as plain data."""

    def __init__(self, about: str, key_pattern: str, inner: NodeField | None = None, **more: Any) -> None:  # noqa: ANN401
        super().__init__(about, **more)
        self.key_pattern = key_pattern
        self.inner = inner

    def read(self, node: Node) -> dict[str, Any]:
        if node.members is None:
            refuse(node, "not_map_of_values")
        faults: list[DocumentFault] = []
        found: dict[str, Any] = {}
        for key, member in node.members.items():
            if re.search(self.key_pattern, key) is None:
                faults.append(member.key_fault("key_form", key=key[:40]))
                continue
            try:
                found[key] = self._read_member(member)
            except ma.ValidationError as error:
                faults += collect_faults(error.messages)
        if faults:
            raise ma.ValidationError(faults, valid_data=found)
        return found

    def _read_member(self, member: Node) -> object:
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


class EitherField(NodeField):
    """A scalar of one kind or a map; `choose` says which map its keys mean."""

    def __init__(
        self,
        about: str,
        scalar: NodeField,
        maps: Sequence[MapField],
        choose: Callable[[Mapping[str, Node]], int] = lambda _: 0,
        **more: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(about, **more)
        self.scalar = scalar
        self.maps = tuple(maps)
        self.choose = choose

    def read(self, node: Node) -> Any:  # noqa: ANN401
        if node.members is not None:
            return self.maps[self.choose(node.members)].read(node)
        return self.scalar.read(node)

    def form(self) -> dict[str, Any]:
        return {"anyOf": [each.form() for each in (self.scalar, *self.maps)]}
