"""RFC 8785 JSON, one object per line. Only canonical lines are accepted when reading."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import rfc8785

from service.record.errors import BadRecordPart
from service.record.patterns import MOST_NUMBER

JsonValue: TypeAlias = "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"

MOST_LINE_BYTES = 65_536
_PRINTABLE = re.compile(rb"[\x20-\x7e]+")
_SAFE_DIGITS = 15


class _DuplicateFieldError(ValueError):
    """A field occurs twice in one object."""


def write(value: JsonValue) -> bytes:
    """Return the canonical bytes of a value."""
    return rfc8785.dumps(value)


def _refuse_duplicate_fields(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise _DuplicateFieldError("a field appears twice")
    return row


def _read_integer(digits: str) -> int | float:
    # Beyond 2^53 - 1 JSON has no exact integers; a float keeps such a number from passing as one.
    if len(digits) <= _SAFE_DIGITS:
        return int(digits)
    rounded = float(digits)
    return int(digits) if abs(rounded) <= MOST_NUMBER else rounded


def _refuse_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_refuse_duplicate_fields, parse_int=_read_integer, parse_constant=_refuse_constant
)


def parse_json(data: bytes) -> JsonValue:
    """Parse JSON, canonical or not. Refuse a field that occurs twice."""
    try:
        value: JsonValue = _DECODER.decode(data.decode("ascii"))
    except _DuplicateFieldError as error:
        raise BadRecordPart("bytes", str(error)) from None
    except (ValueError, RecursionError):
        raise BadRecordPart("bytes", "this is not JSON in ASCII") from None
    return value


def read(data: bytes) -> JsonObject:
    """Return the object of one line of an export, given without its line end."""
    if len(data) > MOST_LINE_BYTES:
        raise BadRecordPart("bytes", f"longer than {MOST_LINE_BYTES} bytes")
    if _PRINTABLE.fullmatch(data) is None:
        raise BadRecordPart("bytes", "only printable ASCII may stand in a line, and no line is empty")
    value = parse_json(data)
    try:
        same = write(value) == data
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise BadRecordPart("bytes", "not written as RFC 8785 writes it")
    if not isinstance(value, dict):
        raise BadRecordPart("fields", "a line holds one object")
    return value
