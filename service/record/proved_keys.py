"""Keys that are proved to belong to a seat's player: those from the start, and those that such a key signed for.

A key that a line of the house gave to the seat is attested, not proved, until a proved key signs for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class ProvedKeys:
    """The proved keys of each seat, updated as the log is read."""

    def __init__(self, seats: Sequence[Iterable[str]]) -> None:
        self._seats = [set(keys) for keys in seats]

    def is_proved(self, seat: int, key: str) -> bool:
        """Return True if this key's signatures for the seat are proved, not only attested."""
        return key in self._seats[seat]

    def take_seat(self, seat: int, keys: Iterable[str]) -> None:
        """Start over with these keys for a new occupant of the seat; a bot has none."""
        self._seats[seat] = set(keys)

    def sign_for(self, seat: int, signer: str, keys: Iterable[str]) -> None:
        """Record that a key of the seat has signed these as its keys."""
        if signer in self._seats[seat]:
            self._seats[seat].update(keys)
