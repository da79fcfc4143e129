"""Many matches between bots, in several processes, with the same results for any number of processes."""

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

from cli.interrupts import ignore_interrupts
from engine import chance
from engine.game import Pick, Seat, State, final_scores, winners
from engine.games import GAMES
from engine.log import Log, Move
from engine.options import Setting
from engine.playout import play_out

CHUNK_SIZE = 8
MOST_IN_ONE_PROCESS = 32


@dataclass(frozen=True)
class SimulationPlan:
    """Matches to play, in plain values that can be sent to another process."""

    slug: str
    seats: int
    settings: dict[str, Setting]
    bots: tuple[str, ...]
    seed: int = 0
    out: str = ""
    mark: str = ""
    """Prefix of the number in file names."""


@dataclass(frozen=True)
class MatchOutcome:
    """The outcome of one match."""

    number: int
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    moves: int
    cause: str
    figures: Mapping[str, float]


def pick_stream(plan: SimulationPlan, number: int, use: str) -> Pick:
    """Return the random numbers of one match for one use, from the seed and the number of the match."""
    return chance.seeded_pick(int.from_bytes(sha256(f"{plan.seed} {number} {use}".encode()).digest()[:8], "big"))


def play_match(plan: SimulationPlan, number: int) -> MatchOutcome:
    """Play one match, and write its log if the plan names a folder."""
    game = GAMES[plan.slug]
    state: State = game.rules.start(plan.seats, plan.settings)
    bots = {seat: game.bots.by_name[name] for seat, name in enumerate(plan.bots)}
    choices = {seat: pick_stream(plan, number, f"bot {seat}") for seat in bots}
    moves = []
    for seat, action, after in play_out(game, state, pick_stream(plan, number, "chance"), bots, choices.__getitem__):
        moves.append((seat, action))
        state = after
    scores = tuple(score.total for score in final_scores(game, state))
    figures: Callable[[Log, State], Mapping[str, float]] | None = game.bots.figures
    shown: Mapping[str, float] = {}
    if plan.out or figures:
        made = tuple(Move(seat, action.line) for seat, action in moves)
        log = Log(game, plan.seats, plan.settings, made, scores, game.rules.revision)
        shown = figures(log, state) if figures else {}
        if plan.out:
            _write_log(plan, number, str(log))
    cause: Any = getattr(state, "cause", "")
    return MatchOutcome(
        number, scores, winners(game, state), len(moves), str(cause or state.house.ended or "end"), shown
    )


def _write_log(plan: SimulationPlan, number: int, text: str) -> None:
    name = f"{plan.slug}-{plan.seats}-{plan.seed}-{plan.mark}{number}.log"
    (Path(plan.out) / name).write_text(text, encoding="utf-8", newline="")


def play_chunk(plan: SimulationPlan, numbers: range) -> list[MatchOutcome]:
    """Play some of the matches, in one process."""
    return [play_match(plan, number) for number in numbers]


def play_all(plan: SimulationPlan, matches: int, jobs: int) -> Iterator[list[MatchOutcome]]:
    """Play every match, and yield the outcomes in chunks as they are ready."""
    chunks = [range(at, min(at + CHUNK_SIZE, matches + 1)) for at in range(1, matches + 1, CHUNK_SIZE)]
    if jobs == 1 or matches <= MOST_IN_ONE_PROCESS:
        for numbers in chunks:
            yield play_chunk(plan, numbers)
        return
    # Fresh processes, not forks: the progress bar runs a thread, and threads do not survive forks well.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, len(chunks)), context, initializer=_restore_interrupt)
    try:
        yield from _collect_results(pool, plan, iter(chunks), 2 * jobs)
    finally:
        with ignore_interrupts():
            pool.shutdown(cancel_futures=True)


def _collect_results(
    pool: ProcessPoolExecutor, plan: SimulationPlan, chunks: Iterator[range], ahead: int
) -> Iterator[list[MatchOutcome]]:
    running = _submit_chunks(pool, plan, islice(chunks, ahead))
    while running:
        done, running = wait(running, return_when=FIRST_COMPLETED)
        running |= _submit_chunks(pool, plan, islice(chunks, len(done)))
        for each in done:
            yield each.result()


def _submit_chunks(
    pool: ProcessPoolExecutor, plan: SimulationPlan, some: Iterator[range]
) -> set[Future[list[MatchOutcome]]]:
    # A process that starts here ignores Ctrl-C until `_restore_interrupt`, because it could not handle it yet.
    with ignore_interrupts():
        return {pool.submit(play_chunk, plan, numbers) for numbers in some}


def _restore_interrupt() -> None:
    # Ctrl-C ends this process silently; only the main process prints a message.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
