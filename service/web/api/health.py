"""Probes: `/healthz`, `/readyz` and `/metrics`."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from functools import lru_cache

from flask import Blueprint, Response, current_app, g, request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from service.config import Config
from service.db import connection as database
from service.db import migrations
from service.db.connection import Down, rows
from service.jobs import metrics as measures
from service.problems import Problem
from service.timestamps import now
from service.web.responses import json_answer

REGISTRY = CollectorRegistry()
REQUESTS = Counter("echtra_requests", "Requests answered.", ("method", "rule", "status"), registry=REGISTRY)
SECONDS = Histogram("echtra_request_seconds", "Time from request to answer.", ("method", "rule"), registry=REGISTRY)
LATE = 180_000
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
blueprint = Blueprint("health", __name__)


def _age(sql: str, *values: object) -> float:
    oldest = rows(sql, *values)[0][0]
    return max(0, now() - oldest) / 1000 if oldest is not None else 0


def _count(sql: str) -> float:
    return float(rows(sql)[0][0])


GAUGES: dict[str, tuple[str, Callable[[], float]]] = {
    **measures.MEASURES,
    "echtra_dead_jobs": (
        "Jobs given up after their last attempt.",
        lambda: _count("select count(*) from job where dead_at is not null"),
    ),
    "echtra_unresolved_matches": (
        "Matches with accepted moves that the worker has not resolved.",
        lambda: _count("select count(*) from match where resolved_seq < head_seq"),
    ),
    "echtra_worker_heartbeat_age_seconds": (
        "How long ago a worker was last alive.",
        lambda: _age("select max(at) from heartbeat"),
    ),
}
"""Figures asked of the database at each scrape."""


@lru_cache(maxsize=4096)
def _figures(method: str, rule: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, rule, status), SECONDS.labels(method, rule)


def observe(response: Response) -> None:
    """Count the request that is being answered."""
    method = request.method if request.method in METHODS else "other"
    count(method, request.url_rule.rule if request.url_rule else "none", response.status_code, g.began)


def count(method: str, rule: str, status: int, began: float) -> None:
    """Count a request that is answered, and how long it took."""
    answered, seconds = _figures(method, rule, status)
    answered.inc()
    seconds.observe(time.perf_counter() - began)


@blueprint.get("/healthz")
def healthz() -> Response:
    """The process is alive."""
    return json_answer({"status": "ok"})


@blueprint.get("/readyz")
def readyz() -> Response:
    """The database answers and has every migration; says too when a worker was last seen."""
    try:
        waiting = migrations.waiting()
        beat = rows("select max(at) from heartbeat")[0][0]
    except Down:
        database.forget()
        return json_answer({"status": "not ready", "database": "unreachable"}, 503, {"Retry-After": "5"})
    if waiting:
        return json_answer({"status": "not ready", "migrations": waiting}, 503, {"Retry-After": "5"})
    worker = "none" if beat is None else "late" if now() - beat > LATE else "ok"
    return json_answer({"status": "ok", "database": "ok", "worker": worker})


@blueprint.get("/metrics")
def metrics() -> Response:
    """Figures for Prometheus; where a secret is set, for those who know it."""
    config: Config = current_app.config["ECHTRA"]
    given, wanted = request.headers.get("Authorization", ""), f"Bearer {config.metrics_token}"
    if config.metrics_token and not hmac.compare_digest(given.encode(), wanted.encode()):
        raise Problem("no-token", "Send `Authorization: Bearer …` with what ECHTRA_METRICS_TOKEN says.")
    fresh = CollectorRegistry()
    for name, (about, figure) in GAUGES.items():
        Gauge(name, about, registry=fresh).set(figure())
    return Response(generate_latest(REGISTRY) + generate_latest(fresh), content_type=CONTENT_TYPE_LATEST)
