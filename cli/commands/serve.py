"""`echtra serve`: web server, worker and scheduler in one process, ready to play."""

from __future__ import annotations

import errno
import os
import threading
from dataclasses import replace
from typing import IO, TYPE_CHECKING

import click

from cli.command import bilingual_command, current_language, localise, program_name, refusal

if TYPE_CHECKING:
    from cli.demo_account import DemoAccount
    from cli.embedded_server import EmbeddedServer
    from service.config import Config
    from service.mail.incoming.smtp_server import SmtpServer
    from worker.process import BackgroundWorker

CURL_EXAMPLE = (
    "curl -s {url}/v1/matches -H 'Authorization: Bearer '$(cat {file}) -H 'Content-Type: application/json' "
    """-d '{{"game": "{game}", "seats": 2, "bots": {{"1": "{bot}"}}}}'"""
)


@bilingual_command("serve", "usage.serve.about")
def command() -> int:
    """Run the whole service in one process."""
    from cli import preflight
    from service.web import middleware
    from worker.tasks import release_leases

    config = preflight.load_config()
    middleware.configure_logging(config.log_level)
    lock = preflight.lock_database_file(config)
    if config.embedded:
        preflight.migrate_database(config)
    else:
        preflight.check_database(config)
    preflight.check_broker(config)
    if lock is not None:
        release_leases()
    return _run_service(config, lock)


def _run_service(config: Config, _lock: IO[str] | None) -> int:
    """Serve until a signal comes or the worker ends. Return the exit code."""
    from cli import preflight
    from cli.embedded_server import EmbeddedServer
    from service.db import database_clock
    from service.events import stream
    from service.web.api import health
    from service.web.app import create_app, express_lanes
    from service.web.gateway import Gateway
    from worker.process import BackgroundWorker

    def leaving() -> None:
        click.echo(localise("commands.serve.stopping"), err=True)
        stream.stop_waiting()

    here = replace(config, host=preflight.check_listen_address(config, "serve"))
    preflight.warn_without_proxy(config)
    app = create_app(config)
    listener = EmbeddedServer(Gateway(app, here, express_lanes(app)), here, leaving)
    demo = _demo_account(config)
    worker, door = BackgroundWorker(config), _open_mail_door(config)
    app.extensions[health.WORKER_PROBE] = worker.find_ended_part
    preflight.call_database(config, database_clock.keep_database_time)
    preflight.stop_on_signals()
    try:
        worker.start()
        args = (click.get_current_context(), worker, listener)
        threading.Thread(target=_stop_with_worker, args=args, name="guard", daemon=True).start()
        for row in greeting_lines(config, demo, app.config["MAILBOX_SECRET"]):
            click.echo(row)
        listener.run()
    finally:
        door.stop(no_assert=True)
        worker.stop()
        click.echo(localise("commands.serve.stopped"), err=True)
    code = 1 if worker.died.is_set() else 0
    if listener.held:
        # At exit Python would wait for the thread of a client that never finishes its request.
        os._exit(code)
    return code


def _stop_with_worker(call: click.Context, worker: BackgroundWorker, listener: EmbeddedServer) -> None:
    """Stop serving once the worker has ended, because moves would be accepted and never resolved."""
    worker.died.wait()
    with call.scope(cleanup=False):  # click stores the context, and with it the language, for each thread
        click.echo(localise("commands.serve.worker_ended", part=worker.find_ended_part()), err=True)
    listener.stop()


def _demo_account(config: Config) -> DemoAccount | None:
    """Return the demo account if only this machine can use it. Otherwise retire an earlier one."""
    from cli.demo_account import ensure_demo_account, retire_demo_account

    if config.embedded and config.local:
        return ensure_demo_account(config, current_language())
    retire_demo_account(config)
    return None


def _open_mail_door(config: Config) -> SmtpServer:
    """Start to receive email."""
    from cli.preflight import config_refusal, os_error_text
    from service.config import BadConfig
    from service.mail.incoming.smtp_server import SmtpServer

    try:
        door = SmtpServer(config)
    except BadConfig as error:
        raise config_refusal(error) from None
    try:
        door.start()
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        values = {
            "door": config.smtp_door,
            "other": door.address.port + 1,
            "why": os_error_text(error),
            "called": program_name(),
        }
        raise refusal("commands.serve.door_in_use" if taken else "commands.serve.door", **values) from None
    return door


def greeting_lines(config: Config, demo: DemoAccount | None, mailbox: str) -> list[str]:
    """Return the rows printed at start: three numbered first steps, then everything else under one heading.

    `mailbox` is the secret that opens the mailbox page.
    """
    from cli.simulation.demo_world import is_empty
    from engine.games import GAMES

    def say(key: str, **values: object) -> str:
        return localise(f"commands.serve.{key}", url=config.url, **values)

    suggestions = play_suggestions()
    # The mailbox answers only clients that connect directly from this machine.
    mailbox_url = f"{config.direct_url}/mailbox?key={mailbox}"
    sign_in = say(
        "sign_in_by_mail" if config.smtp_url else "sign_in" if config.local else "no_mail", mailbox=mailbox_url
    )
    rows = [say("open"), sign_in, say("play", line=suggestions[0][1]), "", say("more"), say("docs")]
    if demo is not None:
        rows += [say("token", file=demo.token_file, token=demo.token), say("key", file=demo.key_file)]
    if config.local:
        rows.append(say("mail_door", door=config.smtp_door))
    if config.local and is_empty():
        rows.append(say("demo", called=program_name()))
    rows.append(say("games"))
    rows += [say("terminal", game=game, line=line) for game, line in suggestions]
    if demo is not None:
        last = list(GAMES.values())[-1]
        curl = CURL_EXAMPLE.format(url=config.url, file=demo.token_file, game=last.slug, bot=last.bots.stand_in)
        rows += [say("http"), f"    {curl}"]
    return rows


def play_suggestions() -> list[tuple[str, str]]:
    """Return each game's title, with its solo rival if it has one, and the command to play it in the terminal."""
    from cli.match_options import rival_options
    from engine.games import GAMES

    locale, suggestions = current_language(), []
    for slug, game in GAMES.items():
        rivals = [option.name for option in rival_options(game)]
        rival = f" ({game.presentation.words.bot(rivals[0], locale)})" if rivals else ""
        line = f"{program_name()} play {slug} --bot {rivals[0] if rivals else game.bots.stand_in}"
        suggestions.append((game.presentation.title[locale] + rival, line))
    return suggestions
