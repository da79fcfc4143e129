"""Reading a submission by hand, strictly: this is the hot path, where schemas cost more than the move."""

from __future__ import annotations

import re
from typing import Any

from service.play import notes
from service.play.submissions import Submission
from service.problems import Problem
from service.record.signed_text import MOST_LINES
from service.web import json_body as body

MOST_BYTES = 16 * 1024
MOST_ASKED = 2**31 - 1
MOST_LINE = 400
FIELDS = frozenset({"asked", "prev", "key", "moves", "orders", "note"})
HASH = re.compile(r"[0-9a-f]{64}")
SIGNATURE = re.compile(r"[0-9a-f]{128}")
KEY = re.compile(r"[A-Za-z0-9_-]{43}")


class _Faults:
    """What is wrong with a body, field by field."""

    def __init__(self) -> None:
        self.found: list[dict[str, str]] = []

    def unless(self, fits: bool, field: str, reason: str) -> None:
        """Note a fault unless the field fits."""
        if not fits:
            self.found.append({"field": field, "reason": reason})

    def refuse(self) -> None:
        """Raise the problem if there is a fault."""
        if self.found:
            raise Problem("invalid", "Some fields have faults; `errors` lists each.", errors=self.found)


def read(data: bytes) -> Submission:
    """The submission in the body of a request."""
    sent = body.parsed(data)
    faults = _Faults()
    if not isinstance(sent, dict):
        faults.unless(fits=False, field="(body)", reason="an object with asked, prev, key and moves")
        faults.refuse()
    for name in sent.keys() - FIELDS:
        faults.unless(fits=False, field=str(name)[:80], reason="unknown field")
    orders, note = sent.get("orders", False), sent.get("note", "")
    faults.unless(isinstance(orders, bool), "orders", "true or false")
    faults.unless(isinstance(note, str), "note", "a text")
    lines, signatures = _moves(sent.get("moves"), faults)
    asked, prev, key = sent.get("asked", 0), sent.get("prev", ""), sent.get("key", "")
    if lines or "asked" in sent:
        whole = isinstance(asked, int) and not isinstance(asked, bool) and 0 <= asked <= MOST_ASKED
        faults.unless(whole and (not lines or "asked" in sent), "asked", "the number of the question, from 0")
    if lines or "prev" in sent:
        faults.unless(_fits(prev, HASH), "prev", "64 lower-case hex digits: the hash of entry `asked`")
    if lines or "key" in sent:
        faults.unless(_fits(key, KEY), "key", "the id of a key, 43 characters")
    faults.refuse()
    if note:
        notes.check(note)
    return Submission(asked, prev, lines, signatures, key, orders, note=note)


def _moves(moves: Any, faults: _Faults) -> tuple[tuple[str, ...], tuple[str, ...]]:  # noqa: ANN401  # any JSON
    if not isinstance(moves, list) or len(moves) > MOST_LINES:
        faults.unless(fits=False, field="moves", reason=f"a list of at most {MOST_LINES} moves")
        return (), ()
    lines: list[str] = []
    signatures: list[str] = []
    for number, move in enumerate(moves):
        if not isinstance(move, dict) or move.keys() != {"line", "signature"}:
            faults.unless(fits=False, field=f"moves.{number}", reason="an object with line and signature, nothing else")
            continue
        line, signature = move["line"], move["signature"]
        known = isinstance(line, str) and 1 <= len(line) <= MOST_LINE
        faults.unless(known, f"moves.{number}.line", "a line of 1 to 400 characters")
        faults.unless(_fits(signature, SIGNATURE), f"moves.{number}.signature", "128 lower-case hex digits")
        lines.append(line)
        signatures.append(signature)
    return tuple(lines), tuple(signatures)


def _fits(value: Any, form: re.Pattern[str]) -> bool:  # noqa: ANN401
    return isinstance(value, str) and form.fullmatch(value) is not None
