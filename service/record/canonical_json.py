"""RFC 8785 JSON, one object a line: written once, and read only if it was written so."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import rfc8785

from service.record.errors import Refused
from service.record.hashing import LIMIT

Value: TypeAlias = "str | int | float | bool | Sequence[Value] | Mapping[str, Value] | None"
Row: TypeAlias = "dict[str, Value]"

LONGEST = 65_536
_PRINTABLE = re.compile(rb"[\x20-\x7e]+")
_SAFE_DIGITS = 15


class _TwiceError(ValueError):
    """A field stands twice in one object."""


def write(value: Value) -> bytes:
    """The canonical bytes of a value."""
    return rfc8785.dumps(value)


def _once(pairs: list[tuple[str, Value]]) -> Row:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise _TwiceError("a field stands twice")
    return row


def _whole(digits: str) -> int | float:
    # Beyond 2^53 - 1 JSON has no exact integers; a float keeps such a number from passing as one.
    if len(digits) <= _SAFE_DIGITS:
        return int(digits)
    rounded = float(digits)
    return int(digits) if abs(rounded) <= LIMIT else rounded


def _constant(name: str) -> Value:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_int=_whole, parse_constant=_constant)


def parsed(data: bytes) -> Value:
    """The value these bytes write in JSON, canonical or not, but with no field twice."""
    try:
        value: Value = _DECODER.decode(data.decode("ascii"))
    except _TwiceError as error:
        raise Refused("bytes", str(error)) from None
    except (ValueError, RecursionError):
        raise Refused("bytes", "this is not JSON in ASCII") from None
    return value


def read(data: bytes) -> Row:
    """The object of one line of an export, without its line end."""
    if len(data) > LONGEST:
        raise Refused("bytes", f"longer than {LONGEST} bytes")
    if _PRINTABLE.fullmatch(data) is None:
        raise Refused("bytes", "only printable ASCII may stand in a line, and no line is empty")
    value = parsed(data)
    try:
        same = write(value) == data
    except (ValueError, RecursionError):
        same = False
    if not same:
        raise Refused("bytes", "not written as RFC 8785 writes it")
    if not isinstance(value, dict):
        raise Refused("fields", "a line holds one object")
    return value
