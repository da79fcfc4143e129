"""`echtra keys`: the keys that the server signs with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import BilingualArgument, bilingual_command
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("keys", "usage.keys.about")
@click.argument("action", cls=BilingualArgument, type=click.Choice(["list", "rotate"]), default="list")
def command(action: str, locale: Locale, no_color: bool) -> None:
    """Look at the server's keys, or change them."""
    from cli import preflight
    from cli.terminal import Terminal
    from service.db.connection import rows
    from service.play import server_keys
    from service.timestamps import rfc3339

    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    if action == "rotate":
        click.echo(translate(locale, "commands.keys.new", key=server_keys.rotate().key.id))
        return
    server_keys.current_key()
    found = rows("select id, since, until from server_key order by since")
    shown = [[key, rfc3339(since) or "", rfc3339(until) or ""] for key, since, until in found]
    Terminal(locale, no_color=no_color).grid("", ["kid", "from", "until"], shown, left=3)
