"""`echtra demo`: fill an empty database with a small world to look around in."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, program_name, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.config import Config


@bilingual_command("demo", "usage.demo.about")
def command(locale: Locale, no_color: bool) -> None:
    """Fill an empty database with a small world."""
    from cli import preflight

    config = preflight.load_config(locale)
    if not config.local:
        raise refusal(locale, "commands.demo.public")
    with ExitStack() as held:
        lock = preflight.lock_database_file(config, locale)
        if lock is not None:
            held.enter_context(lock)
        _fill_database(config, locale, no_color=no_color)


def _fill_database(config: Config, locale: Locale, *, no_color: bool) -> None:
    """Make the world in a database that is held."""
    from urllib.parse import urlsplit

    from cli import preflight
    from cli.progress import progress_bar
    from cli.simulation.demo_world import WorldExists, build_demo_world

    made: dict[str, int] = {}
    _open_database(config, locale)
    with progress_bar(no_color=no_color) as bar:
        task = bar.add_task(translate(locale, "commands.demo.working"), total=None)

        def build() -> None:
            made.update(build_demo_world(config, lambda done, whole: bar.update(task, completed=done, total=whole)))

        try:
            preflight.call_database(config, locale, build)
        except WorldExists as found:
            key = "commands.demo.already" if found.is_demo else "commands.demo.not_empty"
            database = urlsplit(config.database).path.removeprefix("/")
            raise refusal(locale, key, database=database, called=program_name()) from None
    click.echo(translate(locale, "commands.demo.done", **made))
    click.echo(translate(locale, "commands.demo.then", called=program_name()))


def _migrate() -> None:
    from service.db import migrations

    migrations.migrate()


def _open_database(config: Config, locale: Locale) -> None:
    """Connect to a database that is up to date and on which no worker runs; others are refused."""
    from cli import preflight
    from service.jobs import heartbeat
    from service.timestamps import now

    if config.embedded:
        preflight.check_schema(config, locale)
        preflight.call_database(config, locale, _migrate)
    preflight.check_database(config, locale)
    if not config.database.startswith("sqlite") and heartbeat.has_live_workers(now()):
        raise refusal(locale, "commands.demo.in_use")
