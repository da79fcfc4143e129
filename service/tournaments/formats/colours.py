"""Seats of a Swiss match of two: colour preferences and their allocation, FIDE C.04.3 articles 1.6 and 5.

Seat 0 plays white. A history is a text such as `wbbw`: the colours of the matches played, oldest first.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.tournaments.formats.crosstable import Number

WHITE, BLACK, EITHER = "w", "b", ""
OTHER = {WHITE: BLACK, BLACK: WHITE, EITHER: EITHER}
ABSOLUTE, STRONG, MILD, NONE = 3, 2, 1, 0
_WIDE = 2


@dataclass(frozen=True, slots=True)
class ColourPreference:
    """The colour an entrant should get, the strength of the preference, and the number of whites minus blacks."""

    colour: str
    strength: int
    difference: int


def find_preference(history: str) -> ColourPreference:
    """Return the preference after these matches.

    It is absolute after two of the same colour or with a difference of two, strong with a difference of one, else mild.
    """
    if not history:
        return ColourPreference(EITHER, NONE, 0)
    difference = history.count(WHITE) - history.count(BLACK)
    last = history[-1]
    if history.endswith(last * _WIDE):
        return ColourPreference(OTHER[last], ABSOLUTE, difference)
    if difference:
        strength = ABSOLUTE if abs(difference) >= _WIDE else STRONG
        return ColourPreference(BLACK if difference > 0 else WHITE, strength, difference)
    return ColourPreference(OTHER[last], MILD, difference)


def clash_absolutely(one: str, other: str) -> bool:
    """Return True if both must get the same colour. Only topscorers of a last round may then still meet."""
    first, second = find_preference(one), find_preference(other)
    return first.strength == second.strength == ABSOLUTE and first.colour == second.colour


def denial_cost(one: ColourPreference, other: ColourPreference) -> int:
    """Return the cost of giving two entrants different colours: 0, or more for a stronger preference denied."""
    if one.colour != other.colour or one.colour == EITHER:
        return 0
    if (one.strength, abs(one.difference)) > (other.strength, abs(other.difference)):
        one = other
    return one.strength * one.strength + abs(one.difference)


def allocate_white(higher: tuple[Number, str], lower: tuple[Number, str], first: str) -> tuple[Number, Number]:
    """Return two entrants as white and black (article 5.2).

    Each comes with a history, the higher ranked first. `first` is the colour of the higher if neither has a preference.
    """
    number, history = higher
    colour = _colour_of_higher(history, lower[1]) or first
    return (number, lower[0]) if colour == WHITE else (lower[0], number)


def first_colour(number: int, *, odd_begin_white: bool) -> str:
    """Return the colour of an entrant without matches (5.2.5): odd numbers get the initial colour, even the other."""
    return WHITE if (number % 2 == 1) == odd_begin_white else BLACK


def _colour_of_higher(history: str, other_history: str) -> str:
    one, other = find_preference(history), find_preference(other_history)
    if one.colour != other.colour:
        # Both preferences are granted (5.2.1), or the only one there is.
        return one.colour or OTHER[other.colour]
    if one.strength != other.strength:
        return one.colour if one.strength > other.strength else OTHER[other.colour]
    if one.strength == ABSOLUTE and abs(one.difference) != abs(other.difference):
        return one.colour if abs(one.difference) > abs(other.difference) else OTHER[other.colour]
    # Both now get the colour they did not have when their colours last differed (5.2.3).
    for mine, theirs in zip(reversed(history), reversed(other_history), strict=False):
        if mine != theirs:
            return theirs
    return one.colour
