"""`echtra serve`: web, worker and clock in one process, ready to play."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from typing import IO, TYPE_CHECKING

import click

from cli.command import Refusal, Said, in_words
from cli.command import command as spoken_command
from cli.command_shell import called

if TYPE_CHECKING:
    from cli.demo_account import Demo
    from engine.words import Locale
    from service.config import Config
    from service.mail.incoming.smtp_server import Door

ABOUT: Said = (
    "Run the whole service in one process; settings come from ECHTRA_* variables.",
    "Faire tourner tout le service en un seul processus ; les réglages viennent des variables ECHTRA_*.",
)
SAYS: dict[str, Said] = {
    "door-in-use": (
        "The mail door {door} is in use; stop what runs there, or choose another place, for example: "
        "ECHTRA_SMTP_DOOR=127.0.0.1:{other} {called} serve",
        "La porte du courrier {door} est prise ; arrêtez ce qui l'occupe, ou choisissez une autre place, par exemple : "
        "ECHTRA_SMTP_DOOR=127.0.0.1:{other} {called} serve",
    ),
    "door": (
        "The mail door {door} cannot be opened: {why}; check ECHTRA_SMTP_DOOR.",
        "La porte du courrier {door} ne peut pas être ouverte : {why} ; vérifiez ECHTRA_SMTP_DOOR.",
    ),
    "mailbox": (
        "Letters lie at {url}/mailbox; replies are taken there, and by SMTP at {door}",
        "Les lettres sont à {url}/mailbox ; on y répond, ou par SMTP à {door}",
    ),
    "here": ("Echtra is at {url} (Ctrl-C stops it).", "Echtra est à {url} (Ctrl-C l'arrête)."),
    "docs": ("Its API, with a form to try it: {url}/docs", "Son API, avec un formulaire d'essai : {url}/docs"),
    "token": ("Your token (in {file}): {token}", "Votre jeton (dans {file}) : {token}"),
    "key": ("Your signing key: {file}", "Votre clé de signature : {file}"),
    "now": ("To play now, type in another terminal:", "Pour jouer tout de suite, tapez dans un autre terminal :"),
    "terminal": ("  here, {bot}:", "  ici, {bot} :"),
    "http": ("  over HTTP, a match against a bot:", "  par HTTP, une partie contre un robot :"),
    "stopping": ("Stopping: what runs is finished first.", "Arrêt : ce qui est en cours se termine d'abord."),
    "stopped": ("Stopped. Start again to go on where it was.", "Arrêté. Relancez pour reprendre où c'en était."),
}
CURL = (
    "curl -s {url}/v1/matches -H 'Authorization: Bearer '$(cat {file}) -H 'Content-Type: application/json' "
    """-d '{{"game": "{game}", "seats": 2, "bots": {{"1": "{bot}"}}}}'"""
)
PLAIN_BOTS = ("random", "steady")


@spoken_command("serve", ABOUT)
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Run the whole service in one process."""
    from cli import preflight as starting
    from worker.tasks import release

    config = starting.configured(locale)
    lock = starting.held(config, locale)
    if config.embedded:
        _migrated(config, locale)
    starting.prepared(config, locale)
    starting.brokered(config, locale)
    if lock is not None:
        release()
    _run(config, locale, lock)


def _migrated(config: Config, locale: Locale) -> None:
    from cli import preflight as starting
    from service.db import migrations

    starting.connected(config, locale)
    starting.answering(config, locale, lambda: _forgotten(migrations.migrate()))


def _forgotten(_names: list[str]) -> None:
    """What was migrated is of no interest here."""


def _run(config: Config, locale: Locale, _lock: IO[str] | None) -> None:
    from cli import preflight as starting
    from cli.demo_account import ready
    from cli.embedded_server import Listener
    from service.events import stream as streams
    from service.web.app import create_app
    from worker.process import Crew

    def leaving() -> None:
        click.echo(in_words(SAYS["stopping"], locale), err=True)
        streams.stop()

    here = replace(config, host=starting.place(config, locale, "serve"))
    listener = Listener(create_app(config), here, leaving)
    demo = ready(config, locale) if config.embedded and not config.public_url else None
    crew, door = Crew(config), _knocked(config, locale)
    starting.stop_on_signals()
    try:
        crew.start()
        for row in greeting(config, demo, locale):
            click.echo(row)
        listener.run()
    finally:
        door.stop(no_assert=True)
        crew.stop()
        click.echo(in_words(SAYS["stopped"], locale), err=True)
    if listener.held:
        # Python would wait for that client; everything that matters is done.
        os._exit(0)


def _knocked(config: Config, locale: Locale) -> Door:
    """The mail door, open."""
    from cli.preflight import why
    from service.config import BadConfig
    from service.mail.incoming.smtp_server import Door

    try:
        door = Door(config)
    except BadConfig as error:
        raise Refusal(f"{in_words(error.said, locale)}.") from None
    try:
        door.start()
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        values = {"door": config.smtp_door, "other": door.where.port + 1, "why": why(error), "called": called()}
        raise Refusal(in_words(SAYS["door-in-use" if taken else "door"], locale).format(**values)) from None
    return door


def greeting(config: Config, demo: Demo | None, locale: Locale) -> list[str]:
    """What is said once the service runs."""
    from engine.games import GAMES

    def say(key: str, **values: object) -> str:
        return in_words(SAYS[key], locale).format(url=config.url, **values)

    rows = [say("here"), say("docs")]
    if not config.smtp_url:
        rows.append(say("mailbox", door=config.smtp_door))
    if demo is None:
        return rows
    rows += [say("token", file=demo.token_file, token=demo.token), say("key", file=demo.key_file), say("now")]
    for bot, line in plays(locale):
        rows += [say("terminal", bot=bot), f"    {line}"]
    game = list(GAMES.values())[-1]
    curl = CURL.format(url=config.url, file=demo.token_file, game=game.slug, bot=game.stand_in)
    return [*rows, say("http"), f"    {curl}"]


def plays(locale: Locale) -> list[tuple[str, str]]:
    """For each game whom to play in the terminal, its own rival if it has one, and what to type."""
    from engine.games import GAMES

    found = []
    for slug, game in GAMES.items():
        rivals = [bot for bot in game.bots if bot not in PLAIN_BOTS]
        name = game.words.bot(rivals[0], locale) if rivals else game.title[locale]
        found.append((name, f"{called()} play {slug} --bot {rivals[0] if rivals else game.stand_in}"))
    return found
