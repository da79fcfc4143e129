"""Moves over HTTP beside the raw database and plain endpoints, and moves in long matches beside short ones."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from statistics import median

import psycopg
from rich.table import Table

from bench.databases import MeasuredService, run_server
from bench.signing_clients import MOVES_AHEAD, Duel, HttpConnection, make_move, new_account, run_together
from bench.tables import figures_table
from bench.timing import percentile, time_call

CLIENTS = 8
LONG = 10_000
PAIRS = 150


def raw_commit_workers(world: MeasuredService) -> list[Callable[[], float]]:
    """Return writers that make one small insert and a commit: one on SQLite, eight on PostgreSQL."""
    if world.config.database.startswith("sqlite"):
        return [_sqlite(world.config.database.removeprefix("sqlite:///"))]
    return [_postgres(world.config.database) for _ in range(CLIENTS)]


def _sqlite(path: str) -> Callable[[], float]:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("pragma synchronous = full")

    def commit() -> None:
        connection.execute("begin immediate")
        connection.execute("insert into bench (body) values ('x')")
        connection.execute("commit")

    return partial(time_call, commit)


def _postgres(url: str) -> Callable[[], float]:
    connection = psycopg.connect(url)

    def commit() -> None:
        connection.execute("insert into bench (body) values ('x')")
        connection.commit()

    return partial(time_call, commit)


def plain_request_workers(port: int, path: str) -> list[Callable[[], float]]:
    """Return eight clients of a plain endpoint, who send as many bytes as a move."""
    body = {"asked": 1, "prev": "0" * 64, "key": "k" * 43, "moves": [{"line": "draw R", "signature": "0" * 128}]}

    def client() -> Callable[[], float]:
        wire = HttpConnection(port)

        def ask() -> None:
            status, _ = wire.post(path, body)
            if status != HTTPStatus.ACCEPTED:
                raise RuntimeError(status)

        return partial(time_call, ask)

    return [client() for _ in range(CLIENTS)]


def move_workers(port: int, duels: list[Duel]) -> list[Callable[[], float]]:
    """Return a client for each match."""
    return [partial(make_move, HttpConnection(port), duel) for duel in duels]


def new_duel(world: MeasuredService) -> Duel:
    """Start a match between two new players."""
    duel = Duel(world.config, (new_account("One"), new_account("Two")))
    duel.start()
    return duel


@dataclass
class MoveRates:
    """The figures of one database."""

    world: str
    rates: dict[str, list[float]]
    p50: float
    p99: float
    paired: float

    def ratio(self, over: str) -> float:
        """Return the ratio of moves to another rate: the median over rounds, because a round shares its noise."""
        return median(ours / theirs for ours, theirs in zip(self.rates["moves"], self.rates[over], strict=True))


def measure_moves(world: MeasuredService, kind: str, rounds: int, seconds: float) -> MoveRates:
    """Measure moves, the raw database and two plain endpoints in turn; then long matches beside short ones."""
    world.open()
    duels = [new_duel(world) for _ in range(CLIENTS)]
    short, long = new_duel(world), new_duel(world)
    long.grow(LONG)
    rates: dict[str, list[float]] = {name: [] for name in ("raw", "bare", "insert", "moves")}
    spent: list[float] = []
    port = world.config.port
    with run_server(world, kind):
        contestants: dict[str, Callable[[], list[Callable[[], float]]]] = {
            "raw": lambda: raw_commit_workers(world),
            "bare": lambda: plain_request_workers(port, "/bench/bare"),
            "insert": lambda: plain_request_workers(port, "/bench/insert"),
            "moves": lambda: move_workers(port, duels),
        }
        for made in contestants.values():
            run_together(made(), 0.2)  # warms the caches
        for _ in range(rounds):
            for each in duels:
                each.think(MOVES_AHEAD)
            for name, made in contestants.items():
                # New connections in each round, because the kernel distributes them unevenly over the processes.
                workers = made()
                for connect in workers:
                    connect()
                rate, times = run_together(workers, seconds)
                rates[name].append(rate)
                spent += times if name == "moves" else []
        paired = _compare_lengths(port, short, long)
    return MoveRates(world.name, rates, 1000 * median(spent), 1000 * percentile(spent, 0.99), paired)


def _compare_lengths(port: int, short: Duel, long: Duel) -> float:
    """Return the ratio of a move in a match of 10,000 entries to one in a new match, measured in turn."""
    wire = HttpConnection(port)
    for _ in range(5):  # warms the caches
        make_move(wire, short), make_move(wire, long)
    pairs = [(make_move(wire, short), make_move(wire, long)) for _ in range(PAIRS)]
    return median(two for _, two in pairs) / median(one for one, _ in pairs)


def rates_table(all_rates: list[MoveRates]) -> Table:
    """Return a table of rates and ratios."""
    columns = "moves/s,p50 ms,p99 ms,raw/s,bare/s,insert/s,÷ raw,÷ bare,÷ insert".split(",")
    title = f"Signed, durable, legal moves over HTTP, {CLIENTS} clients"
    table = figures_table(title, ["database"], [*columns, "10,000 ÷ 10"])
    for each in all_rates:
        rates = [f"{median(each.rates[name]):,.0f}" for name in ("moves", "raw", "bare", "insert")]
        ratios = [f"{each.ratio(name):.2f}" for name in ("raw", "bare", "insert")]
        table.add_row(
            each.world, rates[0], f"{each.p50:.1f}", f"{each.p99:.1f}", *rates[1:], *ratios, f"{each.paired:.2f}"
        )
    return table
