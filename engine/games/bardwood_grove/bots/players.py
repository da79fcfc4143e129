"""The bots of Bardwood Grove: `random`, `steady`, and the solo `rival`."""

from __future__ import annotations

from engine.game import Action, Bot, Options, Pick
from engine.games.bardwood_grove.bots.steady import steady
from engine.games.bardwood_grove.rules.song_actions import DONE
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.games.bardwood_grove.view import BardwoodView

ONE_IN = 10


def random(view: BardwoodView, options: Options, pick: Pick) -> Action[Bardwood]:  # noqa: ARG001  # it does not look
    """Return any listed line, but end a song only one time in ten while something else is listed."""
    listed = tuple(options)
    if len(listed) > 1 and listed[-1] == DONE and pick(ONE_IN):
        return listed[pick(len(listed) - 1)]
    return listed[pick(len(listed))]


def rival(view: BardwoodView, options: Options, pick: Pick) -> Action[Bardwood]:  # it has no choice
    """Return the only listed line; at a person's seat play like steady."""
    return next(iter(options)) if len(options) == 1 else steady(view, options, pick)


BOTS: dict[str, Bot] = {"random": random, "steady": steady, "rival": rival}
