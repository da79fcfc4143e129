"""The Celery app. Its messages are wake-ups with ids of rows; the work itself is in the database."""

from __future__ import annotations

from typing import Any

from celery import Celery
from kombu import Queue

from service.config import Config
from worker import memory_broker

QUEUE = "echtra"
SETTINGS: dict[str, Any] = {
    "task_ignore_result": True,
    "task_default_queue": QUEUE,
    # A wake-up may be lost, so it is not acknowledged. That would cost a fifth of a worker's CPU time for a turn.
    "task_queues": [Queue(QUEUE, no_ack=True)],
    # The plain loop sleeps for two seconds when its window is full, and losing a message costs little: no limit.
    "worker_prefetch_multiplier": 0,
    "worker_enable_remote_control": False,
    "worker_hijack_root_logger": False,
    # Celery warns where this is not set. It concerns acknowledged messages alone.
    "worker_cancel_long_running_tasks_on_connection_loss": True,
    "broker_connection_retry_on_startup": True,
    # Reconnect for ever: without a broker the sweep still finds all work.
    "broker_connection_max_retries": None,
}
REDIS_OPTIONS: dict[str, Any] = {
    # A worker that stops may have to wait this long once. Process managers often allow five seconds.
    "socket_timeout": 3,
    "socket_connect_timeout": 3,
    "health_check_interval": 10,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.2,
}


def create_celery(config: Config) -> Celery:
    """Create the app and make it the default of the process; pool threads would otherwise use another one."""
    app = Celery("echtra", broker=config.broker_url or f"{memory_broker.SCHEME}://localhost//", set_as_current=True)
    app.conf.update(SETTINGS)
    app.conf.broker_transport_options = {} if config.embedded else REDIS_OPTIONS
    app.set_default()
    return app
