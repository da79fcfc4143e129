"""The pages around the API: documentation and probes; nothing is asked of another machine."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from flask import Flask

from service.timestamps import DAY, rfc3339
from service.web.openapi.document import render_document
from tests.support.players import Client, Clock, Person

STATIC = Path(__file__).parents[3] / "service" / "web" / "static"


def test_docs_use_only_what_we_serve(client: Client) -> None:
    client.get(f"/mailbox?key={client.application.config['MAILBOX_SECRET']}")
    page = client.get("/docs")
    assert page.status_code == 200
    assert "//" not in page.text.replace("<!doctype", "")
    parts = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(parts) >= 4
    for part in parts:
        with client.get(part) as answer:
            assert answer.status_code == 200, part
    policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "connect-src 'self';" in policy
    assert "<script>" not in page.text
    assert client.get("/docs").headers["X-Frame-Options"] == "DENY"


def test_the_licence_of_what_we_serve_is_there() -> None:
    folder = STATIC / "swagger-ui"
    assert "Apache License" in (folder / "LICENSE.txt").read_text()
    assert "SmartBear" in (folder / "NOTICE.txt").read_text()


def test_the_document_is_served(client: Client) -> None:
    answer = client.get("/openapi.json")
    assert answer.json == json.loads(render_document())
    assert client.get("/openapi.json", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_probes_tell_how_it_is(client: Client) -> None:
    assert client.get("/healthz").json == {"status": "ok"}
    assert client.get("/readyz").json == {
        "status": "ok",
        "database": "ok",
        "disk": "ok",
        "worker": "none",
        "alarms": [],
    }


def test_metrics_count_requests_by_rule(client: Client, person: Callable[..., Person]) -> None:
    aoife = person()
    client.get(f"/v1/players/{aoife.id}")
    told = client.get("/metrics", base_url="http://127.0.0.1:8000").text
    assert 'echtra_requests_total{method="GET",rule="/v1/players/<id:player>",status="200"}' in told
    assert "echtra_oldest_job_seconds" in told
    assert aoife.id not in told


def test_metrics_are_for_those_who_know_the_secret(app: Flask, client: Client) -> None:
    app.config["ECHTRA"] = replace(app.config["ECHTRA"], metrics_token="s3cret")
    refused = client.get("/metrics")
    assert (refused.status_code, refused.json["type"]) == (401, "/problems/no-token")
    for header, status in (("Bearer s3cret", 200), ("Bearer s3cre", 401), ("s3cret", 401), ("Bearer é", 401)):
        assert client.get("/metrics", headers={"Authorization": header}).status_code == status, header
    assert client.get("/healthz").status_code == 200


def test_whom_to_tell_about_faults_of_security(app: Flask, clock: Clock) -> None:
    def lines(**settings: str) -> dict[str, str]:
        app.config["ECHTRA"] = replace(app.config["ECHTRA"], **settings)
        answer = app.test_client().get("/.well-known/security.txt")
        assert (answer.status_code, answer.content_type) == (200, "text/plain; charset=utf-8")
        return dict(line.split(": ", 1) for line in answer.text.splitlines())

    assert lines()["Contact"] == "mailto:echtra@localhost"
    assert lines(security_contact="security@example.org")["Contact"] == "mailto:security@example.org"
    assert lines(security_contact="https://example.org/security")["Contact"] == "https://example.org/security"
    first = lines()["Expires"]
    assert first > str(rfc3339(clock.at + 170 * DAY))
    clock.forward(days=1)
    assert lines()["Expires"] > first
