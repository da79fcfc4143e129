"""The web application of one process of many: granian calls this in each."""

from __future__ import annotations

import os

from flask import Flask

from service.api.app import create_app
from service.config import read
from worker import app
from worker.hints import Hints


def application() -> Flask:
    """The web service as the environment configures it, with hints to the workers."""
    config = read(os.environ)
    hints = Hints(app.made(config))
    hints.listen()
    hints.start()
    return create_app(config)
