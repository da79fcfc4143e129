"""`python -m tests.golden SLUG` plays random matches of a game and files two new logs for each number of seats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from engine.chance import seeded_pick
from engine.game import CHANCE, Game, apply, final_scores, legal, to_act
from engine.games import GAMES
from engine.log import Log, Move
from engine.playout import roll_chance

LOGS_PER_SEATS = 2


def random_log(game: Game[Any], seats: int, seed: int) -> Log:
    """A match in which every seat takes any listed option."""
    state, pick = game.rules.start(seats), seeded_pick(seed)
    moves: list[Move] = []
    while asked := sorted(to_act(state)):
        seat = asked[pick(len(asked))]
        options = () if seat == CHANCE else tuple(legal(state, seat))
        action = options[pick(len(options))] if options else roll_chance(state, pick)
        moves.append(Move(seat, action.line))
        state = apply(state, seat, action)
    totals = tuple(score.total for score in final_scores(game, state))
    return Log(game, seats, {}, tuple(moves), totals, game.rules.revision)


def file(game: Game[Any], folder: Path) -> list[Path]:
    """File two more logs for each number of seats; what is there stays as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for seats in game.rules.seats:
        number = 1
        for _ in range(LOGS_PER_SEATS):
            while (path := folder / f"r{game.rules.revision}-{seats}-seats-{number}.log").exists():
                number += 1
            text = str(random_log(game, seats, number * 100 + seats))
            with path.open("x", encoding="utf-8", newline="\n") as out:
                out.write(text)
            written.append(path)
    return written


def main(words: list[str]) -> int:
    """File the logs of the game named on the command line."""
    if len(words) != 1 or words[0] not in GAMES:
        print(f"usage: python -m tests.golden GAME, where GAME is one of: {', '.join(GAMES)}", file=sys.stderr)
        return 2
    for path in file(GAMES[words[0]], Path(__file__).parent / words[0]):
        rows = path.read_text("utf-8").count("\n")
        print(f"wrote {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path} ({rows} rows)")
    print("Read one, then commit them: golden logs are added, never edited.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
