"""Figures that a process counts about its own work: jobs, periodic tasks, mail that came to the door."""

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
MAIL = Counter("echtra_mail_received", "Messages offered to the mail door.", ("outcome",), registry=REGISTRY)


def count_jobs(handlers: Mapping[str, JobHandler]) -> dict[str, JobHandler]:
    """The same handlers, whose jobs are counted and timed."""
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
    """The same periodic task, timed."""

    @wraps(task)
    def timed(config: Config) -> None:
        with TASK_SECONDS.labels(name).time():
            task(config)

    return timed


@contextmanager
def count_mail() -> Iterator[None]:
    """Count a message that is being stored: kept, or failed if that raises."""
    outcome = "failed"
    try:
        yield
        outcome = "kept"
    finally:
        MAIL.labels(outcome).inc()
