"""`echtra keys`: the keys that the server signs with."""

from __future__ import annotations

import click

from cli.command import BilingualArgument, bilingual_command, localise


@bilingual_command("keys", "usage.keys.about")
@click.argument("action", cls=BilingualArgument, type=click.Choice(["list", "rotate"]), default="list")
def command(action: str) -> None:
    """List the server's keys, or rotate them."""
    from cli import preflight
    from cli.terminal import Terminal
    from service.db.connection import rows
    from service.play import server_keys
    from service.timestamps import rfc3339

    preflight.open_database()
    if action == "rotate":
        click.echo(localise("commands.keys.new", key=server_keys.rotate().key.id))
        return
    server_keys.current_key()
    keys = rows("select id, since, until from server_key order by since")
    shown = [[key, rfc3339(since) or "", rfc3339(until) or ""] for key, since, until in keys]
    Terminal().grid("", ["kid", "from", "until"], shown, left=3)
