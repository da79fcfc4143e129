"""The command `python -m bench.service`: whole turns over HTTP, and how soon moves are resolved, with yardsticks."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import psutil  # type: ignore[import-untyped]
from rich.table import Table

from bench import (
    forecasts,
    paired_rounds,
    resolve_latency,
    tournament_costs,
    turn_stations,
    whole_turns,
)
from bench.databases import MeasuredService, environment, new_database
from bench.tables import wide_console
from service.db import connection
from tests.support.servers import Postgres, Redis, redis_binary

ALONE, APART = "SQLite, one process", {"web": "granian", "worker": "worker"}
TURN_MATCHES, TURN_SECONDS = (8, 50, 500), 8.0
NOTE = (
    "Plain insert: a Flask endpoint on the same server with one insert in a transaction (begin, insert, commit). "
    f"Turns/s and MB more: one worker on a heap of {resolve_latency.HEAP:,} matches that wait."
)


@click.command()
def main() -> None:
    """Measure the service on both databases, each figure with a yardstick of the same run."""
    console = wide_console()
    folder = Path(tempfile.mkdtemp(prefix="echtra-bench-"))
    postgres, broker = Postgres(), Redis() if redis_binary() else None
    try:
        if broker is not None:
            broker.start()
        for table in _measure_all(Worlds(folder, postgres, broker)):
            console.print(table)
        console.print(NOTE)
    finally:
        connection.drop_connections()
        if broker is not None and broker.process is not None:
            broker.end()
        postgres.end()
        shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class Worlds:
    """Services to measure, each on a new database."""

    folder: Path
    postgres: Postgres
    broker: Redis | None

    def sqlite(self, place: str, name: str = "SQLite") -> MeasuredService:
        """Return a service on SQLite."""
        return MeasuredService(name, environment(self.folder / place))

    def on_postgres(self, database: str, name: str = "PostgreSQL", **more: str) -> MeasuredService:
        """Return a service on PostgreSQL."""
        address = new_database(self.postgres, database)
        return MeasuredService(name, environment(self.folder, ECHTRA_DATABASE_URL=address, **more))

    def with_redis(self, database: str, **more: str) -> list[MeasuredService]:
        """Return a service on PostgreSQL and Redis, or None without a Redis to start."""
        if self.broker is None:
            return []
        return [self.on_postgres(database, "PostgreSQL, Redis", ECHTRA_BROKER_URL=self.broker.url, **more)]


def _measure_all(worlds: Worlds) -> Iterator[Table]:
    resolving = [worlds.sqlite("two", "SQLite, memory"), *worlds.with_redis("resolving")]
    yield resolve_latency.resolve_table([resolve_latency.measure_resolving(world, 8) for world in resolving])
    yield _measure_turns(worlds)
    both = [worlds.sqlite("four"), worlds.on_postgres("stations")]
    yield turn_stations.stations_table([turn_stations.measure_stations(world) for world in both])
    results = [paired_rounds.measure_round(worlds.sqlite("five", ALONE), {"serve": "idle"})]
    results += [
        paired_rounds.measure_round(world, APART) for world in worlds.with_redis("rounds", ECHTRA_PROCESSES="1")
    ]
    yield paired_rounds.round_table(results)
    both = [worlds.sqlite("six"), worlds.on_postgres("tournaments")]
    yield tournament_costs.costs_table([tournament_costs.measure_tournaments(world) for world in both])
    yield forecasts.plan_table(forecasts.measure_plan(worlds.sqlite("forecast")))


def _measure_turns(worlds: Worlds) -> Table:
    """Measure whole turns on SQLite in one process, and on PostgreSQL and Redis with web and worker apart."""
    alone = worlds.sqlite("three", ALONE)
    results = whole_turns.measure_turns(alone, {"serve": "idle"}, TURN_MATCHES, TURN_SECONDS)
    servers = {"PostgreSQL": psutil.Process(worlds.postgres.server.get_pid())}
    if worlds.broker is not None and worlds.broker.process is not None:
        servers["Redis"] = psutil.Process(worlds.broker.process.pid)
    for world in worlds.with_redis("turns", ECHTRA_PROCESSES="1"):
        results += whole_turns.measure_turns(world, APART, TURN_MATCHES, TURN_SECONDS, servers)
    return whole_turns.turns_table(results)


if __name__ == "__main__":
    main(prog_name="python -m bench.service")
