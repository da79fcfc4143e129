"""The strong bot of Táin: it plays its candidates on to the end of the next round, by the quick policy."""

from __future__ import annotations

from functools import lru_cache

from engine.game import Action, Options, Pick, Seat
from engine.games.tain.bots import COST, mind, steady
from engine.games.tain.quick import quick
from engine.games.tain.rules import Put
from engine.games.tain.score import scores
from engine.games.tain.state import Tain
from engine.games.tain.tokens import KINGDOM, LETTERS, PASTURE, Tokens
from engine.games.tain.view import TainView
from engine.search import Candidate, SearchBot, final_lead, lead, rank
from engine.sums import add_up

AHEAD = 2
"""This round and the next one: right after a single round, a refilled screen looks better than it is."""
WIN = 5.0
"""Bonus for winning."""
TOKEN_SHARE = 0.5
PASS_WORTH = 0.5
POSTINGS = 6
"""Number of times that `steady` is asked which last guards it would post. There may be thousands of ways."""


def candidates(view: TainView, options: Options, pick: Pick) -> list[Candidate[Tain]]:
    """Return placements, the best first by the judgement of `steady`, and only one of those that are alike."""
    if view.phase == "free":
        return [(0.0, action) for action in options]
    if view.phase == "guards":
        return [(0.0, action) for action in dict.fromkeys(steady(view, options, pick) for _ in range(POSTINGS))]
    thought = mind(view)
    alike: dict[tuple[str, ...], Action[Tain]] = {}
    for action in options:
        alike.setdefault(_kind_of(view, action), action)
    return rank((thought.worth(action) if isinstance(action, Put) else PASS_WORTH, action) for action in alike.values())


def _kind_of(view: TainView, action: Action[Tain]) -> tuple[str, ...]:
    """Return a key for placements that are alike: gates of one side that look the same share it."""
    if not isinstance(action, Put) or action.place == KINGDOM:
        return (action.line,)
    gate = int(action.place[-1]) - 1
    board = LETTERS.index(action.place[0]) if len(action.place) > 1 else view.seat or 0
    clan = view.clans[board]
    return action.kind, str(board), str(gate < PASTURE), clan.owners[gate], clan.guards[gate], clan.scouts[gate]


def far_enough(before: Tain, now: Tain) -> bool:
    """Return True once the next round is over too."""
    return now.round >= before.round + AHEAD


@lru_cache(maxsize=1 << 12)
def stamina(tokens: Tokens) -> float:
    """Return the possible gain of tokens behind the screen before it is refilled."""
    return TOKEN_SHARE * add_up(COST[kind] for kind in tokens)


def worth(state: Tain, seat: Seat) -> float:
    """Return the lead over the best rival, with a bonus for winning.

    Before the end, tokens behind the screen count too.
    """
    counted = scores(state)
    if state.over:
        return final_lead(counted, seat, WIN)
    wealth = [score.total + stamina(tokens) for score, tokens in zip(counted, state.unused, strict=True)]
    return lead(wealth, seat)


strong = SearchBot(candidates, quick, far_enough, worth, playouts=400, width=48, trust=0.0)
