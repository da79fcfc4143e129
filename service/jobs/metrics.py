"""Metrics about the work of all processes, read from the database at each scrape."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from service.db.connection import rows
from service.timestamps import HOUR, now

WAITING_DELIVERIES = (
    "delivery d join hook h on h.id = d.hook "
    "where d.status = 'queued' and h.disabled_at is null and h.deleted_at is null"
)


def _oldest_age(sql: str, *values: object) -> float:
    """Return how many seconds ago the time returned by a query was, or 0 if it returns none."""
    oldest = rows(sql, *values)[0][0]
    return max(0, now() - int(oldest)) / 1000 if oldest is not None else 0.0


def _count(sql: str, *values: object) -> float:
    return float(rows(sql, *values)[0][0])


def queue_age() -> float:
    """Return how many seconds the oldest job has been due."""
    return _oldest_age("select min(due_at) from job where done_at is null and dead_at is null and due_at <= ?", now())


def oldest_unresolved() -> float:
    """Return how many seconds the oldest accepted move has waited to be resolved."""
    return _oldest_age("select min(head_at) from match where resolved_seq < head_seq")


def overdue_seats() -> float:
    """Count the deadlines that passed over two minutes ago and are not recorded."""
    sql = "select count(*) from seat where due_at <= ? and paused_at is null and asked is not null"
    return _count(sql, now() - 120_000)


def deliveries_waiting() -> float:
    """Count the queued deliveries of enabled hooks."""
    return _count(f"select count(*) from {WAITING_DELIVERIES}")  # noqa: S608  # our own words


def delivery_age() -> float:
    """Return the age of the oldest queued delivery in seconds."""
    return _oldest_age(f"select min(d.at) from {WAITING_DELIVERIES}")  # noqa: S608  # our own words


def deliveries_tried() -> float:
    """Count the delivery attempts of the last hour."""
    return _count("select count(*) from attempt where at > ?", now() - HOUR)


def deliveries_failed() -> float:
    """Count the failed delivery attempts of the last hour."""
    return _count("select count(*) from attempt where at > ? and (code is null or code >= 300)", now() - HOUR)


def hooks_disabled() -> float:
    """Count the disabled hooks."""
    return _count("select count(*) from hook where disabled_at is not null and deleted_at is null")


Measures = Mapping[str, tuple[str, Callable[[], float]]]
"""Gauges: name, description and value."""


class MeasureCollector(Collector):
    """Gauges whose values are computed at each scrape.

    With several processes, a `Gauge` of the library leaves its value in a file of its process. The next scrape would
    show a value for every process, dead ones included.
    """

    def __init__(self, measures: Measures) -> None:
        self.measures = measures

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Compute all values."""
        for name, (about, figure) in self.measures.items():
            yield GaugeMetricFamily(name, about, figure())


def render_measures(measures: Measures) -> bytes:
    """Return these gauges in the format of Prometheus."""
    fresh = CollectorRegistry()
    fresh.register(MeasureCollector(measures))
    return generate_latest(fresh)


MEASURES: Measures = {
    "echtra_oldest_job_seconds": ("How long the oldest due job has been waiting.", queue_age),
    "echtra_oldest_unresolved_seconds": ("How long the oldest accepted move waits to be resolved.", oldest_unresolved),
    "echtra_overdue_seats": ("Deadlines two minutes past and not written down.", overdue_seats),
    "echtra_deliveries_waiting": ("Deliveries that wait for hooks.", deliveries_waiting),
    "echtra_oldest_delivery_seconds": ("How long the oldest delivery has been waiting.", delivery_age),
    "echtra_deliveries_tried_last_hour": ("Tries to deliver to hooks in the last hour.", deliveries_tried),
    "echtra_deliveries_failed_last_hour": ("Tries that failed in the last hour.", deliveries_failed),
    "echtra_hooks_disabled": ("Hooks that are switched off.", hooks_disabled),
}
"""The gauges about jobs, moves and deliveries."""
