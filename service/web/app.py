"""The web application: blueprints in a shell that knows who asks, how often, and how to say no."""

from __future__ import annotations

from importlib import import_module

from flask import Flask, Response, abort, g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service.config import Config
from service.db import append_only as guards
from service.db import connection as database
from service.db import migrations
from service.db import server_secrets as secret
from service.play import server_keys as signing
from service.play import table_store as earlier
from service.record import table
from service.web import auth
from service.web import errors as problem
from service.web import fast_moves as lane
from service.web import middleware as etags
from service.web import middleware_headers as headers
from service.web import middleware_logs as logs
from service.web import rate_limits as limits
from service.web.api import health
from service.web.app_blueprints import BLUEPRINTS, PAGES
from service.web.openapi import document_spec as spec


class NotReady(RuntimeError):
    """The service cannot start on this database; the message says what to do."""


def create_app(config: Config) -> Flask:
    """The whole web service on the database of this configuration; refuses to start on one that is not ready."""
    logs.configure(config.log_level)
    database.connect(config.database, config.connections)
    _check()
    for cache in (auth, secret, signing, table, earlier):
        cache.forget()
    # Made here and not at first use, so that no transaction that is undone can take them with it.
    secret.of("address"), secret.of("cursor"), signing.current()
    return shell(config)


def _check() -> None:
    try:
        waiting = migrations.waiting()
    except database.Down as error:
        raise NotReady(f"The database cannot be reached ({error}); check ECHTRA_DATABASE_URL.") from error
    if waiting:
        raise NotReady(f"The database lacks {', '.join(waiting)}; run `echtra migrate` first.")
    try:
        guards.check()
    except guards.NotGuarded as error:
        raise NotReady(str(error)) from error


def shell(config: Config) -> Flask:
    """The application itself, which touches no database until it is asked something."""
    app = Flask("service.web", static_folder="static", template_folder="templates")
    app.config.update(ECHTRA=config, MAX_CONTENT_LENGTH=2 * 1024 * 1024)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.strict_slashes = False
    app.extensions["echtra-limits"] = known = limits.made(config)
    app.wsgi_app = lane.Lane(app.wsgi_app, known)  # type: ignore[method-assign]
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=config.proxies)  # type: ignore[method-assign]
    app.before_request(_before)
    app.after_request(_after)
    app.teardown_request(lambda _error: database.release())
    problem.install(app)
    api = spec.api(app)
    for name in BLUEPRINTS:
        api.register_blueprint(import_module(name).blueprint)
    for name in PAGES:
        app.register_blueprint(import_module(name).blueprint)
    return app


def _before() -> None:
    logs.begin()
    headers.number()
    g.who = None
    if "\0" in request.path:
        # No address of ours has one, and not every database takes it for a question.
        abort(404)
    if not request.path.startswith("/v1/") or request.method == "OPTIONS":
        return
    try:
        auth.identify()
    finally:
        limits.count()


def _after(response: Response) -> Response:
    response = etags.tag(response)
    limits.tell(response)
    headers.dress(response)
    health.observe(response)
    logs.tell(response)
    return response
