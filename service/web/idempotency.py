"""Idempotency-Key: a creation sent twice happens once; its answer is kept 48 hours, in its own transaction."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from hashlib import sha256
from threading import Lock
from typing import Any, TypeVar

from flask import Response, current_app, request

from service.db.connection import try_lock, write_transaction
from service.db.models.accounts import IdempotencyRow
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import HOUR, now
from service.web import auth, json_body

KEEP_MS = 48 * HOUR
KEY_PATTERN = re.compile(r"[\x21-\x7e]{1,200}")
STORED_HEADERS = ("Location", "Content-Type", "Link")
View = TypeVar("View", bound=Callable[..., Any])
_busy_keys: set[tuple[str, str]] = set()
_lock = Lock()


def once(view: View) -> View:
    """Let a creation with an Idempotency-Key happen once, and answer its repetitions with the same answer."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # as the view has it
        given = request.headers.get("Idempotency-Key")
        if given is None:
            return view(*args, **kwargs)
        scope, key, mark = _read_key(given)
        stored = _load_response(scope, key, mark)
        if stored is not None:
            return stored
        with _KeyLock(scope, key):
            return _run_and_store(scope, key, mark, lambda: view(*args, **kwargs))

    doc = deepcopy(getattr(view, "_apidoc", {}))
    doc.setdefault("manual_doc", {})["x-idempotent"] = True
    guarded._apidoc = doc  # type: ignore[attr-defined]  # noqa: SLF001  # where flask-smorest looks
    return guarded  # type: ignore[return-value]


def _read_key(given: str) -> tuple[str, str, str]:
    """Whose key it is, the key, and the mark of the request it belongs to."""
    if KEY_PATTERN.fullmatch(given) is None:
        raise Problem("bad-request", msg("requests.key_form"))
    mark = sha256(
        f"{request.method} {request.full_path}\n".encode() + json_body.read_bytes(json_body.MOST_BYTES)
    ).hexdigest()
    who = auth.current_caller()
    if who is not None:
        return who.player, given, mark
    # Strangers share no names: their keys count only for the same request from the same address.
    return "", sha256(f"{request.remote_addr}\n{given}\n{mark}".encode()).hexdigest(), mark


def _load_response(scope: str, key: str, mark: str) -> Response | None:
    stored = IdempotencyRow.get_or_none((IdempotencyRow.player == scope) & (IdempotencyRow.key == key))
    if stored is None or stored.at <= now() - KEEP_MS:
        return None
    if stored.print != mark:
        raise Problem("other-request", msg("requests.key_of_another"))
    response = Response(stored.body, stored.status, json.loads(stored.headers))
    response.headers["Idempotency-Replayed"] = "true"
    return response


def _run_and_store(scope: str, key: str, mark: str, view: Callable[[], Any]) -> Response:
    at = now()
    with write_transaction():
        _lock_key_in_database(scope, key)
        stored = _load_response(scope, key, mark)
        if stored is not None:
            return stored
        response = current_app.make_response(view())
        kept = {name: response.headers[name] for name in STORED_HEADERS if name in response.headers}
        same = (IdempotencyRow.player == scope) & (IdempotencyRow.key == key)
        IdempotencyRow.delete().where(same | (IdempotencyRow.at <= at - KEEP_MS)).execute()
        IdempotencyRow.create(
            player=scope,
            key=key,
            print=mark,
            status=response.status_code,
            headers=json.dumps(kept),
            body=response.get_data(as_text=True),
            at=at,
        )
    return response


def _lock_key_in_database(scope: str, key: str) -> None:
    """Let other processes see that this key is being answered."""
    number = int.from_bytes(sha256(f"{scope}\n{key}".encode()).digest()[:8], "big", signed=True)
    if not try_lock(number):
        raise _in_progress_problem()


class _KeyLock:
    """Only one request of this process at a time has this key."""

    def __init__(self, scope: str, key: str) -> None:
        self.name = (scope, key)

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
