"""Probes: `/healthz`, `/readyz` and `/metrics`."""

from __future__ import annotations

import hmac

from flask import Blueprint, Response, current_app, request
from prometheus_client import CONTENT_TYPE_LATEST

from service import direct_requests
from service.db import connection, disk_space, migrations
from service.db.connection import DatabaseDown
from service.i18n.catalogue import msg
from service.jobs import alarms, heartbeat
from service.problems import Problem
from service.timestamps import now
from service.web import metrics
from service.web.request_context import current_config
from service.web.responses import json_response

LATE_HEARTBEAT_MS = 180_000
WORKER_PROBE = "echtra-worker"
"""Key under which `echtra serve` leaves a function that names a part of its worker that has ended."""

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Answer that the process is alive."""
    return json_response({"status": "ok"})


@blueprint.get("/readyz")
def readyz() -> Response:
    """Answer if the database is migrated and writable, and a worker in this process is running.

    The answer also has the age of the worker's heartbeat, and active alarms.
    """
    if current_app.extensions.get(WORKER_PROBE, str)():
        return json_response({"status": "not ready", "worker": "ended"}, 503, {"Retry-After": "5"})
    try:
        waiting = migrations.pending_names()
        beat = heartbeat.last_beat()
        wrong = [alarm.kind for alarm in alarms.list_active(now())] if not waiting else []
        disk = disk_space.check_disk(current_config()) if not waiting else ""
    except DatabaseDown:
        connection.drop_connections()
        return json_response({"status": "not ready", "database": "unreachable"}, 503, {"Retry-After": "5"})
    if waiting:
        return json_response({"status": "not ready", "migrations": waiting}, 503, {"Retry-After": "5"})
    if disk != "ok":
        free = disk_space.free_megabytes(current_config())
        return json_response({"status": "not ready", "disk": disk, "free_mb": free}, 503, {"Retry-After": "5"})
    worker = "none" if beat is None else "late" if now() - beat > LATE_HEARTBEAT_MS else "ok"
    return json_response({"status": "ok", "database": "ok", "disk": disk, "worker": worker, "alarms": wrong})


@blueprint.get("/metrics")
def serve_metrics() -> Response:
    """Send metrics to Prometheus: with the token, or without one only to clients on this machine."""
    config = current_config()
    header, expected = request.headers.get("Authorization", ""), f"Bearer {config.metrics_token}"
    if not config.metrics_token and not direct_requests.is_direct(request.environ, config):
        raise Problem("no-token", msg("requests.metrics_closed"))
    if config.metrics_token and not hmac.compare_digest(header.encode(), expected.encode()):
        raise Problem("no-token", msg("requests.metrics_token"))
    return Response(metrics.render_metrics(), content_type=CONTENT_TYPE_LATEST)
