"""Figures of the worker's work, asked of the database when somebody wants to know."""

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
    """How many seconds ago the oldest was, 0 if there is none."""
    oldest = rows(sql, *values)[0][0]
    return max(0, now() - int(oldest)) / 1000 if oldest is not None else 0.0


def _count(sql: str, *values: object) -> float:
    return float(rows(sql, *values)[0][0])


def queue_age() -> float:
    """How long the oldest job has been due, in seconds."""
    return _oldest_age("select min(due_at) from job where done_at is null and dead_at is null and due_at <= ?", now())


def oldest_unresolved() -> float:
    """How long the oldest accepted move has waited to be resolved, in seconds."""
    return _oldest_age("select min(head_at) from match where resolved_seq < head_seq")


def overdue_seats() -> float:
    """How many deadlines are two minutes past and not written down."""
    sql = "select count(*) from seat where due_at <= ? and paused_at is null and asked is not null"
    return _count(sql, now() - 120_000)


def deliveries_waiting() -> float:
    """How many deliveries wait for hooks that are switched on."""
    return _count(f"select count(*) from {WAITING_DELIVERIES}")  # noqa: S608  # our own words


def delivery_age() -> float:
    """How long the oldest waiting delivery is old, in seconds."""
    return _oldest_age(f"select min(d.at) from {WAITING_DELIVERIES}")  # noqa: S608  # our own words


def deliveries_tried() -> float:
    """How many tries were made in the last hour."""
    return _count("select count(*) from attempt where at > ?", now() - HOUR)


def deliveries_failed() -> float:
    """How many tries failed in the last hour."""
    return _count("select count(*) from attempt where at > ? and (code is null or code >= 300)", now() - HOUR)


def hooks_disabled() -> float:
    """How many hooks are switched off."""
    return _count("select count(*) from hook where disabled_at is not null and deleted_at is null")


Measures = Mapping[str, tuple[str, Callable[[], float]]]
"""Name, meaning and figure of gauges."""


class MeasureCollector(Collector):
    """Gauges whose values are asked for at each scrape.

    A `Gauge` of the library would leave its value in a file of its process, where several processes share their
    counters, and the next scrape would show both: the value of now and those of every process, alive or dead.
    """

    def __init__(self, measures: Measures) -> None:
        self.measures = measures

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Ask for every figure."""
        for name, (about, figure) in self.measures.items():
            yield GaugeMetricFamily(name, about, figure())


def render_measures(measures: Measures) -> bytes:
    """Return these figures as Prometheus reads them."""
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
"""Name, meaning and figure of each, in the form that `/metrics` takes."""
