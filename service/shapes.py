"""JSON shapes: each JSON object of the API is declared once, as a class with typed members.

    class NewNote(shapes.Body):
        \"\"\"A note to the table.\"\"\"

        text: str = shapes.text("What the note says.", "Good luck!", least=1, most=1000, lines=True)

The type says whether a member is a list, another shape, or may be null. The description has the words, the bounds and
an example for the document, and the default of a member that a request may leave out. From the class follow `to_json`,
`example_json`, and in `service.web.openapi.shape_schemas` the schema that reads requests and describes them in OpenAPI.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, Field, dataclass, field, fields, replace
from datetime import date
from typing import Any, ClassVar, Generic, Self, TypedDict, TypeVar, Unpack, dataclass_transform

from engine.games import EXAMPLE as GAME
from service.record.canonical_json import JsonObject, JsonValue
from service.timestamps import rfc3339

Item = TypeVar("Item")
Value = TypeVar("Value")

ID_PATTERN = r"^[a-z0-9]{12,32}$"
KEY_ID_PATTERN = r"^[A-Za-z0-9_-]{43}$"
MOST_SEATS = 99
JSON_NAMES = {"JsonValue": JsonValue, "Mapping": Mapping, "Sequence": Sequence}
"""The names in the type of any JSON, which is evaluated where a shape is declared."""
MOST_NUMBER = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""
LEAST_NUMBER = -MOST_NUMBER

# Values for examples, the same in every shape.
AT = "2026-11-16T09:30:00.000Z"
GAME_SLUG = GAME
HASH = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
KEY_ID = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
MATCH_ID = "m7q2x9v4k8t3w6zp"
PLAYER_ID = "k3v9m2x7q4p8w6ya"
PUBLIC_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
SIGNATURE = "5c" * 64
TOURNAMENT_ID = "t4k8w2n6q0vxp3z7"


class BadShape(ValueError):
    """Members that do not fit together. `member` is the faulty one, empty for the whole shape."""

    def __init__(self, reason: str, member: str = "") -> None:
        super().__init__(reason)
        self.member = member


class Extras(TypedDict, total=False):
    """Further properties of every member."""

    default: Any
    """Its value if a request leaves it out, or a function that makes it."""
    optional: bool
    """True if it may be missing, which is None here. Null is then neither accepted nor sent."""
    in_example: bool
    """True if the example of the whole shape shows it although a request may leave it out."""
    key: str
    """Its name in JSON, if Python does not allow that name."""


@dataclass(frozen=True)
class Description:
    """Description of a member besides its type; `kind` names the function below that made it."""

    kind: str
    about: str
    example: JsonValue = None
    _: KW_ONLY
    most: int | None = None
    least: int = 0
    pattern: str = ""
    lines: bool = False
    choices: tuple[str, ...] = ()
    format: str = ""
    read: Callable[[str], str] | None = None
    of: Description | None = None
    extras: Extras = field(default_factory=Extras)

    def member(self, extras: Extras, kind: type[Value]) -> Value:  # for type checkers
        """Return the dataclass field of a member with this description. Type checkers see a value of its type."""
        default: Any = extras.get("default", None if extras.get("optional") else MISSING)
        metadata = {"description": replace(self, extras=extras)}
        declared: Value = (
            field(default_factory=default, metadata=metadata)
            if callable(default)
            else field(default=default, metadata=metadata)
        )
        return declared


def text(
    about: str,
    example: str | None = None,
    *,
    most: int | None = 200,
    least: int = 0,
    pattern: str = "",
    lines: bool = False,
    format: str = "",  # noqa: A002
    read: Callable[[str], str] | None = None,
    **extras: Unpack[Extras],
) -> str:
    """Describe a text without NUL and half characters, on one line unless `lines`.

    `read` returns the text in its normal form, or raises ValueError.
    """
    description = Description(
        "text", about, example, most=most, least=least, pattern=pattern, lines=lines, format=format, read=read
    )
    return description.member(extras, str)


def choice(choices: Iterable[str], about: str, example: str = "", **extras: Unpack[Extras]) -> str:
    """Describe one of a few words."""
    words = tuple(choices)
    return Description("text", about, example or extras.get("default") or words[0], choices=words).member(extras, str)


def ident(about: str, example: str | None = PLAYER_ID, **extras: Unpack[Extras]) -> str:
    """Describe one of our ids."""
    return text(about, example, most=32, least=12, pattern=ID_PATTERN, **extras)


def hex_digits(digits: int, about: str, example: str | None, **extras: Unpack[Extras]) -> str:
    """Describe a hash or a signature in lower-case hex digits."""
    return text(about, example, most=digits, least=digits, pattern=f"^[0-9a-f]{{{digits}}}$", **extras)


def key_id(about: str, example: str = KEY_ID) -> str:
    """Describe the RFC 7638 id of a key."""
    return text(about, example, most=43, least=43, pattern=KEY_ID_PATTERN)


def number(
    about: str, example: int | None = None, *, least: int = 0, most: int = MOST_NUMBER, **extras: Unpack[Extras]
) -> int:
    """Describe a whole number."""
    return Description("number", about, example, least=least, most=most).member(extras, int)


def seat(about: str = "The seat, from 0.", example: int = 0, **extras: Unpack[Extras]) -> int:
    """Describe the number of a seat."""
    return number(about, example, most=MOST_SEATS - 1, **extras)


def flag(about: str, example: bool = False, **extras: Unpack[Extras]) -> bool:
    """Describe True or False."""
    return Description("flag", about, example).member(extras, bool)


def timestamp(about: str, example: str | None = AT, **extras: Unpack[Extras]) -> int:
    """Describe a time: RFC 3339 in JSON, milliseconds in Python."""
    return Description("timestamp", about, example).member(extras, int)


def day(about: str, example: str) -> date:
    """Describe a date."""
    return Description("day", about, example).member({}, date)


def items(
    about: str,
    example: Sequence[JsonValue] | None = None,
    *,
    of: JsonValue = None,
    most: int = 200,
    least: int = 0,
    **extras: Unpack[Extras],
) -> Sequence[Item]:
    """Describe a list. `of` is a member that describes its items unless these are shapes."""
    described = Description("items", about, example, of=_description_of(of), most=most, least=least)
    return described.member(extras, list)


def part(about: str, **extras: Unpack[Extras]) -> Any:  # noqa: ANN401  # the shape written before it
    """Describe a shape inside a shape."""
    return Description("part", about).member(extras, Shape)


def members(
    about: str,
    example: JsonObject | None = None,
    *,
    of: JsonValue = None,
    keys: str = "",
    most: int | None = None,
    **extras: Unpack[Extras],
) -> Mapping[str, Item]:
    """Describe an object whose names fit the pattern `keys`, with values like `of` or any JSON."""
    described = Description("members", about, example, of=_description_of(of), pattern=keys, most=most)
    return described.member(extras, dict)


def any_json(about: str, example: JsonValue) -> JsonValue:
    """Describe any JSON."""
    return Description("any", about, example).member({}, dict)


def _description_of(member: JsonValue) -> Description | None:
    """Return the description of a member. It is a dataclass field, although type checkers see a value."""
    return None if member is None else getattr(member, "metadata", {})["description"]


@dataclass_transform(
    frozen_default=True,
    kw_only_default=True,
    field_specifiers=(
        text,
        choice,
        ident,
        hex_digits,
        key_id,
        number,
        seat,
        flag,
        timestamp,
        day,
        items,
        part,
        members,
        any_json,
        field,
    ),
)
class Shape:
    """A JSON object that we send. Subclasses are frozen dataclasses, made with keywords.

    Members with a description are in the JSON. Other fields are for the code that builds it.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    component: ClassVar[str] = ""
    """The name of its schema in the document, if it is not the name of the class."""
    _members: ClassVar[tuple[Member, ...]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def of(cls, source: Any, **others: Any) -> Self:  # noqa: ANN401  # a row, or whatever has these attributes
        """Return a shape with the attributes of `source` that have the names of its members, except `others`.

        Objects in place of nested shapes are converted in the same way.
        """
        wanted = [member for member in members_of(cls) if member.name not in others]
        return cls(**{each.name: each.kind.adapt(getattr(source, each.name)) for each in wanted}, **others)


class Body(Shape):
    """A JSON object that we receive: undeclared members are refused."""

    location: ClassVar[str] = "json"
    """The part of a request that has the members, as webargs names it."""
    ignores_unknown: ClassVar[bool] = False
    """True if undeclared members are ignored instead."""


class OpenShape(Shape):
    """A JSON object that may have undeclared members, which are in `others`."""

    others: JsonObject = field(default_factory=dict)


class Query(Body):
    """The query of a URL, where numbers and flags arrive as text."""

    location = "query"


class Page(Shape, Generic[Item]):
    """A page of a list."""

    items: Sequence[Item] = items("The items of this page.")


@dataclass(frozen=True)
class Kind:
    """The type of a member or of an item."""

    description: Description
    nullable: bool
    shape: type[Shape] | None = None
    """The nested shape, or None."""
    inner: Kind | None = None
    """The type of the items or values."""

    def encode(self, value: Any) -> JsonValue:  # noqa: ANN401  # a value of this type
        """Return a value of this type as JSON."""
        if isinstance(value, Shape):
            return to_json(value)
        if self.description.kind == "timestamp":
            return rfc3339(value)
        if self.description.kind == "day":
            return str(value)
        if self.inner is None or value is None:
            plain: JsonValue = value
            return plain
        if isinstance(value, Mapping):
            return {name: self.inner.encode(each) for name, each in value.items()}
        return [self.inner.encode(each) for each in value]

    def adapt(self, value: Any) -> Any:  # noqa: ANN401  # any object with the attributes of the shape
        """Return the value with shapes in place of objects that have their attributes."""
        if value is None or self.is_plain or isinstance(value, Shape):
            return value
        if self.inner is not None and self.description.kind == "items":
            return [self.inner.adapt(each) for each in value]
        return value if self.shape is None else self.shape.of(value)

    @property
    def is_plain(self) -> bool:
        """True if neither this nor any nested type is a shape."""
        return self.shape is None and (self.inner is None or self.inner.is_plain)

    @property
    def example(self) -> JsonValue:
        """An example of this type, composed of nested ones."""
        if self.description.example is not None:
            return self.description.example
        if self.shape is not None:
            return example_json(self.shape)
        return [self.inner.example] if self.inner is not None and self.description.kind == "items" else None


@dataclass(frozen=True)
class Member:
    """A member of a shape: its names here and in JSON, its type and its default."""

    name: str
    key: str
    kind: Kind
    default: Any

    @property
    def is_optional(self) -> bool:
        """True if it may be missing from JSON."""
        return self.kind.description.extras.get("optional", False)


def members_of(shape: type[Shape]) -> tuple[Member, ...]:
    """Return the members of a shape in the order of their declaration."""
    if "_members" not in shape.__dict__:
        hints = typing.get_type_hints(shape, localns=JSON_NAMES)
        described = [each for each in fields(shape) if "description" in each.metadata]
        shape._members = tuple(_read_member(each, hints[each.name]) for each in described)  # noqa: SLF001
    return shape._members  # noqa: SLF001


def _read_member(declared: Field[Any], hint: Any) -> Member:  # noqa: ANN401  # a type
    default = declared.default if declared.default_factory is MISSING else declared.default_factory
    kind = _read_kind(hint, declared.metadata["description"])
    return Member(declared.name, kind.description.extras.get("key", declared.name), kind, default)


def _read_kind(hint: Any, description: Description | None) -> Kind:  # noqa: ANN401  # a type
    bare, nullable = hint, False
    if typing.get_origin(hint) in {typing.Union, types.UnionType} and type(None) in typing.get_args(hint):
        (bare, *_), nullable = [each for each in typing.get_args(hint) if each is not type(None)], True
    shape = bare if isinstance(bare, type) and issubclass(bare, Shape) else None
    if description is None:
        description = Description("part", (shape.__doc__ or "").partition("\n")[0] if shape else "")
    inner = None
    if description.kind == "items":
        inner = _read_kind(typing.get_args(bare)[0], description.of)
    elif description.kind == "members" and description.of is not None:
        inner = _read_kind(typing.get_args(bare)[1], description.of)
    return Kind(description, nullable, shape, inner)


def component_name(shape: type[Shape]) -> str:
    """Return the name of the schema of a shape in the document."""
    return shape.__dict__.get("component") or shape.__name__


def to_json(shape: Shape) -> JsonObject:
    """Return a shape as a JSON object."""
    row: JsonObject = {}
    for member in members_of(type(shape)):
        value = getattr(shape, member.name)
        if value is not None:
            row[member.key] = member.kind.encode(value)
        elif not member.is_optional:
            row[member.key] = None
    return row


def example_json(shape: type[Shape]) -> JsonObject:
    """Return the example of a shape: required members, and those marked `in_example`."""
    return {
        member.key: member.kind.example
        for member in members_of(shape)
        if member.default is MISSING or member.kind.description.extras.get("in_example")
    }
