"""The databases and the clock of the service's tests, for the worker too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.config import Config
from service.db import connection, server_secrets
from service.jobs import outbox
from service.play import server_keys, table_store
from tests.service.conftest import clock, config, database, postgres_model, sqlite_model
from tests.worker.hooked import local, receiver

__all__ = ["clock", "config", "database", "local", "postgres_model", "receiver", "service", "sqlite_model"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the fault tests came to: a line for each, and one line of figures at the end."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    found = [value for report in reports for name, value in getattr(report, "user_properties", []) if name == "chaos"]
    kills = accepted = lost = doubled = 0
    for kind, seed, seconds, done, *figures, unanswered in found:
        kinds = ", ".join(f"{name} {count}" for name, count in sorted(done.items()))
        terminalreporter.write_line(
            f"chaos {kind}: seed {seed}, {seconds:g} s: {kinds}; {unanswered} requests unanswered"
        )
        kills += sum(done.values())
        accepted, lost, doubled = accepted + figures[0], lost + figures[1], doubled + figures[2]
    if found:
        terminalreporter.write_line(f"chaos: kills {kills}, accepted {accepted}, lost {lost}, doubled {doubled}")


@pytest.fixture
def service(config: Config) -> Iterator[Config]:
    """The service without web and worker: a fresh database and empty caches."""
    connection.connect(config.database)
    for cache in (server_secrets, server_keys, table_store):
        cache.clear_cache()
    yield config
    outbox.HintChannel.send = staticmethod(lambda _task, _what: None)
    connection.drop_connections()
