"""Email addresses: one normal form for each, and only those that an email can reach."""

from __future__ import annotations

import hmac
import re

from service.db import server_secrets

FORM = re.compile(
    r"(?=.{3,254}$)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)
MOST_LOCAL = 64


class BadEmailAddress(ValueError):
    """Not an email address that we can write to."""


def canonicalise(text: str) -> str:
    """Return the address in the form that is stored and compared."""
    address = text.strip().lower()
    if FORM.fullmatch(address) is None or len(address.partition("@")[0]) > MOST_LOCAL:
        raise BadEmailAddress("This is not a mail address of the form name@example.org.")
    return address


def keyed_hash(address: str) -> str:
    """Return a keyed hash of an unconfirmed address: enough to count requests without revealing the address."""
    return hmac.new(server_secrets.get_secret("address"), address.encode(), "sha256").hexdigest()
