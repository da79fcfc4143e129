"""Jobs and emails about the seats of matches."""

from __future__ import annotations

from service.jobs.payloads import JobPayload, LetterJob, OwnSeatLetter, PlayerLetter, optional


class RevokeRetiredKey(JobPayload, topic="retire"):
    """Revoke the key of a device that was signed out, once none of its orders wait."""

    player: str
    key: str


class GrantClaim(JobPayload, topic="claim"):
    """Allow a key to play if its player has not objected."""

    player: str
    key: str


class WithdrawErasedPlayer(JobPayload, topic="erased"):
    """Withdraw an erased player from all tournaments."""

    player: str


class HandOverMatches(JobPayload, topic="hand-over"):
    """Give the running matches of a guest to the account that the guest has signed in to."""

    guest: str
    player: str


class InvitationLetter(LetterJob, kind="invitation"):
    """Offer somebody a seat."""

    invitation: str
    again: bool = optional(default=False)
    """True if an earlier answer was not understood."""
    asked: bool = optional(default=False)
    """True if they wrote to us first."""
    language: str = optional(default="")
    """The language they wrote in, if it is known."""
    in_reply_to: str = optional(default="")


class CancelledLetter(PlayerLetter, kind="cancelled"):
    """Tell a player, or everybody who waited if `player` is empty, that a match did not find enough players."""

    match: str
    player: str = optional(default="")


class SeatedLetter(OwnSeatLetter, kind="seated"):
    """Tell a player that an organiser gave them a seat."""

    by: str


class UnseatedLetter(OwnSeatLetter, kind="unseated"):
    """Tell a player that an organiser took their seat away."""

    by: str


class ClaimLetter(PlayerLetter, kind="claim"):
    """Ask a player whether a device may play where moves are signed."""

    key: str
    due: int
    seats: tuple[tuple[str, int], ...]


class ClaimSeatLetter(OwnSeatLetter, kind="claim-seat"):
    """Tell the other players of a match that a device asks to play there."""

    claimer: int
    due: int


class OfferLetter(OwnSeatLetter, kind="offer"):
    """Tell a player that somebody offers to end or to cancel the match."""

    offer: str


class OfferDeclinedLetter(OwnSeatLetter, kind="offer-declined"):
    """Tell a player that their offer was declined."""

    offer: str
