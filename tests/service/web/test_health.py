"""Probes: ready means that the disk takes a write too."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Callable
from dataclasses import replace
from http.client import HTTPConnection

import pytest

from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import connection
from service.jobs import alarms
from service.jobs.metrics_server import start_metrics_server
from tests.support.players import Client
from tests.support.servers import free_port
from tests.support.web_apps import open_app

HERE = "http://127.0.0.1:8000"


@pytest.fixture(autouse=True)
def _fresh() -> None:
    reset_process_state()


def test_too_little_room_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/readyz").json["disk"] == "ok"
    reset_process_state()
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
    reset_process_state()
    connection.drop_connections()
    assert client.get("/readyz").status_code == 200
    del config


def test_alarms_are_named(client: Client) -> None:
    alarms.raise_alarm("relay-policy", "550 5.7.1 no")
    assert client.get("/readyz").json["alarms"] == ["relay-policy"]
    assert "echtra_alarms 1.0" in client.get("/metrics", base_url=HERE).text


def test_figures_are_for_this_machine_or_for_who_has_the_token(client: Client, config: Config) -> None:
    assert client.get("/metrics", base_url=HERE).status_code == 200
    proxied = [
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 x"},
        {"Host": "x.example"},
    ]
    for headers in proxied:
        answer = client.get("/metrics", base_url=HERE, headers=headers)
        assert (answer.status_code, answer.json["type"]) == (401, "/problems/no-token"), headers
        assert "ECHTRA_METRICS_TOKEN" in answer.json["detail"]
    for address in ("192.0.2.7", "10.0.0.1", "::ffff:192.0.2.7"):
        answer = client.get("/metrics", base_url=HERE, environ_overrides={"REMOTE_ADDR": address})
        assert answer.status_code == 401
    guarded = open_app(replace(config, metrics_token="s3cret")).test_client()
    for token, status in (("s3cret", 200), ("other", 401)):
        headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": "192.0.2.7"}
        assert guarded.get("/metrics", headers=headers).status_code == status


def test_the_door_for_figures_without_a_token_is_for_this_machine_alone(config: Config) -> None:
    door = free_port()
    server = start_metrics_server(replace(config, metrics_door=f"127.0.0.1:{door}"))
    assert server is not None
    try:
        for headers, status in (({}, 200), ({"X-Forwarded-For": "192.0.2.7"}, 401), ({"Via": "1.1 x"}, 401)):
            with contextlib.closing(HTTPConnection("127.0.0.1", door, timeout=10)) as connection:
                connection.request("GET", "/metrics", headers=headers)
                assert connection.getresponse().status == status
    finally:
        server.shutdown()
        server.server_close()
