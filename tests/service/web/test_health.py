"""Probes: ready means that the disk takes a write too."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable

import pytest

from service.config import Config
from service.db import connection, disk_space
from service.jobs import alarms
from tests.support.players import Client


@pytest.fixture(autouse=True)
def _fresh() -> None:
    disk_space.clear_cache()


def test_too_little_room_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/readyz").json["disk"] == "ok"
    disk_space.clear_cache()
    real: Callable[[str], os.statvfs_result] = os.statvfs

    def nearly_full(path: str) -> os.statvfs_result:
        known = list(real(path))
        known[4] = 1  # blocks that are free for us
        return os.statvfs_result(known)

    monkeypatch.setattr(os, "statvfs", nearly_full)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (503, {"status": "not ready", "disk": "full", "free_mb": 0})
    assert answer.headers["Retry-After"]
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_write_that_fails_is_not_ready(client: Client, config: Config) -> None:
    """The system refuses to let any file grow, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16, hard))
    try:
        answer = client.get("/readyz")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (answer.status_code, answer.json["disk"]) == (503, "full")
    disk_space.clear_cache()
    connection.drop_connections()
    assert client.get("/readyz").status_code == 200
    del config


def test_alarms_are_named(client: Client) -> None:
    alarms.raise_alarm("relay-policy", "550 5.7.1 no")
    assert client.get("/readyz").json["alarms"] == ["relay-policy"]
    assert "echtra_alarms 1.0" in client.get("/metrics").text
