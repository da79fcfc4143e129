"""The command `python -m bench.service`: moves over HTTP, and how soon they are resolved, beside bare yardsticks."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

import click
import psutil  # type: ignore[import-untyped]
import psycopg
from rich.console import Console
from rich.table import Table

from bench import serving
from bench.players import Account, Duel, Wire, account, move, together
from service import database, matches, migrations, signing
from service.config import Config, read
from service.database import rows, writing
from tests.worker.client import Client
from tests.worker.processes import Postgres, Redis, free_port, redis_binary

CLIENTS = 8
LONG = 10_000
PAIRS = 150
HEAP = 1000
WIDTH = 120
NOTE = (
    "Raw: one insert and commit after the other (SQLite), by eight at once (PostgreSQL). Bare and insert: Flask "
    "endpoints on the same server, without and with one insert. SQLite is served by one process, PostgreSQL by two. "
    f"Matches/s and MB more: one worker on a heap of {HEAP:,} matches that wait."
)


@dataclass(frozen=True)
class World:
    """A database and the environment of processes on it."""

    name: str
    env: dict[str, str]

    @property
    def config(self) -> Config:
        """The settings."""
        return read(self.env)

    def open(self) -> None:
        """A migrated database, used by this process too."""
        database.connect(self.config.database)
        migrations.migrate()
        signing.current()
        serving.table()


def env(folder: Path, **more: str) -> dict[str, str]:
    """Settings without limits on how often one may ask."""
    quiet = {"ECHTRA_LOG_LEVEL": "error", "ECHTRA_LIMIT_REQUESTS": "999999999", "ECHTRA_OPEN_MATCHES": "999999999"}
    return {"ECHTRA_DATA": str(folder), "ECHTRA_PORT": str(free_port()), **quiet, **more}


def fresh(postgres: Postgres) -> str:
    """Another database of the same server: matches of one measurement must not wait in the next."""
    with psycopg.connect(postgres.server.get_uri(), autocommit=True) as connection:
        connection.execute("create database resolving")
    address: str = postgres.server.get_uri("resolving")
    return address


@contextlib.contextmanager
def server(world: World, kind: str) -> Iterator[psutil.Process]:
    """The service as a process of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ECHTRA_")}
    process = subprocess.Popen(  # noqa: S603  # our own server
        [sys.executable, "-m", "bench.serving", kind], env={**kept, **world.env}, start_new_session=True
    )
    try:
        _answers(world.config.port, process)
        yield psutil.Process(process.pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def _answers(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise click.ClickException("The service did not start; see above.")
        with contextlib.suppress(OSError), contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=5)) as wire:
            wire.request("GET", "/healthz")
            if wire.getresponse().status == HTTPStatus.OK:
                return
        time.sleep(0.05)
    raise click.ClickException("The service did not answer.")


def raw(world: World) -> list[Callable[[], float]]:
    """What the database can do: one small insert and a commit, on SQLite by one writer, on PostgreSQL by eight."""
    if world.config.database.startswith("sqlite"):
        return [_sqlite(world.config.database.removeprefix("sqlite:///"))]
    return [_postgres(world.config.database) for _ in range(CLIENTS)]


def _sqlite(path: str) -> Callable[[], float]:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("pragma synchronous = full")

    def commit() -> float:
        began = time.perf_counter()
        connection.execute("begin immediate")
        connection.execute("insert into bench (body) values ('x')")
        connection.execute("commit")
        return time.perf_counter() - began

    return commit


def _postgres(url: str) -> Callable[[], float]:
    connection = psycopg.connect(url)

    def commit() -> float:
        began = time.perf_counter()
        connection.execute("insert into bench (body) values ('x')")
        connection.commit()
        return time.perf_counter() - began

    return commit


def plain(port: int, path: str) -> list[Callable[[], float]]:
    """Eight clients of a plain endpoint, who send as much as a move is."""
    body = {"asked": 1, "prev": "0" * 64, "key": "k" * 43, "moves": [{"line": "draw R", "signature": "0" * 128}]}

    def client() -> Callable[[], float]:
        wire = Wire(port)

        def ask() -> float:
            began = time.perf_counter()
            status, _ = wire.post(path, body)
            if status != HTTPStatus.ACCEPTED:
                raise RuntimeError(status)
            return time.perf_counter() - began

        return ask

    return [client() for _ in range(CLIENTS)]


def moves(port: int, duels: list[Duel]) -> list[Callable[[], float]]:
    """Eight clients with a match each."""

    def client(duel: Duel) -> Callable[[], float]:
        wire = Wire(port)
        return lambda: move(wire, duel)

    return [client(duel) for duel in duels]


def duel(world: World) -> Duel:
    """A match between two new players."""
    made = Duel(world.config, (account("One"), account("Two")))
    made.start()
    return made


@dataclass
class Rates:
    """What came of the rounds on one database."""

    world: str
    rates: dict[str, list[float]]
    p50: float
    p99: float
    paired: float

    def ratio(self, over: str) -> float:
        """Moves over another rate, the median over the rounds, because a round shares its noise."""
        return median(ours / theirs for ours, theirs in zip(self.rates["moves"], self.rates[over], strict=True))


def hot_path(world: World, kind: str, rounds: int, seconds: float) -> Rates:
    """Moves beside the raw database and two plain endpoints, in turn; then long logs against short ones."""
    world.open()
    duels = [duel(world) for _ in range(CLIENTS)]
    short, long = duel(world), duel(world)
    long.grow(LONG)
    rates: dict[str, list[float]] = {name: [] for name in ("raw", "bare", "insert", "moves")}
    spent: list[float] = []
    port = world.config.port
    with server(world, kind):
        contestants = {
            "raw": raw(world),
            "bare": plain(port, "/bench/bare"),
            "insert": plain(port, "/bench/insert"),
            "moves": moves(port, duels),
        }
        for workers in contestants.values():
            together(workers, 0.2)  # connections and caches are there before the clock runs
        for _ in range(rounds):
            for name, workers in contestants.items():
                rate, times = together(workers, seconds)
                rates[name].append(rate)
                spent += times if name == "moves" else []
        paired = _paired(port, short, long)
    spent.sort()
    return Rates(world.name, rates, 1000 * median(spent), 1000 * spent[int(0.99 * len(spent))], paired)


def _paired(port: int, short: Duel, long: Duel) -> float:
    """A move of a match of 10,000 entries against one of a match that just began, one after the other."""
    wire = Wire(port)
    for _ in range(5):  # caches are warm before the clock runs
        move(wire, short), move(wire, long)
    pairs = [(move(wire, short), move(wire, long)) for _ in range(PAIRS)]
    return median(two for _, two in pairs) / median(one for one, _ in pairs)


@dataclass
class Resolved:
    """How soon moves are resolved, beside empty tasks; how fast a heap of matches is, and what memory that takes."""

    world: str
    resolved: list[float]
    empty: list[float]
    speed: float
    grown: float

    @staticmethod
    def p99(times: list[float]) -> float:
        """In milliseconds."""
        return 1000 * sorted(times)[int(0.99 * len(times))]


def resolving(world: World, seconds: float, rate: float = 40) -> Resolved:
    """Moves at a steady rate against bots, and from their acceptance to the next question; empty tasks meanwhile."""
    world.open()
    people = [account(f"Player {number}") for number in range(8)]
    tables = [(person, [_against_bot(world, person) for _ in range(10)]) for person in people]
    port = world.config.port
    with server(world, "crew"):
        while rows("select 1 from match where resolved_seq < head_seq limit 1"):
            time.sleep(0.05)
        dealt = len(_empty(port))  # what was late while everything was dealt is no yardstick
        _steady(port, tables, seconds, rate)
        empty = _empty(port)[dealt:]
    sql = (
        "select e.at, (select min(v.at) from event v where v.match = e.match and v.seq >= e.seq) from entry e "
        "where e.match = ? and e.signature is not null"
    )
    found = [row for _, ids in tables for match in ids for row in rows(sql, match)]
    times = [(after - at) / 1000 for at, after in found if after is not None]
    return Resolved(world.name, times, empty, *_heap(world, people[0]))


def _empty(port: int) -> list[float]:
    """How late each empty task began so far, in seconds."""
    wire = Wire(port)
    wire.connection.request("GET", "/bench/empty")
    late: list[float] = json.loads(wire.connection.getresponse().read())
    return late


def _heap(world: World, person: Account) -> tuple[float, float]:
    """How many matches a second one worker deals, of a heap that waits; how many megabytes it has more afterwards."""
    with server(world, "idle") as process:
        before = process.memory_info().rss
        with writing():
            for _ in range(HEAP):
                _against_bot(world, person)
        began = time.perf_counter()
        while rows("select 1 from match where resolved_seq < head_seq limit 1"):
            time.sleep(0.05)
        spent = time.perf_counter() - began
        return HEAP / spent, (process.memory_info().rss - before) / 2**20


def _against_bot(world: World, person: Account) -> str:
    wanted = matches.NewMatch(game="keltis", seats=2, seat=0, bots={1: "random"})
    return matches.create(person.player, wanted, world.config).id


def _steady(port: int, tables: list[tuple[Account, list[str]]], seconds: float, rate: float) -> None:
    stop, each = threading.Event(), rate / len(tables)
    threads = []
    for person, ids in tables:
        client = Client(port, person.token, person.private, person.key)
        threads.append(threading.Thread(target=_moving, args=(client, ids, each, stop)))
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    stop.set()
    for thread in threads:
        thread.join()


def _moving(client: Client, ids: list[str], rate: float, stop: threading.Event) -> None:
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


def shown_rates(found: list[Rates]) -> Table:
    """Rates and ratios."""
    table = Table(title=f"Signed, durable, legal moves over HTTP, {CLIENTS} clients")
    table.add_column("database")
    for name in (
        "moves/s",
        "p50 ms",
        "p99 ms",
        "raw/s",
        "bare/s",
        "insert/s",
        "÷ raw",
        "÷ bare",
        "÷ insert",
        "10,000 ÷ 10",
    ):
        table.add_column(name, justify="right")
    for each in found:
        rates = [f"{median(each.rates[name]):,.0f}" for name in ("moves", "raw", "bare", "insert")]
        ratios = [f"{each.ratio(name):.2f}" for name in ("raw", "bare", "insert")]
        table.add_row(
            each.world, rates[0], f"{each.p50:.1f}", f"{each.p99:.1f}", *rates[1:], *ratios, f"{each.paired:.2f}"
        )
    return table


def shown_resolved(found: list[Resolved]) -> Table:
    """How soon moves are resolved."""
    table = Table(title="From accepted to resolved at 40 moves a second, beside empty Celery tasks")
    table.add_column("service")
    for name in (
        "moves",
        "p50 ms",
        "p99 ms",
        "empty p50 ms",
        "empty p99 ms",
        "p99 ÷ empty p99",
        "matches/s",
        "MB more",
    ):
        table.add_column(name, justify="right")
    for each in found:
        ours, theirs = each.p99(each.resolved), each.p99(each.empty)
        middle = [f"{1000 * median(times):.0f}" for times in (each.resolved, each.empty)]
        figures = [middle[0], f"{ours:.0f}", middle[1], f"{theirs:.0f}", f"{ours / theirs:.1f}"]
        figures += [f"{each.speed:.0f}", f"{each.grown:.1f}"]
        table.add_row(each.world, str(len(each.resolved)), *figures)
    return table


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="Slices for each rate.")
@click.option(
    "--slice", "seconds", type=click.FloatRange(min=0.1), default=1.0, show_default=True, help="Seconds of each."
)
def main(rounds: int, seconds: float) -> None:
    """Measure the service on both databases, each figure beside a yardstick of the same run."""
    console = Console()
    console.width = max(console.width, WIDTH)
    folder = Path(tempfile.mkdtemp(prefix="echtra-bench-"))
    postgres, broker = Postgres(), Redis() if redis_binary() else None
    try:
        one, two = (
            World("SQLite", env(folder / "one")),
            World("PostgreSQL", env(folder, ECHTRA_DATABASE_URL=postgres.url)),
        )
        console.print(shown_rates([hot_path(one, "alone", rounds, seconds), hot_path(two, "granian", rounds, seconds)]))
        worlds = [World("SQLite, memory", env(folder / "two"))]
        if broker is not None:
            broker.start()
            settings = env(folder, ECHTRA_DATABASE_URL=fresh(postgres), ECHTRA_BROKER_URL=broker.url)
            worlds.append(World("PostgreSQL, Redis", settings))
        console.print(shown_resolved([resolving(world, 8) for world in worlds]))
        console.print(NOTE)
    finally:
        database.forget()
        if broker is not None and broker.process is not None:
            broker.end()
        postgres.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(prog_name="python -m bench.service")
