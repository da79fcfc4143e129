"""The strong bot of Keltis: it plays its candidates on for some turns, by the quick policy."""

from __future__ import annotations

from engine.game import Options, Pick, Seat
from engine.games.keltis.bots import draw_value, hope, play_value
from engine.games.keltis.quick import final_total, promised_total, quick
from engine.games.keltis.rules import Keltis, Last
from engine.games.keltis.short import best
from engine.games.keltis.view import KeltisView
from engine.search import Candidate, SearchBot, lead, rank

AHEAD = 4
"""Number of turns of every seat that are played on."""
WIN = 5.0
"""Bonus for winning; before the end, a lead of CLEAR points gets almost as much."""
CLEAR = 12.0


def candidates(view: KeltisView, options: Options, pick: Pick) -> list[Candidate[Keltis]]:  # noqa: ARG001  # no ties by lot
    """Return plays or draws, the best first by the judgement of `steady`.

    Of the last cards only the best answer is returned, since its points can simply be counted.
    """
    if view.phase == "last":
        return [(0.0, best(view, options))]
    judge, hoped = draw_value if view.phase == "draw" else play_value, hope(view)
    return rank((judge(view, hoped, action), action) for action in options)


def far_enough(before: Keltis, now: Keltis) -> bool:
    """Return True once every seat has had its turns, or only last cards are left to lay."""
    return now.turn >= before.turn + AHEAD * now.seats or ending(now)


def ending(state: Keltis) -> bool:
    """Return True if only last cards are left to lay."""
    return not state.agenda or isinstance(state.agenda[0], Last)


def worth(state: Keltis, seat: Seat) -> float:
    """Return the lead over the best rival, counted or estimated, with a bonus for winning."""
    over = ending(state)
    totals = [final_total(state, at) if over else promised_total(state, at) for at in range(state.seats)]
    ahead = lead(totals, seat)
    return ahead + WIN * max(-1.0, min(1.0, ahead if over else ahead / CLEAR))


strong = SearchBot(candidates, quick, far_enough, worth, playouts=400, width=6, trust=12.0)
