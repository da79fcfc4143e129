"""`echtra jobs`: list jobs that wait or failed for good, retry them, or drop them."""

from __future__ import annotations

import click

from cli.command import BilingualArgument, bilingual_command, bilingual_option, localise, refusal


@bilingual_command("jobs", "usage.jobs.about")
@click.argument("action", cls=BilingualArgument, type=click.Choice(["list", "retry", "drop"]), default="list")
@click.argument("numbers", nargs=-1, cls=BilingualArgument, type=int, metavar="[NUMBER]...")
@bilingual_option("--dead", is_flag=True, text="usage.jobs.dead")
@bilingual_option("--topic", default="", metavar="TOPIC", text="usage.jobs.topic")
@bilingual_option("--most", type=click.IntRange(1, 10_000), default=50, metavar="N", text="usage.jobs.most")
def command(action: str, numbers: tuple[int, ...], dead: bool, topic: str, most: int) -> None:
    """List jobs, retry them, or drop them."""
    from cli import preflight
    from service.jobs import queue
    from worker.schedule import JOB_HANDLERS

    if topic and topic not in JOB_HANDLERS:
        raise refusal("operator.jobs.no_topic", topic=topic, known=", ".join(sorted(JOB_HANDLERS)))
    if action == "list" and numbers:
        raise refusal("operator.no_ids", action=action)
    if (action == "retry" and bool(numbers) == dead) or (action == "drop" and not numbers):
        raise refusal(f"operator.jobs.unnamed.{action}")
    preflight.open_database()
    if action == "list":
        _print_jobs(topic, most, dead=dead)
        return
    if action == "retry" and not numbers:
        click.echo(localise("operator.jobs.retry", count=queue.retry_dead(topic)))
        return
    change = queue.retry_job if action == "retry" else queue.drop_job
    missing = [number for number in numbers if not change(number)]
    click.echo(localise(f"operator.jobs.{action}", count=len(numbers) - len(missing)))
    if missing:
        raise refusal("operator.jobs.none", numbers=", ".join(map(str, missing)))


def _print_jobs(topic: str, most: int, *, dead: bool) -> None:
    from cli.terminal import print_list
    from service.jobs import queue
    from service.timestamps import rfc3339

    jobs = [
        [str(number), kind, key, str(attempts), rfc3339(due) or "", rfc3339(given_up) or "", _why(lost, error)]
        for number, kind, key, attempts, lost, due, given_up, error in queue.list_undone(topic, dead=dead, most=most)
    ]
    header = [
        localise(f"operator.column.{column}")
        for column in ("number", "topic", "key", "attempts", "due", "given_up", "error")
    ]
    print_list(header, jobs, empty=localise("operator.jobs.empty"))


def _why(lost: int, error: str) -> str:
    """Return why a job is not done: how often its worker died, and its last error."""
    return "; ".join(filter(None, [localise("operator.jobs.lost", count=lost) if lost else "", error]))
