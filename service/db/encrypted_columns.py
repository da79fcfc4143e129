"""The encrypted columns: checking the key, and encrypting everything with a new key."""

from __future__ import annotations

from service.db.connection import execute, rows, write_transaction
from service.db.secret_encryption import (
    CHECK,
    PREFIX,
    SecretKeys,
    WrongSecretKey,
    decrypt_secret,
    encrypt_secret,
    is_encrypted_now,
)

COLUMNS = (
    ("secret", "name", "value"),
    ("server_key", "id", "private"),
    ("match", "id", "seed"),
    ("tournament", "id", "seed"),
    ("tournament", "id", "deals"),
    ("hook", "id", "secret"),
    ("hook", "id", "private"),
    ("hook", "id", "old_secret"),
)
"""Table, key and column of all secrets."""
BATCH_SIZE = 500
SELECT_CHECK = "select value from secret where name = ?"
INSERT_CHECK = "insert into secret (name, value) values (?, ?) on conflict (name) do nothing"


def stored_fingerprint() -> str:
    """Return the fingerprint of the key that the database uses, or an empty string."""
    found = rows(SELECT_CHECK, CHECK)
    return str(found[0][0]).removeprefix(PREFIX).partition(":")[0] if found else ""


def check_key() -> None:
    """Raise `WrongSecretKey` if this process cannot decrypt the database. The first key is recorded."""
    found = rows(SELECT_CHECK, CHECK)
    if found:
        decrypt_secret(str(found[0][0]), "secret.value")
    elif SecretKeys.known:
        with write_transaction():
            execute(INSERT_CHECK, CHECK, encrypt_secret(CHECK, "secret.value"))


def count_unencrypted() -> int:
    """Count the secrets that are stored in plain text or under an older key."""
    current, total = _current_prefix(), 0
    for table, _, column in COLUMNS:
        ((count,),) = rows(f"select count(*) from {table} where {_is_unencrypted(column, current)}", current)  # noqa: S608  # our own words
        total += int(count)
    return total


def _current_prefix() -> str:
    """Return the prefix of secrets that are encrypted with the current key."""
    return f"{PREFIX}{next(iter(SecretKeys.known), '-')}:"


def _is_unencrypted(column: str, current: str) -> str:
    """Return the condition for secrets without the current prefix, with `?` for it."""
    return f"{column} <> '' and substr({column}, 1, {len(current)}) <> ?"


def _select_unencrypted(table: str, key: str, column: str) -> list[tuple[str, str]]:
    current = _current_prefix()
    condition = _is_unencrypted(column, current)
    sql = f"select {key}, {column} from {table} where {condition} order by {key} limit ?"  # noqa: S608  # our own words
    return [(row, value) for row, value in rows(sql, current, BATCH_SIZE)]


def encrypt_everything() -> int:
    """Encrypt all secrets with the current key. Return how many. A row changed at the same time keeps that change."""
    if not SecretKeys.known:
        raise WrongSecretKey("-")
    return sum(_encrypt_column(*column) for column in COLUMNS)


def _encrypt_column(table: str, key: str, column: str) -> int:
    place, count = f"{table}.{column}", 0
    update = f"update {table} set {column} = ? where {key} = ? and {column} = ?"  # noqa: S608  # our own words
    while batch := _select_unencrypted(table, key, column):
        with write_transaction():
            for row, value in batch:
                if not is_encrypted_now(value):
                    count += execute(update, encrypt_secret(decrypt_secret(value, place), place), row, value)
    return count
