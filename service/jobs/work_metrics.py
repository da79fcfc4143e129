"""Metrics of a process about its own work: jobs, periodic tasks, resolved moves, incoming and outgoing email."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps

from prometheus_client import CollectorRegistry, Counter, Histogram

from service.config import Config
from service.jobs.queue import ClaimedJob, JobHandler, RetryLater

REGISTRY = CollectorRegistry()
JOBS = Counter("echtra_jobs", "Jobs tried, by what became of them.", ("topic", "outcome"), registry=REGISTRY)
JOB_SECONDS = Histogram("echtra_job_seconds", "Time that a job took.", ("topic",), registry=REGISTRY)
TASK_SECONDS = Histogram("echtra_task_seconds", "Time that a periodic task took.", ("task",), registry=REGISTRY)
WAITS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200)
"""Bounds of the histograms of waits, in seconds: from a fast resolution to a mail server that was down for hours."""
RESOLVE_SECONDS = Histogram(
    "echtra_resolve_seconds", "Time from accepting a move to its resolution.", buckets=WAITS, registry=REGISTRY
)
LETTER_SECONDS = Histogram(
    "echtra_letter_seconds",
    "Time from when an email was due until the mail server took it.",
    buckets=WAITS,
    registry=REGISTRY,
)
MAIL = Counter("echtra_mail_received", "Messages offered to the mail door.", ("outcome",), registry=REGISTRY)


def count_jobs(handlers: Mapping[str, JobHandler]) -> dict[str, JobHandler]:
    """Return the handlers, wrapped to count and time their jobs."""
    return {topic: _count_job(topic, handler) for topic, handler in handlers.items()}


def _count_job(topic: str, handler: JobHandler) -> JobHandler:
    @wraps(handler)
    def counted(job: ClaimedJob, config: Config) -> None:
        outcome = "failed"
        try:
            with JOB_SECONDS.labels(topic).time():
                handler(job, config)
            outcome = "done"
        except RetryLater:
            outcome = "later"
            raise
        finally:
            JOBS.labels(topic, outcome).inc()

    return counted


def time_task(name: str, task: Callable[[Config], None]) -> Callable[[Config], None]:
    """Return the periodic task, wrapped to time it."""

    @wraps(task)
    def timed(config: Config) -> None:
        with TASK_SECONDS.labels(name).time():
            task(config)

    return timed


@contextmanager
def count_mail() -> Iterator[None]:
    """Count a message that the body stores: as stored, or as failed if it raises."""
    outcome = "failed"
    try:
        yield
        outcome = "kept"
    finally:
        MAIL.labels(outcome).inc()
