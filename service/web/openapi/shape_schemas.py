"""Marshmallow schemas of JSON shapes: they read requests strictly, and apispec describes shapes from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING
from datetime import UTC, datetime
from typing import Any, ClassVar

import marshmallow as ma
from marshmallow import fields, validate

from service.record.canonical_json import JsonObject, JsonValue
from service.shapes import (
    BadShape,
    Body,
    Description,
    Kind,
    Member,
    OpenShape,
    Query,
    Shape,
    component_name,
    members_of,
    to_json,
)
from service.web.json_body import is_valid_text

NUMBER_PATTERN = re.compile(r"-?(0|[1-9][0-9]{0,15})")
ONE_LINE_PATTERN = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
CONTROL_PATTERN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
Settings = dict[str, Any]
Data = Mapping[str, JsonValue] | None
_schemas: dict[type[Shape], ShapeSchema] = {}


class ShapeSchema(ma.Schema):
    """Reads a shape from JSON, and writes it."""

    shape: ClassVar[type[Shape]] = Shape

    @ma.post_load
    def _build_shape(self, data: dict[str, Any], **_: Any) -> Shape:  # noqa: ANN401  # as marshmallow calls it
        if self.unknown == ma.INCLUDE:
            names = {member.name for member in members_of(self.shape)}
            data["others"] = {name: data.pop(name) for name in set(data) - names}
        try:
            return self.shape(**data)
        except BadShape as error:
            raise ma.ValidationError(str(error), error.member or "_schema") from error

    def dump(self, obj: Shape, *, many: bool | None = None) -> Any:  # noqa: ANN401  # as marshmallow has it
        """Return a shape as JSON."""
        return to_json(obj)


def schema_of(shape: type[Shape]) -> ShapeSchema:
    """Return the schema of a shape; it has the name of the shape in the document."""
    if shape not in _schemas:
        _schemas[shape] = _build_schema(shape)
    return _schemas[shape]


def _build_schema(shape: type[Shape]) -> ShapeSchema:
    meta = type("Meta", (), {"unknown": ma.INCLUDE if issubclass(shape, OpenShape) else ma.RAISE, "register": False})
    members = {member.name: _member_field(member, shape) for member in members_of(shape)}
    name = f"{component_name(shape)}Schema"
    schema: type[ShapeSchema] = type(
        name, (ShapeSchema,), {"shape": shape, "Meta": meta, "__doc__": shape.__doc__, **members}
    )
    return schema()


def _member_field(member: Member, shape: type[Shape]) -> fields.Field[Any]:
    settings: Settings = {"data_key": member.key}
    if not issubclass(shape, Body):
        settings["required"] = not member.is_optional
    elif member.default is MISSING:
        settings["required"] = True
    elif not member.is_optional:
        settings["load_default"] = member.default
    return _build_field(member.kind, settings, nullable=member.kind.nullable and not member.is_optional)


def _build_field(kind: Kind, settings: Settings, *, nullable: bool) -> fields.Field[Any]:
    described = kind.description
    metadata: Settings = {"description": described.about}
    if described.format:
        metadata["format"] = described.format
    example = kind.example if kind.is_plain else None
    if example is not None or (nullable and kind.is_plain):
        metadata["example"] = example
    settings |= {"metadata": metadata, "allow_none": nullable}
    if kind.shape is not None:
        return fields.Nested(schema_of(kind.shape), **settings)
    if kind.description.kind in {"items", "members"}:
        return _container_field(kind.inner, described, settings)
    return FIELDS[described.kind](described, settings)


def _container_field(inner: Kind | None, described: Description, settings: Settings) -> fields.Field[Any]:
    content = None if inner is None else _build_field(inner, {}, nullable=inner.nullable)
    if described.kind == "items" and content is not None:
        return fields.List(content, validate=validate.Length(described.least or None, described.most), **settings)
    checks = [validate.Regexp(described.pattern, error="Use a seat number from 0 to 98.")] if described.pattern else []
    if described.most:
        settings["validate"] = MaxMembers(described.most)
    return fields.Dict(keys=fields.String(validate=checks), values=content, **settings)


class MaxMembers(validate.Validator):
    """Refuses an object with too many members."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __call__(self, value: JsonObject) -> JsonObject:
        """Return the object, or raise ValidationError if it has too many members."""
        if len(value) > self.most:
            raise ma.ValidationError(f"At most {self.most} members.")
        return value


def is_of_query(field: fields.Field[Any]) -> bool:
    """Return True if a field belongs to a query, where all values are text."""
    return isinstance(field.root, ShapeSchema) and issubclass(field.root.shape, Query)


class TextField(fields.String):
    """A text with the limits of its description."""

    def __init__(self, text: Description, settings: Settings) -> None:
        checks: list[Any] = []
        if text.choices:
            checks.append(validate.OneOf(text.choices))
        elif text.most is not None:
            checks.append(validate.Length(text.least or None, text.most))
        if text.pattern:
            checks.append(validate.Regexp(text.pattern, error="This does not match {regex}."))
        super().__init__(validate=checks, **settings)
        self.text = text

    def _deserialize(self, value: JsonValue, attr: str | None, data: Data, **kwargs: bool) -> str:
        text = super()._deserialize(value, attr, data, **kwargs)
        if self.text.choices:
            return text
        if not is_valid_text(text):
            raise ma.ValidationError("Text must not contain NUL or half of a surrogate pair.")
        if not self.text.lines and CONTROL_PATTERN.search(text):
            raise ma.ValidationError("Control characters and line breaks are not allowed here.")
        try:
            return text if self.text.read is None else self.text.read(text)
        except ValueError as error:
            raise ma.ValidationError(str(error)) from None

    @property
    def is_one_line(self) -> bool:
        """True if a request sends this text and its only documented form is a single line."""
        taken = isinstance(self.root, ShapeSchema) and issubclass(self.root.shape, Body)
        return taken and not self.text.lines and not self.text.pattern and not self.text.choices


class IntegerField(fields.Integer):
    """A whole number within bounds."""

    def __init__(self, number: Description, settings: Settings) -> None:
        super().__init__(strict=True, validate=validate.Range(number.least, number.most), **settings)

    def _deserialize(self, value: JsonValue, attr: str | None, data: Data, **kwargs: bool) -> int:
        if is_of_query(self):
            if not isinstance(value, str) or NUMBER_PATTERN.fullmatch(value) is None:
                raise self.make_error("invalid", input=value)
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid", input=value)
        return value


class BooleanField(fields.Boolean):
    """True or False, and nothing else."""

    def __init__(self, _flag: Description, settings: Settings) -> None:
        super().__init__(**settings)

    def _deserialize(self, value: JsonValue, attr: str | None, data: Data, **kwargs: bool) -> bool:
        if is_of_query(self) and value in ("true", "false"):
            return bool(value == "true")
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class TimestampField(fields.AwareDateTime):
    """A time: RFC 3339 in JSON, milliseconds in Python."""

    def __init__(self, _timestamp: Description, settings: Settings) -> None:
        super().__init__(format="iso", **settings)

    def _deserialize(self, value: JsonValue, attr: str | None, data: Data, **kwargs: bool) -> Any:  # noqa: ANN401
        if not isinstance(value, str):
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE)
        time: datetime = super()._deserialize(value, attr, data, **kwargs)
        try:
            return int(time.astimezone(UTC).timestamp() * 1000)
        except (OverflowError, ValueError):
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE) from None


def _date_field(_day: Description, settings: Settings) -> fields.Date:
    return fields.Date(**settings)


def _raw_field(_value: Description, settings: Settings) -> fields.Raw:
    return fields.Raw(**settings)


FIELDS: dict[str, Callable[[Description, Settings], fields.Field[Any]]] = {
    "text": TextField,
    "number": IntegerField,
    "flag": BooleanField,
    "timestamp": TimestampField,
    "day": _date_field,
    "any": _raw_field,
}
"""Fields for members that are not shapes, lists or mappings."""
