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


class ChallengeRefused(ValueError):
    """A challenge that is not allowed now. `reason` is the code of the rule."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class LadderRules:
    """Rules of a ladder: places up that may be challenged, and the limit of open challenges made, and received."""

    reach: int
    at_once: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge of an entrant above."""

    challenger: Number
    challenged: Number


def first_order(ratings: Iterable[tuple[Number, int]], lots: Sequence[Number]) -> tuple[Number, ...]:
    """Return the first order of the ladder: by rating, then by the draw."""
    place = lot_places(lots)
    ordered = sorted(ratings, key=lambda entrant: (-entrant[1], place.get(entrant[0], len(place)), entrant[0]))
    return tuple(number for number, _ in ordered)


def add_entrant(order: Sequence[Number], number: Number) -> tuple[Number, ...]:
    """Return the ladder with a newcomer at the bottom."""
    return (*order, number) if number not in order else tuple(order)


def remove_entrant(order: Sequence[Number], number: Number) -> tuple[Number, ...]:
    """Return the ladder without an entrant. Everybody below moves up one."""
    return tuple(other for other in order if other != number)


def check_challenge(
    order: Sequence[Number],
    challenge: Challenge,
    rules: LadderRules,
    *,
    open_challenges: Iterable[Challenge] = (),
    recent: Iterable[tuple[Number, Number]] = (),
) -> None:
    """Raise `ChallengeRefused` for a challenge that the rules do not allow.

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
    if above > rules.reach:
        raise ChallengeRefused("beyond-reach")
    if any({each.challenger, each.challenged} == {one, other} for each in now):
        raise ChallengeRefused("open-already")
    if sum(each.challenger == one for each in now) >= rules.at_once:
        raise ChallengeRefused("too-many-made")
    if sum(each.challenged == other for each in now) >= rules.at_once:
        raise ChallengeRefused("too-many-received")
    if any({one, other} == set(pair) for pair in recent):
        raise ChallengeRefused("too-soon")


def find_winner(pairing: Pairing) -> Number | None:
    """Return the winner of a ladder match, or None for a draw or if nobody finished."""
    if len(pairing.results) != TWO_SEATS:
        return None
    first, second = pairing.results
    one, other = pairing.seats
    if first.finished != second.finished:
        return one if first.finished else other
    if not first.finished or first.place == second.place:
        return None
    return one if first.place < second.place else other


def apply_win(order: Sequence[Number], winner: Number, loser: Number) -> tuple[Number, ...]:
    """Return the ladder after a match: the winner takes the better place, those in between move down one."""
    if winner not in order or loser not in order:
        return tuple(order)
    best = min(order.index(winner), order.index(loser))
    others = [number for number in order if number != winner]
    return (*others[:best], winner, *others[best:])


def apply_result(order: Sequence[Number], pairing: Pairing) -> tuple[Number, ...]:
    """Return the ladder after a finished pairing."""
    winner = find_winner(pairing)
    if winner is None:
        return tuple(order)
    loser = next(number for number in pairing.seats if number != winner)
    return apply_win(order, winner, loser)
