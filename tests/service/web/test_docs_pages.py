"""The pages around the API: documentation and probes; nothing is asked of another machine."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

from flask import Flask

from service.timestamps import DAY, rfc3339
from service.web.app import render_document
from tests.support.players import Client, Clock, Person


def test_the_reference_lists_every_request_and_links_to_it(client: Client) -> None:
    document = json.loads(render_document())
    page = client.get("/docs").text
    wanted = {
        (operation["tags"][0], operation["operationId"])
        for item in document["paths"].values()
        for method, operation in item.items()
        if method != "parameters"
    }
    assert set(re.findall(r'href="/docs/([a-z-]+)#([^"]+)"', page)) == wanted
    for group in {tag for tag, _ in wanted}:
        text = client.get(f"/docs/{group}").text
        for tag, operation in wanted:
            assert (f'<section id="{operation}"' in text) is (tag == group)


def test_a_group_shows_fields_bounds_examples_and_a_command(client: Client) -> None:
    page = client.get("/docs/matches").text
    section = page[page.index('id="post-matches"') :].split("</section>")[0]
    assert "<code>seats</code>" in section
    assert "1 to 99" in section
    assert "<code>places[].seat</code>" in section, "fields of nested objects have their path"
    assert "&#34;game&#34;: &#34;keltis&#34;" in section
    assert "curl -X POST" in section
    assert "Authorization: Bearer $TOKEN" in section
    assert "<code>organise</code>" in section, "what can be typed is set as code"
    assert client.get("/docs/nothing").status_code == 404


def test_the_reference_uses_only_what_we_serve(client: Client) -> None:
    page = client.get("/docs")
    for part in re.findall(r'(?:src|href)="([^"#]+)[^"]*"', page.text):
        with client.get(part) as answer:
            assert answer.status_code == 200, part
    assert "<script>" not in page.text
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"


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
