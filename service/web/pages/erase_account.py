"""Erasing an account: only with a new emailed code, so that nobody can do it in a browser left open."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.wrappers import Response as AnyResponse

from service.accounts import sign_in_codes
from service.i18n.catalogue import translate
from service.matches import erasure
from service.problems import Problem
from service.web import rate_limits, session
from service.web.pages import layout
from service.web.pages.enter import CLEAR_ALL, read_code
from service.web.request_context import current_config, current_player, page_locale

blueprint = Blueprint("erase_account", __name__, url_prefix="/settings/erase")


blueprint.before_request(layout.require_session)


@blueprint.get("")
def show_question() -> Response:
    """Say what will be lost, and ask."""
    return _render_page(200)


@blueprint.post("")
def send_code() -> Response:
    """Send a code, and ask for it."""
    me = current_player()
    if me.address is None:
        return _render_page(409, wrong=translate(page_locale(), "site.erase.no_address"))
    rate_limits.count_registration()
    return _render_page(200, request_id=sign_in_codes.request_code(me.address, me.language).id)


@blueprint.post("/code")
def erase() -> AnyResponse:
    """Erase the account if the code is right."""
    me, asked = current_player(), request.form.get("request", "")
    try:
        entered = sign_in_codes.check_code(asked, me.address or "", read_code())
    except Problem as problem:
        left = problem.more.get("tries_left")
        key = "site.enter.wrong_code" if left else "site.enter.code_gone"
        wrong = translate(page_locale(), key, count=left or 0)
        return _render_page(422 if left else 410, request_id=asked if left else "", wrong=wrong)
    if entered.player != me.id:
        return _render_page(403, wrong=translate(page_locale(), "site.enter.code_gone"))
    remains = erasure.erase_player(me.id)
    response = layout.render_page("erased.html", remains=remains, signed_out=True)
    session.clear_cookie(response, current_config())
    response.headers["Clear-Site-Data"] = CLEAR_ALL
    return response


def _render_page(status: int, *, request_id: str = "", wrong: str = "") -> Response:
    return layout.render_private_page("erase.html", status, me=current_player(), request_id=request_id, wrong=wrong)
