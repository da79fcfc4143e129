"""The web application of one process of many; granian calls `application` in each."""

from __future__ import annotations

import gc
import multiprocessing
import multiprocessing.connection
import os
import threading
import time

import structlog
from flask import Flask

from service.config import Config, read
from service.db import database_clock
from service.db.connection import DatabaseDown
from service.events.dispatcher import dispatcher
from service.web.app import NotReady, create_app, express_lanes
from service.web.gateway import Gateway
from service.web.middleware import configure_logging
from worker.wakeups import listen_for_events, start_sender

DATABASE_WAIT_SECONDS = 60
PARENT_CHECK_SECONDS = 0.5
log = structlog.get_logger("web")


def application() -> Gateway:
    """Return the web service for the settings in the environment, with the sender of wake-ups."""
    exit_with_parent()
    config = read(os.environ)
    configure_logging(config.log_level)
    app = _create_app_when_ready(config)
    start_sender(config)
    listen_for_events(config, dispatcher.wake)
    # Everything loaded so far stays, so exclude it from garbage collection.
    gc.collect()
    gc.freeze()
    return Gateway(app, config, express_lanes(app))


def exit_with_parent() -> None:
    """Exit as soon as the parent process has ended in any way, because nobody could stop or update this one."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        watch = threading.Thread(target=_exit_after, args=(parent.sentinel, os.getppid()), name="parent", daemon=True)
        watch.start()


def _exit_after(sentinel: int, parent: int) -> None:
    # Processes forked later keep the pipe open too, so compare the parent's id as well.
    while os.getppid() == parent and not multiprocessing.connection.wait([sentinel], timeout=PARENT_CHECK_SECONDS):
        pass
    log.error("parent process has ended; exiting")
    os._exit(1)


def _create_app_when_ready(config: Config) -> Flask:
    """Return the application. Wait for a database that is restarting."""
    until = time.monotonic() + DATABASE_WAIT_SECONDS
    while True:
        try:
            app = create_app(config)
            database_clock.keep_database_time()
        except (NotReady, *DatabaseDown) as error:
            if not isinstance(error.__cause__ if isinstance(error, NotReady) else error, DatabaseDown):
                raise
            if time.monotonic() > until:
                raise
            log.warning("database", error=str(error).strip())
            time.sleep(0.5)
        else:
            return app
