"""`echtra jobs`: look at work that waits or was given up, do it again, or never."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import BilingualArgument, Refusal, bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("jobs", "usage.jobs.about")
@click.argument("action", cls=BilingualArgument, type=click.Choice(["list", "retry", "drop"]), default="list")
@click.argument("numbers", nargs=-1, cls=BilingualArgument, type=int, metavar="[NUMBER]...")
@bilingual_option("--dead", is_flag=True, text="usage.jobs.dead")
@bilingual_option("--topic", default="", metavar="TOPIC", text="usage.jobs.topic")
@bilingual_option("--most", type=click.IntRange(1, 10_000), default=50, metavar="N", text="usage.jobs.most")
def command(  # one parameter an option
    action: str, numbers: tuple[int, ...], dead: bool, topic: str, most: int, locale: Locale, no_color: bool
) -> int:
    """Look at jobs, do them again, or drop them."""
    from cli import preflight
    from service.jobs import queue
    from worker.schedule import JOB_HANDLERS

    config = preflight.load_config(locale)
    if topic and topic not in JOB_HANDLERS:
        raise refusal(locale, "operator.jobs.no_topic", topic=topic, known=", ".join(sorted(JOB_HANDLERS)))
    if action == "list" and numbers:
        raise refusal(locale, "operator.no_ids", action=action)
    if (action == "retry" and bool(numbers) == dead) or (action == "drop" and not numbers):
        raise refusal(locale, f"operator.jobs.unnamed.{action}")
    preflight.check_database(config, locale)
    if action == "list":
        _print_jobs(topic, most, locale, dead=dead, no_color=no_color)
        return 0
    if action == "retry" and not numbers:
        click.echo(translate(locale, "operator.jobs.retry", count=queue.retry_dead(topic)))
        return 0
    change = queue.retry_job if action == "retry" else queue.drop_job
    missing = [number for number in numbers if not change(number)]
    click.echo(translate(locale, f"operator.jobs.{action}", count=len(numbers) - len(missing)))
    if missing:
        raise Refusal(translate(locale, "operator.jobs.none", numbers=", ".join(map(str, missing))))
    return 0


def _print_jobs(topic: str, most: int, locale: Locale, *, dead: bool, no_color: bool) -> None:
    from cli.terminal import Terminal
    from service.jobs import queue
    from service.timestamps import rfc3339

    found = [
        [str(number), kind, key, str(attempts), rfc3339(due) or "", rfc3339(given_up) or "", _why(lost, error, locale)]
        for number, kind, key, attempts, lost, due, given_up, error in queue.list_undone(topic, dead=dead, most=most)
    ]
    if not found:
        click.echo(translate(locale, "operator.jobs.empty"))
        return
    names = ("number", "topic", "key", "attempts", "due", "given_up", "error")
    header = [translate(locale, f"operator.column.{name}") for name in names]
    Terminal(locale, no_color=no_color).grid("", header, found, left=len(header))


def _why(lost: int, error: str, locale: Locale) -> str:
    """What is known of a job that is not done: that its workers died, and its last error."""
    return "; ".join([*([translate(locale, "operator.jobs.lost", count=lost)] if lost else []), *filter(None, [error])])
