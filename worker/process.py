"""The crew of a process: a Celery worker in a thread, the relay that finds work for it, and the sender of hints."""

from __future__ import annotations

import threading

import structlog
from celery import Celery
from celery.worker import WorkController

from service.config import Config
from service.db.connection import Down
from service.jobs import heartbeat
from worker import celery_app as app
from worker.hints import Hints
from worker.schedule import CHORES, TOPICS
from worker.shutdown import Attentive
from worker.sweeper import Relay
from worker.tasks import register

log = structlog.get_logger("worker")


class Beat:
    """What finds work and keeps the clocks: the relay, and the sender of its hints."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.app: Celery = app.made(config)
        register(self.app, config, TOPICS)
        self.hints = Hints(self.app)
        self.hints.listen()
        self.relay = Relay(self.app, config, CHORES)

    def start(self) -> None:
        """Begin to work; returns at once."""
        self.hints.start()
        self.relay.start()

    def stop(self) -> None:
        """Finish what runs and stop; what is left is found by the next start."""
        self.relay.stop()
        self.hints.stop()
        try:
            heartbeat.bow()
        except Down as error:
            log.warning("database", error=str(error).strip())


class Crew(Beat):
    """Everything of a process that works without being asked over HTTP."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.worker = WorkController(
            app=self.app,
            pool="threads",
            concurrency=config.tasks,
            hostname=f"echtra@{heartbeat.name()}",
            without_heartbeat=True,
            without_mingle=True,
            without_gossip=True,
            # The event loop forgets its queue when Redis dies while threads acknowledge; the plain loop comes back.
            use_eventloop=False,
        )
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)
        self.died = Attentive()
        """Set when the worker ended without being told to."""
        self._stopping = False

    def start(self) -> None:
        """Begin to work; returns at once."""
        self._thread.start()
        super().start()

    def _work(self) -> None:
        try:
            self.worker.start()
        finally:
            if not self._stopping:
                log.error("worker ended")
                self.died.set()

    def stop(self) -> None:
        """Finish the tasks that run and stop; what is left is found by the next start."""
        self._stopping = True
        self.relay.stop()
        self.worker.stop()
        self._thread.join(30)
        super().stop()
