"""A record that was changed anywhere is refused with the line, and never with anything but a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest

from service.record.canonical_json import write
from service.record.chain import entry_hash, line_commitment
from service.record.errors import BadRecord
from service.record.header import Occupant
from service.record.verify import verify
from tests.support.record_builder import Story, finished, headed, header, hidden, known, lines, played, public

GOOD = finished().export()
MATCH = played()
SEALED = MATCH.export("-", over=False, shown=hidden(MATCH, "-"))
FLIPS = 800


def fault(data: bytes) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        verify(data, server_keys=known())
    return caught.value


def line_of(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1


def flips(data: bytes) -> Iterator[tuple[int, int]]:
    """Bits spread evenly over the record; the step shares no factor with 8, so every bit of a byte has its turn."""
    step = len(data) * 8 // FLIPS - 1 | 1
    for bit in range(0, len(data) * 8, step):
        yield divmod(bit, 8)


@pytest.mark.parametrize("good", [GOOD, SEALED], ids=["open", "redacted"])
def test_any_flipped_bit_is_found_at_its_line_or_at_the_head(good: bytes) -> None:
    last, count = len(lines(good)), 0
    for at, bit in flips(good):
        data = bytearray(good)
        data[at] ^= 1 << bit
        found = fault(bytes(data))
        # Only a redacted form has nothing but the head to vouch for it.
        assert found.line == line_of(good, at) or (found.line, found.reason) == (last, "head")
        count += 1
    assert count >= FLIPS


def test_a_record_cut_anywhere_is_refused_at_the_cut() -> None:
    found = lines(GOOD)
    for count in range(len(found)):
        cut = fault(b"".join(found[:count]))
        assert (cut.line, cut.reason) == (count + 1, "cut")
        middle = fault(b"".join(found[:count]) + found[count][: len(found[count]) // 2])
        assert (middle.line, middle.reason) == (count + 1, "cut")
    assert fault(GOOD[:-1]).reason == "cut"


def test_a_dropped_doubled_or_moved_line_is_refused() -> None:
    found = lines(GOOD)
    for at in range(len(found)):
        dropped = fault(b"".join(found[:at] + found[at + 1 :]))
        assert dropped.line >= 1
        doubled = fault(b"".join([*found[: at + 1], *found[at:]]))
        assert (doubled.line, doubled.reason) == (at + 2, "order")
    for at in range(len(found) - 1):
        swapped = [*found[:at], found[at + 1], found[at], *found[at + 2 :]]
        assert fault(b"".join(swapped)).line in {at + 1, at + 2}


def test_a_line_written_in_another_way_is_refused() -> None:
    found = lines(GOOD)
    for at, line in enumerate(found):
        value = json.loads(line)
        others = [
            json.dumps(value).encode(),
            json.dumps(dict(reversed(list(value.items()))), separators=(",", ":")).encode(),
            line[:-1].replace(b'"type"', b'"\\u0074ype"'),
            b" " + line[:-1],
            line[:-1] + b" ",
            line[:-1] + b"\r",
            line[:-2] + b',"type":' + json.dumps(value["type"]).encode() + b"}",
        ]
        for other in others:
            refused = fault(b"".join([*found[:at], other + b"\n", *found[at + 1 :]]))
            assert (refused.line, refused.reason) == (at + 1, "bytes")


def test_lines_after_the_head_are_refused() -> None:
    last = len(lines(GOOD))
    assert (fault(GOOD + lines(GOOD)[-1]).line, fault(GOOD + b"\n").reason) == (last + 1, "bytes")
    assert fault(GOOD + GOOD).reason == "order"


def test_garbage_is_refused_and_raises_nothing_else() -> None:
    random = Random(5)
    alphabet = b'{}[]",:0123456789truefalsnl \\u\n\x00\xff'
    for _ in range(300):
        data = bytes(random.choice(alphabet) for _ in range(random.randrange(200)))
        fault(data)
    pieces = lines(GOOD) + lines(SEALED)
    for _ in range(200):
        fault(b"".join(random.sample(pieces, random.randrange(len(pieces)))))


def rebuilt(data: bytes, seq: int, **changes: object) -> bytes:
    """Act like a dishonest server: change one entry, then recompute every later hash and the head."""
    rows = [json.loads(line) for line in lines(data)]
    prev = rows[0]["hash"]
    for row in rows:
        if row["type"] != "entry":
            continue
        if row["seq"] == seq:
            row.update(changes)
        row["hash"] = entry_hash(MATCH.header.match, row["seq"], row["seat"], row["at"], row["by"], row["commit"], prev)
        prev = row["hash"]
    kept = [write(row) + b"\n" for row in rows[:-1] if row["type"] != "receipt"]
    head = write({**rows[-1], "hash": prev}) + b"\n"
    return headed(b"".join([*kept, head]), hash_=prev)


def test_a_server_cannot_rebuild_the_chain_over_a_signed_line() -> None:
    assert verify(rebuilt(GOOD, 0)).entries == 24
    for entry in finished().entries:
        line = 5 + entry["seq"]
        if "signature" not in entry:
            continue
        other = "discard Y0" if entry["line"] != "discard Y0" else "discard R0"
        changed = rebuilt(GOOD, entry["seq"], line=other, commit=line_commitment(entry["salt"], other))
        assert (fault(changed).line, fault(changed).reason) in {(line, "signature"), (line, "line")}
        foreign = fault(rebuilt(GOOD, entry["seq"], key=public("cian").id))
        assert (foreign.line, foreign.reason) == (line, "key")


def test_a_server_cannot_change_what_a_player_saw_before_signing() -> None:
    # Entry 8 is a card for seat 1; the moves of seat 0 that follow were signed over the hash of entry 8.
    redrawn = rebuilt(GOOD, 8, line="draw 1 N0", commit=line_commitment(finished().entries[7]["salt"], "draw 1 N0"))
    assert (fault(redrawn).line, fault(redrawn).reason) == (5 + 9, "signature")


def test_a_signature_cannot_be_moved_to_another_match_seat_or_place() -> None:
    one = Story(header(), [public("alice")]).chance("start 0").signed(0, "alice", "pass")
    entry = one.entries[-1]
    fields = {name: entry[name] for name in ("asked", "n", "key", "signature")}
    other = Story(header(match="k7m2q9x4c1zt"), [public("alice")]).chance("start 0")
    assert fault(other.add(0, entry["by"], "pass", **fields).export(over=False)).reason == "signature"
    another = Story(header(), [public("alice")]).chance("start 1")
    assert fault(another.add(0, entry["by"], "pass", **fields).export(over=False)).reason == "signature"
    places = (one.header.places[1], one.header.places[0])
    beside = Story(header(*places), [public("alice")]).chance("start 0")
    assert fault(beside.add(1, entry["by"], "pass", **fields).export(over=False)).reason == "signature"
    waiting = Story(header(), [public("alice")]).chance("start 0")
    assert fault(waiting.add(0, entry["by"], "pass", **fields, orders=True).export(over=False)).reason == "signature"


@pytest.mark.parametrize("who", ["cian", "mallory", "server"])
def test_another_key_than_the_seats_is_refused_wherever_it_comes_from(who: str) -> None:
    alice = header().places[0]
    story = Story(header(alice, Occupant("b3j5h7r9t1ye", "-", public("cian").id)), [public("alice"), public("cian")])
    assert fault(story.signed(0, who, "pass").export(over=False)).reason == "key"
