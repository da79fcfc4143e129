"""Golden records rewritten by a cheat: the server, or the server together with every player."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from service.record.canonical_json import write
from service.record.chain import by_mail, by_signed, derive_salt, entry_hash, line_commitment
from service.record.export import head_row
from service.record.hashing import sha256_hex
from service.record.keys import sign
from service.record.signed_text import link_to_previous, move_text, receipt_text
from tests.golden.records import FOLDER, privates

Row = dict[str, Any]
Change = Callable[[list[Row]], None]


def golden(name: str) -> bytes:
    """Return a golden record."""
    return (FOLDER / f"{name}.jsonl").read_bytes()


def parsed(data: bytes) -> list[Row]:
    """Return the objects of a record, line by line."""
    return [json.loads(line) for line in data.splitlines()]


def seed_of(name: str) -> bytes:
    """Return the seed of a golden match, which the server has from the start."""
    return bytes.fromhex(next(row["seed"] for row in parsed(golden(name)) if row["type"] == "seed"))


def forged(data: bytes, seed: bytes, change: Change, *, players: bool = True, receipts: bool = True) -> bytes:
    """Return the record with its entries changed, and then everything numbered, chained and signed again.

    Without `players` their signatures stay unchanged: a server alone cannot make them.
    """
    rows = parsed(data)
    header, match = rows[0], rows[0]["lines"][1].removeprefix("match: ")
    entries = [row for row in rows if row["type"] == "entry"]
    for row in entries:
        row["was"] = row["seq"]
    change(entries)
    new = {0: 0} | {row["was"]: seq for seq, row in enumerate(entries, 1) if "was" in row}
    chain = Chain(match, seed, [header["hash"]], players=players)
    made = [chain.link(seq, row, new) for seq, row in enumerate(entries, 1)]
    keys = [row for row in rows if row["type"] == "key"]
    given = [_receipt(row, new, chain.hashes) for row in rows if row["type"] == "receipt" and row["seq"] in new]
    ends = [row for row in rows if row["type"] == "seed"]
    return headed([header, *keys, *made, *(given if receipts else []), *ends], rows[-1], len(made), chain.hashes[-1])


class Chain:
    """The chain of a forged record: its new hashes, and each seat's last signature."""

    def __init__(self, match: str, seed: bytes, hashes: list[str], *, players: bool) -> None:
        self.match, self.seed, self.hashes, self.players = match, seed, hashes, players
        self.last: dict[int, str] = {}

    def link(self, seq: int, row: Row, new: dict[int, int]) -> Row:
        """Return the entry at its new place."""
        row = {name: value for name, value in row.items() if name != "was"} | {"seq": seq}
        if "line" in row:
            row["salt"] = derive_salt(self.seed, self.match, seq)
            row["commit"] = line_commitment(row["salt"], row["line"])
        if "mail" in row:
            row["by"] = by_mail(row["salt"], **row["mail"])
        if "signature" in row:
            row["asked"] = new[row["asked"]]
            row["signature"] = self._signature(row) if self.players else row["signature"]
            row["by"] = by_signed(row["signature"])
        self.last[row["seat"]] = row.get("signature", "")
        row["hash"] = entry_hash(self.match, seq, row["seat"], row["at"], row["by"], row["commit"], self.hashes[-1])
        self.hashes.append(row["hash"])
        return row

    def _signature(self, row: Row) -> str:
        seat, n, asked = row["seat"], row["n"], row["asked"]
        tie = link_to_previous(self.last[seat] if n > 1 else None, row.get("orders", False))
        text = str(row.get("text", row["line"]))
        return sign(privates()[row["key"]], move_text(self.match, seat, asked, self.hashes[asked], n, tie, text))


def _receipt(row: Row, new: dict[int, int], hashes: list[str]) -> Row:
    seq = new[row["seq"]]
    text = receipt_text(row["match"], seq, hashes[seq], row["at"], row["signatures"])
    return {**row, "seq": seq, "hash": hashes[seq], "signature": sign(privates()[row["server"]], text)}


def headed(rows: list[Row], head: Row, seq: int, hash_: str) -> bytes:
    """Return these lines under a head that the server signs again."""
    body = b"".join(write(row) + b"\n" for row in rows)
    plain = {name: head[name] for name in ("match", "at", "viewer")}
    made = head_row(privates()[head["server"]], **plain, seq=seq, hash_=hash_, lines=sha256_hex(body))
    return body + write(made) + b"\n"


def line_of(data: bytes, seq: int) -> int:
    """Return the line of a record that has an entry."""
    return next(at for at, row in enumerate(parsed(data), 1) if row["type"] == "entry" and row["seq"] == seq)


def other_card(line: str, cards: list[str]) -> str:
    """Return the line of chance with another last card."""
    *words, last = line.split(" ")
    return " ".join([*words, next(card for card in cards if card != last)])


def redrawn(seq: int, line: str) -> Change:
    """Replace the card that the server drew there."""

    def change(entries: list[Row]) -> None:
        entries[seq - 1]["line"] = line

    return change
