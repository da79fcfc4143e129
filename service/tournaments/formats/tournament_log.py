"""The log of a tournament as others get it: header, chained lines, and an export that anybody can check offline.

An export is one RFC 8785 object a line: `header`, `document` for each version, `key`, `entry` for each line of the log,
and last `head`, signed by the server over all bytes before it.
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
_KINDS = ("header", "document", "key", "entry", "head")
_FIELDS: Mapping[str, frozenset[str]] = {
    "header": frozenset({"type", "hash", "lines"}),
    "document": frozenset({"type", "document"}),
    "key": frozenset({"type", "id", "jwk"}),
    "entry": frozenset({"type", "seq", "at", "line", "hash"}),
    "head": frozenset({"type", "tournament", "seq", "hash", "at", "lines", "server", "signature"}),
}


class BadTournament(Exception):
    """An export is refused: `line N: REASON: detail`, lines counted from 1 in the export."""

    def __init__(self, line: int, reason: str, message: Message) -> None:
        self.detail = str(message)
        super().__init__(f"line {line}: {reason}: {self.detail}")
        self.line = line
        self.reason = reason
        self.message = message

    @property
    def place_and_message(self) -> Message:
        """Which line is wrong and why, in words of either language."""
        return explain_fault("at_line", line=self.line, detail=self.message)


class BadHeader(FormatFault):
    """Rows that are no header of a tournament; the text says which row is wrong."""


@dataclass(frozen=True, slots=True)
class TournamentHeader:
    """What was fixed when the tournament was made; `chain` and `deals` commit to its two secrets."""

    tournament: str
    document: str
    chain: str
    deals: str
    beacon: str
    created: int

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows without their line ends."""
        return (FORMAT, *(f"{name}: {getattr(self, name)}" for name in ROWS))

    @property
    def hash(self) -> str:
        """The hash that stands before the first line of the log."""
        return sha256_hex(join_lines(*self.rows))


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log: its number from 1, its time in ms, its text, and the hash over it and all before."""

    seq: int
    at: int
    line: str
    hash: str

    @property
    def value(self) -> Line:
        """Return the line as a value. A text that is no line raises `BadLine`."""
        return read(self.line)


@dataclass(frozen=True, slots=True)
class TournamentExport:
    """An export whose bytes, hashes and signature are in order; `first_entry` is where its entry 1 stands."""

    header: TournamentHeader
    documents: Mapping[str, Mapping[str, Any]]
    entries: tuple[LogLine, ...]
    server: PublicKey
    first_entry: int


def hash_document(document: Mapping[str, Any]) -> str:
    """The hash of a document's RFC 8785 text."""
    return sha256_hex(rfc8785.dumps(dict(document)))


def hash_line(tournament: str, seq: int, at: int, line: str, before: str) -> str:
    """The hash of a line of the log."""
    return sha256_hex(join_lines("echtra-tournament-entry-v1", tournament, seq, at, line, before))


def chain_lines(tournament: str, before: str, lines: Iterable[tuple[int, str]], first: int = 1) -> list[LogLine]:
    """Return times and texts as lines of a log from number `first` on; `before` is the hash of what precedes them."""
    entries: list[LogLine] = []
    for seq, (at, line) in enumerate(lines, first):
        before = hash_line(tournament, seq, at, line, before)
        entries.append(LogLine(seq, at, line, before))
    return entries


def head_text(tournament: str, seq: int, hash_: str, at: int, lines: str) -> bytes:
    """The bytes that the server signs for the head of an export."""
    return join_lines("echtra-tournament-head-v1", tournament, seq, hash_, at, lines)


def write_tournament_export(
    server: Ed25519PrivateKey,
    header: TournamentHeader,
    documents: Iterable[Mapping[str, Any]],
    entries: Sequence[LogLine],
    at: int,
) -> bytes:
    """A whole export; the documents in the order in which they came into force."""
    key = public_key_of(server)
    rows: list[dict[str, Any]] = [
        {"hash": header.hash, "lines": list(header.rows), "type": "header"},
        *({"document": rfc8785.dumps(dict(each)).decode(), "type": "document"} for each in documents),
        {"id": key.id, "jwk": key.jwk, "type": "key"},
        *({"at": one.at, "hash": one.hash, "line": one.line, "seq": one.seq, "type": "entry"} for one in entries),
    ]
    body = b"".join(rfc8785.dumps(row) + b"\n" for row in rows)
    seq, last = (entries[-1].seq, entries[-1].hash) if entries else (0, header.hash)
    lines = sha256(body).hexdigest()
    head: dict[str, Any] = {
        "at": at,
        "hash": last,
        "lines": lines,
        "seq": seq,
        "server": key.id,
        "signature": sign(server, head_text(header.tournament, seq, last, at, lines)),
        "tournament": header.tournament,
        "type": "head",
    }
    return body + rfc8785.dumps(head) + b"\n"


def read_header(rows: Sequence[str]) -> TournamentHeader:
    """The header that these rows write; `BadHeader` says which row is wrong."""
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
    return TournamentHeader(
        values["tournament"], values["document"], values["chain"], values["deals"], values["beacon"], created
    )


def read_tournament_export(data: bytes) -> TournamentExport:
    """An export with every byte, hash and the server's signature checked; the first fault is raised."""
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
    if not isinstance(row, dict) or row.get("type") not in _KINDS:
        raise BadTournament(at, "fields", explain_fault("unknown_type"))
    if row["type"] != "document" and (len(line) > MOST_LINE_BYTES or not line.isascii()):
        raise BadTournament(at, "bytes", explain_fault("too_long"))
    if row.keys() != _FIELDS[row["type"]]:
        fields = ", ".join(sorted(_FIELDS[row["type"]]))
        raise BadTournament(at, "fields", explain_fault("fields", type=row["type"], fields=fields))
    return row


def _check_order(rows: Sequence[Mapping[str, Any]]) -> None:
    last = -1
    for at, row in enumerate(rows, 1):
        rank = _KINDS.index(row["type"])
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
        raise BadTournament(1, "header", fault.message) from None
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
    found: dict[str, PublicKey] = {}
    for at, row in rows:
        jwk = row["jwk"]
        try:
            key = PublicKey(str(jwk["x"]))
        except (KeyRefusedError, KeyError, TypeError):
            raise BadTournament(at, "key", explain_fault("unsound_key")) from None
        if jwk != key.jwk or row["id"] != key.id or (found and key.id <= next(reversed(found))):
            raise BadTournament(at, "key", explain_fault("key_id"))
        found[key.id] = key
    return found


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_NUMBER


def _read_entries(rows: Sequence[Mapping[str, Any]], header: TournamentHeader) -> tuple[LogLine, ...]:
    found: list[LogLine] = []
    before, time = header.hash, header.created
    for at, row in enumerate(rows, 1):
        if row["type"] != "entry":
            continue
        line = row["line"]
        if not _is_count(row["seq"]) or not _is_count(row["at"]) or not isinstance(line, str) or not line.isprintable():
            raise BadTournament(at, "fields", explain_fault("entry_form"))
        if row["seq"] != len(found) + 1:
            raise BadTournament(at, "order", explain_fault("entry_number", number=len(found) + 1))
        if row["at"] < time:
            raise BadTournament(at, "time", explain_fault("older"))
        before, time = hash_line(header.tournament, row["seq"], row["at"], line, before), row["at"]
        if row["hash"] != before:
            raise BadTournament(at, "hash", explain_fault("line_hash"))
        found.append(LogLine(row["seq"], row["at"], line, before))
    return tuple(found)


def _check_head(
    row: Mapping[str, Any],
    at: int,
    header: TournamentHeader,
    entries: Sequence[LogLine],
    keys: Mapping[str, PublicKey],
    before: str,
) -> None:
    seq, last, time = (entries[-1].seq, entries[-1].hash, entries[-1].at) if entries else (0, header.hash, 0)
    if (row["tournament"], row["seq"], row["hash"], row["lines"]) != (header.tournament, seq, last, before):
        raise BadTournament(at, "head", explain_fault("other_head"))
    if not _is_count(row["at"]) or row["at"] < time:
        raise BadTournament(at, "time", explain_fault("old_head"))
    server, signature = str(row["server"]), str(row["signature"])
    if KEY_ID.fullmatch(server) is None or SIGNATURE.fullmatch(signature) is None or server not in keys:
        raise BadTournament(at, "key", explain_fault("no_server_key"))
    if not keys[server].verifies(signature, head_text(header.tournament, seq, last, row["at"], before)):
        raise BadTournament(at, "signature", explain_fault("not_signed"))
