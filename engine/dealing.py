"""Cards that chance deals, and the lines that name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from engine.game import Action, Chance, Pick, S, Seal, Seat
from engine.notation import SEAT, word

Card = TypeVar("Card")


def deal_cards(pool: list[Card], count: int, pick: Pick) -> tuple[Card, ...]:
    """Take cards out of the pool, one pick each.

    Decks have no order: the pool must be in canonical order, so that a pick means the same card for everybody who
    verifies the match. The next card is not decided before it is drawn.
    """
    return tuple(pool.pop(pick(len(pool))) for _ in range(count))


def can_deal(pool: Iterable[Card], cards: Sequence[Card], count: int) -> bool:
    """Return True if some picks deal exactly these cards from the pool."""
    return len(cards) == count and Counter(cards) <= Counter(pool)


class DealToSeat(Action[S]):
    """A line of chance that names secret cards of a seat. Only that seat reads them before the match is over."""

    sealed = Seal.UNTIL_END
    to: int = word(SEAT)

    def owner(self, seat: Seat) -> Seat:
        return self.to


class OnePick(Chance[S]):
    """A step of chance whose line uses up one pick."""

    def picks(self, state: S) -> int:
        return 1
