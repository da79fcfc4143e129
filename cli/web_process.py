"""The web application of one process of many: granian calls this in each."""

from __future__ import annotations

import os
import time

import structlog
from flask import Flask

from service.config import Config, read
from service.db.connection import DatabaseDown
from service.web.app import NotReady, create_app
from service.web.gateway import Gateway
from worker import celery_app
from worker.hints import HintSender

DATABASE_WAIT_SECONDS = 60
log = structlog.get_logger("web")


def application() -> Gateway:
    """The web service as the environment configures it, with hints to the workers."""
    config = read(os.environ)
    made = _create_app_when_ready(config)
    hints = HintSender(celery_app.create_celery(config))
    hints.install()
    hints.start()
    return Gateway(made, config)


def _create_app_when_ready(config: Config) -> Flask:
    """The application; a database that is just starting again is waited for."""
    until = time.monotonic() + DATABASE_WAIT_SECONDS
    while True:
        try:
            return create_app(config)
        except NotReady as error:
            if not isinstance(error.__cause__, DatabaseDown) or time.monotonic() > until:
                raise
            log.warning("database", error=str(error))
            time.sleep(0.5)
