"""Search bot: it plays its best lines on in tables it can imagine, and takes the most successful one.

This is a flat Monte Carlo search over determinised tables, with common chance for all candidates and the budget shared
out by sequential halving: some dozens of playouts, each guided by estimates, are too few to grow a tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.chance import SPAN, stretched_pick
from engine.game import CHANCE, Action, Options, Pick, S, Sample, Score, Seat, Thinker, apply, to_act
from engine.playout import roll_chance


def final_lead(scores: Sequence[Score], seat: Seat, win: float) -> float:
    """Return the lead of a seat at the end over its best rival, with a bonus for winning, ties broken."""
    ranks = [(score.total, score.ties) for score in scores]
    best = max(rank for other, rank in enumerate(ranks) if other != seat)
    return ranks[seat][0] - best[0] + win * ((ranks[seat] > best) - (ranks[seat] < best))


def lead(totals: Sequence[float], seat: Seat) -> float:
    """Return the lead of a seat over its best rival."""
    return totals[seat] - max(total for other, total in enumerate(totals) if other != seat)


Candidate = tuple[float, Action[S]]
"""A line with its prior value, in the points of `SearchBot.worth`."""


def rank(candidates: Iterable[Candidate[S]]) -> list[Candidate[S]]:
    """Sort candidates by their prior value, the best first. Values are rounded; equals stay in their order."""
    return sorted(((round(value, 9), action) for value, action in candidates), key=lambda pair: -pair[0])


@dataclass(frozen=True)
class SearchBot(Thinker[S]):
    """Bot that compares its candidates in the same imagined tables and drops the worse half, until one is left."""

    candidates: Callable[[Any, Options, Pick], Sequence[Candidate[S]]]
    """Return the lines to compare for this view, the best first, each with the prior value of a simple judgement."""
    policy: Callable[[S, Seat, Pick], Action[S]]
    """Choose for a seat in an imagined table, from what that seat may see."""
    far_enough: Callable[[S, S], bool]
    """Return True if a table that was played on can be judged. One that is over always can."""
    worth: Callable[[S, Seat], float]
    """Return how good a table is for a seat."""
    playouts: int
    """Number of tables played on for one line. This is the whole budget: a verifier could not recompute a time limit.
    """
    width: int
    """Maximum number of candidates to compare."""
    trust: float
    """Weight of the prior value: it counts as much as this many playouts of the line."""

    def choose(self, view: Any, options: Options, sample: Sample[S], pick: Pick) -> Action[S]:  # noqa: ANN401
        """Return the most successful candidate.

        Every choice on the way comes from the picks, so anyone can recompute it.
        """
        priors, lines = zip(*self.candidates(view, options, pick)[: self.width], strict=True)
        rounds = max(1, (len(lines) - 1).bit_length())
        totals = {at: self.trust * prior for at, prior in enumerate(priors)}
        while len(totals) > 1:
            for _ in range(max(1, self.playouts // (rounds * len(totals)))):
                # All candidates get the same deal and the same luck, so that only the line makes a difference.
                seed = pick(SPAN)
                for at in totals:
                    picks = stretched_pick(seed)
                    totals[at] += self.playout(sample(picks), view.seat, lines[at], picks)
            # Rounded, because the last bits of a float are not the same everywhere; equals stay in their order.
            ranked = sorted(totals, key=lambda at: (-round(totals[at], 6), at))
            totals = {at: totals[at] for at in sorted(ranked[: (len(ranked) + 1) // 2])}
        best: Action[S] = lines[next(iter(totals))]
        return best

    def playout(self, table: S, seat: Seat, action: Action[S], pick: Pick) -> float:
        """Return the worth of the action in one table."""
        state = apply(table, seat, action)
        while not self.far_enough(table, state) and (asked := to_act(state)):
            actor = min(asked)
            state = apply(
                state, actor, roll_chance(state, pick) if actor == CHANCE else self.policy(state, actor, pick)
            )
        return self.worth(state, seat)
