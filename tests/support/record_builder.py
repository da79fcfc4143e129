"""A small match written as a record, honestly or not, from which the tests of the record and docs/records are made."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.chance import Numbered, match_key
from service.record.canonical_json import write
from service.record.chain import by_bot, by_mail, by_signed, derive_salt, entry_hash, line_commitment
from service.record.export import entry_row, head_row, write_export
from service.record.hashing import sha256_hex
from service.record.header import Header, Occupant
from service.record.keys import PublicKey, public_key_of, sign
from service.record.server_keys import ServerKey, ServerKeys
from service.record.signed_text import link_to_previous, move_text, sign_join_receipt, sign_receipt

RECORDS = Path(__file__).parents[2] / "docs" / "records"
MATCH, SEED, START = "m5g0k2v7q4xh", bytes(range(64, 96)), 1_790_000_005_000
DECK = (
    *(f"{colour}{value}" for colour in "RYGBP" for value in (*"012", *"3344556677", "8", "9", "10", "E", "E")),
    *(f"N{value}" for value in range(11)),
)


@cache
def private(name: str) -> Ed25519PrivateKey:
    """Return the key of a person in the story."""
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(sha256_hex(name.encode())))


def public(name: str) -> PublicKey:
    """Return its public half."""
    return public_key_of(private(name))


@dataclass
class Story:
    """A match being written as a record. It checks nothing, so that the record can also be wrong."""

    header: Header
    keys: Sequence[PublicKey] = ()
    seed: bytes = SEED
    entries: list[dict[str, Any]] = field(default_factory=list)
    receipts: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    at: int = START + 1000

    @property
    def hashes(self) -> list[str]:
        """The hashes of the chain, the header's first."""
        return [self.header.hash, *(entry["hash"] for entry in self.entries)]

    def add(self, seat: int, by: str, line: str, **more: object) -> Story:
        """Add an entry."""
        seq = len(self.entries) + 1
        given = str(more.pop("salt", "")) or derive_salt(self.seed, self.header.match, seq)
        fixed = line_commitment(given, line)
        hashed = entry_hash(self.header.match, seq, seat, self.at, by, fixed, self.hashes[-1])
        row = {"seq": seq, "seat": seat, "at": self.at, "by": by, "commit": fixed, "hash": hashed}
        self.entries.append({**row, "line": line, "salt": given, **more})
        return self

    def wait(self, ms: int) -> Story:
        """Move the time on."""
        self.at += ms
        return self

    def chance(self, line: str) -> Story:
        """Return a line of chance."""
        return self.add(-1, "chance", line)

    def house(self, *lines: str) -> Story:
        """Add lines of the house."""
        for line in lines:
            self.add(-2, "house", line)
        return self

    def bot(self, seat: int, name: str, *lines: str) -> Story:
        """Add lines of a bot."""
        for line in lines:
            self.add(seat, by_bot(name), line)
        return self

    def mail(self, seat: int, *lines: str, received: int | None = None) -> Story:
        """Add lines of one email."""
        letter = {"door": "imap", "raw": sha256_hex("\n".join(lines).encode()), "verdict": "pass"}
        letter |= {"received": self.at - 900 if received is None else received}  # type: ignore[dict-item]
        for line in lines:
            given = derive_salt(self.seed, self.header.match, len(self.entries) + 1)
            self.add(seat, by_mail(given, **letter), line, mail=letter)  # type: ignore[arg-type]
        self.receive(seat, [])
        return self

    def signed(
        self,
        seat: int,
        who: str,
        *lines: str,
        asked: int | None = None,
        orders: bool = False,
        n: int = 1,
        made: Mapping[str, str] | None = None,
    ) -> Story:
        """Add a submission. For a line with alternatives, `made` names the one that is made."""
        made = made or {}
        asked = len(self.entries) if asked is None else asked
        last: str | None = None
        signatures = []
        for number, text in enumerate(lines, n):
            tie = link_to_previous(last, orders)
            signature = sign(
                private(who), move_text(self.header.match, seat, asked, self.hashes[asked], number, tie, text)
            )
            fields: dict[str, Any] = {"asked": asked, "n": number, "key": public(who).id, "signature": signature}
            fields |= {"orders": True} if orders and number == 1 else {}
            fields |= {"text": text} if text in made else {}
            self.add(seat, by_signed(signature), made.get(text, text), **fields)
            signatures.append(signature)
            last = signature
        self.receive(seat, signatures)
        return self

    def receive(self, seat: int, signatures: Sequence[str]) -> None:
        """Add the server's receipt for the seat's latest lines."""
        seq = len(self.entries)
        given = sign_receipt(
            private("server"),
            match=self.header.match,
            seq=seq,
            hash_=self.hashes[seq],
            at=self.at,
            signatures=signatures,
        )
        self.receipts.append((seat, given))

    def export(self, viewer: str = "all", *, over: bool = True, shown: Mapping[int, str] | None = None) -> bytes:
        """Return the record for a viewer. `shown` holds the redacted forms."""
        shown = shown or {}
        return write_export(
            private("server"),
            header=self.header,
            keys=self.keys,
            entries=[entry_row(entry, shown.get(entry["seq"])) for entry in self.entries],
            receipts=self.received(viewer),
            seed=self.seed if over else None,
            at=self.at + 10,
            viewer=viewer,
        )

    def received(self, viewer: str) -> list[dict[str, Any]]:
        """Return the receipts that this viewer gets."""
        return [given for seat, given in self.receipts if viewer in {"all", str(seat)}]


def header(*places: Occupant, **changes: str | int) -> Header:
    """Return a header of the story."""
    seated = places or (Occupant("p4v8n2d6s0wa", "00ff", public("alice").id), Occupant("b3j5h7r9t1ye"))
    plain = Header(
        match=MATCH,
        game="keltis",
        revision=1,
        options="{}",
        moves="any",
        seed=sha256_hex(SEED),
        beacon="-",
        created=START - 5000,
        started=START,
        places=seated,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]  # a test names the field


def known() -> ServerKeys:
    """Return the server's list of keys: the current one and one it has replaced."""
    return ServerKeys(
        (ServerKey(public("server"), START - 10**9), ServerKey(public("old server"), START - 10**10, START - 10**9))
    )


def join() -> dict[str, Any]:
    """Return the receipt that seat 0 got for joining."""
    place = header().places[0]
    return sign_join_receipt(
        private("server"),
        match=MATCH,
        seat=0,
        player=place.player,
        seed=sha256_hex(SEED),
        nonce=place.nonce,
        keys=place.keys,
        at=START - 4000,
    )


class Table:
    """The cards of the story, drawn as the rules of Keltis say."""

    def __init__(self, redraw: Mapping[int, str] | None = None) -> None:
        self.pick = Numbered(match_key(SEED, header().nonces))
        self.unseen = list(DECK)
        self.hands: list[list[str]] = [[], []]
        self.redraw = redraw or {}

    def draw(self, seat: int, count: int = 1) -> str:
        """Return the next cards of a seat, as words. `redraw` gives a pick another result than the seed's."""
        for _ in range(count):
            number = self.pick.number
            card = self.unseen[self.pick(len(self.unseen))]
            card = self.redraw.get(number, card)
            self.unseen.remove(card)
            self.hands[seat].append(card)
        return " ".join(self.hands[seat][-count:])

    def throw(self, seat: int) -> str:
        """Return a card of the seat's hand to discard."""
        return self.hands[seat].pop(0)


def begun(table: Table) -> Story:
    """Return the deal and a turn of each seat."""
    story = Story(header(), [public("alice"), public("alice 2"), public("cian")])
    story.chance(f"deal 0 {table.draw(0, 8)}").chance(f"deal 1 {table.draw(1, 8)}")
    story.wait(60_000).signed(0, "alice", f"discard {table.throw(0)}", "draw deck")
    story.wait(200).chance(f"draw 0 {table.draw(0)}")
    story.wait(90_000).mail(1, f"discard {table.throw(1)}", "draw deck")
    return story.wait(200).chance(f"draw 1 {table.draw(1)}")


def played(table: Table | None = None) -> Story:
    """Return the small match without its end: alternatives, new keys, a timeout, a bot, a pause, a new player."""
    table = table or Table()
    story = begun(table).wait(50_000)
    made = f"discard {table.throw(0)}"
    either = f"discard {table.unseen[0]} | {made}"
    story.signed(0, "alice", either, "draw deck", made={either: made})
    story.wait(10).chance(f"draw 0 {table.draw(0)}")
    story.wait(10).signed(0, "alice", f"keys {public('alice 2').id}", asked=10)
    story.wait(90_000_000).house(f"timeout 1 {story.at - 60_000}", "bot 1 steady")
    story.bot(1, "steady", f"discard {table.throw(1)}", "draw deck").chance(f"draw 1 {table.draw(1)}")
    story.wait(5000).house("pause appeal").wait(5000).house("resume", f"seat 1 c0l2e4i6f8ux {public('cian').id}")
    return story.wait(1000).signed(0, "alice 2", f"discard {table.throw(0)}", "draw deck", asked=17, orders=True)


def finished(table: Table | None = None) -> Story:
    """Return the whole small match, in which seat 0 resigns."""
    table = table or Table()
    story = played(table)
    story.wait(10).chance(f"draw 0 {table.draw(0)}")
    return story.wait(70_000).signed(0, "alice 2", "resign")


def with_device() -> Story:
    """Return a match in which the house lets a phone play for seat 0, and the seat's first key signs for it later."""
    table = Table()
    story = begun(table).wait(50_000)
    story.keys = [public("alice"), public("phone")]
    both = ",".join(sorted(public(name).id for name in ("alice", "phone")))
    asked = len(story.entries)
    story.house(f"keys 0 {both}").signed(0, "phone", f"discard {table.throw(0)}", "draw deck", asked=asked)
    story.wait(200).chance(f"draw 0 {table.draw(0)}")
    story.wait(90_000).mail(1, f"discard {table.throw(1)}", "draw deck")
    story.wait(200).chance(f"draw 1 {table.draw(1)}")
    story.wait(60_000).signed(0, "alice", f"keys {both}")
    story.wait(60_000).signed(0, "phone", f"discard {table.throw(0)}", "draw deck")
    story.wait(200).chance(f"draw 0 {table.draw(0)}")
    return story.wait(70_000).signed(0, "phone", "resign")


def hidden(story: Story, viewer: str) -> dict[int, str]:
    """Return the redacted forms of the cards that this viewer may not see before the end."""
    forms = {}
    for entry in story.entries:
        words = entry["line"].split(" ")
        if entry["by"] == "chance" and words[1] != viewer:
            forms[entry["seq"]] = " ".join([*words[:2], *("?" for _ in words[2:])])
    return forms


def lines(data: bytes) -> list[bytes]:
    """Return the lines of an export with their line ends."""
    return data.splitlines(keepends=True)


def edited(data: bytes, number: int, edit: Callable[[bytes], bytes]) -> bytes:
    """Return the export with only this line changed."""
    found = lines(data)
    found[number - 1] = edit(found[number - 1])
    return b"".join(found)


def headed(data: bytes, server: str = "server", **changes: str | int) -> bytes:
    """Return the export with a head signed again, over other bytes or by another key."""
    *body, last = lines(data)
    said = json.loads(last)
    values = {name: said[name] for name in ("match", "seq", "at", "viewer")} | {"hash_": said["hash"]}
    values |= {"lines": sha256_hex(b"".join(body))} | changes
    return b"".join([*body, write(head_row(private(server), **values)), b"\n"])
