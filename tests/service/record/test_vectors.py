"""Every vector of tests/vectors/record.json is what the library gives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.chance import bot_stream, match_key, numbered_pick
from service.record import chain, header, server_keys
from service.record.chain import by_mail, by_signed, derive_salt, entry_hash, line_commitment
from service.record.compare import merge_exports
from service.record.errors import BadRecord
from service.record.export import entry_row, referenced_key_ids, write_export
from service.record.hashing import hmac_sha256, join_lines, sha256_hex
from service.record.keys import KeyRefusedError, PublicKey, public_key_of, sign
from service.record.patterns import fits_redacted_form
from service.record.signed_text import (
    join_text,
    link_to_previous,
    move_text,
    receipt_text,
    sign_join_receipt,
    sign_receipt,
    signatures_hash,
)
from service.record.verify import verify

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "vectors" / "record.json").read_text())
SEED = bytes.fromhex(VECTORS["seed"])
MATCH = "k7m2q9x4c1zt"
SERVER_KEYS = server_keys.read(json.dumps(VECTORS["well_known"]).encode())
HEADER = header.read(VECTORS["header"]["text"].splitlines())


def private(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(VECTORS["keys"][name]["private"]))


def test_text_hash_and_keyed_hash() -> None:
    for row in VECTORS["primitives"]["T"]:
        assert join_lines(*row["parts"]) == row["bytes"].encode()
    for row in VECTORS["primitives"]["H"]:
        assert sha256_hex(row["text"].encode()) == row["hex"]
    for row in VECTORS["primitives"]["M"]:
        assert hmac_sha256(bytes.fromhex(row["key"]), *row["parts"]).hex() == row["hex"]
    assert sha256_hex(SEED) == VECTORS["seed_hash"]


@pytest.mark.parametrize("name", VECTORS["keys"])
def test_keys_have_their_ids(name: str) -> None:
    row = VECTORS["keys"][name]
    assert public_key_of(private(name)).jwk == row["jwk"]
    assert PublicKey(row["jwk"]["x"]).id == row["id"]


@pytest.mark.parametrize("x", VECTORS["refused_keys"])
def test_unsound_keys_are_refused(x: str) -> None:
    with pytest.raises(KeyRefusedError):
        PublicKey(x)


def test_server_keys_are_written_as_they_are_read() -> None:
    assert SERVER_KEYS.write() == VECTORS["well_known"]


def test_picks() -> None:
    key = match_key(SEED, HEADER.nonces, HEADER.beacon)
    assert key.hex() == VECTORS["K"]
    rows = VECTORS["picks"] + VECTORS["picks_with_rejection"] + VECTORS["picks_of_the_match"]
    assert [numbered_pick(key, row["j"], int(row["n"])) for row in rows] == [int(row["pick"]) for row in rows]
    bot = VECTORS["bot_picks"]
    stream = bot_stream(key, bot["seat"], bot["entries"])
    assert [stream(n) for n in bot["n"]] == bot["picks"]


def test_header() -> None:
    assert join_lines(*HEADER.rows).decode() == VECTORS["header"]["text"]
    assert HEADER.hash == VECTORS["header"]["hash"]


def test_chain() -> None:
    prev = HEADER.hash
    for row in VECTORS["chain"]:
        assert derive_salt(SEED, MATCH, row["seq"]) == row["salt"]
        assert line_commitment(row["salt"], row["line"]) == row["commit"]
        by = row["by"]
        if "mail" in row:
            by = by_mail(row["salt"], **row["mail"])
        if "signature" in row:
            by = by_signed(row["signature"])
        assert by == row["by"]
        prev = entry_hash(MATCH, row["seq"], row["seat"], row["at"], by, row["commit"], prev)
        assert prev == row["hash"]


def test_signed_moves() -> None:
    names = {row["id"]: name for name, row in VECTORS["keys"].items()}
    hashes = [HEADER.hash, *(row["hash"] for row in VECTORS["chain"])]
    signatures = {chain.by_signed(row["signature"])[7:]: row["signature"] for row in VECTORS["chain"] if "key" in row}
    for row in (row for row in VECTORS["chain"] if "key" in row):
        _, _, seat, asked, prev, n, tie, line, _ = row["signed_bytes"].split("\n")
        assert prev == hashes[int(asked)]
        assert tie == (
            link_to_previous(signatures[tie]) if tie in signatures else link_to_previous(None, orders=tie == "wait")
        )
        assert move_text(MATCH, int(seat), int(asked), prev, int(n), tie, line).decode() == row["signed_bytes"]
        assert sign(private(names[row["key"]]), row["signed_bytes"].encode()) == row["signature"]


def test_join_receipt() -> None:
    row, text = VECTORS["join"]["receipt"], VECTORS["join"]["signed_bytes"]
    parts = {name: row[name] for name in ("match", "seat", "player", "seed", "nonce", "keys", "at")}
    assert join_text(**parts).decode() == text
    assert sign_join_receipt(private("server"), **parts) == row


def test_receipts() -> None:
    for row in VECTORS["receipts"]:
        given = row["receipt"]
        assert signatures_hash(row["covers"]) == given["signatures"]
        text = receipt_text(MATCH, given["seq"], given["hash"], given["at"], given["signatures"])
        assert text.decode() == row["signed_bytes"]
        made = sign_receipt(
            private("server"),
            match=MATCH,
            seq=given["seq"],
            hash_=given["hash"],
            at=given["at"],
            signatures=row["covers"],
        )
        assert made == given


@pytest.mark.parametrize(("shown", "line", "expected"), VECTORS["fits"])
def test_redacted_forms_fit(shown: str, line: str, expected: bool) -> None:
    assert fits_redacted_form(shown, line) is expected


@pytest.mark.parametrize("given", [None, SERVER_KEYS], ids=["without a list", "with the server's list"])
@pytest.mark.parametrize("name", VECTORS["exports"])
def test_exports_verify(name: str, given: server_keys.ServerKeys | None) -> None:
    receipts = [row["receipt"] for row in VECTORS["receipts"]]
    data = VECTORS["exports"][name].encode()
    found = verify(data, server_keys=given, receipts=receipts, joins=[VECTORS["join"]["receipt"]])
    assert (found.over, found.kept, found.joins) == (name == "over", 3, 1)
    assert found.established is (given is not None)


@pytest.mark.parametrize("row", VECTORS["broken"], ids=[row["name"] for row in VECTORS["broken"]])
@pytest.mark.parametrize("given", [None, SERVER_KEYS], ids=["without a list", "with the server's list"])
def test_broken_exports_are_refused(row: dict[str, Any], given: server_keys.ServerKeys | None) -> None:
    with pytest.raises(BadRecord) as caught:
        verify(row["export"].encode(), server_keys=given)
    assert (caught.value.line, caught.value.reason) == (row["line"], row["reason"])


@pytest.mark.parametrize("name", VECTORS["exports"])
def test_exports_are_written_byte_for_byte(name: str) -> None:
    rows = [json.loads(line) for line in VECTORS["exports"][name].splitlines()]
    entries, head = [row for row in rows if row["type"] == "entry"], rows[-1]
    jwks = {row["id"]: PublicKey(row["jwk"]["x"]) for row in VECTORS["keys"].values()}
    full = [{**VECTORS["chain"][entry["seq"] - 1], **entry} for entry in entries]
    written = write_export(
        private("server"),
        header=HEADER,
        keys=[jwks[each] for each in referenced_key_ids(HEADER, full)],
        entries=[entry_row(entry, entry.get("shown")) for entry in entries_of(full)],
        receipts=[row for row in reversed(rows) if row["type"] == "receipt"],
        seed=SEED if name == "over" else None,
        at=head["at"],
        viewer=head["viewer"],
    )
    assert written.decode() == VECTORS["exports"][name]


def entries_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As the service keeps them: with every column, empty ones as None."""
    empty = dict.fromkeys(("asked", "n", "key", "signature", "text", "mail"), None)
    return [{**empty, "orders": False, **row} for row in rows]


def test_the_union_of_both_seats_is_the_open_export_up_to_its_head() -> None:
    seats = [VECTORS["exports"][f"running_seat_{seat}"].encode() for seat in (0, 1)]
    found = merge_exports(seats, server_keys=SERVER_KEYS)
    *body, _ = VECTORS["exports"]["running_all"].encode().splitlines(keepends=True)
    assert found.lines == b"".join(body)
    assert found.redacted == 0
