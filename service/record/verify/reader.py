"""Read an export line by line, and check the kind, the fields and the position of each line."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from service.record import canonical_json, chain, header
from service.record import entry as entries
from service.record.canonical_json import JsonObject
from service.record.errors import BadRecord, BadRecordPart
from service.record.hashing import sha256_hex
from service.record.keys import KeyRefusedError, PublicKey
from service.record.line_schema import LINE_FIELDS, check_entry, check_fields
from service.record.server_keys import ServerKeys
from service.record.signed_text import head_text, receipt_text
from service.record.verify.log_check import LogChecker

LINE_KINDS = ("header", "key", "entry", "receipt", "seed", "head")
SINGLE_LINE_KINDS = frozenset({"header", "seed", "head"})
VIEWER_ALL, VIEWER_SPECTATOR = "all", "-"


class ExportReader:
    """State of reading an export. Each line is checked as far as possible when it is read."""

    log: LogChecker

    def __init__(self, server_keys: ServerKeys | None = None) -> None:
        self.server_keys = server_keys
        self.line = 0
        self.keys: dict[str, PublicKey] = {}
        self.servers: dict[str, int] = {}
        self.receipts: list[JsonObject] = []
        self.seed: bytes | None = None
        self.head: dict[str, Any] | None = None
        self.raw: dict[str, list[bytes]] = {kind: [] for kind in LINE_KINDS}
        self._rank = -1
        self._before = sha256()

    def read_line(self, data: bytes) -> None:
        """Check and add the next line, given without its line end."""
        self.line += 1
        try:
            row = canonical_json.read(data)
            kind = _checked_kind(row)
            self._check_order(kind)
            getattr(self, f"_read_{kind}")(row)
        except BadRecordPart as error:
            raise error.at(self.line) from None
        self.raw[kind].append(data)
        if kind != "head":
            self._before.update(data + b"\n")

    def entry_line(self, seq: int) -> int:
        """Return the line number of an entry, or the header's for 0."""
        return 1 if seq == 0 else 1 + len(self.raw["key"]) + seq

    def check_all_keys_shown(self) -> None:
        """Refuse the export if it shows a key that is not named, or names one that is not shown."""
        named = {each: self.entry_line(seq) for each, seq in self.log.seats.first_named.items()}
        for each, line in self.servers.items():
            named.setdefault(each, line)
        for line, each in enumerate(self.keys, 2):
            if each not in named:
                raise BadRecord(line, "key", f"{each} is named nowhere")
        for each, line in named.items():
            if each not in self.keys:
                raise BadRecord(line, "key", f"{each} is named here and not shown")

    def _check_order(self, kind: str) -> None:
        rank = LINE_KINDS.index(kind)
        if self._rank < 0 < rank:
            raise BadRecordPart("order", "an export begins with its header")
        if rank < self._rank or (rank == self._rank and kind in SINGLE_LINE_KINDS):
            raise BadRecordPart("order", f"no {kind} may follow a {LINE_KINDS[self._rank]}")
        self._rank = rank

    def _read_header(self, row: dict[str, Any]) -> None:
        found = header.read(row["lines"])
        if found.hash != row["hash"]:
            raise BadRecordPart("hash", "the rows of the header do not give its hash")
        self.log = LogChecker(found, self.keys)

    def _read_key(self, row: dict[str, Any]) -> None:
        if self.keys and row["id"] <= next(reversed(self.keys)):
            raise BadRecordPart("order", "keys must be ascending by id, each once")
        try:
            key = PublicKey(row["jwk"]["x"])
        except KeyRefusedError as error:
            raise BadRecordPart("key", str(error)) from None
        if key.id != row["id"]:
            raise BadRecordPart("key", "the id is not the thumbprint of this key")
        self.keys[key.id] = key

    def _read_entry(self, row: dict[str, Any]) -> None:
        self.log.append(entries.read(row))

    def _read_receipt(self, row: dict[str, Any]) -> None:
        if self.receipts and _receipt_order(row) <= _receipt_order(self.receipts[-1]):
            raise BadRecordPart("order", "receipts must be ascending by seq, at and signature, each once")
        self.check_receipt(row)
        self.servers.setdefault(row["server"], self.line)
        self.receipts.append(row)

    def check_receipt(self, row: dict[str, Any]) -> None:
        """Refuse a receipt that is not for this log or not signed by the server."""
        seq, match = row["seq"], self.log.header.match
        if row["match"] != match or seq >= len(self.log.hashes) or row["hash"] != self.log.hashes[seq]:
            raise BadRecordPart("receipt", "the receipt is of other entries")
        if row["at"] < (self.log.entries[seq - 1].at if seq else self.log.header.started):
            raise BadRecordPart("time", "the receipt is older than its entry")
        self.check_server_signature(row, receipt_text(match, seq, row["hash"], row["at"], row["signatures"]))

    def check_server_signature(self, row: dict[str, Any], text: bytes) -> None:
        """Refuses anything that the server did not sign with a key of that time."""
        server = row["server"]
        key = self.keys.get(server) if self.server_keys is None else self.server_keys.key(server, row["at"])
        if key is None:
            raise BadRecordPart("server", f"{server} is not a key of the server, or was not in use then")
        if not key.verifies(row["signature"], text):
            raise BadRecordPart("signature", "the server has not signed this")

    def _read_seed(self, row: dict[str, Any]) -> None:
        self.seed = bytes.fromhex(row["seed"])
        if sha256_hex(self.seed) != self.log.header.seed:
            raise BadRecordPart("seed", "this is not the seed the header commits to")
        for entry in self.log.entries:
            if entry.redacted:
                raise BadRecord(self.entry_line(entry.seq), "seed", "redacted although the match is over")
            if entry.salt != chain.derive_salt(self.seed, self.log.header.match, entry.seq):
                raise BadRecord(self.entry_line(entry.seq), "salt", "the seed does not give this salt")

    def _read_head(self, row: dict[str, Any]) -> None:
        log, match = self.log, self.log.header.match
        if self.seed is None and log.seats.ended:
            raise BadRecordPart("seed", "the match has ended, and the seed is missing")
        if (row["match"], row["seq"], row["hash"]) != (match, len(log.entries), log.hashes[-1]):
            raise BadRecordPart("head", "the head is of other entries")
        if row["lines"] != self._before.hexdigest():
            raise BadRecordPart("head", "the head is of other lines")
        self._check_viewer(row["viewer"])
        if row["at"] < max([log.at, *(receipt["at"] for receipt in self.receipts)]):  # type: ignore[type-var]
            raise BadRecordPart("time", "the head is older than an entry or a receipt")
        self.check_server_signature(
            row, head_text(match, row["seq"], row["hash"], row["at"], row["viewer"], row["lines"])
        )
        self.servers.setdefault(row["server"], self.line)
        self.head = row

    def _check_viewer(self, viewer: str) -> None:
        if viewer not in {VIEWER_ALL, VIEWER_SPECTATOR} and int(viewer) >= self.log.header.seats:
            raise BadRecordPart("head", f"there is no seat {viewer}")
        if self.seed is not None and viewer != VIEWER_ALL:
            raise BadRecordPart("head", "once the match is over everything is open to everybody")
        if viewer == VIEWER_ALL and any(entry.redacted for entry in self.log.entries):
            raise BadRecordPart("head", "an entry is redacted although everything is open to this viewer")
        if viewer == VIEWER_SPECTATOR and self.receipts:
            raise BadRecordPart("head", "spectators get no receipts")


def _checked_kind(row: JsonObject) -> str:
    """Return the kind of a line after checking its fields."""
    kind = row.get("type")
    if not isinstance(kind, str) or kind not in LINE_KINDS:
        raise BadRecordPart("fields", "a line of this type has no place in an export")
    if kind == "entry":
        check_entry(row)
    else:
        check_fields(row, LINE_FIELDS[kind])
    return kind


def _receipt_order(row: dict[str, Any]) -> tuple[int, int, str]:
    return row["seq"], row["at"], row["signature"]


def read_export(data: bytes, server_keys: ServerKeys | None = None) -> ExportReader:
    """Read a whole export to its head, or raise the first fault as `BadRecord`."""
    *lines, rest = data.split(b"\n")
    reader = ExportReader(server_keys)
    for line in lines:
        reader.read_line(line)
    if rest:
        raise BadRecord(len(lines) + 1, "cut", "there is no line end at the end")
    if reader.head is None:
        raise BadRecord(len(lines) + 1, "cut", "there is no head")
    reader.check_all_keys_shown()
    return reader
