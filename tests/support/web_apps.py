"""Web services of tests. Their routes are built once per process, since that is slow, and configured for each test."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from service.accounts import tokens
from service.config import Config
from service.db.connection import write_transaction
from service.web.app import build_routes, configure_app, open_database


class AppPool:
    """Applications that have been built: the free ones, and those in use."""

    free: list[Flask] = []  # noqa: RUF012  # one pool for the process
    taken: list[Flask] = []  # noqa: RUF012  # as above


def open_app(config: Config) -> Flask:
    """Return the whole web service on the database of this configuration, as `create_app` makes it."""
    open_database(config)
    app = AppPool.free.pop() if AppPool.free else build_routes()
    configure_app(app, config)
    app.test_client_class = None
    AppPool.taken.append(app)
    return app


def give_back_apps() -> None:
    """Release the applications of this test to other tests."""
    AppPool.free += AppPool.taken
    AppPool.taken.clear()


def sign_in(app: Flask, player: str) -> FlaskClient:
    """Return a browser in which this player is signed in."""
    with write_transaction():
        issued = tokens.issue_session(player, "Firefox", ["account", "organise", "play", "read"])
    client = FlaskClient(app, app.response_class, use_cookies=True)
    client.set_cookie("echtra", issued.text)
    return client
