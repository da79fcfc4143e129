"""Ed25519 keys: their ids, reading them, refusing weak ones, signing and verifying."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from nacl.bindings import crypto_sign, crypto_sign_open
from nacl.exceptions import BadSignatureError

from service.i18n.catalogue import Message, msg
from service.record.canonical_json import JsonValue
from service.record.hashing import sha256_hex
from service.record.patterns import KEY_ID, SIGNATURE

KEY_BYTES, SIGNATURE_BYTES = 32, 64
_PRIME = 2**255 - 19
_SMALL_ORDER = frozenset(
    {
        0,
        1,
        _PRIME - 1,
        int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little"),
        int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"),
    }
)


class KeyRefusedError(ValueError):
    """A key that cannot be accepted. The reason says why, and what to do instead."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def base64url(data: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


@dataclass(frozen=True)
class PublicKey:
    """A valid Ed25519 public key: `x` is its 32 bytes in base64url."""

    x: str

    def __post_init__(self) -> None:
        _check_sound(self.x)

    @property
    def id(self) -> str:
        """The RFC 7638 thumbprint."""
        return thumbprint(self.x)

    @property
    def jwk(self) -> dict[str, JsonValue]:
        """The key as RFC 8037 writes it."""
        return {"crv": "Ed25519", "kty": "OKP", "x": self.x}

    def verifies(self, signature: str, message: bytes) -> bool:
        """Return True if `signature`, 128 hex digits, is this key's signature of the message."""
        if SIGNATURE.fullmatch(signature) is None:
            return False
        proof, key = bytes.fromhex(signature), _parse_key(self.x)
        return _verify_fast(key.raw, proof, message) or _verify_exactly(key.parsed, proof, message)


class _ParsedKey(NamedTuple):
    raw: bytes
    parsed: Ed25519PublicKey


def _verify_fast(key: bytes, signature: bytes, message: bytes) -> bool:
    """Verify with libsodium: twice as fast. It refuses a few signatures that RFC 8032 accepts, and accepts no other."""
    try:
        crypto_sign_open(signature + message, key)
    except BadSignatureError:
        return False
    return True


def _verify_exactly(key: Ed25519PublicKey, signature: bytes, message: bytes) -> bool:
    """Verify with OpenSSL, which has the last word."""
    try:
        key.verify(signature, message)
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=8192)
def thumbprint(x: str) -> str:
    """Return the RFC 7638 id of the key with this `x`."""
    return base64url(bytes.fromhex(sha256_hex(f'{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}'.encode())))


@lru_cache(maxsize=8192)
def _check_sound(x: str) -> None:
    if KEY_ID.fullmatch(x) is None:
        raise KeyRefusedError(msg("accounts.bad_key.length"))
    data = urlsafe_b64decode(x + "=")
    if base64url(data) != x:
        raise KeyRefusedError(msg("accounts.bad_key.other_form"))
    y = int.from_bytes(data, "little") & (2**255 - 1)
    if y >= _PRIME:
        raise KeyRefusedError(msg("accounts.bad_key.not_canonical"))
    if y in _SMALL_ORDER:
        raise KeyRefusedError(msg("accounts.bad_key.small_order"))


@lru_cache(maxsize=8192)
def _parse_key(x: str) -> _ParsedKey:
    raw = urlsafe_b64decode(x + "=")
    return _ParsedKey(raw, Ed25519PublicKey.from_public_bytes(raw))


def from_jwk(jwk: Mapping[str, object]) -> PublicKey:
    """Return the key of a JWK (RFC 8037). Further members are ignored."""
    if "d" in jwk:
        raise KeyRefusedError(msg("accounts.bad_key.private_jwk"))
    if jwk.get("kty") != "OKP" or jwk.get("crv") != "Ed25519":
        raise KeyRefusedError(msg("accounts.bad_key.other_jwk"))
    x = jwk.get("x")
    if not isinstance(x, str):
        raise KeyRefusedError(msg("accounts.bad_key.no_x"))
    return PublicKey(x)


def from_pem(pem: str) -> PublicKey:
    """Return the key of a PEM text that begins with `BEGIN PUBLIC KEY`."""
    if "PRIVATE KEY" in pem:
        raise KeyRefusedError(msg("accounts.bad_key.private_pem"))
    try:
        key = load_pem_public_key(pem.encode())
    except (ValueError, UnsupportedAlgorithm):
        raise KeyRefusedError(msg("accounts.bad_key.not_pem")) from None
    if not isinstance(key, Ed25519PublicKey):
        raise KeyRefusedError(msg("accounts.bad_key.other_pem"))
    return PublicKey(base64url(key.public_bytes_raw()))


@lru_cache(maxsize=64)
def public_key_of(private: Ed25519PrivateKey) -> PublicKey:
    """Return the public half of a private key."""
    return PublicKey(base64url(private.public_key().public_bytes_raw()))


@lru_cache(maxsize=64)
def _libsodium_secret(private: Ed25519PrivateKey) -> bytes:
    """Both halves of a key, in libsodium's format."""
    return private.private_bytes_raw() + private.public_key().public_bytes_raw()


def sign(private: Ed25519PrivateKey, message: bytes) -> str:
    """Return the signature of a message, 128 hex digits. libsodium gives the same bytes as OpenSSL in half the time."""
    return crypto_sign(message, _libsodium_secret(private))[:SIGNATURE_BYTES].hex()
