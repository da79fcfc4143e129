"""Tables of Táin for tests: laid by rows of a log, and changed where a case needs it."""

from __future__ import annotations

from typing import Any

from engine.chance import seeded_pick
from engine.game import CHANCE, apply, legal, to_act
from engine.games.tain import GAME
from engine.games.tain.bots import nth
from engine.games.tain.state import Tain
from engine.house import objection
from engine.options import Settings
from engine.playout import roll_chance
from engine.reading import read


def table(seats: int = 2, settings: Settings | None = None, **changes: Any) -> Tain:  # noqa: ANN401
    """Return a fresh table where seat 0 begins, with some fields changed."""
    return GAME.rules.start(seats, {"first": 0, **(settings or {})}).but(**changes)


def play(state: Tain, rows: str) -> Tain:
    """The table after these rows, one or several parted by semicolons: `0 put W b1; 1 pass`."""
    for row in rows.split(";"):
        seat, line = row.strip().split(" ", 1)
        action = read(GAME, line, int(seat))
        reason = objection(state, int(seat), action)
        assert not reason, f"{row}: {reason}"
        state = apply(state, int(seat), action)
    return state


def everybody_passes(state: Tain) -> Tain:
    """The table after passes of all who are asked, up to the next round or question."""
    number = state.reveals
    while not state.over and state.reveals == number:
        (seat,) = to_act(state)
        state = play(state, f"{seat} pass")
    return state


def raid(state: Tain, **lines: str) -> Tain:
    """The table after a round in which clans a, b, c, d place what their lines say, and then all pass."""
    waiting = {ord(clan) - ord("a"): [each.strip() for each in given.split(",")] for clan, given in lines.items()}
    while any(waiting.values()):
        (seat,) = to_act(state)
        line = waiting[seat].pop(0) if waiting.get(seat) else "pass"
        state = play(state, f"{seat} {line if line == 'pass' else 'put ' + line}")
    return everybody_passes(state)


def lines(state: Tain, seat: int) -> set[str]:
    """The lines that are listed for a seat."""
    return {action.line for action in legal(state, seat)}


def random_match(seats: int, seed: int, settings: Settings | None = None) -> list[tuple[int, str, Tain]]:
    """A random match: every seat, line and the table after it, the first entry the table before."""
    pick = seeded_pick(seed)
    state = GAME.rules.start(seats, settings or {})
    found = [(-1, "", state)]
    while asked := sorted(to_act(state)):
        seat = asked[pick(len(asked))]
        if seat == CHANCE:
            action = roll_chance(state, pick)
            state = apply(state, seat, action)
            found.append((seat, action.line, state))
            continue
        options = legal(state, seat)
        at = pick(len(options))
        if len(options) > 1 and at == len(options) - 1 and pick(3):
            at = 0
        action = nth(options, at)
        state = apply(state, seat, action)
        found.append((seat, action.line, state))
    return found
