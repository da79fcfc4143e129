"""The demo account: ready to play, with its token and key in files that only the owner can read.

It exists only where nobody else can use it: on loopback, without a mail server.
"""

from __future__ import annotations

import hmac
import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from service.accounts import players, signing_keys, tokens
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.record.keys import PublicKey, public_key_of
from service.timestamps import now


@dataclass(frozen=True)
class DemoAccount:
    """An account that can play at once."""

    player: str
    token: str
    token_file: Path
    key: str
    """The id of its key."""
    key_file: Path


def ensure_demo_account(config: Config, language: str = "en") -> DemoAccount:
    """Return the demo account. Create it, or any part of it that is missing."""
    folder = config.data / "demo"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    token_file, key_file = folder / "token", folder / "key.pem"
    with write_transaction():
        player = _ensure_player(language)
        token = _ensure_token(player, token_file)
        key = _ensure_key(player, key_file)
    return DemoAccount(player, token, token_file, key.id, key_file)


def retire_demo_account(config: Config) -> None:
    """Revoke the tokens and keys of an earlier demo account, because others can reach the service now."""
    at = now()
    with write_transaction():
        for table in ("token", "signing_key"):
            execute(
                f"update {table} set revoked_at = ? where revoked_at is null "  # noqa: S608  # our own tables
                "and player in (select id from player where demo)",
                at,
            )
    for name in ("token", "key.pem"):
        (config.data / "demo" / name).unlink(missing_ok=True)


def _ensure_player(language: str) -> str:
    accounts = rows(
        "select id from player where demo and address is null and deleted_at is null order by created_at limit 1"
    )
    for (id_,) in accounts:
        return str(id_)
    player = players.create(name="Demo", language=language, zone="UTC", at=now())
    execute("update player set demo = ?, letters = 'none' where id = ?", True, player.id)
    return player.id


def _ensure_token(player: str, file: Path) -> str:
    with suppress(OSError, ValueError):
        text = file.read_text(encoding="ascii").strip()
        _, id_, secret = text.split("_", 2)
        hashes = rows("select hash from token where id = ? and player = ? and revoked_at is null", id_, player)
        if hashes and hmac.compare_digest(hashes[0][0], sha256(secret.encode()).hexdigest()):
            return text
    made = tokens.issue(player, "demo", ("play", "organise")).text
    _write_private_file(file, f"{made}\n".encode())
    return made


def _ensure_key(player: str, file: Path) -> PublicKey:
    with suppress(OSError, ValueError, TypeError):
        private = load_pem_private_key(file.read_bytes(), password=None)
        if isinstance(private, Ed25519PrivateKey):
            key = public_key_of(private)
            if not rows("select 1 from signing_key where id = ? and revoked_at is not null", key.id):
                signing_keys.add(player, key, "demo")
                return key
    private = Ed25519PrivateKey.generate()
    signing_keys.add(player, public_key_of(private), "demo")
    _write_private_file(file, private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return public_key_of(private)


def _write_private_file(file: Path, data: bytes) -> None:
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as made:
        made.write(data)
        made.flush()
        os.fsync(made.fileno())
