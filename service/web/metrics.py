"""Prometheus metrics of web processes: shared counters, and gauges read from the database at each scrape.

`echtra web` runs several processes behind one port. It names a folder in PROMETHEUS_MULTIPROC_DIR before this module is
imported; then each of them counts in files there, and whichever is scraped answers for all.
"""

from __future__ import annotations

import os
from functools import lru_cache

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from service.db import database_clock
from service.db.connection import rows
from service.jobs import alarms, backup_watch, heartbeat, metrics, work_metrics
from service.timestamps import now

REGISTRY = CollectorRegistry()
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


REQUESTS = Counter("echtra_requests", "Requests answered.", ("method", "rule", "status"), registry=REGISTRY)


REQUEST_SECONDS = Histogram(
    "echtra_request_seconds", "Time from request to answer.", ("method", "rule"), registry=REGISTRY
)


KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


GAUGES: metrics.Measures = {
    **metrics.MEASURES,
    "echtra_dead_jobs": (
        "Jobs given up after their last attempt.",
        lambda: _select_count("select count(*) from job where dead_at is not null"),
    ),
    "echtra_unresolved_matches": (
        "Matches with accepted moves that the worker has not resolved.",
        lambda: _select_count("select count(*) from match where resolved_seq < head_seq"),
    ),
    "echtra_alarms": (
        "Alarms that go on: about the mail server, unread emails or backups.",
        lambda: float(len(alarms.list_active(now()))),
    ),
    "echtra_backup_age_seconds": ("How long ago the newest backup was made; 0 if none was.", backup_watch.backup_age),
    "echtra_backup_bytes": ("Size of the newest backup.", backup_watch.backup_bytes),
    "echtra_backup_proof_age_seconds": (
        "How long ago a backup was last restored and found good; 0 if none was.",
        backup_watch.proof_age,
    ),
    "echtra_clock_offset_seconds": (
        "How far the clock of the web process's machine is ahead of the database's.",
        database_clock.clock_offset,
    ),
    "echtra_worker_heartbeat_age_seconds": (
        "How long ago a worker was last alive.",
        lambda: max(0, now() - (heartbeat.last_beat() or now())) / 1000,
    ),
}
"""Gauges that are read from the database at each scrape."""


def _select_count(sql: str) -> float:
    return float(rows(sql)[0][0])


def render_metrics() -> bytes:
    """Return all metrics for a scrape."""
    return _render_counters() + metrics.render_measures(GAUGES)


def _render_counters() -> bytes:
    """Return the counters of this process and its siblings."""
    folder = os.environ.get(SHARED_FOLDER)
    if not folder:
        return generate_latest(REGISTRY) + generate_latest(work_metrics.REGISTRY)
    shared = CollectorRegistry()
    MultiProcessCollector(shared, folder)  # type: ignore[no-untyped-call]
    return generate_latest(shared)


@lru_cache(maxsize=4096)
def _labelled_metrics(method: str, rule: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(method, rule, status), REQUEST_SECONDS.labels(method, rule)


def count_request(method: str, rule: str | None, status: int, seconds: float) -> None:
    """Count an answered request and its duration."""
    known_method = method if method in KNOWN_METHODS else "other"
    answered, durations = _labelled_metrics(known_method, rule or "none", status)
    answered.inc()
    durations.observe(seconds)
