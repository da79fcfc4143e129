"""Read the receipts and join receipts that a player kept with a record, and check them against it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from service.record import canonical_json
from service.record.canonical_json import JsonObject, JsonValue
from service.record.errors import BadRecord, BadRecordPart
from service.record.line_schema import LINE_FIELDS, check_fields
from service.record.signed_text import join_text, receipt_text
from service.record.verify.reader import ExportReader

NUMBER_FIELDS = ("seat", "seq", "at")
FIELD_LINE = re.compile(
    r"[>\s-]*(type|match|seat|player|seq|hash|seed|nonce|keys|at|signatures|server|signature): (\S+)\s*"
)
HEADER = re.compile(rb"^echtra-receipt:([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE | re.MULTILINE)
CONTINUATION_LINE = re.compile(r"[>\s]* {2}([0-9A-Za-z,_-]+)\s*")


class BadReceiptFile(ValueError):
    """A file that holds no receipts."""


def read(data: bytes) -> tuple[list[JsonObject], list[JsonObject]]:
    """Read the receipts and join receipts of a file: JSON (one, a list, or one per line), or the text of emails."""
    try:
        rows = [*_parse_headers(data), *_parse_letter_text(data)] or _parse_json_rows(data)
    except BadRecordPart as error:
        raise BadReceiptFile(f"these are not receipts: {error.detail}") from None
    found: dict[str, list[JsonObject]] = {"receipt": [], "join": []}
    for row in rows:
        kind = row.get("type") if isinstance(row, dict) else None
        if not isinstance(row, dict) or not isinstance(kind, str) or kind not in found:
            raise BadReceiptFile('each receipt must be an object with "type" "receipt" or "join"')
        found[kind].append(row)
    return found["receipt"], found["join"]


def _parse_headers(data: bytes) -> list[JsonValue]:
    """Find the receipts in the headers of emails, even if the headers are folded."""
    return [canonical_json.parse_json(b" ".join(value.split())) for value in HEADER.findall(data)]


def _parse_letter_text(data: bytes) -> list[JsonValue]:
    """Find the receipts in the text of emails, even if they are quoted or surrounded by other text."""
    found: list[dict[str, JsonValue]] = []
    last = ""
    for line in data.decode("utf-8", "replace").splitlines():
        named, more = FIELD_LINE.fullmatch(line), CONTINUATION_LINE.fullmatch(line)
        if named and named[1] == "type":
            found.append({})
        if named and found:
            last, value = named[1], named[2]
            found[-1][last] = int(value) if last in NUMBER_FIELDS and value.isdecimal() else value
        elif more and last and found:
            found[-1][last] = f"{found[-1][last]}{more[1]}"
        else:
            last = ""
    return list(found)


def _parse_json_rows(data: bytes) -> list[JsonValue]:
    try:
        value = canonical_json.parse_json(data)
    except BadRecordPart:
        return [canonical_json.parse_json(line) for line in data.splitlines() if line.strip()]
    return list(value) if isinstance(value, list) else [value]


def check_joins(reader: ExportReader, joins: Iterable[dict[str, Any]]) -> int:
    """Check join receipts against the header and return how many there are."""
    count = 0
    for row in joins:
        count += 1
        try:
            check_fields(row, LINE_FIELDS["join"])
            _check_join(reader, row)
        except BadRecordPart as error:
            raise BadRecord(1, error.reason, f"join receipt: {error.detail}") from None
    return count


def _check_join(reader: ExportReader, row: dict[str, Any]) -> None:
    header = reader.log.header
    if row["match"] != header.match or row["seed"] != header.seed or row["seat"] >= header.seats:
        raise BadRecordPart("join", "it is of another match, another seed or another seat")
    place = header.places[row["seat"]]
    if (row["player"], row["nonce"], row["keys"]) != (place.player, place.nonce, place.keys):
        raise BadRecordPart("join", f"seat {row['seat']} of the header has another player, nonce or keys")
    if not header.created <= row["at"] <= header.started:
        raise BadRecordPart("join", "it was not given between creation and start")
    parts = (row["match"], row["seat"], row["player"], row["seed"], row["nonce"], row["keys"], row["at"])
    reader.check_server_signature(row, join_text(*parts))


def check_receipts(reader: ExportReader, receipts: Iterable[dict[str, Any]]) -> tuple[int, tuple[int, ...]]:
    """Check receipts. Return how many there are, and the entries they name beyond this record's head."""
    count, later = 0, []
    for row in receipts:
        count += 1
        line = reader.line
        try:
            check_fields(row, LINE_FIELDS["receipt"])
            if row["match"] == reader.log.header.match and row["seq"] < len(reader.log.hashes):
                line = reader.entry_line(row["seq"])
            elif _is_beyond_head(reader, row):
                later.append(row["seq"])
                continue
            reader.check_receipt(row)
        except BadRecordPart as error:
            raise BadRecord(line, error.reason, f"receipt kept beside the record: {error.detail}") from None
    return count, tuple(sorted(set(later)))


def _is_beyond_head(reader: ExportReader, row: dict[str, Any]) -> bool:
    # An unfinished record may be an older copy. A finished one has no entries beyond its head.
    if row["match"] != reader.log.header.match or reader.seed is not None:
        return False
    reader.check_server_signature(
        row, receipt_text(row["match"], row["seq"], row["hash"], row["at"], row["signatures"])
    )
    return True
