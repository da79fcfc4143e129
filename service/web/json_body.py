"""Reading JSON bodies strictly: one meaning, or refused."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from service.i18n.catalogue import Message, msg
from service.play import notes
from service.play.submissions import Submission
from service.problems import Problem
from service.record.signed_text import MOST_LINES

MOST_BYTES = 64 * 1024
MOST_INTEGER = 2**53 - 1


class _AmbiguousJson(ValueError):
    """JSON that two readers could understand in two ways; the reason says which part of it."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def read_json(most: int = MOST_BYTES) -> Any:  # noqa: ANN401  # whatever JSON holds
    """The JSON body of the request, at most `most` bytes."""
    return parse_json(read_json_bytes(most))


def read_json_bytes(most: int = MOST_BYTES) -> bytes:
    """The bytes of a JSON body, its type and size checked."""
    if request.mimetype != "application/json":
        raise Problem(
            "wrong-media-type",
            msg("requests.json_media_type"),
            accepted="application/json",
        )
    return read_bytes(most)


def read_bytes(most: int) -> bytes:
    """The bytes of any body, at most `most` of them."""
    # One more than is taken: a body that comes in chunks is cut off there, and not refused.
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


def parse_json(data: bytes) -> Any:  # noqa: ANN401
    """JSON with no double keys, no fractions, no numbers beyond 2^53, no NUL and no half characters."""
    try:
        value = STRICT_DECODER.decode(data.decode("utf-8"))
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


def _unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        double = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _AmbiguousJson(msg("requests.name_twice", name=_quote_for_message(double)))
    return made


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


def _check_text(value: Any) -> None:  # noqa: ANN401
    if isinstance(value, str):
        if not is_valid_text(value):
            raise _AmbiguousJson(msg("requests.half_character"))
    elif isinstance(value, dict):
        for name, each in value.items():
            _check_text(name)
            _check_text(each)
    elif isinstance(value, list):
        for each in value:
            _check_text(each)


def is_valid_text(text: str) -> bool:
    """Whether a text can be stored and sent anywhere: no NUL, no lone surrogate."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _quote_for_message(text: str) -> str:
    return ascii(text[:40])


MOST_SUBMISSION_BYTES = 16 * 1024
MOST_ASKED = 2**31 - 1
MOST_LINE_LENGTH = 400
SUBMISSION_FIELDS = frozenset({"asked", "prev", "key", "moves", "orders", "note"})
HASH_PATTERN = re.compile(r"[0-9a-f]{64}")
SIGNATURE_PATTERN = re.compile(r"[0-9a-f]{128}")
KEY_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")


class _FieldErrors:
    """What is wrong with a body, field by field."""

    def __init__(self) -> None:
        self.found: list[dict[str, str]] = []

    def add_unless(self, fits: bool, field: str, reason: str) -> None:
        """Note a fault unless the field fits."""
        if not fits:
            self.found.append({"field": field, "reason": reason})

    def raise_if_any(self) -> None:
        """Raise the problem if there is a fault."""
        if self.found:
            raise Problem("invalid", msg("requests.faulty_fields"), errors=self.found)


def parse_submission(data: bytes) -> Submission:
    """The submission in the body of a request."""
    sent = parse_json(data)
    faults = _FieldErrors()
    if not isinstance(sent, dict):
        faults.add_unless(fits=False, field="(body)", reason="an object with asked, prev, key and moves")
        faults.raise_if_any()
    for name in sent.keys() - SUBMISSION_FIELDS:
        faults.add_unless(fits=False, field=str(name)[:80], reason="unknown field")
    orders, note = sent.get("orders", False), sent.get("note", "")
    faults.add_unless(isinstance(orders, bool), "orders", "true or false")
    faults.add_unless(isinstance(note, str), "note", "a text")
    lines, signatures = _parse_moves(sent.get("moves"), faults)
    asked, prev, key = sent.get("asked", 0), sent.get("prev", ""), sent.get("key", "")
    if lines or "asked" in sent:
        whole = isinstance(asked, int) and not isinstance(asked, bool) and 0 <= asked <= MOST_ASKED
        faults.add_unless(whole and (not lines or "asked" in sent), "asked", "the number of the question, from 0")
    if lines or "prev" in sent:
        faults.add_unless(
            _matches_pattern(prev, HASH_PATTERN), "prev", "64 lower-case hex digits: the hash of entry `asked`"
        )
    if lines or "key" in sent:
        faults.add_unless(_matches_pattern(key, KEY_ID_PATTERN), "key", "the id of a key, 43 characters")
    faults.raise_if_any()
    if note:
        notes.check_text(note, "note")
    return Submission(asked, prev, lines, signatures, key, orders, note=note)


def _parse_moves(moves: Any, faults: _FieldErrors) -> tuple[tuple[str, ...], tuple[str, ...]]:  # noqa: ANN401  # any JSON
    if not isinstance(moves, list) or len(moves) > MOST_LINES:
        faults.add_unless(fits=False, field="moves", reason=f"a list of at most {MOST_LINES} moves")
        return (), ()
    lines: list[str] = []
    signatures: list[str] = []
    for number, move in enumerate(moves):
        if not isinstance(move, dict) or move.keys() != {"line", "signature"}:
            faults.add_unless(
                fits=False, field=f"moves.{number}", reason="an object with line and signature, nothing else"
            )
            continue
        line, signature = move["line"], move["signature"]
        known = isinstance(line, str) and 1 <= len(line) <= MOST_LINE_LENGTH
        faults.add_unless(known, f"moves.{number}.line", "a line of 1 to 400 characters")
        faults.add_unless(
            _matches_pattern(signature, SIGNATURE_PATTERN), f"moves.{number}.signature", "128 lower-case hex digits"
        )
        lines.append(line)
        signatures.append(signature)
    return tuple(lines), tuple(signatures)


def _matches_pattern(value: Any, form: re.Pattern[str]) -> bool:  # noqa: ANN401
    return isinstance(value, str) and form.fullmatch(value) is not None
