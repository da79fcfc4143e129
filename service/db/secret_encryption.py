"""Secrets at rest: keys and seeds in the database, encrypted with a key that is not in it.

The key comes from ECHTRA_SECRET_KEY or a file; several, with spaces between, let an old one go: the first encrypts, all
of them decrypt. Without a key secrets are stored as they are, and what was stored so before stays readable.
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from peewee import TextField

from service.config import BadConfig, Config
from service.i18n.catalogue import msg

PREFIX = "sealed1:"
NONCE_BYTES = 12
LEAST_LENGTH = 32
CHECK = "seal-check"
"""The name of the secret whose only use is to tell whether the key is right."""


class WrongSecretKey(RuntimeError):
    """What the database holds was encrypted with a key that this process does not have; names its fingerprint."""


class SecretKeys:
    """The keys of this process by their fingerprints, the one that encrypts first."""

    known: dict[str, ChaCha20Poly1305]


SecretKeys.known = {}


def derive_key(secret: bytes, purpose: bytes) -> ChaCha20Poly1305:
    """A key for one purpose."""
    return ChaCha20Poly1305(HKDF(SHA256(), 32, salt=None, info=purpose).derive(secret))


def read_keys(config: Config) -> dict[str, ChaCha20Poly1305]:
    """The keys that the settings name, by fingerprint, the one that encrypts first."""
    text = config.secret_key
    if config.secret_key_file:
        try:
            text = Path(config.secret_key_file).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            raise BadConfig(msg("config.secret_key_file", value=config.secret_key_file)) from None
        if not text.strip():
            raise BadConfig(msg("config.secret_key_file", value=config.secret_key_file))
    words = text.split()
    if any(len(word) < LEAST_LENGTH for word in words):
        raise BadConfig(msg("config.secret_key", least=LEAST_LENGTH))
    return {_fingerprint(word): derive_key(word.encode(), b"echtra-secrets-v1") for word in words}


def _fingerprint(word: str) -> str:
    return sha256(b"echtra-fingerprint\n" + word.encode()).hexdigest()[:12]


def use_keys(config: Config) -> None:
    """Let this process encrypt and decrypt with the keys of these settings."""
    SecretKeys.known = read_keys(config)


def encrypt_secret(value: str, place: str) -> str:
    """A secret as it is stored at this place (`table.column`): encrypted if there is a key."""
    if not value or not SecretKeys.known:
        return value
    name, key = next(iter(SecretKeys.known.items()))
    nonce = os.urandom(NONCE_BYTES)
    return f"{PREFIX}{name}:{b64encode(nonce + key.encrypt(nonce, value.encode(), place.encode())).decode()}"


def decrypt_secret(stored: str, place: str) -> str:
    """A secret from this place as it is."""
    if not stored.startswith(PREFIX):
        return stored
    name, _, text = stored.removeprefix(PREFIX).partition(":")
    key, data = SecretKeys.known.get(name), b64decode(text)
    if key is None:
        raise WrongSecretKey(name)
    try:
        return key.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], place.encode()).decode()
    except InvalidTag:
        raise WrongSecretKey(name) from None


def is_encrypted_now(stored: str) -> bool:
    """Whether a stored secret needs no change: empty, or encrypted with the key that encrypts now."""
    return not stored or (bool(SecretKeys.known) and stored.startswith(f"{PREFIX}{next(iter(SecretKeys.known))}:"))


class SecretField(TextField):
    """A column whose values are encrypted on their way into the database, and decrypted on their way out."""

    @property
    def place(self) -> str:
        """What its values are bound to, so that none can be moved elsewhere."""
        return f"{self.model._meta.table_name}.{self.column_name}"  # noqa: SLF001  # as peewee names it

    def db_value(self, value: Any) -> Any:  # noqa: ANN401  # as peewee has it
        """What is stored."""
        return None if value is None else encrypt_secret(value, self.place)

    def python_value(self, value: Any) -> Any:  # noqa: ANN401
        """What was stored."""
        return None if value is None else decrypt_secret(value, self.place)
