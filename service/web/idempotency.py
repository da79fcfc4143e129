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

from service.db.connection import is_postgres, rows, run, writing
from service.problems import Problem
from service.timestamps import now
from service.web import auth
from service.web import json_body as body

KEPT = 48 * 3_600_000
KEY = re.compile(r"[\x21-\x7e]{1,200}")
SHOWN = ("Location", "Content-Type", "Link")
View = TypeVar("View", bound=Callable[..., Any])
_busy: set[tuple[str, str]] = set()
_lock = Lock()


def once(view: View) -> View:
    """Let a creation with an Idempotency-Key happen once, and answer its repetitions with the same answer."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401  # as the view has it
        given = request.headers.get("Idempotency-Key")
        if given is None:
            return view(*args, **kwargs)
        scope, key, mark = _scope(given)
        stored = _stored(scope, key, mark)
        if stored is not None:
            return stored
        with _alone(scope, key):
            return _stored(scope, key, mark) or _made(scope, key, mark, lambda: view(*args, **kwargs))

    doc = deepcopy(getattr(view, "_apidoc", {}))
    doc.setdefault("manual_doc", {})["x-idempotent"] = True
    guarded._apidoc = doc  # type: ignore[attr-defined]  # noqa: SLF001  # where flask-smorest looks
    return guarded  # type: ignore[return-value]


def _scope(given: str) -> tuple[str, str, str]:
    """Whose key it is, the key, and the mark of the request it belongs to."""
    if KEY.fullmatch(given) is None:
        raise Problem("bad-request", "An Idempotency-Key has 1 to 200 visible ASCII characters.")
    mark = sha256(f"{request.method} {request.full_path}\n".encode() + body.sized(body.MOST)).hexdigest()
    who = auth.maybe()
    if who is not None:
        return who.player, given, mark
    # Strangers share no names: their keys count only for the same request from the same address.
    return "", sha256(f"{request.remote_addr}\n{given}\n{mark}".encode()).hexdigest(), mark


def _stored(scope: str, key: str, mark: str) -> Response | None:
    found = rows("select print, status, headers, body, at from idempotency where player = ? and key = ?", scope, key)
    if not found or found[0][4] <= now() - KEPT:
        return None
    known, status, headers, text, _ = found[0]
    if known != mark:
        raise Problem(
            "other-request", "This Idempotency-Key came with another request; take a new key for a new thing."
        )
    response = Response(text, status, json.loads(headers))
    response.headers["Idempotency-Replayed"] = "true"
    return response


def _made(scope: str, key: str, mark: str, view: Callable[[], Any]) -> Response:
    at = now()
    with writing():
        if is_postgres():
            _claim(scope, key)
            stored = _stored(scope, key, mark)
            if stored is not None:
                return stored
        response = current_app.make_response(view())
        kept = {name: response.headers[name] for name in SHOWN if name in response.headers}
        run("delete from idempotency where (player = ? and key = ?) or at <= ?", scope, key, at - KEPT)
        run(
            "insert into idempotency (player, key, print, status, headers, body, at) values (?, ?, ?, ?, ?, ?, ?)",
            scope,
            key,
            mark,
            response.status_code,
            json.dumps(kept),
            response.get_data(as_text=True),
            at,
        )
    return response


def _claim(scope: str, key: str) -> None:
    """Other processes see that this key is being answered."""
    number = int.from_bytes(sha256(f"{scope}\n{key}".encode()).digest()[:8], "big", signed=True)
    if not rows("select pg_try_advisory_xact_lock(?)", number)[0][0]:
        raise _in_progress()


class _alone:  # noqa: N801  # reads as a word: with _alone(...)
    """Only one request of this process at a time has this key."""

    def __init__(self, scope: str, key: str) -> None:
        self.name = (scope, key)

    def __enter__(self) -> None:
        with _lock:
            if self.name in _busy:
                raise _in_progress()
            _busy.add(self.name)

    def __exit__(self, *_: object) -> None:
        with _lock:
            _busy.discard(self.name)


def _in_progress() -> Problem:
    return Problem(
        "in-progress", "A request with this Idempotency-Key is being answered; ask again in a moment.", retry_after=1
    )
