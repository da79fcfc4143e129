"""Bodies for email that a provider delivers."""

from __future__ import annotations

from service import shapes


class KeptShown(shapes.Shape):
    """How much of it was addressed to us."""

    kept: int = shapes.number("For how many of our addresses the message was stored; 0 if it names none of them.", 1)
