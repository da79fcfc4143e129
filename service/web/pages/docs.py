"""The API in a browser: `/docs`, with everything served by us, and `/openapi.json`."""

from __future__ import annotations

from flask import Blueprint, Response, current_app

from service.web.openapi import document
from service.web.pages import layout
from service.web.responses import json_response

DOCS_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
blueprint = Blueprint("docs", __name__)


@blueprint.get("/openapi.json")
def serve_openapi() -> Response:
    """The OpenAPI document."""
    known = current_app.extensions
    if "echtra-document" not in known:
        known["echtra-document"] = document.build_document(current_app._get_current_object())  # type: ignore[attr-defined]  # noqa: SLF001
    return json_response(known["echtra-document"])


@blueprint.get("/docs")
def show_docs() -> Response:
    """The document, to be read and tried."""
    response = layout.render_page("docs.html")
    response.headers["Content-Security-Policy"] = DOCS_CSP
    return response
