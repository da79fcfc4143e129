"""How fast queued emails go out: claim the job, write and store the email, send it to a server in another process."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import click
from rich.table import Table

from bench.databases import run_module
from bench.tables import figures_table
from engine.games import GAMES
from service import drawing
from service.config import Config
from service.db.connection import rows
from service.jobs import queue as job_queue
from service.jobs.payloads import LetterJob
from service.jobs.queue import Job, handles
from service.mail import letters
from service.mail.letters.context import LetterContext
from service.mail.outgoing import build_message, deliver, letter_ledger
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from tests.support.servers import free_port
from worker.tasks import run_job

LETTERS = 1_000
SELECT_JOB = "select id, key, payload from job where topic = 'letter' and key like ? order by id"
ADDRESSES = build_message.LetterAddresses("reply@example.org", "link@example.org", "bounce@example.org")


@dataclass(frozen=True)
class DrainFigures:
    """Number of emails, and the seconds for composing all of them and for sending all of them."""

    letters: int
    composing: float
    composing_cpu: float
    sending: float
    sending_cpu: float


@contextmanager
def run_sink() -> Iterator[int]:
    """Run a mail server in a separate process, and return its port."""
    port = free_port()

    def is_listening() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    with run_module("bench.mail_sink", str(port), is_ready=is_listening):
        yield port


def drain_letters(start: Callable[[str, int], str], config: Config) -> DrainFigures:
    """Start matches of each game in turn, compose the emails about their first questions, then run the jobs."""
    slugs = list(GAMES)
    jobs = [_find_question(start(slugs[number % len(slugs)], number), config) for number in range(LETTERS)]
    _compose_all(jobs, config)  # warms the caches, so that both timed runs start alike
    drawing.png.cache_clear()
    began, began_cpu = time.perf_counter(), time.process_time()
    _compose_all(jobs, config)
    composing, composing_cpu = time.perf_counter() - began, time.process_time() - began_cpu
    drawing.png.cache_clear()
    with run_sink() as port:
        out = replace(config, smtp_url=f"smtp://127.0.0.1:{port}")
        began, began_cpu = time.perf_counter(), time.process_time()
        for job in jobs:
            run_job(job.id, out, dict([handles(LetterJob, deliver.deliver_letter)]))
        sending, sending_cpu = time.perf_counter() - began, time.process_time() - began_cpu
    stored = [letter_ledger.find(letter_ledger.letter_id(job.key)) for job in jobs]
    sent = sum(letter is not None and letter.state == "accepted" for letter in stored)
    if sent < len(jobs):
        raise click.ClickException(f"Only {sent} of {len(jobs)} letters went out.")
    return DrainFigures(sent, composing, composing_cpu, sending, sending_cpu)


def _compose_all(jobs: list[Job[LetterJob]], config: Config) -> None:
    for job in jobs:
        letter = letters.compose(LetterContext(job.payload, config))
        if letter is not None:
            build_message.render_message("letter", letter, ADDRESSES, config)


def _find_question(match: str, config: Config) -> Job[LetterJob]:
    """Return the job of the first email of a match, due now."""
    resolve_match(match, make_effects(config), config.most_entries)
    number, key, payload = rows(SELECT_JOB, f"turn:{match}:%")[0]
    job_queue.retry_job(number)
    return Job(number, key, LetterJob.from_json(payload), 0)


def drain_table(figures: DrainFigures) -> Table:
    """Return a table of emails a second, composed and sent, and their ratio."""
    title = f"{figures.letters:,} letters: composed alone, and as jobs that end at a mail server"
    table = figures_table(title, [], ("", "letters/s", "CPU ms a letter", "÷ composing"))
    alone = figures.letters / figures.composing
    for name, wall, cpu in (
        ("composed", figures.composing, figures.composing_cpu),
        ("sent", figures.sending, figures.sending_cpu),
    ):
        rate = figures.letters / wall
        table.add_row(name, f"{rate:.0f}", f"{1000 * cpu / figures.letters:.1f}", f"{rate / alone:.2f}")
    return table
