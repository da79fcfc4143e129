"""The web application of one process of many: granian calls this in each."""

from __future__ import annotations

import os
import time

import structlog
from flask import Flask

from service.config import Config, read
from service.db.connection import Down
from service.web.app import NotReady, create_app
from worker import celery_app as app
from worker.hints import Hints

PATIENCE = 60
log = structlog.get_logger("web")


def application() -> Flask:
    """The web service as the environment configures it, with hints to the workers."""
    config = read(os.environ)
    made = _patiently(config)
    hints = Hints(app.made(config))
    hints.listen()
    hints.start()
    return made


def _patiently(config: Config) -> Flask:
    """The application; a database that is just starting again is waited for."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return create_app(config)
        except NotReady as error:
            if not isinstance(error.__cause__, Down) or time.monotonic() > until:
                raise
            log.warning("database", error=str(error))
            time.sleep(0.5)
