"""Records that are wrong in one way each: tables for both verifiers."""

from __future__ import annotations

import re
from collections.abc import Callable

from service.record.header import Occupant
from tests.support.record_builder import START, Story, finished, header, lines, public

ALICE, CIAN = public("alice"), public("cian")
FIRST = 4  # the line of entry 1 in `story`: header, Alice's key, the server's


def story(*places: Occupant, **changes: str | int) -> Story:
    return Story(header(*places, **changes), [ALICE])


# Each story ends with the entry that is wrong.
WRONG: list[tuple[str, Story]] = [
    ("house", story().house("end agreed").house("resume")),
    ("by", story().bot(2, "steady", "pass")),
    ("by", story().add(-3, "house", "resume")),
    ("time", story().wait(-1001).chance("start 0")),
    ("by", story().add(0, "chance", "start 0")),
    ("by", story().add(0, "house", "pause appeal")),
    ("by", story().add(-1, "bot steady", "pass")),
    ("by", story(moves="signed").mail(1, "pass")),
    ("line", story().chance("start | 0")),
    ("line", story().chance("start  0")),
    ("line", story().chance("start 0 ")),
    ("line", story().chance("x" * 401)),
    ("line", story().chance("")),
    ("line", story().signed(0, "alice", "keys -")),
    ("line", story().signed(0, "alice", f"keys {ALICE.id},{ALICE.id}")),
    ("house", story().house("pause appeal").chance("start 0")),
    ("house", story().house("pause appeal").mail(1, "pass")),
    ("by", story().bot(1, "steady", "pass")),
    ("by", story().house("bot 1 steady").bot(1, "random", "pass")),
    ("by", story().house("bot 0 steady").signed(0, "alice", "pass")),
    ("by", story().house("bot 1 steady").mail(1, "pass")),
    ("by", story().mail(1, f"keys {ALICE.id}")),
    ("by", story().house("bot 1 steady").bot(1, "steady", f"keys {ALICE.id}")),
    ("line", story().signed(0, "alice", "put W 3 | put W 4", made={"put W 3 | put W 4": "put W 5"})),
    ("line", story().signed(0, "alice", "put W 3 | put W 3", made={"put W 3 | put W 3": "put W 3"})),
    ("line", story().signed(0, "alice", "put W 3", made={"put W 3": "put W 3"})),
    ("asked", story().signed(0, "alice", "pass", n=0)),
    ("asked", story().signed(0, "alice", "pass", n=65)),
    ("asked", story().signed(0, "alice", "pass", n=2)),
    ("asked", story().chance("start 0").signed(0, "alice", "pass").signed(0, "alice", "pass", asked=1)),
    ("asked", story().signed(0, "alice", "pass", "keep").signed(0, "alice", "fold", asked=0)),
    ("asked", story().mail(0, "pass").signed(0, "alice", "pass", asked=0, n=2)),
    ("key", story().signed(0, "cian", "pass")),
    ("key", story().signed(1, "alice", "pass")),
    ("key", story().house("keys 0 -").signed(0, "alice", "pass")),
    ("key", story().house(f"seat 0 c0l2e4i6f8ux {CIAN.id}").signed(0, "alice", "pass")),
    ("time", story().mail(1, "pass", received=START + 1001)),
    ("house", story().house("bonus 0 5")),
    ("house", story().house("timeout 0")),
    ("house", story().wait(10**6).house(f"timeout 0 {START + 10**6 - 58_999}")),
    ("house", story().house(f"timeout 2 {START - 10**6}")),
    ("house", story().house("bot 2 steady")),
    ("house", story().house("bot 00 steady")),
    ("house", story().house("bot 0 Steady")),
    ("house", story().house("seat 0 nobody -")),
    ("house", story().house("seat 0 c0l2e4i6f8ux keys")),
    ("house", story().house("bot 0 steady", "keys 0 -")),
    ("house", story().house("pause")),
    ("house", story().house("pause appeal", "pause appeal")),
    ("house", story().house("resume")),
    ("house", story().house("pause Appeal")),
    ("house", story().house("end")),
    ("house", story().house("end agreed 1")),
    ("house", story().house("end agreed 1 -0")),
    ("house", story().house("end agreed 1 1234567890")),
]


SHOWN: list[tuple[str, Story, str]] = [
    ("line", story().house("bot 0 steady"), "bot ? steady"),
    ("line", story().signed(0, "alice", f"keys {ALICE.id}"), "keys ?"),
    ("line", story().signed(0, "alice", "put W 3"), "put W 3"),
    ("line", story().signed(0, "alice", "put W 3"), "put ?  3"),
    ("line", story().signed(0, "alice", "put W 3"), "put | ?"),
    ("line", story().signed(0, "alice", "put W 3"), "?" * 401),
    ("house", story().house("pause appeal").signed(0, "alice", "resign"), "?"),
]


def replaced(old: str, new: str) -> Callable[[bytes], bytes]:
    def edit(line: bytes) -> bytes:
        assert old.encode() in line
        return line.replace(old.encode(), new.encode(), 1)

    return edit


GOOD = finished().export()
LAST = len(lines(GOOD))
EDITS: list[tuple[int, str, Callable[[bytes], bytes]]] = [
    (1, "fields", replaced('"type":"header"', '"type":"hello"')),
    (1, "fields", replaced('"echtra-match-v1"', "1")),
    (1, "header", replaced("seats: 2", "seats: 3")),
    (2, "fields", replaced('"x":"', '"x":"' + "A" * 43 + '","y":"')),
    (2, "fields", replaced("OKP", "RSA")),
    (6, "fields", replaced('"seat":-1', '"seat":-1.5')),
    (6, "fields", replaced('"seat":-1', '"seat":true')),
    (6, "fields", replaced('"at":1790000006000', '"at":-1')),
    (6, "fields", replaced('"at":1790000006000', '"at":100000000000000000000')),
    (6, "bytes", replaced('"at":1790000006000', '"at":9007199254740993')),
    (6, "bytes", replaced('"at":1790000006000', '"at":1790000006000.0')),
    (6, "bytes", replaced('"at":1790000006000', '"at":NaN')),
    (6, "bytes", replaced('"at":1790000006000', '"at":1e400')),
    (6, "bytes", replaced('"at":1790000006000', '"at":' + "9" * 5000)),
    (6, "bytes", replaced('{"at"', '{"at":1,"at"')),
    (6, "bytes", replaced("deal", "d\\u0065al")),
    (6, "bytes", replaced("deal", "d\\u00e9al")),
    (6, "bytes", replaced("deal", "d\\ud800al")),
    (6, "line", replaced("deal", "d\\neal")),
    (6, "bytes", replaced("{", "[" * 40000 + "{")),
    (6, "bytes", replaced("deal", "deal" * 20000)),
    (6, "bytes", lambda _: b"\n"),
    (6, "fields", lambda _: b"[]\n"),
    (6, "fields", lambda _: b"null\n"),
    (6, "fields", lambda _: b"{}\n"),
    (6, "bytes", lambda line: b"\xef\xbb\xbf" + line),
    (6, "bytes", lambda line: line[:-1] + b"\r\n"),
    (6, "order", replaced('"seq":1', '"seq":2')),
    (6, "fields", replaced('"by":"chance"', '"by":"chance "')),
    (6, "fields", replaced('"by":"chance"', '"by":"nobody"')),
    (6, "by", replaced('"by":"chance"', '"by":"house"')),
    (6, "commit", lambda line: re.sub(rb'"salt":"..', b'"salt":"00', line)),
    (8, "fields", replaced('"n":1', '"n":2,"orders":true')),
    (8, "fields", replaced('"n":1', '"n":1,"orders":false')),
    (8, "signature", replaced('"n":1', '"n":1,"orders":true')),
    (8, "asked", replaced('"asked":2', '"asked":3')),
    (8, "signature", replaced('"asked":2', '"asked":1')),
    (11, "mail", replaced('"imap"', '"smtp"')),
    (11, "fields", replaced('"imap"', '"door"')),
    (LAST, "head", replaced('"viewer":"all"', '"viewer":"0"')),
    (LAST, "fields", replaced('"viewer":"all"', '"viewer":"me"')),
    (LAST, "fields", replaced('"viewer":"all"', '"viewer":0')),
]
