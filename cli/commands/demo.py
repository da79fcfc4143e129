"""`echtra demo`: fill an empty database with a small world to look around in."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, localise, program_name, refusal

if TYPE_CHECKING:
    from service.config import Config


@bilingual_command("demo", "usage.demo.about")
def command() -> None:
    """Fill an empty database with a small world."""
    from cli import preflight

    config = preflight.load_config()
    if not config.local:
        raise refusal("commands.demo.public")
    with preflight.lock_database_file(config) or nullcontext():
        _open_database(config)
        _fill_database(config)


def _open_database(config: Config) -> None:
    """Connect to a database that is up to date. Refuse one that a worker is using."""
    from cli import preflight
    from service.jobs import heartbeat
    from service.timestamps import now

    if config.embedded:
        preflight.migrate_database(config)
    else:
        preflight.check_database(config)
    if not config.database.startswith("sqlite") and heartbeat.has_live_workers(now()):
        raise refusal("commands.demo.in_use")


def _fill_database(config: Config) -> None:
    from urllib.parse import urlsplit

    from cli import preflight
    from cli.progress import progress_bar
    from cli.simulation.demo_world import WorldExists, build_demo_world

    counts: dict[str, int] = {}
    with progress_bar() as bar:
        task = bar.add_task(localise("commands.demo.working"), total=None)

        def build() -> None:
            counts.update(build_demo_world(config, lambda done, whole: bar.update(task, completed=done, total=whole)))

        try:
            preflight.call_database(config, build)
        except WorldExists as error:
            key = "commands.demo.already" if error.is_demo else "commands.demo.not_empty"
            database = urlsplit(config.database).path.removeprefix("/")
            raise refusal(key, database=database, called=program_name()) from None
    click.echo(localise("commands.demo.done", **counts))
    click.echo(localise("commands.demo.then", called=program_name()))
