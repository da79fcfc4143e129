"""Many matches between bots, in several processes, the same whatever their number."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from cli.terminal_game.save_signals import quiet
from engine import chance
from engine.game import Pick, Seat, State, final_scores, winners
from engine.games import GAMES
from engine.log import Log, Move
from engine.options import Setting
from engine.playout import play_out

CHUNK = 8
FEW = 32


@dataclass(frozen=True)
class Plan:
    """What is played, in plain values that another process can be told."""

    slug: str
    seats: int
    settings: dict[str, Setting]
    bots: tuple[str, ...]
    seed: int = 0
    out: str = ""
    mark: str = ""
    """Stands before the number in the names of files."""


@dataclass(frozen=True)
class Outcome:
    """What became of one match."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    moves: int
    cause: str
    figures: Mapping[str, float]


def stream(plan: Plan, number: int, use: str) -> Pick:
    """The picks of one match for one use, from the seed of all and the number of the match."""
    return chance.seeded(int.from_bytes(sha256(f"{plan.seed} {number} {use}".encode()).digest()[:8], "big"))


def played(plan: Plan, number: int) -> Outcome:
    """One match from the deal to the scores, filed if the plan says where."""
    game = GAMES[plan.slug]
    state: State = game.start(plan.seats, plan.settings)
    bots = {seat: game.bots[name] for seat, name in enumerate(plan.bots)}
    choices = {seat: stream(plan, number, f"bot {seat}") for seat in bots}
    moves = []
    for seat, action, after in play_out(game, state, stream(plan, number, "chance"), bots, choices.__getitem__):
        moves.append((seat, action))
        state = after
    scores = tuple(score.total for score in final_scores(game, state))
    figures: Callable[[Log, State], Mapping[str, float]] | None = game.figures
    shown: Mapping[str, float] = {}
    if plan.out or figures:
        made = tuple(Move(seat, action.line) for seat, action in moves)
        log = Log(game, plan.seats, plan.settings, made, scores, game.revision)
        shown = figures(log, state) if figures else {}
        if plan.out:
            _filed(plan, number, str(log))
    cause: Any = getattr(state, "cause", "")
    return Outcome(number, scores, winners(game, state), len(moves), str(cause or state.house.ended or "end"), shown)


def _filed(plan: Plan, number: int, text: str) -> None:
    name = f"{plan.slug}-{plan.seats}-{plan.seed}-{plan.mark}{number}.log"
    (Path(plan.out) / name).write_text(text, encoding="utf-8", newline="")


def chunk(plan: Plan, numbers: range) -> list[Outcome]:
    """Some of the matches, in one process."""
    return [played(plan, number) for number in numbers]


def all_played(plan: Plan, matches: int, jobs: int) -> Iterator[list[Outcome]]:
    """Every match, in handfuls as they are ready."""
    chunks = [range(at, min(at + CHUNK, matches + 1)) for at in range(1, matches + 1, CHUNK)]
    if jobs == 1 or matches <= FEW:
        for numbers in chunks:
            yield chunk(plan, numbers)
        return
    # Fresh processes, not forks: the progress bar runs a thread, and threads do not survive forks well.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(chunks)), context, initializer=_brittle)
    try:
        yield from _gathered(pool, plan, iter(chunks), 2 * jobs)
    finally:
        with quiet():
            pool.shutdown(cancel_futures=True)


def _gathered(pool: ProcessPoolExecutor, plan: Plan, chunks: Iterator[range], ahead: int) -> Iterator[list[Outcome]]:
    running = _submitted(pool, plan, islice(chunks, ahead))
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        running |= _submitted(pool, plan, islice(chunks, len(done)))
        for each in done:
            yield each.result()


def _submitted(pool: ProcessPoolExecutor, plan: Plan, some: Iterator[range]) -> set[Future[list[Outcome]]]:
    # A process that starts here inherits deaf ears, so that Ctrl-C cannot hit it before it is brittle.
    with quiet():
        return {pool.submit(chunk, plan, numbers) for numbers in some}


def _brittle() -> None:
    # Ctrl-C ends this process at once and without a word; the one that the user sees says what there is to say.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
