"""Ladder: an order in which everybody may challenge entrants a few places above.

The winner takes the better of the two places, and those in between move down one. There is no clock here: the caller
passes the open challenges and the pairs who met too recently.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from service.tournaments.formats.crosstable import TWO_SEATS, Number, Pairing, lot_places

Refusal: TypeAlias = Literal[
    "not-on-the-ladder", "own-place", "not-above", "beyond-reach", "open-already", "too-many-made", "too-many-received",
    "too-soon",
]  # fmt: skip


Strength: TypeAlias = tuple[int, int]
"""Strength of an entrant before the first result: place in the seed order by hand, negative, and rating."""


class ChallengeRefused(ValueError):
    """A challenge that is not allowed now. `reason` is the code of the rule."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge of an entrant above."""

    challenger: Number
    challenged: Number


def first_order(strengths: Iterable[tuple[Number, Strength]], lots: Sequence[Number]) -> tuple[Number, ...]:
    """Return the first order of the ladder: by seed order and rating, then by the draw."""
    place = lot_places(lots)
    ordered = sorted(
        strengths,
        key=lambda entrant: (*(-value for value in entrant[1]), place.get(entrant[0], len(place)), entrant[0]),
    )
    return tuple(number for number, _ in ordered)


def put_last(order: Sequence[Number], number: Number) -> tuple[Number, ...]:
    """Return the ladder with an entrant who comes, or comes back, at the bottom."""
    return (*(other for other in order if other != number), number)


def check_challenge(
    order: Sequence[Number],
    challenge: Challenge,
    *,
    reach: int,
    at_once: int,
    open_challenges: Iterable[Challenge] = (),
    recent: Iterable[tuple[Number, Number]] = (),
) -> None:
    """Raise `ChallengeRefused` for a challenge that the rules do not allow.

    `reach` is the number of places up that may be challenged, `at_once` the limit of open challenges.
    Challenges made and received are counted separately, so that friends cannot shield a place by challenging it.
    `recent` has the pairs who may not meet again yet, in either order.
    """
    one, other = challenge.challenger, challenge.challenged
    now = tuple(open_challenges)
    if one not in order or other not in order:
        raise ChallengeRefused("not-on-the-ladder")
    above = order.index(one) - order.index(other)
    if above == 0:
        raise ChallengeRefused("own-place")
    if above < 0:
        raise ChallengeRefused("not-above")
    if above > reach:
        raise ChallengeRefused("beyond-reach")
    if any({each.challenger, each.challenged} == {one, other} for each in now):
        raise ChallengeRefused("open-already")
    if sum(each.challenger == one for each in now) >= at_once:
        raise ChallengeRefused("too-many-made")
    if sum(each.challenged == other for each in now) >= at_once:
        raise ChallengeRefused("too-many-received")
    if any({one, other} == set(pair) for pair in recent):
        raise ChallengeRefused("too-soon")


def find_winner(pairing: Pairing) -> tuple[Number, Number] | None:
    """Return the winner and the loser of a ladder match, or None for a draw or if nobody finished."""
    if len(pairing.results) != TWO_SEATS:
        return None
    first, second = pairing.results
    if first.finished == second.finished and (not first.finished or first.place == second.place):
        return None
    one, other = pairing.seats
    has_won = first.finished and (not second.finished or first.place < second.place)
    return (one, other) if has_won else (other, one)


def apply_result(order: Sequence[Number], pairing: Pairing) -> tuple[Number, ...]:
    """Return the ladder after a match: the winner takes the better place, those in between move down one."""
    winner, loser = find_winner(pairing) or (None, None)
    if winner is None or winner not in order or loser not in order:
        return tuple(order)
    best = min(order.index(winner), order.index(loser))
    others = [number for number in order if number != winner]
    return (*others[:best], winner, *others[best:])
