"""Errors as RFC 9457 problem details, and as pages for people."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, request
from peewee import DatabaseError, InternalError
from werkzeug.exceptions import HTTPException

from engine.words import Locale
from service.db import connection
from service.db.connection import DatabaseDown
from service.i18n.catalogue import Message, msg
from service.problems import KINDS, Problem
from service.record.canonical_json import JsonObject
from service.web.middleware import RequestRecord, current_record, log
from service.web.pages import layout
from service.web.problem_pages import list_problem_kinds, show_problem_kind
from service.web.request_context import page_locale, response_locale
from service.web.responses import json_text_response, to_json

HTML_MEDIA_TYPE = "text/html"
ERROR_MEDIA_TYPES = ("application/problem+json", "application/json", HTML_MEDIA_TYPE)


def prefers_html() -> bool:
    """Return True if the client prefers HTML and this is not the API."""
    return (
        not request.path.startswith("/v1/")
        and request.accept_mimetypes.best_match(ERROR_MEDIA_TYPES) == HTML_MEDIA_TYPE
    )


PAGE_FAULTS = (
    *("forbidden", "gone", "not-found", "not-now", "server-error", "sign-in-first", "too-large", "too-many-requests"),
)
"""Kinds of problems with their own text on pages; for others pages say that the request was not understood."""


EXPLAINED_FAULTS = ("forbidden", "sign-in-first")
"""Kinds whose own detail is written for people too."""


def error_page(problem: Problem) -> Response:
    """Return the page that tells people what went wrong and what to do next."""
    fault = problem.kind if problem.kind in PAGE_FAULTS else "other"
    return layout.render_page(
        "fault.html",
        problem.status,
        fault=fault,
        told=problem.detail_in(page_locale()) if fault in EXPLAINED_FAULTS else "",
        wait=problem.more.get("retry_after"),
        again=request.method == "GET" and problem.more.get("retry_after") is not None,
        code=problem.status,
        request_id=current_record().request_id,
    )


PROBLEM_MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = 5
JSON_TYPES = (str, int, bool, list, dict, type(None))
KIND_OF_STATUS = {400: "bad-request", 404: "not-found", 405: "wrong-method", 406: "not-acceptable", 410: "gone"} | {
    413: "too-large",
    415: "wrong-media-type",
    503: "not-now",
}
MEMBER_BUILDERS: dict[str, Callable[[Problem, Locale], JsonObject]] = {}
"""For some kinds of problems, a function that builds their members from the objects they carry, in this language."""


def render_problem(problem: Problem, locale: Locale) -> tuple[str, dict[str, str]]:
    """Return a problem as JSON, and its headers. Works inside and outside of Flask."""
    build = MEMBER_BUILDERS.get(problem.kind)
    more = problem.more if build is None else build(problem, locale)
    body = {
        "type": f"/problems/{problem.kind}",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        **{name: value for name, value in more.items() if name != "retry_after" and isinstance(value, JSON_TYPES)},
    }
    headers = {"Content-Type": PROBLEM_MEDIA_TYPE}
    if problem.more.get("retry_after") is not None:
        headers["Retry-After"] = str(problem.more["retry_after"])
    if problem.status == 401:  # noqa: PLR2004  # RFC 9110 asks for it
        wrong = ', error="invalid_token"' if problem.kind == "wrong-token" else ""
        headers["WWW-Authenticate"] = f'Bearer realm="echtra"{wrong}'
    return to_json(body), {**headers, "Cache-Control": "no-store"}


def problem_response(problem: Problem) -> Response:
    """Return Flask's response for a problem: JSON or a page."""
    text, headers = render_problem(problem, response_locale())
    media = headers.pop("Content-Type")
    if not prefers_html():
        return json_text_response(text, problem.status, headers, media)
    response = error_page(problem)
    response.headers.update(headers)
    return response


def _handle_http_error(error: HTTPException) -> Response:
    if error.code is not None and error.code < 400:  # noqa: PLR2004  # a redirect is no problem
        return error.get_response()  # type: ignore[return-value]
    kind = KIND_OF_STATUS.get(error.code or 500, "server-error" if (error.code or 500) >= 500 else "bad-request")  # noqa: PLR2004
    response = problem_response(Problem(kind, _error_detail(error, kind)))
    if error.code == 405 and getattr(error, "valid_methods", None):  # noqa: PLR2004
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))  # type: ignore[attr-defined]
    return response


def _error_detail(error: HTTPException, kind: str) -> Message:
    """Return the message of a framework's own error; its text is English only."""
    if kind == "not-found":
        return msg("requests.not_at_address")
    return msg("requests.http_error", description=error.description or KINDS[kind][1])


def problem_of_error(error: Exception, record: RequestRecord) -> Problem:
    """Log an error that is not the client's, and return its problem. Works inside and outside of Flask."""
    if isinstance(error, (*DatabaseDown, InternalError)):
        return _database_problem(error, record)
    log.error(
        "fault", request=record.request_id, player=record.caller.player if record.caller else None, exc_info=error
    )
    if isinstance(error, DatabaseError):
        connection.drop_connections()
    return Problem(
        "server-error",
        msg("requests.our_fault"),
        retry_after=RETRY_AFTER_SECONDS,
    )


def _database_problem(error: Exception, record: RequestRecord) -> Problem:
    """Return the problem for a database that cannot be reached or has no space."""
    log.error("database", request=record.request_id, reason=type(error).__name__, error=str(error).strip())
    log.debug("database", request=record.request_id, exc_info=error)
    connection.drop_connections()
    return Problem("not-now", msg("requests.database_down"), retry_after=RETRY_AFTER_SECONDS)


def _handle_error(error: Exception) -> Response:
    return problem_response(problem_of_error(error, current_record()))


def register_error_handlers(app: Flask) -> None:
    """Answer every error of this application as a problem."""
    app.register_error_handler(Problem, problem_response)
    app.register_error_handler(HTTPException, _handle_http_error)
    app.register_error_handler(Exception, _handle_error)
    app.add_url_rule("/problems/<kind>", "problem_page", show_problem_kind)
    app.add_url_rule("/problems/", "problem_list", list_problem_kinds)
