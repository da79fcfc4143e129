"""`python -m tests.golden.bardwood` files the special logs of Bardwood Grove that are not there yet.

One for each bard, event and difficulty, one with the base content, one with muses, one whose last gem leaves in the
middle of a round, and two resignations.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.chance import seeded_pick
from engine.game import apply, final_scores
from engine.games import GAMES
from engine.games.bardwood_grove.rules.cards import DECKS
from engine.games.bardwood_grove.rules.events import EVENTS, following
from engine.log import Log, Move
from engine.playout import play_out
from engine.reading import read

GAME = GAMES["bardwood-grove"]
FOLDER = Path(__file__).parent / "bardwood-grove"
RESIGNED_AFTER = 120


def played(
    seats: int, settings: dict[str, Any], seed: int, resign: int | None = None, most: int = 10_000
) -> tuple[Log, list[Any]]:
    """A match of steady seats, the last of them random, and its states; a seat may resign on the way."""
    pick = seeded_pick(seed)
    state = GAME.rules.start(seats, settings)
    solo = "rival" in settings
    bots = dict.fromkeys(range(seats), GAME.bots.by_name["steady"])
    bots[seats - 1] = GAME.bots.by_name["rival" if solo else "random"]
    moves, states = [], [state]
    for seat, action, after in play_out(GAME, state, pick, bots, lambda _: pick):
        moves.append(Move(seat, action.line))
        states.append(after)
        if resign is not None and len(moves) == most:
            break
    if resign is not None:
        moves.append(Move(resign, "resign"))
        states.append(apply(states[-1], resign, read(GAME, "resign", resign)))
        for seat, action, after in play_out(GAME, states[-1], pick, bots, lambda _: pick):
            moves.append(Move(seat, action.line))
            states.append(after)
    totals = tuple(score.total for score in final_scores(GAME, states[-1]))
    return Log(GAME, seats, settings, tuple(moves), totals, GAME.rules.revision), states


def ends_in_the_middle(states: list[Any]) -> bool:
    """Whether the last gem left the board before the last turn of the round."""
    last = next(state for state in states if state.ending)
    return bool((last.turn + 1) % last.seats != last.starter)


def special_logs() -> Iterator[tuple[str, Log]]:
    """Each special log with its name."""
    names = sorted(DECKS)
    for at, bard in enumerate(names):
        yield f"bard-{bard}", played(2, {"bards": f"{bard},{names[at - 1]}"}, 500 + at)[0]
    for at, event in enumerate(EVENTS):
        after = following(event)
        yield f"event-{event}", played(2, {"events": f"{event},{after[at % len(after)]}"}, 600 + at)[0]
    for at, level in enumerate(("easy", "normal", "hard")):
        yield f"rival-{level}", played(2, {"rival": level}, 700 + at)[0]
    idle = (played(2, {"rival": "easy"}, 720 + at)[0] for at in range(60))
    yield "rival-idle", next(log for log in idle if Move(1, "idle") in log.moves)
    yield "content-base", played(3, {"content": "base"}, 800)[0]
    yield "muse-on", played(3, {"muse": True, "bards": "random"}, 810)[0]
    tries = (played(3, {}, 820 + at) for at in range(20))
    yield "middle-of-a-round", next(log for log, states in tries if ends_in_the_middle(states))
    yield "resign-2-seats", played(2, {}, 840, resign=0, most=RESIGNED_AFTER)[0]
    yield "resign-3-seats", played(3, {}, 850, resign=1, most=RESIGNED_AFTER)[0]


def main() -> None:
    """File what is missing; what is there stays as it is."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, log in special_logs():
        path = FOLDER / f"r{GAME.rules.revision}-{name}.log"
        if not path.exists():
            with path.open("x", encoding="utf-8", newline="\n") as out:
                out.write(str(log))
            print(f"wrote {path.name} ({len(log.moves)} moves)")


if __name__ == "__main__":
    main()
