"""Receipts as letters print them: one field a line, so that they can be copied into a verifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.words import Locale
from service.i18n.catalogue import say
from service.mail.letters.blocks import Block, Fine, Heading, Plain

HALF = 64
FIELDS = (
    "type",
    "match",
    "seat",
    "player",
    "seq",
    "hash",
    "seed",
    "nonce",
    "keys",
    "at",
    "signatures",
    "server",
    "signature",
)


def receipt(given: Mapping[str, Any], locale: Locale) -> list[Block]:
    """The foot of a confirmation."""
    lines: list[str] = []
    for field in FIELDS:
        if field in given:
            value = str(given[field])
            lines.append(f"{field}: {value[:HALF]}")
            lines += [" " * (len(field) + 2) + value[at : at + HALF] for at in range(HALF, len(value), HALF)]
    return [Heading(say(locale, "receipt")), Fine(say(locale, "receipt.why")), Plain("\n".join(lines))]
