"""The page behind an emailed link with a code too long to type. It shows the code and changes nothing."""

from __future__ import annotations

from flask import Blueprint, Response

from service.accounts import token_codes
from service.web.pages import layout

blueprint = Blueprint("login_link", __name__)


@blueprint.get("/code/<text>")
def show_code(text: str) -> Response:
    """Show the code of a link while it is valid, and what to do with it."""
    request, _, secret = text.partition("-")
    good = token_codes.is_link_good(text)
    status = 200 if good else 410
    return layout.render_private_page("code.html", status, good=good, request_id=request, secret=secret)
