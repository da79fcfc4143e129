"""Whole turns over HTTP: from reading the options to the other player's question, with the CPU time of each process."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import psutil  # type: ignore[import-untyped]
from rich.table import Table

from bench.databases import MeasuredService, is_everything_resolved, run_server
from bench.signing_clients import Account, new_account, plain_request_workers, run_together
from bench.tables import figures_table
from bench.timing import percentile, wait_until
from service.db.connection import rows
from service.matches import create, join
from service.timestamps import now

STEADY_RATE = 40.0
"""Turns a second at which the machine is mostly idle, so that the figures show the latency for one player."""


@dataclass(frozen=True)
class TurnFigures:
    """Cost of whole turns with a number of matches at once."""

    world: str
    opponents: str
    matches: int
    per_second: float
    p50: float
    p99: float
    cpu: dict[str, float]
    """CPU milliseconds a turn, by process."""
    plain: float
    """Durable inserts a second by a bare Flask endpoint on the same server."""


def measure_turns(
    world: MeasuredService,
    kinds: dict[str, str],
    counts: tuple[int, ...],
    seconds: float,
    servers: dict[str, psutil.Process] | None = None,
) -> list[TurnFigures]:
    """Play each of these numbers of matches at once. `kinds` are the processes to start, by name.

    Then play the middle number again, against bots and at a steady rate. `servers` are running processes whose CPU
    time counts too.
    """
    world.open()
    results = []
    with ExitStack() as stack:
        started_here = {name: stack.enter_context(run_server(world, kind)) for name, kind in kinds.items()}
        processes = started_here | (servers or {})
        middle = counts[len(counts) // 2]
        plays = [*(("people", count, 0.0) for count in counts), ("bots", middle, 0.0), ("people", middle, STEADY_RATE)]
        for opponents, count, rate in plays:
            matches = [new_match(world, opponents) for _ in range(count)]
            wait_until(is_idle)
            started = [describe_match(match, accounts) for match, accounts in matches]
            plain, _ = run_together(plain_request_workers(world.config.port), 2)
            results.append(_play(world, opponents, processes, started, seconds, plain, rate))
    return results


def new_match(world: MeasuredService, opponents: str) -> tuple[str, tuple[Account, ...]]:
    """Create a match of Keltis between two people, or between one and a bot. The first account has seat 0."""
    first = new_account("One")
    bots = {1: "steady"} if opponents == "bots" else {}
    made = create.create_match(first.player, create.NewMatch(game="keltis", seats=2, seat=0, bots=bots), world.config)
    if bots:
        return made.id, (first,)
    second = new_account("Two")
    join.join_match(second.player, made.id, 1, "-", None, world.config)
    return made.id, (first, second)


def describe_match(match: str, accounts: tuple[Account, ...]) -> dict[str, object]:
    """Return the client's data for a match."""
    ((turn,),) = rows("select seat from seat where match = ? and asked is not null", match)
    people = [
        {"token": who.token, "key": who.key, "private": who.private.private_bytes_raw().hex()} for who in accounts
    ]
    return {"id": match, "turn": turn, "players": people}


def is_idle() -> bool:
    """Return True once every match is dealt and the emails about its start are sent."""
    due = "select 1 from job where done_at is null and dead_at is null and due_at <= ? limit 1"
    return is_everything_resolved() and not rows(due, now())


def _play(
    world: MeasuredService,
    opponents: str,
    processes: dict[str, psutil.Process],
    matches: list[dict[str, object]],
    seconds: float,
    plain: float,
    rate: float,
) -> TurnFigures:
    before: dict[str, float] = {}
    turns, spent = run_turn_client(
        world, matches, seconds, rate, lambda: before.update(_cpu_seconds_by_name(processes))
    )
    after = _cpu_seconds_by_name(processes)
    return TurnFigures(
        world.name,
        f"{opponents}, {rate:.0f}/s" if rate else opponents,
        len(matches),
        len(turns) / spent,
        1000 * percentile(turns, 0.5),
        1000 * percentile(turns, 0.99),
        {name: 1000 * (after[name] - cpu) / len(turns) for name, cpu in before.items()},
        plain,
    )


def run_turn_client(
    world: MeasuredService,
    matches: Sequence[dict[str, object]],
    seconds: float,
    rate: float = 0.0,
    on_start: Callable[[], None] = lambda: None,
) -> tuple[list[float], float]:
    """Play these matches in another process. Return the seconds of each turn, and of all of them together.

    `on_start` is called once everybody listens.
    """
    client = subprocess.Popen(  # noqa: S603  # our own client
        [sys.executable, "-m", "bench.turn_client", str(world.config.port), str(seconds), str(rate)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with client:
        assert client.stdin is not None  # noqa: S101  # a pipe
        assert client.stdout is not None  # noqa: S101  # a pipe
        json.dump(matches, client.stdin)
        client.stdin.close()
        client.stdout.readline()
        on_start()
        results = json.loads(client.stdout.read())
    return results["turns"], results["seconds"]


def _cpu_seconds_by_name(processes: dict[str, psutil.Process]) -> dict[str, float]:
    return {name: _cpu_seconds(process) for name, process in processes.items()}


def _cpu_seconds(process: psutil.Process) -> float:
    """Return the CPU time of a process and its children so far."""
    return sum(sum(each.cpu_times()[:2]) for each in [process, *process.children(recursive=True)])


def turns_table(results: list[TurnFigures]) -> Table:
    """Return a table of rates, latencies and costs."""
    title = "Whole turns: options read, two signed lines, the worker's card, the next question"
    columns = ("matches", "turns/s", "÷ plain insert", "p50 ms", "p99 ms", "CPU ms a turn")
    table = figures_table(title, ("service", "against"), columns)
    for each in results:
        costs = ", ".join(f"{name} {cost:.1f}" for name, cost in each.cpu.items())
        rates = (f"{each.per_second:.0f}", f"{each.per_second / each.plain:.2f}", f"{each.p50:.0f}", f"{each.p99:.0f}")
        table.add_row(each.world, each.opponents, str(each.matches), *rates, costs)
    return table
