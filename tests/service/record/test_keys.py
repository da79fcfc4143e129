"""Keys as players send them, and the server's list of its keys."""

from __future__ import annotations

import json
from hashlib import sha512

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from service.record import server_keys
from service.record.keys import KeyRefusedError, PublicKey, base64url, from_jwk, from_pem, sign
from service.record.server_keys import KeyListError
from tests.support.record_builder import known, private, public

ALICE = public("alice")
PEM = private("alice").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
SECRET = private("alice").private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
OTHER = (
    generate_private_key(SECP256R1())
    .public_key()
    .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    .decode()
)


def test_a_key_is_the_same_as_pem_and_as_jwk_from_a_browser() -> None:
    assert from_pem(PEM) == ALICE
    assert from_jwk({**ALICE.jwk, "alg": "EdDSA", "ext": True, "key_ops": ["verify"]}) == ALICE


@pytest.mark.parametrize(
    ("jwk", "said"),
    [
        ({**ALICE.jwk, "d": "AAAA"}, "private key"),
        ({**ALICE.jwk, "crv": "X25519"}, "Ed25519"),
        ({"kty": "RSA", "n": "AQAB", "e": "AQAB"}, "Ed25519"),
        ({"kty": "OKP", "crv": "Ed25519"}, "no x"),
        ({**ALICE.jwk, "x": f"{ALICE.x}="}, "43 characters"),
        ({**ALICE.jwk, "x": ALICE.x[:-1]}, "43 characters"),
        ({**ALICE.jwk, "x": ALICE.x[:-1] + chr(ord(ALICE.x[-1]) + 1)}, "not the canonical base64url form"),
    ],
)
def test_other_jwks_are_refused_with_what_is_wrong(jwk: dict[str, object], said: str) -> None:
    with pytest.raises(KeyRefusedError, match=said):
        from_jwk(jwk)


@pytest.mark.parametrize(
    ("pem", "said"),
    [(SECRET, "private key"), (OTHER, "Ed25519"), ("hello", "not a public key"), ("", "not a public key")],
)
def test_other_pems_are_refused_with_what_is_wrong(pem: str, said: str) -> None:
    with pytest.raises(KeyRefusedError, match=said):
        from_pem(pem)


def test_only_the_signature_over_these_bytes_counts() -> None:
    signature = sign(private("alice"), b"text")
    assert ALICE.verifies(signature, b"text")
    assert not ALICE.verifies(signature, b"Text")
    assert not ALICE.verifies(signature.upper(), b"text")
    assert not ALICE.verifies(signature[:-2], b"text")
    assert not public("cian").verifies(signature, b"text")


def test_a_message_has_one_signature_whoever_makes_it() -> None:
    for message in (b"", b"text", bytes(range(256)) * 40):
        assert sign(private("alice"), message) == private("alice").sign(message).hex()


def test_a_signature_with_s_beyond_the_group_order_is_refused() -> None:
    signature = bytes.fromhex(sign(private("alice"), b"text"))
    order = 2**252 + 27742317777372353535851937790883648493
    same = int.from_bytes(signature[32:], "little") + order
    assert not ALICE.verifies((signature[:32] + same.to_bytes(32, "little")).hex(), b"text")


def test_a_signature_whose_first_half_is_of_small_order_counts_as_rfc_8032_says() -> None:
    seed, message, order = bytes(range(32)), b"text", 2**252 + 27742317777372353535851937790883648493
    key = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    secret = int.from_bytes(sha512(seed).digest()[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    first = (1).to_bytes(32, "little")  # the point that adds nothing
    asked = int.from_bytes(sha512(first + key + message).digest(), "little")
    second = (asked * secret % order).to_bytes(32, "little")
    assert PublicKey(base64url(key)).verifies((first + second).hex(), message)
    assert not PublicKey(base64url(key)).verifies((first + second).hex(), b"other")


def test_the_server_list_counts_only_keys_in_use_under_their_own_id() -> None:
    listed = known()
    assert server_keys.read(json.dumps(listed.write()).encode()) == listed
    now, old = listed.keys
    assert listed.key(now.key.id, now.since) == now.key
    assert listed.key(now.key.id, now.since - 1) is None
    assert old.until is not None
    assert listed.key(old.key.id, old.until) == old.key
    assert listed.key(old.key.id, old.until + 1) is None
    foreign = {**now.row, "kid": public("mallory").id}
    assert server_keys.read(json.dumps({"keys": [foreign]}).encode()).keys == ()


@pytest.mark.parametrize("data", [b"", b"[]", b'{"keys": 1}', b'{"keys": [1]}', b'{"keys": [], "keys": []}', b"\xff"])
def test_a_file_that_is_no_list_is_refused(data: bytes) -> None:
    with pytest.raises(KeyListError):
        server_keys.read(data)


def test_a_list_with_a_wrong_time_is_refused() -> None:
    row = {**known().keys[0].row, "from": "yesterday"}
    with pytest.raises(KeyListError, match="2026"):
        server_keys.read(json.dumps({"keys": [row]}).encode())


def test_keys_are_values() -> None:
    assert len({PublicKey(ALICE.x), ALICE}) == 1
