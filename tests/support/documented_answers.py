"""A client that checks every answer of the API against the OpenAPI document: its status, its body and its headers."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

DOCUMENT: dict[str, Any] = json.loads((Path(__file__).parents[2] / "openapi" / "openapi.json").read_text("utf-8"))
EVERYWHERE = frozenset({"content-type", "content-length", "date"})
UNDOCUMENTED_STATUSES = frozenset({404, 405, 406})
"""Statuses of requests to an unknown address, or with the wrong method."""


class DocumentedClient(FlaskClient):
    """Fails on an answer that the document does not describe."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:  # noqa: ANN401  # as werkzeug has it
        """Send a request, and check its answer."""
        answer = super().open(*args, **kwargs)
        check_answer(answer)
        return answer


def check_answer(answer: TestResponse) -> None:
    """Fail unless the document describes such an answer."""
    request = answer.request
    found = _find_operation(request.method.lower(), request.path)
    if found is None or (answer.is_streamed and answer.mimetype == "text/event-stream"):
        return
    path, method = found
    where = f"{request.method} {path} answers {answer.status_code}"
    told = _find_response(path, method, answer.status_code)
    if told is None:
        assert answer.status_code in UNDOCUMENTED_STATUSES, f"{where}, which the document does not name"
        return
    missing = {name.lower() for name, _ in answer.headers} - {name.lower() for name in told["headers"]} - EVERYWHERE
    assert not missing, f"{where} with {sorted(missing)}, which the document does not name"
    if answer.status_code == 304 or not told.get("content"):
        return
    media = answer.mimetype or ""
    assert media in told["content"], f"{where} as {media}"
    if media.endswith("json") and request.method != "HEAD":
        fault = next(_validator(path, method, answer.status_code, media).iter_errors(answer.json), None)
        assert fault is None, f"{where}: {fault}"


def forget_document() -> None:
    """Clear the cached parts of the document, for a test that replaces it."""
    for cached in (_find_operation, _find_response, _validator):
        cached.cache_clear()


@cache
def _find_operation(method: str, path: str) -> tuple[str, str] | None:
    method = "get" if method == "head" else method
    for template, item in DOCUMENT["paths"].items():
        pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template))
        if method in item and re.fullmatch(pattern, path):
            return template, method
    return None


@cache
def _find_response(path: str, method: str, status: int) -> dict[str, Any] | None:
    found: dict[str, Any] | None = DOCUMENT["paths"][path][method]["responses"].get(str(status))
    if found is not None and "$ref" in found:
        return dict(DOCUMENT["components"]["responses"][found["$ref"].rpartition("/")[2]])
    return found


@cache
def _validator(path: str, method: str, status: int, media: str) -> Any:  # noqa: ANN401  # what the library makes
    told = _find_response(path, method, status)
    assert told is not None
    schema = {**told["content"][media]["schema"], "components": {"schemas": DOCUMENT["components"]["schemas"]}}
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
