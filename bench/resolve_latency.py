"""Time from an accepted move to its resolution, beside empty tasks; throughput and memory of a worker."""

import json
import threading
import time
from dataclasses import dataclass
from statistics import median

from rich.table import Table

from bench.databases import MeasuredService, run_server
from bench.signing_clients import Account, HttpConnection, new_account
from bench.tables import figures_table
from service.db.connection import rows, write_transaction
from service.matches import create
from tests.support.http_client import Client

HEAP = 1000
MATCHES_EACH = 20
"""Nobody may have more unfinished matches against bots."""


@dataclass
class ResolveFigures:
    """Latencies in seconds, turns per second with a backlog, and the growth of memory in MB."""

    world: str
    resolved: list[float]
    empty: list[float]
    speed: float
    grown: float

    @staticmethod
    def p99(times: list[float]) -> float:
        """Return the 99th percentile in milliseconds."""
        return 1000 * sorted(times)[int(0.99 * len(times))]


def measure_resolving(world: MeasuredService, seconds: float, rate: float = 40) -> ResolveFigures:
    """Make moves against bots at a steady rate, with empty tasks beside them, and measure until the next question."""
    world.open()
    people = [new_account(f"Player {number}") for number in range(8)]
    tables = [(person, [_new_bot_match(world, person) for _ in range(10)]) for person in people]
    port = world.config.port
    with run_server(world, "crew"):
        while rows("select 1 from match where resolved_seq < head_seq limit 1"):
            time.sleep(0.05)
        dealt = len(_empty_task_times(port))  # those during the deal do not count
        _move_steadily(port, tables, seconds, rate)
        empty = _empty_task_times(port)[dealt:]
    sql = (
        "select e.at, (select min(v.at) from event v where v.match = e.match and v.seq >= e.seq) from entry e "
        "where e.match = ? and e.signature is not null"
    )
    found = [row for _, ids in tables for match in ids for row in rows(sql, match)]
    times = [(after - at) / 1000 for at, after in found if after is not None]
    return ResolveFigures(world.name, times, empty, *_measure_backlog(world))


def _empty_task_times(port: int) -> list[float]:
    """Return how late, in seconds, each empty task has begun so far."""
    wire = HttpConnection(port)
    wire.connection.request("GET", "/bench/empty")
    late: list[float] = json.loads(wire.connection.getresponse().read())
    return late


def _measure_backlog(world: MeasuredService) -> tuple[float, float]:
    """Return how many turns a second one worker resolves with a backlog, and by how many MB it grows."""
    with run_server(world, "idle") as process:
        before = process.memory_info().rss
        people = [new_account(f"Owner {number}") for number in range(HEAP // MATCHES_EACH)]
        with write_transaction():
            for person in people:
                for _ in range(MATCHES_EACH):
                    _new_bot_match(world, person)
        began = time.perf_counter()
        while rows("select 1 from match where resolved_seq < head_seq limit 1"):
            time.sleep(0.05)
        spent = time.perf_counter() - began
        return HEAP / spent, (process.memory_info().rss - before) / 2**20


def _new_bot_match(world: MeasuredService, person: Account) -> str:
    wanted = create.NewMatch(game="keltis", seats=2, seat=0, bots={1: "random"})
    return create.create_match(person.player, wanted, world.config).id


def _move_steadily(port: int, tables: list[tuple[Account, list[str]]], seconds: float, rate: float) -> None:
    stop, each = threading.Event(), rate / len(tables)
    threads = []
    for person, ids in tables:
        client = Client(port, person.token, person.private, person.key)
        threads.append(threading.Thread(target=_move_until_stopped, args=(client, ids, each, stop)))
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


def resolve_table(found: list[ResolveFigures]) -> Table:
    """Return the table of latencies."""
    columns = "moves,p50 ms,p99 ms,empty p50 ms,empty p99 ms,p99 ÷ empty p99,turns/s,MB more".split(",")
    title = "From accepted to resolved at 40 moves a second, beside empty Celery tasks"
    table = figures_table(title, ["service"], columns)
    for each in found:
        ours, theirs = each.p99(each.resolved), each.p99(each.empty)
        middle = [f"{1000 * median(times):.0f}" for times in (each.resolved, each.empty)]
        figures = [middle[0], f"{ours:.0f}", middle[1], f"{theirs:.0f}", f"{ours / theirs:.1f}"]
        figures += [f"{each.speed:.0f}", f"{each.grown:.1f}"]
        table.add_row(each.world, str(len(each.resolved)), *figures)
    return table
