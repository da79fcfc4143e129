"""Reading JSON bodies strictly: one meaning, or refused."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from service.problems import Problem

MOST = 64 * 1024
PATIENCE = 32 * 1024 * 1024
SAFE = 2**53 - 1


class _Doubtful(ValueError):
    """JSON that two readers could understand in two ways."""


def read(most: int = MOST) -> Any:  # noqa: ANN401  # whatever JSON holds
    """The JSON body of the request, at most `most` bytes."""
    return parsed(raw(most))


def raw(most: int = MOST) -> bytes:
    """The bytes of a JSON body, its type and size checked."""
    if request.mimetype != "application/json":
        raise Problem(
            "wrong-media-type",
            "Send JSON, with the header `Content-Type: application/json`.",
            accepted="application/json",
        )
    return sized(most)


def sized(most: int) -> bytes:
    """The bytes of any body, at most `most` of them."""
    # One more than is taken: a body that comes in chunks is cut off there, and not refused.
    request.max_content_length = most + 1
    try:
        data = request.get_data(cache=True)
    except RequestEntityTooLarge:
        data = None
    if data is None or len(data) > most:
        _heard_out()
        raise _too_large(most)
    if len(data) < (request.content_length or 0):
        raise Problem("bad-request", f"The body breaks off after {len(data)} of {request.content_length} bytes.")
    return data


def _heard_out() -> None:
    """Read what is still being sent, within bounds: most programs look for an answer only after that."""
    stream, left = request.environ["wsgi.input"], PATIENCE
    while left > 0 and (part := stream.read(min(left, MOST))):
        left -= len(part)


def _too_large(most: int) -> Problem:
    return Problem("too-large", f"A body here has at most {most} bytes; send less at a time.", most=most)


def parsed(data: bytes) -> Any:  # noqa: ANN401
    """JSON with no double keys, no fractions, no numbers beyond 2^53, no NUL and no half characters."""
    try:
        value = STRICT.decode(data.decode("utf-8"))
        if b"\\u" in data:
            _check_text(value)
    except UnicodeDecodeError:
        raise Problem("bad-request", "The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise Problem("bad-request", f"The body is not JSON: {error.msg} at character {error.pos}.") from None
    except _Doubtful as error:
        raise Problem("bad-request", str(error)) from None
    except RecursionError:
        raise Problem("bad-request", "The body is nested too deep.") from None
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        double = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Doubtful(f"The body names {_printable(double)} twice.")
    return made


def _no_fraction(text: str) -> NoReturn:
    raise _Doubtful(f"{text[:40]} is not a whole number; there are no others in this API.")


def _whole(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > SAFE:  # noqa: PLR2004  # the digits of 2^53 and a sign
        raise _Doubtful(f"{text[:40]} is beyond 2^53, where programs begin to round.")
    return int(text)


STRICT = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_float=_no_fraction, parse_int=_whole, parse_constant=_no_fraction
)


def _check_text(value: Any) -> None:  # noqa: ANN401
    if isinstance(value, str):
        if not sound(value):
            raise _Doubtful("A text holds a NUL or half a character; send whole characters.")
    elif isinstance(value, dict):
        for name, each in value.items():
            _check_text(name)
            _check_text(each)
    elif isinstance(value, list):
        for each in value:
            _check_text(each)


def sound(text: str) -> bool:
    """Whether a text can be stored and sent anywhere: no NUL, no lone surrogate."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _printable(text: str) -> str:
    return ascii(text[:40])
