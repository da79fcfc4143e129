"""The link in the email about a new device. It shows a button; only pressing it stops the device."""

from __future__ import annotations

from flask import Blueprint, Response

from service.accounts import device_links, players
from service.db.models.accounts import SigningKeyRow
from service.mail.letters.account import name_device
from service.matches import key_revocation
from service.web.pages import layout
from service.web.request_context import page_locale, to_locale

blueprint = Blueprint("devices", __name__)


@blueprint.get("/devices/<text>")
def show_device(text: str) -> Response:
    """Show which device it is, and the button."""
    key = device_links.find(text)
    if key is None:
        return _render_page(404, key, "gone")
    return _render_page(200, key, "ask" if key.revoked_at is None else "done")


@blueprint.post("/devices/<text>")
def stop_device(text: str) -> Response:
    """Revoke the key and the token that enrolled it. Safe to repeat."""
    key = device_links.find(text)
    if key is None:
        return _render_page(404, key, "gone")
    if key.revoked_at is None:
        key_revocation.stop_device(key)
    return _render_page(200, key, "done")


def _render_page(status: int, key: SigningKeyRow | None, state: str) -> Response:
    """Return a page in the language of the email's recipient, if known."""
    locale = to_locale(players.find(key.player).language) if key is not None else page_locale()
    device = name_device(key, locale) if key is not None else ""
    return layout.render_private_page("device.html", status, locale=locale, state=state, device=device)
