"""Bodies of the ledger of letters, and of mail that a provider hands over."""

from __future__ import annotations

from service import shapes


class KeptShown(shapes.Shape):
    """How much of it was for us."""

    kept: int = shapes.number("For how many of our addresses the message is kept; 0 if it names none of them.", 1)
