"""`echtra keys`: the keys that the server signs with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "List the server's keys, or put a new one in use: echtra keys rotate. Old ones stay published.",
    "Lister les clés du serveur, ou en mettre une nouvelle en service : echtra keys rotate. Les anciennes restent "
    "publiées.",
)
NEW: Bilingual = (
    "Key {key} is in use from now on; running processes take it up within ten seconds.",
    "La clé {key} est désormais en service ; les processus en cours l'adoptent en dix secondes.",
)


@spoken_command("keys", ABOUT)
@click.argument("action", type=click.Choice(["list", "rotate"]), default="list")
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
        click.echo(text_in(NEW, locale).format(key=server_keys.rotate().key.id))
        return
    server_keys.current_key()
    found = rows("select id, since, until from server_key order by since")
    shown = [[key, rfc3339(since) or "", rfc3339(until) or ""] for key, since, until in found]
    Terminal(locale, no_color=no_color).grid("", ["kid", "from", "until"], shown, left=3)
