"""Problems as a page, for whoever came with a browser; programs get problem details."""

from __future__ import annotations

from flask import Response, g, request

from service.problems import Problem
from service.web.pages import layout as sheet
from service.web.problem_pages import EXPLAINED
from service.web.request_context import chosen

HTML = "text/html"
PLAIN = ("application/problem+json", "application/json", HTML)


def wanted() -> bool:
    """Whether a page is the better answer: the client prefers HTML, and this is not the API."""
    return not request.path.startswith("/v1/") and request.accept_mimetypes.best_match(PLAIN) == HTML


def page(problem: Problem) -> Response:
    """The page that tells a problem."""
    told = EXPLAINED[problem.kind]
    title, text = (told.titre, told.fr) if chosen() == "fr" else (problem.title, told.en)
    return sheet.page(
        "fault.html", problem.status, title=title, told=text, code=problem.status, request_id=g.get("request_id", "")
    )
