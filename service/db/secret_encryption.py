"""Encryption of secrets in the database, keys and seeds, with a key that is stored elsewhere.

The key comes from ECHTRA_SECRET_KEY or a file. To change keys, give several, separated by spaces: the first encrypts,
all of them decrypt. Without a key, secrets are stored in plain text. Plain text stays readable.
"""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

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
"""Name of the secret that only serves to check the key."""


class WrongSecretKey(RuntimeError):
    """The database is encrypted with a key that this process does not have. The message names its fingerprint."""


class SecretKeys:
    """The keys of this process by fingerprint. The first one encrypts."""

    known: ClassVar[dict[str, ChaCha20Poly1305]] = {}


def derive_key(secret: bytes, purpose: bytes) -> ChaCha20Poly1305:
    """Derive a key for one purpose."""
    return ChaCha20Poly1305(HKDF(SHA256(), 32, salt=None, info=purpose).derive(secret))


def read_keys(config: Config) -> dict[str, ChaCha20Poly1305]:
    """Return the keys of the settings by fingerprint. The first one encrypts."""
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
    """Use the keys of these settings in this process."""
    SecretKeys.known = read_keys(config)


def encrypt_secret(value: str, place: str) -> str:
    """Return a secret as it is stored in a column (`table.column`): encrypted if there is a key."""
    if not value or not SecretKeys.known:
        return value
    name, key = next(iter(SecretKeys.known.items()))
    nonce = os.urandom(NONCE_BYTES)
    return f"{PREFIX}{name}:{b64encode(nonce + key.encrypt(nonce, value.encode(), place.encode())).decode()}"


def decrypt_secret(stored: str, place: str) -> str:
    """Return the plain text of a secret that was stored in this column."""
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
    """Return True if a stored secret is empty or encrypted with the current key."""
    return not stored or (bool(SecretKeys.known) and stored.startswith(f"{PREFIX}{next(iter(SecretKeys.known))}:"))


class SecretField(TextField):
    """A column whose values are encrypted in the database."""

    @property
    def place(self) -> str:
        """Table and column, authenticated with each value, so that a value cannot be moved to another column."""
        return f"{self.model._meta.table_name}.{self.column_name}"  # noqa: SLF001  # as peewee names it

    def db_value(self, value: Any) -> Any:  # noqa: ANN401  # as peewee has it
        """Return the value to store."""
        return None if value is None else encrypt_secret(value, self.place)

    def python_value(self, value: Any) -> Any:  # noqa: ANN401
        """Return the plain text of a stored value."""
        return None if value is None else decrypt_secret(value, self.place)
