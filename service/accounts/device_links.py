"""Links in emails that revoke a device's key. Anyone who has the email can press the button; nobody else can."""

from __future__ import annotations

import hmac
import re

from service.accounts import signing_keys
from service.config import Config
from service.db import server_secrets
from service.db.models.accounts import SigningKeyRow
from service.problems import Problem

TOKEN_FORM = re.compile(r"([a-z0-9]{12,32})\.([A-Za-z0-9_-]{43})\.([a-z2-7]{26})")


def url(player: str, key: str, config: Config) -> str:
    """Return the link that revokes this key."""
    return f"{config.url}/devices/{player}.{key}.{_sign(player, key)}"


def _sign(player: str, key: str) -> str:
    return server_secrets.sign_link("devices", f"{player}.{key}", 26)


def find(text: str) -> SigningKeyRow | None:
    """Return the key that this link revokes, or None if the link is not valid."""
    found = TOKEN_FORM.fullmatch(text)
    if found is None or not hmac.compare_digest(found[3], _sign(found[1], found[2])):
        return None
    try:
        return signing_keys.find(found[1], found[2])
    except Problem:
        return None
