"""The public log of a tournament: header, hash-chained lines, and an export that anybody can check offline.

An export has one RFC 8785 object per line: `header`, one `document` per version, `key`, one `entry` per line of the
log, and finally `head`, in which the server signs all bytes before it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.i18n.catalogue import Message
from service.record.canonical_json import MOST_LINE_BYTES
from service.record.hashing import join_lines, sha256_hex
from service.record.keys import KeyRefusedError, PublicKey, public_key_of, sign
from service.record.patterns import HASH, ID, KEY_ID, MOST_NUMBER, SIGNATURE, parse_number
from service.tournaments.formats.faults import FormatFault, explain_fault
from service.tournaments.formats.log_lines import Line, read

FORMAT = "echtra-tournament-v1"
ROWS = ("tournament", "document", "chain", "deals", "beacon", "created")
MOST_DOCUMENT_BYTES = 262_144
_FIELDS: Mapping[str, frozenset[str]] = {
    "header": frozenset({"type", "hash", "lines"}),
    "document": frozenset({"type", "document"}),
    "key": frozenset({"type", "id", "jwk"}),
    "entry": frozenset({"type", "seq", "at", "line", "hash"}),
    "head": frozenset({"type", "tournament", "seq", "hash", "at", "lines", "server", "signature"}),
}
"""Fields of each type of row, in the order in which the types follow each other."""


class BadTournament(Exception):
    """An export that is refused: `line N: REASON: detail`. Lines of the export are counted from 1."""

    def __init__(self, line: int, reason: str, message: Message) -> None:
        self.detail = str(message)
        super().__init__(f"line {line}: {reason}: {self.detail}")
        self.line = line
        self.reason = reason
        self.message = message

    @property
    def place_and_message(self) -> Message:
        """Return the number of the bad line and the reason as one message."""
        return explain_fault("at_line", line=self.line, detail=self.message)


class BadHeader(FormatFault):
    """Rows that are not the header of a tournament. The message names the bad row."""

    reason = "header"


@dataclass(frozen=True, slots=True)
class TournamentHeader:
    """Facts fixed when the tournament was created. `chain` and `deals` are commitments to its two secrets."""

    tournament: str
    document: str
    chain: str
    deals: str
    beacon: str
    created: int

    @property
    def rows(self) -> tuple[str, ...]:
        """Return the rows without line ends."""
        return (FORMAT, *(f"{name}: {getattr(self, name)}" for name in ROWS))

    @property
    def hash(self) -> str:
        """Return the hash that precedes the first line of the log."""
        return sha256_hex(join_lines(*self.rows))


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: its number from 1, its time in ms, its text, and the hash of it and all lines before."""

    seq: int
    at: int
    line: str
    hash: str

    @property
    def value(self) -> Line:
        """Parse the text. Raise `BadLine` if it is not a line."""
        return read(self.line)


@dataclass(frozen=True, slots=True)
class TournamentExport:
    """An export whose bytes, hashes and signature are correct. `first_entry` is the export line of entry 1."""

    header: TournamentHeader
    documents: Mapping[str, Mapping[str, Any]]
    entries: tuple[LogLine, ...]
    server: PublicKey
    first_entry: int


def hash_document(document: Mapping[str, Any]) -> str:
    """Return the hash of the RFC 8785 text of a document."""
    return sha256_hex(rfc8785.dumps(dict(document)))


def hash_line(tournament: str, seq: int, at: int, line: str, before: str) -> str:
    """Return the hash of a line of the log."""
    return sha256_hex(join_lines("echtra-tournament-entry-v1", tournament, seq, at, line, before))


def chain_lines(tournament: str, before: str, lines: Iterable[tuple[int, str]], first: int = 1) -> list[LogLine]:
    """Chain times and texts as lines of a log, numbered from `first`. `before` is the hash that precedes them."""
    entries: list[LogLine] = []
    for seq, (at, line) in enumerate(lines, first):
        before = hash_line(tournament, seq, at, line, before)
        entries.append(LogLine(seq, at, line, before))
    return entries


def head_text(tournament: str, seq: int, hash_: str, at: int, lines: str) -> bytes:
    """Return the bytes that the server signs for the head of an export."""
    return join_lines("echtra-tournament-head-v1", tournament, seq, hash_, at, lines)


def entry_text(tournament: str, player: str, nonce: str, seq: int, hash_: str, at: int) -> bytes:
    """Return the bytes that the server signs for an entry, as a receipt."""
    return join_lines("echtra-enter-v1", tournament, player, nonce, seq, hash_, at)


def write_tournament_export(
    server: Ed25519PrivateKey,
    header: TournamentHeader,
    documents: Iterable[Mapping[str, Any]],
    entries: Sequence[LogLine],
    at: int,
) -> bytes:
    """Return a whole export. Give the documents in the order in which they came into force."""
    key = public_key_of(server)
    rows: list[dict[str, Any]] = [
        {"hash": header.hash, "lines": list(header.rows), "type": "header"},
        *({"document": rfc8785.dumps(dict(document)).decode(), "type": "document"} for document in documents),
        {"id": key.id, "jwk": key.jwk, "type": "key"},
        *({"at": one.at, "hash": one.hash, "line": one.line, "seq": one.seq, "type": "entry"} for one in entries),
    ]
    body = b"".join(rfc8785.dumps(row) + b"\n" for row in rows)
    last = entries[-1] if entries else _empty_log(header)
    lines = sha256(body).hexdigest()
    head: dict[str, Any] = {
        "at": at,
        "hash": last.hash,
        "lines": lines,
        "seq": last.seq,
        "server": key.id,
        "signature": sign(server, head_text(header.tournament, last.seq, last.hash, at, lines)),
        "tournament": header.tournament,
        "type": "head",
    }
    return body + rfc8785.dumps(head) + b"\n"


def _empty_log(header: TournamentHeader) -> LogLine:
    """Return the head of a log that has no line yet."""
    return LogLine(0, 0, "", header.hash)


def read_header(rows: Sequence[str]) -> TournamentHeader:
    """Parse the rows of a header. Raise `BadHeader` for the first bad row."""
    if len(rows) != len(ROWS) + 1 or rows[0] != FORMAT:
        raise BadHeader("header_rows", format=FORMAT, rows=", ".join(ROWS))
    values = {}
    for name, row in zip(ROWS, rows[1:], strict=True):
        if not row.startswith(f"{name}: "):
            raise BadHeader("header_row", name=name)
        values[name] = row.removeprefix(f"{name}: ")
    created = parse_number(values["created"])
    hashes = all(HASH.fullmatch(values[name]) for name in ("document", "chain", "deals"))
    if created is None or not hashes or not ID.fullmatch(values["tournament"]):
        raise BadHeader("header_form")
    del values["created"]
    return TournamentHeader(**values, created=created)


def read_tournament_export(data: bytes) -> TournamentExport:
    """Read an export and check every byte, every hash and the signature. Raise `BadTournament` for the first fault."""
    *lines, rest = data.split(b"\n")
    if rest or not lines:
        raise BadTournament(len(lines) + 1, "cut", explain_fault("no_line_end"))
    rows = [_read_row(line, at) for at, line in enumerate(lines, 1)]
    _check_order(rows)
    if rows[-1]["type"] != "head":
        raise BadTournament(len(rows) + 1, "cut", explain_fault("no_head"))
    header = _read_header_row(rows[0])
    documents = {}
    for at, row in enumerate(rows, 1):
        if row["type"] == "document":
            text = str(row["document"]).encode()
            documents[sha256_hex(text)] = _read_document(text, at)
    if header.document not in documents:
        raise BadTournament(1, "document", explain_fault("no_first_document"))
    keys = [(at, row) for at, row in enumerate(rows, 1) if row["type"] == "key"]
    server = _read_keys(keys)
    entries = _read_entries(rows, header)
    before = sha256(b"".join(line + b"\n" for line in lines[:-1])).hexdigest()
    _check_head(rows[-1], len(rows), header, entries, server, before)
    first = next((at for at, row in enumerate(rows, 1) if row["type"] == "entry"), len(rows))
    return TournamentExport(header, documents, entries, server[str(rows[-1]["server"])], first)


def _refuse_double(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field appears twice")
    return dict(pairs)


def _parse_canonical(data: bytes) -> object:
    value = json.loads(data.decode("utf-8"), object_pairs_hook=_refuse_double)
    if rfc8785.dumps(value) != data:
        raise ValueError("not written as RFC 8785 writes it")
    return value


def _read_row(line: bytes, at: int) -> dict[str, Any]:
    try:
        row = _parse_canonical(line)
    except (ValueError, RecursionError):
        raise BadTournament(at, "bytes", explain_fault("not_canonical")) from None
    if not isinstance(row, dict) or row.get("type") not in _FIELDS:
        raise BadTournament(at, "fields", explain_fault("unknown_type"))
    if row["type"] != "document" and (len(line) > MOST_LINE_BYTES or not line.isascii()):
        raise BadTournament(at, "bytes", explain_fault("too_long"))
    if row.keys() != _FIELDS[row["type"]]:
        fields = ", ".join(sorted(_FIELDS[row["type"]]))
        raise BadTournament(at, "fields", explain_fault("fields", type=row["type"], fields=fields))
    return row


def _check_order(rows: Sequence[Mapping[str, Any]]) -> None:
    last, order = -1, list(_FIELDS)
    for at, row in enumerate(rows, 1):
        rank = order.index(row["type"])
        if rank < last or (rank == last and row["type"] in {"header", "head"}) or (last < 0 < rank):
            raise BadTournament(at, "order", explain_fault("misplaced", type=row["type"]))
        last = rank


def _read_header_row(row: Mapping[str, Any]) -> TournamentHeader:
    lines = row["lines"]
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise BadTournament(1, "fields", explain_fault("header_texts"))
    try:
        header = read_header(lines)
    except FormatFault as fault:
        raise BadTournament(1, fault.reason, fault.message) from None
    if header.hash != row["hash"]:
        raise BadTournament(1, "hash", explain_fault("header_hash"))
    return header


def _read_document(text: bytes, at: int) -> dict[str, Any]:
    if len(text) > MOST_DOCUMENT_BYTES:
        raise BadTournament(at, "document", explain_fault("long_document", most=MOST_DOCUMENT_BYTES))
    try:
        document = _parse_canonical(text)
    except (ValueError, RecursionError):
        raise BadTournament(at, "document", explain_fault("document_not_canonical")) from None
    if not isinstance(document, dict):
        raise BadTournament(at, "document", explain_fault("document_no_object"))
    return document


def _read_keys(rows: Sequence[tuple[int, Mapping[str, Any]]]) -> dict[str, PublicKey]:
    keys: dict[str, PublicKey] = {}
    for at, row in rows:
        jwk = row["jwk"]
        try:
            key = PublicKey(str(jwk["x"]))
        except (KeyRefusedError, KeyError, TypeError):
            raise BadTournament(at, "key", explain_fault("unsound_key")) from None
        if jwk != key.jwk or row["id"] != key.id or (keys and key.id <= next(reversed(keys))):
            raise BadTournament(at, "key", explain_fault("key_id"))
        keys[key.id] = key
    return keys


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_NUMBER


def _read_entries(rows: Sequence[Mapping[str, Any]], header: TournamentHeader) -> tuple[LogLine, ...]:
    entries: list[LogLine] = []
    before, time = header.hash, header.created
    for at, row in enumerate(rows, 1):
        if row["type"] != "entry":
            continue
        line = row["line"]
        if not _is_count(row["seq"]) or not _is_count(row["at"]) or not isinstance(line, str) or not line.isprintable():
            raise BadTournament(at, "fields", explain_fault("entry_form"))
        if row["seq"] != len(entries) + 1:
            raise BadTournament(at, "order", explain_fault("entry_number", number=len(entries) + 1))
        if row["at"] < time:
            raise BadTournament(at, "time", explain_fault("older"))
        before, time = hash_line(header.tournament, row["seq"], row["at"], line, before), row["at"]
        if row["hash"] != before:
            raise BadTournament(at, "hash", explain_fault("line_hash"))
        entries.append(LogLine(row["seq"], row["at"], line, before))
    return tuple(entries)


def _check_head(
    row: Mapping[str, Any],
    at: int,
    header: TournamentHeader,
    entries: Sequence[LogLine],
    keys: Mapping[str, PublicKey],
    before: str,
) -> None:
    last = entries[-1] if entries else _empty_log(header)
    if (row["tournament"], row["seq"], row["hash"], row["lines"]) != (header.tournament, last.seq, last.hash, before):
        raise BadTournament(at, "head", explain_fault("other_head"))
    if not _is_count(row["at"]) or row["at"] < last.at:
        raise BadTournament(at, "time", explain_fault("old_head"))
    server, signature = str(row["server"]), str(row["signature"])
    if KEY_ID.fullmatch(server) is None or SIGNATURE.fullmatch(signature) is None or server not in keys:
        raise BadTournament(at, "key", explain_fault("no_server_key"))
    if not keys[server].verifies(signature, head_text(header.tournament, last.seq, last.hash, row["at"], before)):
        raise BadTournament(at, "signature", explain_fault("not_signed"))
