"""A worker process: a Celery worker, the sweeper, the sender of wake-ups, and the process for slow bots."""

from __future__ import annotations

import gc
import threading
from dataclasses import replace

import structlog
from celery import Celery
from celery.worker import WorkController

from service.config import Config
from service.db.connection import DatabaseDown
from service.jobs import heartbeat, work_metrics
from service.mail.outgoing import smtp_connections
from worker import celery_app
from worker.bot_process import BotProcess
from worker.schedule import JOB_HANDLERS, PERIODIC_TASKS, PeriodicTask
from worker.shutdown import InterruptibleEvent
from worker.sweeper import Sweeper
from worker.tasks import MatchResolver, register_tasks
from worker.wakeups import WakeupSender

log = structlog.get_logger("worker")


def _timed_tasks() -> dict[str, PeriodicTask]:
    """Return the periodic tasks, each measured under its name."""
    return {name: replace(task, do=work_metrics.time_task(name, task.do)) for name, task in PERIODIC_TASKS.items()}


class Scheduler:
    """The sweeper with the sender of wake-ups: finds due work and keeps the clocks."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.app: Celery = celery_app.create_celery(config)
        # Only this process has the line that a bot chose, so the match is resolved here.
        self.bots = BotProcess(lambda match: self.resolver.resolve([match]))
        self.resolver = MatchResolver(config, self.bots.think)
        self.wakeups = WakeupSender(self.app, config, self.resolver.resolve if config.embedded else None)
        self.wakeups.install()
        handlers = work_metrics.count_jobs(JOB_HANDLERS)
        self.sweeper = Sweeper(self.app, config, _timed_tasks(), self.resolver)
        register_tasks(self.app, config, handlers, self.resolver, self.sweeper.wake)

    def start(self) -> None:
        """Start all threads and return."""
        # Modules stay loaded, so garbage collection can skip them. That halves the longest collections.
        gc.collect()
        gc.freeze()
        self.bots.start()
        self.wakeups.start()
        self.sweeper.start()

    def stop(self) -> None:
        """Finish the running work and stop. The next start finds the rest."""
        self.bots.stop()
        self.sweeper.stop()
        self.wakeups.stop()
        smtp_connections.close_idle(everything=True)
        try:
            heartbeat.mark_stopped()
        except DatabaseDown as error:
            log.warning("database", error=str(error).strip())


class BackgroundWorker(Scheduler):
    """A scheduler with a Celery worker, which runs the tasks."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.worker = WorkController(
            app=self.app,
            pool="threads",
            concurrency=config.tasks,
            hostname=f"echtra@{heartbeat.worker_name()}",
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            # Celery's event loop stopped consuming when Redis died at a bad moment; the plain loop reconnects.
            use_eventloop=False,
        )
        self._thread = threading.Thread(target=self.worker.start, name="worker", daemon=True)
        self.died = InterruptibleEvent()
        """Set when a thread of the worker has ended although nobody stopped it."""
        self._stopping = False

    def start(self) -> None:
        """Start all threads and return."""
        self._thread.start()
        super().start()
        for part in self._parts():
            threading.Thread(target=self._report_end, args=(part,), name=f"watch-{part.name}", daemon=True).start()

    def _parts(self) -> tuple[threading.Thread, ...]:
        return self._thread, self.sweeper, self.wakeups, self.bots

    def find_ended_part(self) -> str:
        """Return the name of a thread that has ended although nobody stopped the worker, or an empty string."""
        ended = next((part.name for part in self._parts() if not part.is_alive()), "")
        return "" if self._stopping else ended

    def _report_end(self, part: threading.Thread) -> None:
        part.join()
        if not self._stopping:
            log.error("worker ended", part=part.name)
            self.died.set()

    def stop(self) -> None:
        """Finish the running tasks and stop. The next start finds what is left."""
        self._stopping = True
        self.bots.stop()
        self.sweeper.stop()
        self.worker.stop()
        self._thread.join(30)
        super().stop()
