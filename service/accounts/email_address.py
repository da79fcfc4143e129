"""Mail addresses: one way to write each, and only those a letter can reach."""

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
    """A text that is no mail address we can write to."""


def canonicalise(text: str) -> str:
    """The address as we keep and compare it."""
    address = text.strip().lower()
    if FORM.fullmatch(address) is None or len(address.partition("@")[0]) > MOST_LOCAL:
        raise BadEmailAddress("This is not a mail address of the form name@example.org.")
    return address


def keyed_hash(address: str) -> str:
    """What is kept of an address that nobody has confirmed: enough to count, not to read."""
    return hmac.new(server_secrets.get_secret("address"), address.encode(), "sha256").hexdigest()
