"""How fast letters that wait go out: jobs claimed, letters written, kept, and handed to a server in another process."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import click
from rich.table import Table

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
    """How many letters went out, and what each took to compose alone and to be sent, in seconds."""

    letters: int
    composing: float
    composing_cpu: float
    sending: float
    sending_cpu: float


@contextmanager
def run_sink() -> Iterator[int]:
    """A mail server in a process of its own; the port that it listens at."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "bench.mail_sink", str(port)])  # noqa: S603  # our own
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait()


def drain_letters(start: Callable[[str, int], str], config: Config) -> DrainFigures:
    """Let matches of each game by turns ask their first question, compose every letter alone, then do every job."""
    slugs = list(GAMES)
    jobs = [_find_question(start(slugs[number % len(slugs)], number), config) for number in range(LETTERS)]
    _compose_all(jobs, config)  # so that neither of the two that are timed finds more of it warm than the other
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
    """The job of the first letter of a match, due now."""
    resolve_match(match, make_effects(config), config.most_entries)
    number, key, payload = rows(SELECT_JOB, f"turn:{match}:%")[0]
    job_queue.retry_job(number)
    return Job(number, key, LetterJob.from_json(payload), 0)


def drain_table(found: DrainFigures) -> Table:
    """Letters a second composed alone and sent, and their ratio."""
    title = f"{found.letters:,} letters: composed alone, and as jobs that end at a mail server"
    table = figures_table(title, [], ("", "letters/s", "CPU ms a letter", "÷ composing"))
    alone = found.letters / found.composing
    for name, wall, cpu in (
        ("composed", found.composing, found.composing_cpu),
        ("sent", found.sending, found.sending_cpu),
    ):
        rate = found.letters / wall
        table.add_row(name, f"{rate:.0f}", f"{1000 * cpu / found.letters:.1f}", f"{rate / alone:.2f}")
    return table
