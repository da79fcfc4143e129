"""The verifier: what each entry, receipt, seed and head must be, and what it says of a good record."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.record import server_keys
from service.record.chain import by_mail
from service.record.errors import BadRecord
from service.record.hashing import sha256_hex
from service.record.server_keys import ServerKeys
from service.record.signed_text import sign_join_receipt, sign_receipt
from service.record.verify import verify
from service.record.verify.kept_receipts import BadReceiptFile
from service.record.verify.kept_receipts import read as read_kept
from tests.support.record_builder import (
    MATCH,
    RECORDS,
    START,
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
    private,
    public,
)
from tests.support.record_files import records
from tests.support.wrong_records import ALICE, CIAN, EDITS, FIRST, GOOD, SHOWN, WRONG, story


def refused(data: bytes, **more: Any) -> tuple[int, str]:  # noqa: ANN401  # what verify takes
    with pytest.raises(BadRecord) as caught:
        verify(data, **more)
    assert str(caught.value) == f"line {caught.value.line}: {caught.value.reason}: {caught.value.detail}"
    return caught.value.line, caught.value.reason


@pytest.mark.parametrize(("reason", "wrong"), WRONG, ids=[f"{wrong.entries[-1]['line'][:30]}" for _, wrong in WRONG])
def test_a_wrong_entry_is_named_with_its_reason(reason: str, wrong: Story) -> None:
    wrong.receipts.clear()
    assert refused(wrong.export(over=False)) == (FIRST + len(wrong.entries) - 1, reason)


RIGHT: list[Story] = [
    story(),
    story().house("pause appeal").signed(0, "alice", "resign").house("resume").chance("start 0"),
    story().house("pause appeal").signed(0, "alice", f"keys {ALICE.id}").house("resume"),
    story().house("pause appeal").mail(1, "resign"),
    story().chance("keys 1"),
    story().wait(10**6).house(f"timeout 0 {START + 10**6 - 59_000}", "bot 0 steady").bot(0, "steady", "pass"),
    story().house("bot 0 steady", f"seat 0 c0l2e4i6f8ux {ALICE.id}").signed(0, "alice", "pass"),
    story().signed(0, "alice", *(f"put W {n}" for n in range(64))),
    story().signed(0, "alice", "pass", orders=True).chance("start 0").signed(0, "alice", "keep", asked=1),
    story().mail(0, "pass").signed(0, "alice", "pass", "pass"),
    story().signed(0, "alice", "a|b+c:d,e_f-g"),
]


@pytest.mark.parametrize("right", RIGHT, ids=[right.entries[-1]["line"] if right.entries else "-" for right in RIGHT])
def test_a_right_entry_is_taken(right: Story) -> None:
    assert verify(right.export(over=False), server_keys=known()).entries == len(right.entries)


def test_a_submission_goes_on_after_others_have_acted() -> None:
    first = story().signed(0, "alice", "discard R4", "draw deck", "discard R5")
    waiting = first.entries.pop()
    first.receipts.clear()
    first.chance("draw 0 R0").mail(1, "pass")
    first.add(0, waiting["by"], waiting["line"], **{name: waiting[name] for name in ("asked", "n", "key", "signature")})
    assert verify(first.export(over=False)).signed == 3


def test_a_submission_is_broken_by_a_line_of_its_own_seat() -> None:
    first = story().signed(0, "alice", "discard R4", "draw deck")
    waiting = first.entries.pop()
    first.receipts.clear()
    first.signed(0, "alice", f"keys {ALICE.id}")
    first.add(0, waiting["by"], waiting["line"], **{name: waiting[name] for name in ("asked", "n", "key", "signature")})
    assert refused(first.export(over=False)) == (FIRST + 2, "asked")


def test_a_submission_is_checked_through_redacted_lines() -> None:
    first = story().signed(0, "alice", "put W 1", "put W 2", "put W 3")
    shown = {1: "put ? 1", 2: "put ? 2"}
    assert verify(first.export("1", over=False, shown=shown)).redacted == 2
    first.entries[1] |= {"by": by_mail("00" * 16, 1, "smtp", "00" * 32, "none")}
    broken = Story(first.header, [ALICE])
    for entry in first.entries:
        more = {name: value for name, value in entry.items() if name in {"asked", "n", "key", "signature"}}
        broken.add(0, entry["by"], entry["line"], **more)
    assert refused(broken.export("1", over=False, shown=shown)) == (FIRST + 2, "asked")


@pytest.mark.parametrize(("reason", "sealed", "form"), SHOWN)
def test_what_may_not_be_redacted(reason: str, sealed: Story, form: str) -> None:
    sealed.receipts.clear()
    data = sealed.export("1", over=False, shown={len(sealed.entries): form})
    assert refused(data) == (FIRST + len(sealed.entries) - 1, reason)


@pytest.mark.parametrize(("number", "reason", "edit"), EDITS)
def test_an_edited_line_is_named_with_its_reason(number: int, reason: str, edit: Callable[[bytes], bytes]) -> None:
    assert refused(edited(GOOD, number, edit)) == (number, reason)


def test_a_key_line_must_hold_its_key() -> None:
    x = json.loads(lines(GOOD)[1])["jwk"]["x"]
    other = json.loads(lines(GOOD)[2])["jwk"]["x"]
    assert refused(GOOD.replace(x.encode(), other.encode())) == (2, "key")
    assert refused(GOOD.replace(x.encode(), b"A" * 43)) == (2, "key")


def test_keys_must_be_named_and_shown() -> None:
    more = Story(header(), [ALICE, CIAN]).export(over=False)
    cian = next(number for number, line in enumerate(lines(more), 1) if CIAN.id.encode() in line)
    assert refused(more) == (cian, "key")
    assert refused(Story(header()).export(over=False)) == (1, "key")
    assert refused(Story(header(), [ALICE]).house(f"keys 1 {CIAN.id}").export(over=False)) == (FIRST, "key")
    assert refused(Story(header()).signed(0, "alice", "pass").export(over=False)) == (3, "key")


def test_a_head_of_a_listed_server_must_still_be_shown() -> None:
    body = [
        line for line in lines(story().export(over=False)) if b'"type":"key"' not in line or ALICE.id.encode() in line
    ]
    data = headed(b"".join(body))
    assert refused(data, server_keys=known()) == (3, "key")
    assert refused(data) == (3, "server")


def test_the_seed_is_there_if_and_only_if_it_may_be() -> None:
    assert refused(story().house("end agreed").export(over=False)) == (FIRST + 1, "seed")
    other = replace(story().chance("start 0"), seed=bytes(32))
    assert refused(other.export()) == (FIRST + 1, "seed")
    sealed = story().chance("start 0").chance("deal 0 R4")
    assert refused(sealed.export(shown={2: "deal 0 ?"})) == (FIRST + 1, "seed")
    assert verify(story().house("end agreed 3 -4").export()).over


def test_the_viewer_must_go_with_what_is_shown() -> None:
    match = begun(Table())
    assert refused(match.export("all", over=False, shown={1: "deal 0 ?"}))[1] == "head"
    assert refused(match.export("2", over=False))[1] == "head"
    assert refused(match.export("0", over=True))[1] == "head"
    assert refused(headed(match.export("0", over=False), viewer="-"))[1] == "head"


def test_times_of_receipts_and_head() -> None:
    match = begun(Table())
    data = match.export(over=False)
    assert refused(headed(data, at=match.at - 1)) == (len(lines(data)), "time")
    early = begun(Table())
    made = early.receipts[0][1]
    again = sign_receipt(
        private("server"), match=MATCH, seq=made["seq"], hash_=made["hash"], at=made["at"] - 1, signatures=[]
    )
    early.receipts[0] = (0, again)
    assert refused(early.export(over=False))[1] == "time"


def test_receipts_stand_in_order_each_once() -> None:
    match = begun(Table())
    found = lines(match.export(over=False))
    number = next(number for number, line in enumerate(found, 1) if b'"type":"receipt"' in line)
    swapped = [*found[: number - 1], found[number], found[number - 1], *found[number + 1 :]]
    assert refused(b"".join(swapped)) == (number + 1, "order")
    twice = [*found[:number], *found[number - 1 :]]
    assert refused(b"".join(twice)) == (number + 1, "order")


def test_a_server_key_counts_only_while_in_use() -> None:
    listed = known()
    now = listed.keys[0]
    given_up = ServerKeys((replace(now, until=START + 1005),))
    assert refused(story().export(over=False), server_keys=given_up) == (FIRST, "server")
    assert verify(story().export(over=False), server_keys=ServerKeys((replace(now, until=START + 1010),))).established


JOINS: list[tuple[str, dict[str, Any]]] = [
    ("join", {"match": "k7m2q9x4c1zt"}),
    ("join", {"seed": sha256_hex(b"other")}),
    ("join", {"seat": 1}),
    ("join", {"seat": 2}),
    ("join", {"player": "c0l2e4i6f8ux"}),
    ("join", {"nonce": "00"}),
    ("join", {"keys": "-"}),
    ("join", {"at": START + 1}),
    ("join", {"at": START - 5001}),
]


@pytest.mark.parametrize(("reason", "changes"), JOINS)
def test_a_join_receipt_must_agree_with_the_header(reason: str, changes: dict[str, Any]) -> None:
    fields = {name: join()[name] for name in ("match", "seat", "player", "seed", "nonce", "keys", "at")}
    other = sign_join_receipt(private("server"), **(fields | changes))
    assert refused(GOOD, joins=[other]) == (1, reason)


def test_a_join_receipt_must_be_the_servers() -> None:
    assert refused(GOOD, joins=[join() | {"signature": "00" * 64}]) == (1, "signature")
    assert refused(GOOD, joins=[join() | {"server": public("mallory").id}]) == (1, "server")
    assert refused(GOOD, joins=[join() | {"more": 1}]) == (1, "fields")
    assert verify(GOOD, joins=[join()]).joins == 1


def test_a_kept_receipt_finds_a_second_story() -> None:
    kept = finished().receipts[0][1]
    assert verify(GOOD, receipts=[kept]).kept == 1
    other = finished(Table({3: "N0"}))
    assert refused(other.export(), receipts=[kept]) == (1 + 4 + kept["seq"], "receipt")
    assert refused(GOOD, receipts=[kept | {"match": "k7m2q9x4c1zt"}])[1] == "receipt"
    assert refused(GOOD, receipts=[kept | {"signature": "00" * 64}])[1] == "signature"


def test_a_kept_receipt_shows_that_a_record_is_not_the_latest() -> None:
    later = played().receipts[-1][1]
    older = begun(Table())
    older.keys = [ALICE]
    found = verify(older.export(over=False), receipts=[later])
    assert found.later == (later["seq"],)
    assert str(later["seq"]) in found.text()
    assert str(later["seq"]) in found.text("fr")
    assert refused(older.export(over=True), receipts=[later])[1] == "receipt"
    assert refused(older.export(over=False), receipts=[later | {"signature": "00" * 64}])[1] == "signature"


def test_kept_receipts_are_read_from_a_file() -> None:
    rows = [join(), finished().receipts[0][1]]
    expected = ([rows[1]], [rows[0]])
    assert read_kept("\n".join(json.dumps(row) for row in rows).encode()) == expected
    assert read_kept(json.dumps(rows, indent=1).encode()) == expected
    assert read_kept(json.dumps(rows[0], indent=1).encode()) == ([], [rows[0]])
    for data in (b"hello", b"[1]", b'{"type":"head"}', b'{"type":[]}'):
        with pytest.raises(BadReceiptFile):
            read_kept(data)


def test_the_report_counts_and_says_what_is_not_proved() -> None:
    match = played()
    found = verify(match.export("0", over=False, shown=hidden(match, "0")))
    assert (found.entries, found.redacted, found.signed, found.mail, found.bots, found.chance) == (22, 3, 7, 2, 2, 6)
    assert [each.seq for each in found.house] == [13, 14, 18, 19, 20]
    assert (found.without_nonce, found.bot_names, found.over) == ((1,), ("steady",), False)
    assert set(found.unproved()) >= {"sealed", "mail", "operator", "fair", "thrown", "last_nonce", "server", "latest"}
    assert "that this head is the latest" in str(found)
    assert "entrées masquées" in found.text("fr")
    assert all(f"{line.line}" in found.text() for line in found.house)
    assert found.sentence().startswith(f"The record of match {MATCH} (keltis) is good: entries 22")
    assert "sealed" not in verify(GOOD, server_keys=known()).unproved()


def test_a_fault_travels_between_processes() -> None:
    fault = pickle.loads(pickle.dumps(BadRecord(7, "bytes", "why")))  # noqa: S301  # our own value
    assert (str(fault), fault.line) == ("line 7: bytes: why", 7)


DOCUMENTED = dict(
    re.findall(
        r"^\| `(bad-[a-z]+\.jsonl)` \| (\d+) \|",
        (Path(__file__).parents[3] / "docs" / "RECORD.md").read_text(),
        re.MULTILINE,
    )
)


@pytest.mark.parametrize("path", sorted(RECORDS.glob("bad-*.jsonl")), ids=lambda path: path.stem)
def test_bad_records_of_the_documentation_fail_as_it_says(path: Path) -> None:
    listed = server_keys.read((RECORDS / "echtra.json").read_bytes())
    reason = path.stem.removeprefix("bad-")
    if reason == "rules":
        assert verify(path.read_bytes(), server_keys=listed).over
        return
    assert refused(path.read_bytes(), server_keys=listed) == (int(DOCUMENTED[path.name]), reason)


@pytest.mark.parametrize("path", sorted(RECORDS.glob("keltis*.jsonl")), ids=lambda path: path.stem)
def test_good_records_of_the_documentation_verify(path: Path) -> None:
    listed = server_keys.read((RECORDS / "echtra.json").read_bytes())
    receipts, joins = read_kept((RECORDS / "kept.jsonl").read_bytes())
    assert verify(path.read_bytes(), server_keys=listed, receipts=receipts, joins=joins).kept == 2


def test_the_records_of_the_documentation_are_those_of_the_story() -> None:
    assert {path.name: path.read_bytes() for path in RECORDS.iterdir()} == records()
    assert {f"bad-{reason}" for reason in ("rules", "bytes")} <= {Path(name).stem for name in DOCUMENTED}
