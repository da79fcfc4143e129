"""The page behind the link in the first email. It shows a button; only pressing it changes anything."""

from __future__ import annotations

import json

from flask import Blueprint, Response

from service.accounts import players
from service.db.models.matches import MatchRow
from service.mail.incoming import lobby_commands
from service.problems import Problem
from service.web.pages import layout
from service.web.request_context import current_config, page_locale, to_locale

blueprint = Blueprint("confirm_address", __name__)


@blueprint.get("/confirm/<code>")
def show_confirmation(code: str) -> Response:
    """Show whose registration this is, and the button."""
    try:
        known = players.pending_registration(code)
    except Problem as problem:
        return _render_page(problem.status, state="gone")
    if known.used_at is not None:
        return _render_page(200, state="done", match=_find_match(known.player, code))
    wanted = json.loads(known.payload)
    return _render_page(200, state="ask", name=wanted["name"], address=known.address, language=wanted["language"])


@blueprint.post("/confirm/<code>")
def confirm(code: str) -> Response:
    """Confirm the address."""
    try:
        player = players.confirm(code)
    except Problem as problem:
        return _render_page(problem.status, state="gone")
    match = _find_match(player.id, code)
    return _render_page(200, state="done", name=player.name, language=player.language, match=match)


def _find_match(player: str | None, code: str) -> MatchRow | None:
    """Return the match requested with the registration, creating it if necessary, or None."""
    wish = lobby_commands.find_wish(code.partition("-")[0])
    if not wish or player is None:
        return None
    made = lobby_commands.grant_wish(players.find(player), wish, current_config())
    return MatchRow.get_or_none(MatchRow.id == made) if made else None


def _render_page(
    status: int,
    *,
    state: str,
    name: str = "",
    address: str = "",
    language: str = "",
    match: MatchRow | None = None,
) -> Response:
    return layout.render_private_page(
        "confirm.html",
        status,
        locale=to_locale(language) if language else page_locale(),
        state=state,
        name=name,
        address=address,
        match=match,
        mail_from=current_config().mail_from,
        game=lobby_commands.DEFAULT_GAME,
    )
