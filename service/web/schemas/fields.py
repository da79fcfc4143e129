"""Fields that take one meaning only: typed strictly, bounded, described."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from service.timestamps import rfc3339
from service.web.json_body import is_valid_text

ID_PATTERN = r"^[a-z0-9]{12,32}$"
KEY_ID_PATTERN = r"^[A-Za-z0-9_-]{43}$"
NUMBER_PATTERN = re.compile(r"-?(0|[1-9][0-9]{0,15})")
ONE_LINE_PATTERN = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
CONTROL_PATTERN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
Example = str | int | bool | list[Any] | dict[str, Any] | None


class RequestSchema(ma.Schema):
    """A JSON body: unknown fields are refused."""

    class Meta:
        unknown = ma.RAISE


class QuerySchema(RequestSchema):
    """The part of an address after `?`: numbers and flags arrive as text."""


class ResponseSchema(ma.Schema):
    """A body that we send."""


def _with_metadata(about: str, example: Example, more: dict[str, Any]) -> dict[str, Any]:
    metadata = {"description": about, **more.pop("metadata", {})}
    if example is not None or more.get("allow_none"):
        metadata["example"] = example
    return {**more, "metadata": metadata}


class TextField(fields.String):
    """A text without NUL and half characters, on one line unless `lines` says otherwise."""

    def __init__(
        self,
        *,
        about: str,
        example: Example,
        most: int = 200,
        least: int = 0,
        pattern: str = "",
        lines: bool = False,
        **more: Any,  # noqa: ANN401  # as marshmallow has it
    ) -> None:
        checks: list[Any] = [validate.Length(least or None, most)]
        if pattern:
            checks.append(validate.Regexp(pattern, error="This is not of the form {regex}."))
        super().__init__(validate=checks, **_with_metadata(about, example, more))
        self.lines = lines
        self.has_pattern = bool(pattern)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        text = super()._deserialize(value, attr, data, **kwargs)
        if not is_valid_text(text):
            raise ma.ValidationError("A NUL or half a character is not text.")
        if not self.lines and CONTROL_PATTERN.search(text):
            raise ma.ValidationError("Control characters and line breaks have no place here.")
        return text


class IdField(TextField):
    """One of our ids."""

    def __init__(self, *, about: str, example: str = "k3v9m2x7q4p8w6ya", **more: Any) -> None:  # noqa: ANN401
        super().__init__(about=about, example=example, most=32, least=12, pattern=ID_PATTERN, **more)


class HexField(TextField):
    """So many lower-case hex digits: a hash or a signature."""

    def __init__(self, digits: int, *, about: str, example: str, **more: Any) -> None:  # noqa: ANN401
        pattern = f"^[0-9a-f]{{{digits}}}$"
        super().__init__(about=about, example=example, most=digits, least=digits, pattern=pattern, **more)


class KeyIdField(TextField):
    """The RFC 7638 id of a key."""

    def __init__(
        self,
        *,
        about: str,
        example: str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
        **more: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(about=about, example=example, most=43, least=43, pattern=KEY_ID_PATTERN, **more)


class ChoiceField(fields.String):
    """One of a few words."""

    def __init__(self, choices: Sequence[str], *, about: str, example: str | None = None, **more: Any) -> None:  # noqa: ANN401
        super().__init__(validate=validate.OneOf(list(choices)), **_with_metadata(about, example or choices[0], more))


class IntegerField(fields.Integer):
    """A whole number within bounds."""

    def __init__(self, *, about: str, example: int, least: int = 0, most: int = 2**53 - 1, **more: Any) -> None:  # noqa: ANN401
        super().__init__(strict=True, validate=validate.Range(least, most), **_with_metadata(about, example, more))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:  # noqa: ANN401
        if isinstance(self.root, QuerySchema):
            if not isinstance(value, str) or NUMBER_PATTERN.fullmatch(value) is None:
                raise self.make_error("invalid", input=value)
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid", input=value)
        return value


class BooleanField(fields.Boolean):
    """True or false, and nothing that looks like it."""

    def __init__(self, *, about: str, example: bool = False, **more: Any) -> None:  # noqa: ANN401
        super().__init__(**_with_metadata(about, example, more))

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:  # noqa: ANN401
        if isinstance(self.root, QuerySchema) and value in ("true", "false"):
            return bool(value == "true")
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class TimestampField(fields.AwareDateTime):
    """A time: RFC 3339 outside, milliseconds inside."""

    def __init__(self, *, about: str, example: str = "2026-11-16T09:30:00.000Z", **more: Any) -> None:  # noqa: ANN401
        super().__init__(format="iso", **_with_metadata(about, example, more))

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:  # noqa: ANN401
        return rfc3339(value)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        if not isinstance(value, str):
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE)
        found: datetime = super()._deserialize(value, attr, data, **kwargs)
        try:
            return int(found.astimezone(UTC).timestamp() * 1000)
        except (OverflowError, ValueError):
            raise self.make_error("invalid", input=value, obj_type=self.OBJ_TYPE) from None


class LocalTimeField(TextField):
    """A time with an offset, or one whose zone is known elsewhere; inside it is text."""

    def __init__(self, *, about: str, example: str, **more: Any) -> None:  # noqa: ANN401
        super().__init__(about=about, example=example, most=40, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        text = super()._deserialize(value, attr, data, **kwargs)
        try:
            found = datetime.fromisoformat(text)
            return text if found.tzinfo is None else found.astimezone(UTC).isoformat(timespec="milliseconds")
        except (OverflowError, ValueError):
            raise ma.ValidationError("This is not a time. Use the form 2027-03-01T18:00, or add an offset.") from None


class ListField(fields.List):
    """A list with a most."""

    def __init__(
        self,
        inner: fields.Field[Any],
        *,
        about: str,
        example: Example = None,
        most: int = 200,
        least: int = 0,
        **more: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(inner, validate=validate.Length(least or None, most), **_with_metadata(about, example, more))


class MaxMembers(validate.Validator):
    """An object has at most so many members."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __call__(self, value: dict[str, Any]) -> dict[str, Any]:
        """The object, if it is not too large."""
        if len(value) > self.most:
            raise ma.ValidationError(f"At most {self.most} members.")
        return value


class NestedField(fields.Nested):
    """A body inside a body."""

    def __init__(self, schema: ma.Schema, *, about: str, **more: Any) -> None:  # noqa: ANN401
        super().__init__(schema, **_with_metadata(about, None, more))


class ObjectField(fields.Dict):
    """An object whose members depend on something else, named in its description."""

    def __init__(self, *, about: str, example: Example = None, **more: Any) -> None:  # noqa: ANN401
        super().__init__(keys=fields.String(), **_with_metadata(about, example, more))
