"""Figures that `echtra simulate` reports of a match: rounds, songs, points by source, wins by bard and by place."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from engine.game import Count, winners
from engine.games.bardwood_grove.rules.board import LEGEND_LEVEL
from engine.games.bardwood_grove.rules.score import scores
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.log import Log


def figures(log: Log, state: Bardwood) -> Mapping[str, float]:
    """Return rounds, songs a seat, mean points by source, and 1 or 0 for each bard and place that won."""
    people = state.people
    found: dict[str, float] = {
        "rounds": state.round,
        "songs": fmean(state.players[seat].songs for seat in people),
    }
    counted = scores(state)
    for source in ("gems", "crests", "cards", "legends", "muse"):
        if source != "muse" or state.muse:
            found[f"points-{source}"] = fmean(points_of(counted[seat].counts, source) for seat in people)
    first = winners(log.game, state)
    share = 1 / len(first) if first else 0.0
    won = {seat: share if seat in first else 0.0 for seat in people}
    found |= {f"win-place-{(seat - state.starter) % state.seats + 1}": won[seat] for seat in people}
    return found | {f"win-{state.players[seat].bard}": won[seat] for seat in people}


def points_of(counts: tuple[Count, ...], source: str) -> int:
    """Return the points of one source; all legends together."""
    return sum(count.points for count in counts if source_of(count.label) == source)


def source_of(label: str) -> str:
    """Return the source to which a line of the count belongs."""
    if label in LEGEND_LEVEL:
        return "legends"
    return "muse" if label.startswith("muse-of") else label
