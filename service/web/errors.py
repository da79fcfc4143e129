"""Every error as RFC 9457 problem details, and a page for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask, Response, abort, g
from peewee import DatabaseError, InternalError
from werkzeug.exceptions import HTTPException

from service.db import connection as database
from service.db.connection import Down
from service.problems import KINDS, Problem
from service.web import auth
from service.web import errors_fault as fault
from service.web.middleware_logs import log
from service.web.pages import layout as sheet
from service.web.problem_pages import EXPLAINED
from service.web.request_context import chosen
from service.web.responses import json_answer

MEDIA = "application/problem+json"
RETRY = 5
PLAIN = (str, int, bool, list, dict, type(None))
STATUSES = {400: "bad-request", 404: "not-found", 405: "wrong-method", 406: "not-acceptable", 410: "gone"} | {
    413: "too-large",
    415: "wrong-media-type",
    503: "not-now",
}
FILLS: dict[str, Callable[[Problem], Mapping[str, Any]]] = {}
"""For a kind of problem, the function that makes its members from what the problem carries."""


def answered(problem: Problem) -> Response:
    """The answer that tells a problem."""
    more = dict(FILLS[problem.kind](problem)) if problem.kind in FILLS else dict(problem.more)
    retry = problem.more.get("retry_after")
    body = {
        "type": f"/problems/{problem.kind}",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        **{name: value for name, value in more.items() if name != "retry_after" and isinstance(value, PLAIN)},
    }
    response = fault.page(problem) if fault.wanted() else json_answer(body, problem.status, media=MEDIA)
    if retry is not None:
        response.headers["Retry-After"] = str(retry)
    if problem.status == 401:  # noqa: PLR2004  # RFC 9110 asks for it
        wrong = ', error="invalid_token"' if problem.kind == "wrong-token" else ""
        response.headers["WWW-Authenticate"] = f'Bearer realm="echtra"{wrong}'
    response.headers["Cache-Control"] = "no-store"
    return response


def _http(error: HTTPException) -> Response:
    if error.code is not None and error.code < 400:  # noqa: PLR2004  # a redirect is no problem
        return error.get_response()  # type: ignore[return-value]
    kind = STATUSES.get(error.code or 500, "server-error" if (error.code or 500) >= 500 else "bad-request")  # noqa: PLR2004
    response = answered(Problem(kind, _said(error, kind)))
    if error.code == 405 and getattr(error, "valid_methods", None):  # noqa: PLR2004
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))  # type: ignore[attr-defined]
    return response


def _said(error: HTTPException, kind: str) -> str:
    if kind == "not-found":
        return "Nothing is at this address, or it is not for you to see."
    return error.description or KINDS[kind][1]


def _down(error: Exception) -> Response:
    """The database cannot be reached, or has no room to write."""
    number = g.get("request_id")
    log.error("database", request=number, reason=type(error).__name__, error=str(error).strip())
    log.debug("database", request=number, exc_info=error)
    database.forget()
    return answered(Problem("not-now", "The database cannot do this right now; nothing was kept.", retry_after=RETRY))


def _unexpected(error: Exception) -> Response:
    who = auth.maybe()
    log.error("fault", request=g.get("request_id"), player=who.player if who else None, exc_info=error)
    if isinstance(error, DatabaseError):
        database.forget()
    return answered(
        Problem("server-error", "This is our fault and was noted; the header X-Request-Id names it.", retry_after=RETRY)
    )


def install(app: Flask) -> None:
    """Let every error of this application be answered as a problem."""
    app.register_error_handler(Problem, answered)
    app.register_error_handler(HTTPException, _http)
    for kind in (*Down, InternalError):
        app.register_error_handler(kind, _down)
    app.register_error_handler(Exception, _unexpected)
    app.add_url_rule("/problems/<kind>", "problem_page", page)
    app.add_url_rule("/problems/", "problem_list", listing)


def page(kind: str) -> Response:
    """What a kind of problem means and what to do about it."""
    if kind not in KINDS:
        abort(404)
    locale = chosen()
    status, title = KINDS[kind]
    text = EXPLAINED[kind]
    named = title if locale == "en" else text.titre
    told = text.en if locale == "en" else text.fr
    return sheet.page("problem.html", kind=kind, code=status, title=named, told=told)


def listing() -> Response:
    """All kinds of problems."""
    locale = chosen()
    kinds = [
        (kind, status, title if locale == "en" else EXPLAINED[kind].titre) for kind, (status, title) in KINDS.items()
    ]
    return sheet.page("problems.html", kinds=kinds)
