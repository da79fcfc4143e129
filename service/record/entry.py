"""One entry of a record, as far as its reader may see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.record.canonical_json import JsonObject
from service.record.signed_text import split_alternatives

CHANCE, HOUSE = -1, -2
SEAT_OF_KIND = {"chance": CHANCE, "house": HOUSE}


@dataclass(frozen=True)
class MailAttestation:
    """Server attestation of the email that made a line."""

    door: str
    raw: str
    received: int
    verdict: str


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry: open with its `line` and `salt`, or redacted with `shown` alone."""

    seq: int
    seat: int
    at: int
    by: str
    commit: str
    hash: str
    line: str = ""
    salt: str = ""
    shown: str = ""
    asked: int = 0
    n: int = 0
    key: str = ""
    signature: str = ""
    text: str | None = None
    orders: bool = False
    mail: MailAttestation | None = None

    @property
    def redacted(self) -> bool:
        """True if the reader may not see the line yet."""
        return not self.salt

    @property
    def kind(self) -> str:
        """`chance`, `house`, `bot`, `signed` or `mail`."""
        return self.by.partition(" ")[0]

    @property
    def maker(self) -> str:
        """The name of the bot, or the hash of the signature or of the email's attestation."""
        return self.by.partition(" ")[2]

    @property
    def alternatives(self) -> tuple[str, ...]:
        """Lines that the player named in order of preference; only the line itself if there was just one."""
        return (self.line,) if self.text is None else split_alternatives(self.text)


def read(row: JsonObject) -> Entry:
    """Return the entry of an `entry` line whose fields have been checked."""
    values: dict[str, Any] = {name: value for name, value in row.items() if name not in {"type", "mail"}}
    mail: Any = row.get("mail")
    return Entry(**values, mail=None if mail is None else MailAttestation(**mail))
