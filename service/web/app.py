"""The web application: its blueprints, and what happens before and after every request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from flask import Flask, Response, abort, request
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from service.config import Config
from service.db import append_only, connection, encrypted_columns, migrations, secret_encryption, server_secrets
from service.i18n.catalogue import msg
from service.play import server_keys
from service.problems import Problem
from service.web import (
    auth,
    compression,
    errors,
    guest_access,
    middleware,
    pages,
    rate_limits,
    session,
    static_files,
)
from service.web.api import (
    bot_accounts,
    events,
    fair_play,
    games,
    health,
    house,
    inbound_mail,
    invitations,
    letters,
    matches,
    moves,
    notes,
    organisers,
    planning,
    players,
    ratings,
    signing_keys,
    substitutes,
    tables,
    tokens,
    tournament_bracket,
    tournament_calendars,
    tournament_challenges,
    tournament_forecast,
    tournament_invitations,
    tournament_rulings,
    tournament_staff,
    tournaments,
    turns,
    vacation,
    webhooks,
    well_known,
)
from service.web.express import create_lanes
from service.web.express.requests import ExpressLane
from service.web.openapi import document
from service.web.pages import dev_mailbox
from service.web.request_context import current_config

API = (
    *(players, ratings, tokens, signing_keys, vacation, games, matches, invitations, tables, moves, planning),
    *(notes, turns, tournaments, tournament_bracket, tournament_invitations, tournament_rulings, tournament_challenges),
    *(
        tournament_staff,
        tournament_forecast,
        tournament_calendars,
        fair_play,
        organisers,
        house,
        substitutes,
        bot_accounts,
    ),
    *(webhooks, events, letters, inbound_mail, well_known),
)
"""Modules whose `blueprint` is in the OpenAPI document, in this order."""
UNCOUNTED_PATHS = ("/static/", "/healthz", "/readyz", "/metrics")
"""Paths without a rate limit: files, which cost nothing, and probes."""
FOREIGN_POST_PATHS = ("/v1/", "/u/")
"""Paths where other sites may post: programs with their token, and mail programs (one-click links, RFC 8058)."""


class LoudUndefined(StrictUndefined):
    """A name that a template does not get: false in a condition, an error in the page.

    Otherwise a misspelt name is an empty text that nobody notices.
    """

    def __bool__(self) -> bool:  # type: ignore[override]  # a strict one raises instead
        """Return False, so that templates may test for what is optional."""
        return False


class NotReady(RuntimeError):
    """The service cannot start on this database; the message says what to do."""


def create_app(config: Config) -> Flask:
    """Create the web service on the configured database; refuse to start on one that is not ready."""
    open_database(config)
    return build_app(config)


def open_database(config: Config) -> None:
    """Connect this process to the database; refuse one that is not ready."""
    middleware.configure_logging(config.log_level)
    secret_encryption.use_keys(config)
    connection.connect(config.database, config.connections)
    _check_database()
    # Created here and not on first use, so that no rolled-back transaction can remove them again.
    for name in ("address", "code", "cursor", "entry", "reply"):
        server_secrets.get_secret(name)
    server_keys.current_key()


def _check_database() -> None:
    try:
        waiting = migrations.pending_names()
    except connection.DatabaseDown as error:
        raise NotReady(f"The database cannot be reached ({error}); check ECHTRA_DATABASE_URL.") from error
    if migrations.BEFORE_1_0 in migrations.applied_names():
        raise NotReady("This database was made by a version before 1.0. Start with an empty database.")
    if waiting:
        raise NotReady(f"The database is out of date (not applied yet: {', '.join(waiting)}). Run: echtra migrate")
    try:
        append_only.check_triggers()
        encrypted_columns.check_key()
    except append_only.LogNotProtected as error:
        raise NotReady(str(error)) from error
    except secret_encryption.WrongSecretKey as error:
        raise NotReady(f"Secrets are encrypted with the key {error}; set ECHTRA_SECRET_KEY to it.") from error


def build_app(config: Config) -> Flask:
    """Build the application, which does not touch the database until the first request."""
    app = build_routes()
    configure_app(app, config)
    return app


def render_document() -> str:
    """Return the OpenAPI document in the committed form. No database is needed."""
    return json.dumps(document.build_document(build_app(Config())), ensure_ascii=False, indent=2) + "\n"


def build_routes() -> Flask:
    """Build the application without a configuration: its routes, which take most of the time."""
    app = Flask("service.web", static_folder=None, template_folder="templates")
    app.config.update(MAX_CONTENT_LENGTH=2 * 1024 * 1024)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.jinja_env.undefined = LoudUndefined
    app.url_map.strict_slashes = False
    # Otherwise `/static//x` redirects to the host that the request names.
    app.url_map.merge_slashes = False
    app.extensions["echtra-static"] = static_files.load_folder()
    app.before_request(_before_request)
    app.after_request(_after_request)
    app.teardown_request(lambda _error: connection.release_connection())
    errors.register_error_handlers(app)
    api = document.create_api(app)
    for blueprint in dict.fromkeys(module.blueprint for module in API):  # those of tournaments share one
        api.register_blueprint(blueprint)
    for page in (health, static_files, *_load_pages()):
        app.register_blueprint(page.blueprint)
    return app


def _load_pages() -> Iterator[ModuleType]:
    """Yield the modules of `pages` with a blueprint, which the OpenAPI document does not have."""
    for found in iter_modules(pages.__path__):
        module = import_module(f"{pages.__name__}.{found.name}")
        if hasattr(module, "blueprint"):
            yield module


def configure_app(app: Flask, config: Config) -> None:
    """Configure an application; counters of an earlier configuration are dropped."""
    app.config.update(ECHTRA=config, MAILBOX_SECRET=dev_mailbox.new_secret())
    for counted in ("echtra-streams", "echtra-waiting"):
        app.extensions.pop(counted, None)
    app.extensions["echtra-limits"] = limits = rate_limits.create_limits(config)
    app.extensions["echtra-lanes"] = lanes = create_lanes(partial(Flask.wsgi_app, app), limits, config)
    vars(app).pop("wsgi_app", None)
    if lanes:
        app.wsgi_app = lanes[0]  # type: ignore[method-assign]
    if config.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=config.proxies, x_proto=config.proxies)  # type: ignore[method-assign]


def express_lanes(app: Flask) -> tuple[ExpressLane, ...]:
    """Return the lanes that answer requests without Flask."""
    lanes: tuple[ExpressLane, ...] = app.extensions["echtra-lanes"]
    return lanes


def _before_request() -> None:
    middleware.start_record()
    if "\0" in request.path:
        # None of our paths has one, and not every database accepts it in a query.
        abort(404)
    if request.path.startswith(UNCOUNTED_PATHS) or request.method == "OPTIONS":
        return
    config, record = current_config(), middleware.current_record()
    credential = session.find_credential(request.environ, config)
    try:
        if credential is not None:
            record.by_cookie = credential.by_cookie
            auth.authenticate_request(credential)
    finally:
        rate_limits.count_request(record, rate_limits.current_limits())
    guest_access.check_guest(record.caller)
    if request.method == "POST" and not request.path.startswith(FOREIGN_POST_PATHS) and not request.routing_exception:
        _require_own_page(config)


def _require_own_page(config: Config) -> None:
    """Refuse a form that does not come from one of our pages.

    Over plain http, browsers send `Sec-Fetch-Site` for loopback names only. A page opened under another name of this
    machine is then told apart from a foreign one by its `Origin`, and the refusal says which address works.
    """
    if session.is_from_own_page(request.environ, config):
        return
    if request.environ.get("HTTP_ORIGIN") == f"{request.scheme}://{request.host}":
        raise Problem("forbidden", msg("requests.other_host_name", url=config.url))
    raise Problem("forbidden", msg("requests.own_pages_only"))


def _after_request(response: Response) -> Response:
    response = middleware.add_etag(response)
    compression.compress_response(response)
    middleware.add_standard_headers(response)
    record = middleware.current_record()
    if record.by_cookie and record.caller is not None:
        session.renew_cookie(request, response, record.caller, current_config())
    rule = request.url_rule.rule if request.url_rule else None
    record.finish(rule, response.status_code)
    return response
