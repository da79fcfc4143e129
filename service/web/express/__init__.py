"""The express lane: plain moves and reads of the legal lines, answered without Flask and many at once.

Other rooms use only `create_lanes`, and nothing is decided here: both ways call `play.accept.decide_at_head` and
`web.auth.authenticate_all`, and tests compare their answers byte for byte. With `ECHTRA_EXPRESS=0` Flask answers
everything. `docs/decisions/0002-express-lane.md` gives the reasons.

To change which requests it takes, edit `find_request` of `moves.py` or `options.py`. The one thing not to break: a lane
never waits for a lock in `answer_together`, since its thread serves everybody.
"""

from __future__ import annotations

from service.config import Config
from service.web.express.moves import MovesLane
from service.web.express.options import OptionsLane
from service.web.express.requests import ExpressLane, WsgiApplication
from service.web.rate_limits import RateLimits


def create_lanes(flask: WsgiApplication, limits: RateLimits, config: Config) -> tuple[ExpressLane, ...]:
    """Return the lanes in front of Flask, the first of which passes on to the next; none if they are turned off."""
    if not config.express:
        return ()
    moves = MovesLane(flask, limits, config)
    return OptionsLane(moves, limits), moves
