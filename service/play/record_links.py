"""Signed links to the record of one finished match: valid for a year, and for that record only."""

from __future__ import annotations

import hmac
import re

from service.config import Config
from service.db import server_secrets
from service.timestamps import DAY, now

LIFETIME_DAYS = 366
TOKEN_FORM = re.compile(r"([a-z2-9]{16})([0-9a-f]{5})([a-z2-7]{16})")


def make_token(match: str) -> str:
    """Return the token of a link to the record of this match: match, expiry day and signature."""
    until = f"{now() // DAY + LIFETIME_DAYS:05x}"
    return match + until + _sign(match, until)


def url(match: str, config: Config) -> str:
    """Return a link to the record of this match."""
    return f"{config.url}/records/{make_token(match)}"


def find_match(token: str) -> str | None:
    """Return the match whose record this link shows, or None if the token is invalid or expired."""
    found = TOKEN_FORM.fullmatch(token)
    if found is None or not hmac.compare_digest(found[3], _sign(found[1], found[2])):
        return None
    return found[1] if now() // DAY <= int(found[2], 16) else None


def _sign(match: str, until: str) -> str:
    return server_secrets.sign_link("record-link", f"{match}\n{until}")
