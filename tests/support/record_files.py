"""The files of docs/records: one small match for each viewer, and the ways in which a record can be bad.

`python -m tests.support.record_files` rewrites them.
"""

from __future__ import annotations

import json

from service.record.chain import entry_hash, line_commitment
from tests.support.record_builder import (
    MATCH,
    RECORDS,
    Story,
    Table,
    begun,
    edited,
    finished,
    headed,
    header,
    hidden,
    join,
    known,
    lines,
    played,
    public,
    with_device,
)


def _swapped(data: bytes, number: int) -> bytes:
    found = lines(data)
    found[number - 1], found[number] = found[number], found[number - 1]
    return b"".join(found)


def _bad() -> dict[str, bytes]:
    good = finished().export()
    spectator = played().export("-", over=False, shown=hidden(played(), "-"))
    late = begun(Table())
    late.at -= 60_000
    late.chance("draw 0 R0")
    other_salt = begun(Table()).add(-1, "chance", "draw 0 R0", salt="00" * 16)
    forged = Story(header(), [public("alice")]).signed(0, "alice", "discard R4", "draw deck")
    forged.entries[0] |= {"line": "discard R5", "commit": line_commitment(forged.entries[0]["salt"], "discard R5")}
    first, second = forged.entries
    first["hash"] = entry_hash(MATCH, 1, 0, first["at"], first["by"], first["commit"], forged.header.hash)
    second["hash"] = entry_hash(MATCH, 2, 0, second["at"], second["by"], second["commit"], first["hash"])
    forged.receipts.clear()
    revoked = Story(header(), [public("alice"), public("alice 2")])
    revoked.signed(0, "alice", f"keys {public('alice 2').id}").signed(0, "alice", "discard R4")
    again = Story(header(), [public("alice")]).signed(0, "alice", "discard R4").signed(0, "alice", "draw deck", asked=0)
    paused = Story(header(), [public("alice")]).house("pause appeal").signed(0, "alice", "discard R4")
    elsewhere = begun(Table())
    elsewhere.receipts[0][1]["hash"] = elsewhere.hashes[3]
    table = Table({16: "N0"})
    return {
        "bytes": edited(good, 7, lambda line: line.replace(b":", b": ", 1)),
        "cut": b"".join(lines(good)[:-1]),
        "fields": edited(good, 8, lambda line: line.replace(b'"type"', b'"tick":1,"type"')),
        "order": _swapped(good, 8),
        "time": late.export(over=False),
        "commit": edited(good, 6, lambda line: line.replace(b"deal 0 ", b"deal 1 ")),
        "hash": edited(good, 10, lambda line: line.replace(b'"at":17900000662', b'"at":17900000663')),
        "salt": other_salt.export(),
        "signature": forged.export(over=False),
        "key": revoked.export(over=False),
        "asked": again.export(over=False),
        "house": paused.export(over=False),
        "receipt": elsewhere.export(over=False),
        "seed": edited(good, len(lines(good)) - 1, lambda line: line.replace(b'"4041', b'"4140')),
        "head": edited(spectator, 7, lambda line: line.replace(b" ? ?", b" ?", 1)),
        "server": headed(good, "mallory"),
        "rules": finished(table).export(),
    }


def records() -> dict[str, bytes]:
    """Return every file of docs/records."""
    match = played()
    return {
        "keltis.jsonl": finished().export(),
        "keltis-device.jsonl": with_device().export(),
        "keltis-seat-0.jsonl": match.export("0", over=False, shown=hidden(match, "0")),
        "keltis-seat-1.jsonl": match.export("1", over=False, shown=hidden(match, "1")),
        "keltis-spectator.jsonl": match.export("-", over=False, shown=hidden(match, "-")),
        "kept.jsonl": b"".join(
            json.dumps(row, sort_keys=True, separators=(",", ":")).encode() + b"\n"
            for row in (join(), match.receipts[0][1], match.receipts[1][1])
        ),
        "echtra.json": json.dumps(known().write(), indent=2, sort_keys=True).encode() + b"\n",
        **{f"bad-{reason}.jsonl": data for reason, data in _bad().items()},
    }


if __name__ == "__main__":
    RECORDS.mkdir(parents=True, exist_ok=True)
    for name, data in records().items():
        (RECORDS / name).write_bytes(data)
