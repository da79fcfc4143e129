"""Figures of a played match: the points of each Geas, forced discards, and Storytellers brought back as Lost."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from engine.game import apply
from engine.games.tir_na_nog.rules.score import scores
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.games.tir_na_nog.view import view
from engine.log import Log
from engine.reading import read

FORCED, LOST = "forced-discards", "lost-storytellers"


def figures(log: Log, state: TirNaNog) -> Mapping[str, float]:
    """Return the figures of a simulation.

    They are points by Geas and for regions as a mean over the seats, the number of dead hands, and the number of
    Storytellers that came home Lost.
    """
    reported: dict[str, float] = {FORCED: 0, LOST: 0}
    now = log.start()
    for move in log.moves:
        verb = move.line.split(" ", 1)[0]
        if move.seat >= 0 and verb in ("discard", "take", "keep"):
            asked = view(now, None).asking.what  # type: ignore[arg-type]
            reported[FORCED] += verb == "discard" and asked == "play"
            reported[LOST] += verb in ("take", "keep") and asked in ("echtra", "keep")
        now = apply(now, move.seat, read(log.game, move.line, move.seat))
    counted = [{count.label: count.points for count in score.counts} for score in scores(state)]
    for label in counted[0]:
        reported[label] = fmean(counts[label] for counts in counted if label in counts)
    return reported
