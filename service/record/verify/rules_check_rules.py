"""What a verifier asks of the rules of a game; the record itself knows none."""

from __future__ import annotations

from typing import Protocol

from service.record.entry import Entry
from service.record.header import Header


class Rules(Protocol):
    """The game beside a record whose bytes are in order; each method may raise `Refused("rules", "…")`."""

    def begin(self, header: Header, viewer: str, seed: bytes | None) -> None:
        """Called once: `viewer` is a seat's number, `-` or `all`; the seed is there once the match is over."""

    def entry(self, entry: Entry) -> None:
        """Called for each entry in order.

        Open: the line must be listed, picks must be the seed's, of `entry.alternatives` the line must be the first
        listed, after `now` the seat's question must stand since `entry.asked`, and scores of the house are its own.
        Redacted: `entry.shown` must be what the game shows this viewer.
        """

    def over(self) -> None:
        """Called after the last entry: the match must be over if and only if there was a seed."""
