"""Best of several matches: two people at a table of a knockout play until one of them cannot be caught any more.

The matches of a series are consecutive `pair` lines of one round, seats exchanged each time. To the rest of the format
a series is one table: `join_series` gives it the number of matches won as scores, and the places that follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from service.tournaments.formats.crosstable import How, Number, Pairing, SeatResult
from service.tournaments.formats.ladder import find_winner

BEST_OF = (1, 3, 5, 7)
BY_SEED, BY_SCORE = "seed", "score"
TIED_RULES = (BY_SEED, BY_SCORE)
"""Rules for a level series: the better seed advances, or the higher sum of scores and then the better seed."""


@dataclass(frozen=True, slots=True)
class SeriesRules:
    """Rules of a series: the number of matches, how many tied ones are replayed, and the rule for a level series."""

    best_of: int
    replay: int = 0
    tied: str = BY_SEED


def count_wins(matches: Sequence[Pairing]) -> dict[Number, int]:
    """Return how many matches of a series each of the two has won."""
    winners = [won[0] for won in map(find_winner, matches) if won is not None]
    return {number: winners.count(number) for number in matches[0].seats}


def is_decided(matches: Sequence[Pairing], rules: SeriesRules) -> bool:
    """Return True if all matches are over and no further one could change the winner.

    A tied match is replayed as often as the rules say. A further tie, or one that a ruling gave, uses up a match.
    """
    if not all(match.results for match in matches):
        return False
    ties = sum(find_winner(match) is None and _is_played_out(match) for match in matches)
    left = rules.best_of - (len(matches) - min(ties, rules.replay))
    one, other = count_wins(matches).values()
    return left <= 0 or abs(one - other) > left


def _is_played_out(match: Pairing) -> bool:
    return all(result.finished and result.how is not How.RULED for result in match.results)


def next_seats(matches: Sequence[Pairing]) -> tuple[Number, ...]:
    """Return the seats of the next match: those of the last one exchanged."""
    return matches[-1].seats[::-1]


def join_series(
    matches: Sequence[Pairing], rules: SeriesRules, *, is_over: bool, left: frozenset[Number] = frozenset()
) -> Pairing:
    """Return a series as one pairing. It has results once it is decided, or once its round `is_over`.

    Whoever has `left` an undecided series loses it. A level series without a winner by the rules is a tie.
    """
    first = matches[0]
    decided = is_decided(matches, rules)
    if first.is_bye or not (decided or is_over):
        return Pairing(first.seats, section=first.section)
    wins = count_wins(matches)
    last = dict(zip(matches[-1].seats, matches[-1].results, strict=True))
    gone = frozenset[Number]() if decided else left.intersection(first.seats)
    strength = {number: (number not in gone, wins[number], 0) for number in first.seats}
    if rules.tied == BY_SCORE:
        totals = _sum_scores(matches)
        strength = {number: (*rank[:2], totals[number]) for number, rank in strength.items()}
    best = max(strength.values())
    is_tie = set(strength.values()) == {best}

    def result_of(number: Number) -> SeatResult:
        place = 1 if strength[number] == best else 2
        if number in gone:
            return SeatResult(place, wins[number], How.FORFEIT)
        # The player who has won more matches advances, even if somebody else finished one of them.
        how = How.PLAYED if place == 1 and not is_tie else last[number].how
        return SeatResult(place, wins[number], how)

    return Pairing(first.seats, tuple(map(result_of, first.seats)), first.section)


def _sum_scores(matches: Sequence[Pairing]) -> dict[Number, int]:
    totals = dict.fromkeys(matches[0].seats, 0)
    for match in matches:
        for number, result in zip(match.seats, match.results, strict=False):
            totals[number] += result.score
    return totals
