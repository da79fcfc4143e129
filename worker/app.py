"""The Celery app: tasks are hints with the id of a row; what is to be done stands in the database."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from celery import Celery

from service import nudge
from service.config import Config

RESOLVE, JOB = "echtra.resolve", "echtra.job"
EMBEDDED = "memory://"

SETTINGS: dict[str, Any] = {
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "task_ignore_result": True,
    "task_default_queue": "echtra",
    "task_serializer": "json",
    "accept_content": ["json"],
    "worker_prefetch_multiplier": 1,
    "worker_enable_remote_control": False,
    "worker_send_task_events": False,
    "worker_hijack_root_logger": False,
    "worker_cancel_long_running_tasks_on_connection_loss": True,
    "worker_max_tasks_per_child": 1000,
    "worker_max_memory_per_child": 300_000,
    "broker_connection_retry_on_startup": True,
    "redis_socket_timeout": 5,
    "redis_socket_connect_timeout": 3,
    "redis_backend_health_check_interval": 10,
}
REDIS: dict[str, Any] = {
    "visibility_timeout": 600,
    "socket_timeout": 5,
    "socket_connect_timeout": 3,
    "health_check_interval": 10,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.2,
}
PUBLISH = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}


def made(config: Config) -> Celery:
    """The app for this configuration, bound to its tasks and set as the one of this process."""
    app = Celery("echtra", broker=config.broker_url or EMBEDDED, set_as_current=True)
    app.conf.update(SETTINGS)
    app.conf.broker_transport_options = {"polling_interval": 0.02} if config.embedded else REDIS
    app.set_default()
    nudge.Nudge.send = staticmethod(lambda task, what: hint(app, task, what))
    return app


def hint(app: Celery, task: str, what: str) -> None:
    """Send a hint; a broker that is down loses nothing, since the sweep finds what is left."""
    with suppress(Exception):  # whatever a broker raises: the hint is lost, the work is not
        app.send_task(task, args=(what,), retry=False, retry_policy=PUBLISH, ignore_result=True)
