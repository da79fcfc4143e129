"""The strong bot of Bardwood Grove: it plays its candidates on for two rounds, as `steady` would."""

from __future__ import annotations

from engine.game import Action, Options, Pick, Seat, legal
from engine.games.bardwood_grove.bots.line_values import (
    ACOUSTIC,
    BOAT_SPACE,
    CAPTURED,
    COIN,
    STONE,
    SUNG,
    VOLUME,
    future,
    line_worth,
)
from engine.games.bardwood_grove.bots.steady import VALUES, best_line, choose_line, judge_moves
from engine.games.bardwood_grove.rules.actions import Move
from engine.games.bardwood_grove.rules.score import scores
from engine.games.bardwood_grove.rules.song_actions import DONE, Lower, Swell
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.games.bardwood_grove.view import BardwoodView
from engine.search import Candidate, SearchBot, final_lead, lead, rank

AHEAD = 2
"""Number of rounds that are played on."""
WIN = 5.0
"""Bonus for winning."""
SILENCE = -1.0
"""Prior value of ending the song: `steady` sings on while a line is worth more than this."""


def candidates(view: BardwoodView, options: Options, pick: Pick) -> list[Candidate[Bardwood]]:  # noqa: ARG001  # no lot
    """Return the lines, the best first by the judgement of `steady`."""
    listed, state, seat = tuple(options), view.table, view.asked[0]
    if len(listed) == 1:
        return [(0.0, listed[0])]
    if isinstance(listed[0], Move):
        return rank(judge_moves(state, seat, listed))
    value = VALUES.get(type(listed[0]))
    if value:
        return rank((value(state, seat, action), action) for action in listed)
    best = best_line(state, seat, listed)[0]
    if isinstance(best, Lower | Swell):
        return [(0.0, best)]
    worths = ((line_worth(state, seat, action), action) for action in listed if action != DONE)
    return rank([*((points - sung * SUNG, action) for (points, sung), action in worths if points > 0), (SILENCE, DONE)])


def policy(state: Bardwood, seat: Seat, pick: Pick) -> Action[Bardwood]:  # noqa: ARG001  # it leaves nothing to chance
    """Choose like `steady`."""
    return choose_line(state, seat, tuple(legal(state, seat)))


def far_enough(before: Bardwood, now: Bardwood) -> bool:
    """Return True once the seat whose turn it was has a turn again after some rounds."""
    return now.round >= before.round + AHEAD and now.turn == before.turn


def worth(state: Bardwood, seat: Seat) -> float:
    """Return the lead over the best rival, with a bonus for winning.

    Before the end, everything that a seat can still turn into points counts too.
    """
    counted = scores(state)
    if state.over:
        return final_lead(counted, seat, WIN)
    return lead([score.total + means(state, other) for other, score in enumerate(counted)], seat)


def means(state: Bardwood, seat: Seat) -> float:
    """Return the points that coins, stones, volume, boat and captured crests may still bring."""
    player = state.players[seat]
    lasting = player.coins * COIN + player.acoustic * ACOUSTIC + player.range * STONE + player.captured * CAPTURED
    return future(state) * (lasting + player.volume * VOLUME + player.boat * BOAT_SPACE)


strong = SearchBot(candidates, policy, far_enough, worth, playouts=48, width=4, trust=4.0)
