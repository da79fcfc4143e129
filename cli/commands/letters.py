"""`echtra letters`: look at letters that wait or came back, and send them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import (
    BilingualArgument,
    Refusal,
    bilingual_command,
    bilingual_option,
    program_name,
    refusal,
    strip_control_characters,
)
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale

STATES = ("queued", "accepted", "deferred", "bounced", "answered")
RETRIED_STATES = ("deferred", "bounced")


@bilingual_command("letters", "usage.letters.about")
@click.argument("action", cls=BilingualArgument, type=click.Choice(["list", "retry", "resume"]), default="list")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@bilingual_option("--state", type=click.Choice(STATES), text="usage.letters.state")
@bilingual_option("--player", metavar="ID", default="", text="usage.letters.player")
@bilingual_option("--since", metavar="DATE", text="usage.letters.since")
@bilingual_option("--most", type=click.IntRange(1, 10_000), default=50, metavar="N", text="usage.letters.most")
def command(  # one parameter an option
    action: str,
    ids: tuple[str, ...],
    state: str | None,
    player: str,
    since: str | None,
    most: int,
    locale: Locale,
    no_color: bool,
) -> int:
    """Look at letters, or send them again."""
    from cli import preflight
    from service.mail.outgoing import retry

    config = preflight.load_config(locale)
    if action == "retry" and bool(ids) == (state in RETRIED_STATES):
        raise refusal(locale, "operator.letters.which")
    if action != "retry" and ids:
        raise refusal(locale, "operator.no_ids", action=action)
    from_time = preflight.parse_time(since, locale) if since else 0
    preflight.check_database(config, locale)
    if action == "list":
        _print_letters(state or "", player, most, locale, no_color=no_color)
        return 0
    if action == "resume":
        click.echo(translate(locale, "operator.letters.resumed", count=retry.resume_sending()))
        return 0
    if state and not ids:
        click.echo(translate(locale, "operator.letters.again", count=retry.retry_in_state(state, from_time)))
        return 0
    return _retry_letters(ids, locale)


def _retry_letters(ids: tuple[str, ...], locale: Locale) -> int:
    from service.mail.outgoing import retry

    missing = [letter for letter in ids if not retry.retry_letter(letter)]
    click.echo(translate(locale, "operator.letters.again", count=len(ids) - len(missing)))
    if missing:
        raise Refusal(translate(locale, "operator.letters.none", ids=", ".join(missing)))
    return 0


def _print_letters(state: str, player: str, most: int, locale: Locale, *, no_color: bool) -> None:
    from cli.terminal import Terminal
    from service.jobs import alarms
    from service.mail.outgoing import letter_ledger
    from service.timestamps import now, rfc3339

    found = [
        [id_, rfc3339(at) or "", translate(locale, f"doctor.letter_state.{known}"), kind, to or "-", why]
        for id_, at, known, kind, to, why in letter_ledger.list_newest(state, player, most)
    ]
    for alarm in alarms.list_active(now()):
        values = {"count": alarm.count, "since": rfc3339(alarm.since), "detail": alarm.detail}
        text = translate(locale, f"doctor.stuck.{alarm.kind}", called=program_name(), **values)
        click.echo(strip_control_characters(text))
    if not found:
        click.echo(translate(locale, "operator.letters.empty"))
        return
    names = ("id", "written", "state", "kind", "player", "why")
    header = [translate(locale, f"operator.column.{name}") for name in names]
    Terminal(locale, no_color=no_color).grid("", header, found, left=len(header))
