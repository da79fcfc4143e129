"""Ladder: an order of entrants in which everybody may challenge those a few places above.

The winner takes the better of both places as they are then, and those between move down one. Time is not known here:
the caller says which challenges are open and who met too recently.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from service.tournaments.formats.crosstable import TWO_SEATS, Number, Pairing

Refusal: TypeAlias = Literal[
    "not-on-the-ladder", "own-place", "not-above", "beyond-reach", "open-already", "too-many-made", "too-many-received",
    "too-soon",
]  # fmt: skip


class ChallengeRefused(ValueError):
    """A challenge that may not be made now; `reason` says why."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class LadderRules:
    """How many places up one may challenge, and how many challenges one may have made, and received, at once."""

    reach: int
    at_once: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """Somebody challenges somebody above."""

    challenger: Number
    challenged: Number


def first_order(ratings: Iterable[tuple[Number, int]], lots: Sequence[Number]) -> tuple[Number, ...]:
    """The ladder at its beginning: by rating, then by the draw."""
    place = {number: at for at, number in enumerate(lots)}
    last = len(place)
    ordered = sorted(ratings, key=lambda each: (-each[1], place.get(each[0], last), each[0]))
    return tuple(number for number, _ in ordered)


def add_entrant(order: Sequence[Number], number: Number) -> tuple[Number, ...]:
    """The ladder with a newcomer at the bottom."""
    return (*order, number) if number not in order else tuple(order)


def remove_entrant(order: Sequence[Number], number: Number) -> tuple[Number, ...]:
    """The ladder without somebody who withdrew; everybody below moves up one."""
    return tuple(each for each in order if each != number)


def check_challenge(
    order: Sequence[Number],
    challenge: Challenge,
    rules: LadderRules,
    *,
    open_challenges: Iterable[Challenge] = (),
    recent: Iterable[tuple[Number, Number]] = (),
) -> None:
    """Refuse a challenge that the rules do not allow.

    Challenges made and received are counted apart, so that friends cannot shield a place by challenging it. `recent`
    holds the pairs who may not meet again yet, in either order.
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
    """Who won a match of the ladder; nobody if it was level or nobody came."""
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
    """The ladder after a match: the winner takes the better of both places, those between move down one."""
    if winner not in order or loser not in order:
        return tuple(order)
    best = min(order.index(winner), order.index(loser))
    others = [number for number in order if number != winner]
    return (*others[:best], winner, *others[best:])


def apply_result(order: Sequence[Number], pairing: Pairing) -> tuple[Number, ...]:
    """The ladder after a pairing that is over."""
    winner = find_winner(pairing)
    if winner is None:
        return tuple(order)
    loser = next(number for number in pairing.seats if number != winner)
    return apply_win(order, winner, loser)
