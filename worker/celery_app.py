"""The Celery app: tasks are hints with the id of a row; what is to be done stands in the database."""

from __future__ import annotations

from typing import Any

from celery import Celery

from service.config import Config
from worker import memory_broker

SETTINGS: dict[str, Any] = {
    "task_acks_late": True,
    "task_reject_on_worker_lost": True,
    "task_ignore_result": True,
    "task_default_queue": "echtra",
    "task_serializer": "json",
    "accept_content": ["json"],
    # The plain loop sleeps for two seconds when its window is full; messages are hints, so taking many costs nothing.
    "worker_prefetch_multiplier": 0,
    "worker_enable_remote_control": False,
    "worker_send_task_events": False,
    "worker_hijack_root_logger": False,
    "worker_cancel_long_running_tasks_on_connection_loss": True,
    "broker_connection_retry_on_startup": True,
    # A broker that stays away for long is tried for ever: the worker is no worse off than without it.
    "broker_connection_max_retries": None,
    # A worker that stops may have to wait for this once, and process managers are known to wait five seconds.
    "redis_socket_timeout": 3,
    "redis_socket_connect_timeout": 3,
}
REDIS_OPTIONS: dict[str, Any] = {
    "visibility_timeout": 600,
    "socket_timeout": 3,
    "socket_connect_timeout": 3,
    "health_check_interval": 10,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.2,
}


def create_celery(config: Config) -> Celery:
    """The app for this configuration, set as the one of this process: threads of a pool would else see another."""
    app = Celery("echtra", broker=config.broker_url or f"{memory_broker.SCHEME}://localhost//", set_as_current=True)
    app.conf.update(SETTINGS)
    app.conf.broker_transport_options = {} if config.embedded else REDIS_OPTIONS
    app.set_default()
    return app
