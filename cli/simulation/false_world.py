"""A clock that jumps, and the work of the service without a worker, for simulations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from service.config import Config
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.jobs.queue import JobHandler
from service.play import timeouts
from service.play.notify import make_effects
from service.play.resolve import resolve_together
from service.timestamps import TimeSource
from service.tournaments.rounds import rounds
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job

OPEN_JOBS = "select id, topic, due_at from job where done_at is null and dead_at is null order by id"
TOURNAMENT_HANDLERS = {topic: handler for topic, handler in JOB_HANDLERS.items() if topic.startswith("tournament-")}
"""Handlers of the jobs that simulations run. Emails and webhooks wait."""


class FalseClock:
    """The time of a simulation."""

    def __init__(self, at: int) -> None:
        """Begin at this moment."""
        self.at = at

    def __call__(self) -> int:
        """Return the time."""
        return self.at


@contextmanager
def use_false_time(at: int) -> Iterator[FalseClock]:
    """Stop the clock at this moment until somebody moves it. The real clock comes back at the end."""
    clock, real = FalseClock(at), TimeSource.source
    TimeSource.source = staticmethod(clock)
    try:
        yield clock
    finally:
        TimeSource.source = staticmethod(real)


def do_due_work(config: Config, clock: FalseClock, handlers: Mapping[str, JobHandler] = TOURNAMENT_HANDLERS) -> None:
    """Do all work that is due now, as workers do: timeouts, steps, jobs and resolving matches."""
    while True:
        timeouts.check_clocks(config)
        rounds.take_due_steps(config)
        done = [
            run_job(number, config, handlers)
            for number, topic, due_at in rows(OPEN_JOBS)
            if due_at <= clock.at and topic in handlers
        ]
        waiting = MatchRow.select(MatchRow.id).where(MatchRow.resolved_seq < MatchRow.head_seq)
        matches = [row.id for row in waiting]
        if matches:
            resolve_together(matches, make_effects(config), config.most_entries)
        if not matches and not any(done):
            return


def next_job_times(handlers: Mapping[str, JobHandler] = TOURNAMENT_HANDLERS) -> list[int]:
    """Return when the open jobs are due."""
    return [due_at for _, topic, due_at in rows(OPEN_JOBS) if topic in handlers]
