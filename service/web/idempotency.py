"""Idempotency-Key: a creation sent twice happens once; its answer is stored for 48 hours, in the same transaction.

An answer may contain a token. It is encrypted with a key derived from the Idempotency-Key, of which only a hash is
stored: the database alone reveals neither.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from flask import Response, current_app, request
from flask_smorest import Blueprint
from peewee import Expression

from service.db.connection import try_lock, write_transaction
from service.db.models.accounts import IdempotencyRow
from service.db.secret_encryption import NONCE_BYTES, derive_key
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import HOUR, now
from service.web import auth, json_body

KEEP_MS = 48 * HOUR
KEY_PATTERN = re.compile(r"[\x21-\x7e]{1,200}")
STORED_HEADERS = ("Location", "Content-Type", "Link")
P = ParamSpec("P")
Returned = TypeVar("Returned")
_busy_keys: set[tuple[str, str]] = set()
_lock = Lock()


def once(view: Callable[P, Returned]) -> Callable[P, Returned | Response]:
    """Run a creation with an Idempotency-Key once, and answer repetitions with the stored answer."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> Returned | Response:
        given = request.headers.get("Idempotency-Key")
        if given is None:
            return view(*args, **kwargs)
        key = _read_key(given)
        stored = _load_response(key)
        if stored is not None:
            return stored
        with _KeyLock(key):
            return _run_and_store(key, lambda: view(*args, **kwargs))

    documented: Callable[P, Returned | Response] = Blueprint.doc(**{"x-idempotent": True})(guarded)
    return documented


@dataclass(frozen=True)
class KeyOfRequest:
    """The key of a request: its owner, its hash, a fingerprint of the request, and the cipher of its answer."""

    scope: str
    hash: str
    mark: str
    cipher: ChaCha20Poly1305

    @property
    def row(self) -> Expression:
        """Condition for the row of this key."""
        return (IdempotencyRow.player == self.scope) & (IdempotencyRow.key == self.hash)


def _read_key(given: str) -> KeyOfRequest:
    """Return the key of the current request."""
    if KEY_PATTERN.fullmatch(given) is None:
        raise Problem("bad-request", msg("requests.key_form"))
    mark = sha256(
        f"{request.method} {request.full_path}\n".encode() + json_body.read_bytes(json_body.MOST_BYTES)
    ).hexdigest()
    who = auth.current_caller()
    cipher = derive_key(given.encode(), b"echtra-idempotency-v1")
    if who is not None:
        hidden = sha256(f"{who.player}\n{given}".encode()).hexdigest()
        return KeyOfRequest(who.player, hidden, mark, cipher)
    # Anonymous clients share no keys: a key is valid only for the same request from the same address.
    hidden = sha256(f"{request.remote_addr}\n{given}\n{mark}".encode()).hexdigest()
    return KeyOfRequest("", hidden, mark, cipher)


def _load_response(key: KeyOfRequest) -> Response | None:
    stored = IdempotencyRow.get_or_none(key.row)
    if stored is None or stored.at <= now() - KEEP_MS:
        return None
    if stored.print != key.mark:
        raise Problem("other-request", msg("requests.key_of_another"))
    response = Response(_decrypt(stored.body, key), stored.status, json.loads(stored.headers))
    response.headers["Idempotency-Replayed"] = "true"
    return response


def _encrypt(body: str, key: KeyOfRequest) -> str:
    nonce = os.urandom(NONCE_BYTES)
    return b64encode(nonce + key.cipher.encrypt(nonce, body.encode(), key.mark.encode())).decode()


def _decrypt(stored: str, key: KeyOfRequest) -> str:
    data = b64decode(stored)
    return key.cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], key.mark.encode()).decode()


def _run_and_store(key: KeyOfRequest, view: Callable[[], Any]) -> Response:
    at = now()
    with write_transaction():
        _lock_key_in_database(key)
        stored = _load_response(key)
        if stored is not None:
            return stored
        response = current_app.make_response(view())
        kept = {name: response.headers[name] for name in STORED_HEADERS if name in response.headers}
        IdempotencyRow.delete().where(key.row | (IdempotencyRow.at <= at - KEEP_MS)).execute()
        IdempotencyRow.create(
            player=key.scope,
            key=key.hash,
            print=key.mark,
            status=response.status_code,
            headers=json.dumps(kept),
            body=_encrypt(response.get_data(as_text=True), key),
            at=at,
        )
    return response


def _lock_key_in_database(key: KeyOfRequest) -> None:
    """Lock the key, so that other processes see that it is being answered."""
    number = int.from_bytes(sha256(f"{key.scope}\n{key.hash}".encode()).digest()[:8], "big", signed=True)
    if not try_lock(number):
        raise _in_progress_problem()


class _KeyLock:
    """Lock on a key within this process."""

    def __init__(self, key: KeyOfRequest) -> None:
        self.name = (key.scope, key.hash)

    def __enter__(self) -> None:
        with _lock:
            if self.name in _busy_keys:
                raise _in_progress_problem()
            _busy_keys.add(self.name)

    def __exit__(self, *_: object) -> None:
        with _lock:
            _busy_keys.discard(self.name)


def _in_progress_problem() -> Problem:
    return Problem("in-progress", msg("requests.key_in_use"), retry_after=1)
