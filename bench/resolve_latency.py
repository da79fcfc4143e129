"""How soon accepted moves are resolved compared with empty tasks, how fast a worker is, and its memory."""

import threading
import time
from dataclasses import dataclass
from statistics import median

from rich.table import Table

from bench.databases import MeasuredService, is_everything_resolved, run_server
from bench.signing_clients import Account, new_account
from bench.tables import figures_table
from bench.timing import percentile, time_call, wait_until
from service.db.connection import rows, write_transaction
from service.matches import create
from tests.support.http_client import Client

HEAP = 1000
"""Maximum number of unfinished matches of a player against bots."""


@dataclass
class ResolveFigures:
    """The delay of moves and of empty tasks, turns a second for a backlog of matches, and the memory for it."""

    world: str
    resolved: list[float]
    empty: list[float]
    speed: float
    grown: float


def measure_resolving(world: MeasuredService, seconds: float, rate: float = 40) -> ResolveFigures:
    """Play against bots at a steady rate, and measure the time from accepting a move to the next question."""
    world.open()
    people = [new_account(f"Player {number}") for number in range(8)]
    tables = [(person, [_new_bot_match(world, person) for _ in range(10)]) for person in people]
    port = world.config.port
    with run_server(world, "crew"):
        wait_until(is_everything_resolved)
        client = people[0].client(port)
        dealt = len(_empty_task_times(client))  # tasks that were late during the deal are not part of the yardstick
        _move_steadily(port, tables, seconds, rate)
        empty = _empty_task_times(client)[dealt:]
    sql = (
        "select e.at, (select min(v.at) from event v where v.match = e.match and v.seq >= e.seq) from entry e "
        "where e.match = ? and e.signature is not null"
    )
    results = [row for _, ids in tables for match in ids for row in rows(sql, match)]
    times = [(after - at) / 1000 for at, after in results if after is not None]
    return ResolveFigures(world.name, times, empty, *_measure_backlog(world))


def _empty_task_times(client: Client) -> list[float]:
    """Return by how many seconds each empty task so far started late."""
    late: list[float] = client.ask("GET", "/bench/empty")[1]
    return late


def _measure_backlog(world: MeasuredService) -> tuple[float, float]:
    """Return how many turns a second one worker resolves from a backlog, and by how many megabytes it grows."""
    # A player may have only MOST_SOLO unfinished matches against bots.
    people = [new_account(f"Backlog {number}") for number in range(-(-HEAP // create.MOST_SOLO))]
    with run_server(world, "idle") as process:
        before = process.memory_info().rss
        with write_transaction():
            for number in range(HEAP):
                _new_bot_match(world, people[number % len(people)])
        spent = time_call(lambda: wait_until(is_everything_resolved))
        return HEAP / spent, (process.memory_info().rss - before) / 2**20


def _new_bot_match(world: MeasuredService, person: Account) -> str:
    wanted = create.NewMatch(game="keltis", seats=2, seat=0, bots={1: "random"})
    return create.create_match(person.player, wanted, world.config).id


def _move_steadily(port: int, tables: list[tuple[Account, list[str]]], seconds: float, rate: float) -> None:
    stop, each = threading.Event(), rate / len(tables)
    threads = []
    for person, ids in tables:
        threads.append(threading.Thread(target=_move_until_stopped, args=(person.client(port), ids, each, stop)))
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join()


def _move_until_stopped(client: Client, ids: list[str], rate: float, stop: threading.Event) -> None:
    at = 0
    due = time.perf_counter()
    while not stop.is_set():
        due += 1 / rate
        stop.wait(max(0.0, due - time.perf_counter()))
        match = ids[at % len(ids)]
        at += 1
        question, lines = client.options(match)
        if question is not None and lines:
            client.ask("POST", f"/v1/matches/{match}/moves", client.signed(match, 0, question, lines[0]))
    client.close()


def resolve_table(results: list[ResolveFigures]) -> Table:
    """Return a table of how soon moves are resolved."""
    columns = "moves,p50 ms,p99 ms,empty p50 ms,empty p99 ms,p99 ÷ empty p99,turns/s,MB more".split(",")
    title = "From accepted to resolved at 40 moves a second, beside empty Celery tasks"
    table = figures_table(title, ["service"], columns)
    for each in results:
        ours, theirs = (1000 * percentile(times, 0.99) for times in (each.resolved, each.empty))
        middle = [f"{1000 * median(times):.0f}" for times in (each.resolved, each.empty)]
        figures = [middle[0], f"{ours:.0f}", middle[1], f"{theirs:.0f}", f"{ours / theirs:.1f}"]
        figures += [f"{each.speed:.0f}", f"{each.grown:.1f}"]
        table.add_row(each.world, str(len(each.resolved)), *figures)
    return table
