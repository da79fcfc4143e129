"""Reading JSON bodies strictly: whatever is ambiguous is refused."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from service.i18n.catalogue import Message, msg
from service.play import notes
from service.play.submissions import Submission
from service.problems import Problem
from service.record.canonical_json import JsonObject, JsonValue
from service.record.signed_text import MOST_LINES

MOST_BYTES = 64 * 1024
MOST_INTEGER = 2**53 - 1


class _AmbiguousJson(ValueError):
    """JSON that two parsers could read differently; the reason names the part."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def read_json(most: int = MOST_BYTES) -> JsonValue:
    """Return the JSON body of the request, at most `most` bytes."""
    return parse_json(read_json_bytes(most))


def read_json_bytes(most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a JSON body after checking its type and size."""
    if request.mimetype != "application/json":
        raise Problem(
            "wrong-media-type",
            msg("requests.json_media_type"),
            accepted="application/json",
        )
    return read_bytes(most)


def read_bytes(most: int) -> bytes:
    """Return the bytes of any body, at most `most` of them."""
    # One byte more than allowed: a chunked body is truncated there, not refused.
    request.max_content_length = most + 1
    try:
        data = request.get_data(cache=True)
    except RequestEntityTooLarge:
        data = None
    if data is None or len(data) > most:
        raise _too_large_problem(most)
    if len(data) < (request.content_length or 0):
        raise Problem("bad-request", msg("requests.body_breaks_off", count=len(data), length=request.content_length))
    return data


def _too_large_problem(most: int) -> Problem:
    return Problem("too-large", msg("requests.body_too_large", most=most), most=most)


def parse_json(data: bytes) -> JsonValue:
    """Parse JSON; refuse duplicate keys, fractions, numbers beyond 2^53, NUL and lone surrogates."""
    try:
        value: JsonValue = STRICT_DECODER.decode(data.decode("utf-8"))
        if b"\\u" in data:
            _check_text(value)
    except UnicodeDecodeError:
        raise Problem("bad-request", msg("requests.not_utf8")) from None
    except json.JSONDecodeError as error:
        raise Problem("bad-request", msg("requests.not_json", fault=error.msg, place=error.pos)) from None
    except _AmbiguousJson as error:
        raise Problem("bad-request", error.reason) from None
    except RecursionError:
        raise Problem("bad-request", msg("requests.nested_too_deep")) from None
    return value


def _unique_members(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        double = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _AmbiguousJson(msg("requests.name_twice", name=_quote_for_message(double)))
    return members


def _refuse_fraction(text: str) -> NoReturn:
    raise _AmbiguousJson(msg("requests.not_whole", number=text[:40]))


def _parse_integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MOST_INTEGER:  # noqa: PLR2004  # the digits of 2^53 and a sign
        raise _AmbiguousJson(msg("requests.number_too_large", number=text[:40]))
    return int(text)


STRICT_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_members,
    parse_float=_refuse_fraction,
    parse_int=_parse_integer,
    parse_constant=_refuse_fraction,
)


def _check_text(value: JsonValue) -> None:
    if isinstance(value, str):
        if not is_valid_text(value):
            raise _AmbiguousJson(msg("requests.half_character"))
    elif isinstance(value, dict):
        for name, inner in value.items():
            _check_text(name)
            _check_text(inner)
    elif isinstance(value, list):
        for inner in value:
            _check_text(inner)


def is_valid_text(text: str) -> bool:
    """Return True for text that can be stored and sent anywhere: no NUL, no lone surrogate."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _quote_for_message(text: str) -> str:
    return ascii(text[:40])


MOST_SUBMISSION_BYTES = 16 * 1024
MOST_ASKED = 2**31 - 1
SUBMISSION_FIELDS = frozenset({"asked", "prev", "key", "moves", "orders", "note"})
HASH_PATTERN = re.compile(r"[0-9a-f]{64}")
SIGNATURE_PATTERN = re.compile(r"[0-9a-f]{128}")
KEY_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")
LINE_PATTERN = re.compile(r".{1,400}", re.DOTALL)
ANY_TEXT = re.compile(r".*", re.DOTALL)


class _FieldErrors:
    """Faults of a body by field. Each reader returns the value; if it does not fit, a fault and an empty value."""

    def __init__(self) -> None:
        self.faults: list[dict[str, str]] = []

    def add(self, field: str, reason: str) -> None:
        """Note a fault."""
        self.faults.append({"field": field, "reason": reason})

    def text(self, value: JsonValue, field: str, reason: str, pattern: re.Pattern[str]) -> str:
        """Return a text that fits the pattern."""
        if isinstance(value, str) and pattern.fullmatch(value):
            return value
        self.add(field, reason)
        return ""

    def flag(self, value: JsonValue, field: str) -> bool:
        """Return True or False."""
        if not isinstance(value, bool):
            self.add(field, "true or false")
        return value is True

    def question_number(self, value: JsonValue) -> int:
        """Return the number of a question."""
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_ASKED:
            return value
        self.add("asked", "the number of the question, from 0")
        return 0

    def problem(self) -> Problem:
        """Return the refusal of the body."""
        return Problem("invalid", msg("requests.faulty_fields"), errors=self.faults)


def parse_submission(data: bytes) -> Submission:
    """Return the submission in the body of a request. Only one with moves needs `asked`, `prev` and `key`."""
    sent, errors = parse_json(data), _FieldErrors()
    if not isinstance(sent, dict):
        errors.add("(body)", "an object with asked, prev, key and moves")
        raise errors.problem()
    for name in sent.keys() - SUBMISSION_FIELDS:
        errors.add(name[:80], "unknown field")
    orders = errors.flag(sent.get("orders", False), "orders")
    note = errors.text(sent.get("note", ""), "note", "a text", ANY_TEXT)
    lines, signatures = _parse_moves(sent.get("moves"), errors)
    asked, prev, key = 0, "", ""
    if lines or "asked" in sent:
        asked = errors.question_number(sent.get("asked"))
    if lines or "prev" in sent:
        prev = errors.text(
            sent.get("prev"), "prev", "64 lower-case hex digits: the hash of entry `asked`", HASH_PATTERN
        )
    if lines or "key" in sent:
        key = errors.text(sent.get("key"), "key", "the id of a key, 43 characters", KEY_ID_PATTERN)
    if errors.faults:
        raise errors.problem()
    if note:
        notes.check_text(note, "note")
    return Submission(asked, prev, lines, signatures, key, orders, note=note)


def _parse_moves(moves: JsonValue, errors: _FieldErrors) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not isinstance(moves, list) or len(moves) > MOST_LINES:
        errors.add("moves", f"a list of at most {MOST_LINES} moves")
        return (), ()
    lines: list[str] = []
    signatures: list[str] = []
    for number, move in enumerate(moves):
        if not isinstance(move, dict) or move.keys() != {"line", "signature"}:
            errors.add(f"moves.{number}", "an object with line and signature, nothing else")
            continue
        place = f"moves.{number}"
        lines.append(errors.text(move["line"], f"{place}.line", "a line of 1 to 400 characters", LINE_PATTERN))
        signature = errors.text(move["signature"], f"{place}.signature", "128 lower-case hex digits", SIGNATURE_PATTERN)
        signatures.append(signature)
    return tuple(lines), tuple(signatures)
