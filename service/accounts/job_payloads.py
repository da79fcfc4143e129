"""Jobs and emails about accounts."""

from __future__ import annotations

from service.jobs.payloads import JobPayload, LetterJob, PlayerLetter, optional


class GrantWish(JobPayload, topic="wish"):
    """Make or join the match that a new player asked for before they had an account."""

    player: str
    new: str
    """The request in the words of an email, for example the arguments of `new`."""


class RemoveRevokedKey(JobPayload, topic="revoke"):
    """Remove a revoked key from every seat of its player."""

    player: str
    key: str


class ConfirmLetter(LetterJob, kind="confirm"):
    """Ask whether an address belongs to the person who registered with it."""

    address: str
    code: str
    path: str
    name: str
    language: str
    zone: str
    wish: str = ""
    by_mail: bool = False
    """True if they registered by email."""
    again: bool = optional(default=False)
    """True if an earlier answer was not understood."""
    last: bool = False
    """True if no further answer will be sent today."""
    in_reply_to: str = optional(default="")
    player: None = None


class RegisteredLetter(PlayerLetter, kind="registered"):
    """Tell a player who registers again that they have an account."""


class TokenCodeLetter(PlayerLetter, kind="code"):
    """Send the code for a new API token."""

    request: str
    code: str
    minutes: int
    path: str = ""
    """URL of the page that shows the code, if the code is too long to type."""


class SignInCodeLetter(LetterJob, kind="enter"):
    """Send the code that signs a browser in, to a player or to an `address` without an account."""

    player: str | None
    address: str
    language: str
    code: str
    minutes: int
    path: str = ""


class DigestLetter(PlayerLetter, kind="digest"):
    """Send the daily digest for the hour `slot`, or with `every` list all matches that wait for the player."""

    slot: int
    every: bool = optional(default=False)
