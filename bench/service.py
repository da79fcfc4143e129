"""The command `python -m bench.service`: moves over HTTP, and how soon they are resolved, beside bare yardsticks."""

import shutil
import tempfile
from pathlib import Path

import click
from rich.console import Console

from bench import moving, resolving
from bench.worlds import World, env, fresh
from service.db import connection
from tests.support.servers import Postgres, Redis, redis_binary

WIDTH = 120
NOTE = (
    "Raw: one insert and commit after the other (SQLite), by eight at once (PostgreSQL). Bare and insert: Flask "
    "endpoints on the same server, without and with one insert in a transaction (begin, insert, commit). SQLite is "
    "served by one process, PostgreSQL by two. "
    f"Turns/s and MB more: one worker on a heap of {resolving.HEAP:,} matches that wait."
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
            World("SQLite", env(folder / "one")),
            World("PostgreSQL", env(folder, ECHTRA_DATABASE_URL=postgres.url)),
        )
        console.print(
            moving.shown(
                [moving.hot_path(one, "alone", rounds, seconds), moving.hot_path(two, "granian", rounds, seconds)]
            )
        )
        worlds = [World("SQLite, memory", env(folder / "two"))]
        if broker is not None:
            broker.start()
            settings = env(folder, ECHTRA_DATABASE_URL=fresh(postgres), ECHTRA_BROKER_URL=broker.url)
            worlds.append(World("PostgreSQL, Redis", settings))
        console.print(resolving.shown([resolving.resolving(world, 8) for world in worlds]))
        console.print(NOTE)
    finally:
        connection.drop_connections()
        if broker is not None and broker.process is not None:
            broker.end()
        postgres.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(prog_name="python -m bench.service")
