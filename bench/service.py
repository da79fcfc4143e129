"""The command `python -m bench.service`: moves over HTTP, and how soon they are resolved, beside bare yardsticks."""

import shutil
import tempfile
from pathlib import Path

import click
import psutil  # type: ignore[import-untyped]
from rich.console import Console
from rich.table import Table

from bench import (
    forecasts,
    move_rates,
    paired_rounds,
    resolve_latency,
    tournament_costs,
    turn_stations,
    whole_turns,
)
from bench.databases import MeasuredService, environment, new_database
from service.db import connection
from tests.support.servers import Postgres, Redis, redis_binary

WIDTH = 120
TURN_MATCHES, TURN_SECONDS = (8, 50, 500), 8.0
NOTE = (
    "Raw: one insert and commit after the other (SQLite), by eight at once (PostgreSQL). Bare and insert: Flask "
    "endpoints on the same server, without and with one insert in a transaction (begin, insert, commit). SQLite is "
    "served by one process, PostgreSQL by two. "
    f"Turns/s and MB more: one worker on a heap of {resolve_latency.HEAP:,} matches that wait."
)


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), default=9, show_default=True, help="Slices for each rate.")
@click.option(
    "--slice", "seconds", type=click.FloatRange(min=0.1), default=0.5, show_default=True, help="Seconds of each."
)
def main(rounds: int, seconds: float) -> None:
    """Measure the service on both databases, each figure beside a yardstick of the same run."""
    console = Console()
    console.width = max(console.width, WIDTH)
    folder = Path(tempfile.mkdtemp(prefix="echtra-bench-"))
    postgres, broker = Postgres(), Redis() if redis_binary() else None
    try:
        one, two = (
            MeasuredService("SQLite", environment(folder / "one")),
            MeasuredService("PostgreSQL", environment(folder, ECHTRA_DATABASE_URL=postgres.url)),
        )
        console.print(
            move_rates.rates_table(
                [
                    move_rates.measure_moves(one, "alone", rounds, seconds),
                    move_rates.measure_moves(two, "granian", rounds, seconds),
                ]
            )
        )
        worlds = [MeasuredService("SQLite, memory", environment(folder / "two"))]
        if broker is not None:
            broker.start()
            settings = environment(
                folder, ECHTRA_DATABASE_URL=new_database(postgres, "resolving"), ECHTRA_BROKER_URL=broker.url
            )
            worlds.append(MeasuredService("PostgreSQL, Redis", settings))
        console.print(resolve_latency.resolve_table([resolve_latency.measure_resolving(world, 8) for world in worlds]))
        console.print(_measure_turns(folder, postgres, broker))
        console.print(_measure_stations(folder, postgres))
        console.print(_measure_round(folder, postgres, broker))
        console.print(_measure_tournaments(folder, postgres))
        console.print(
            forecasts.plan_table(forecasts.measure_plan(MeasuredService("SQLite", environment(folder / "forecast"))))
        )
        console.print(NOTE)
    finally:
        connection.drop_connections()
        if broker is not None and broker.process is not None:
            broker.end()
        postgres.end()
        shutil.rmtree(folder, ignore_errors=True)


def _measure_turns(folder: Path, postgres: Postgres, broker: Redis | None) -> Table:
    """Whole turns on SQLite in one process, and on PostgreSQL and Redis with web and worker apart."""
    alone = MeasuredService("SQLite, one process", environment(folder / "three"))
    found = whole_turns.measure_turns(alone, {"serve": "idle"}, TURN_MATCHES, TURN_SECONDS)
    if broker is not None:
        address = new_database(postgres, "turns")
        settings = environment(folder, ECHTRA_DATABASE_URL=address, ECHTRA_BROKER_URL=broker.url, ECHTRA_PROCESSES="1")
        apart = MeasuredService("PostgreSQL, Redis", settings)
        servers = {"PostgreSQL": psutil.Process(postgres.server.get_pid())}
        if broker.process is not None:
            servers["Redis"] = psutil.Process(broker.process.pid)
        kinds = {"web": "granian", "worker": "worker"}
        found += whole_turns.measure_turns(apart, kinds, TURN_MATCHES, TURN_SECONDS, servers)
    return whole_turns.turns_table(found)


def _measure_stations(folder: Path, postgres: Postgres) -> Table:
    """What each station of a turn costs on both databases."""
    one = MeasuredService("SQLite", environment(folder / "four"))
    two = MeasuredService("PostgreSQL", environment(folder, ECHTRA_DATABASE_URL=new_database(postgres, "stations")))
    return turn_stations.stations_table([turn_stations.measure_stations(each) for each in (one, two)])


def _measure_round(folder: Path, postgres: Postgres, broker: Redis | None) -> Table:
    """A round of 2,800 matches beside moves of others, on SQLite in one process and with web and worker apart."""
    alone = MeasuredService("SQLite, one process", environment(folder / "five"))
    found = [paired_rounds.measure_round(alone, {"serve": "idle"})]
    if broker is not None:
        address = new_database(postgres, "rounds")
        settings = environment(folder, ECHTRA_DATABASE_URL=address, ECHTRA_BROKER_URL=broker.url, ECHTRA_PROCESSES="1")
        apart = MeasuredService("PostgreSQL, Redis", settings)
        found.append(paired_rounds.measure_round(apart, {"web": "granian", "worker": "worker"}))
    return paired_rounds.round_table(found)


def _measure_tournaments(folder: Path, postgres: Postgres) -> Table:
    """Standings of thousands and entering, on both databases."""
    one = MeasuredService("SQLite", environment(folder / "six"))
    address = new_database(postgres, "tournaments")
    two = MeasuredService("PostgreSQL", environment(folder, ECHTRA_DATABASE_URL=address))
    return tournament_costs.costs_table([tournament_costs.measure_tournaments(each) for each in (one, two)])


if __name__ == "__main__":
    main(prog_name="python -m bench.service")
