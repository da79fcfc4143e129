"""Who asks, what they may do, and what lists and answers have in common."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from peewee import OperationalError

from service.config import Config
from service.db.connection import db, rows
from service.web.app import render_document
from tests.support.players import Client, Clock, Person, newcomer
from tests.support.web_apps import open_app

People = Callable[..., Person]


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (None, "no-token"),
        ("", "wrong-token"),
        ("Bearer", "wrong-token"),
        ("Bearer x", "wrong-token"),
        ("Basic YTpi", "wrong-token"),
        ("Bearer echtra_aaaaaaaaaaaaaaaa_" + "A" * 43, "wrong-token"),
    ],
)
def test_without_a_good_token_it_is_401(client: Client, header: str | None, kind: str) -> None:
    answer = client.get("/v1/me", headers={} if header is None else {"Authorization": header})
    assert (answer.status_code, answer.json["type"]) == (401, f"/problems/{kind}")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_changed_token_is_wrong_everywhere(client: Client, person: People) -> None:
    aoife = person()
    last = "A" if aoife.token[-1] != "A" else "B"
    wrong = {"Authorization": f"Bearer {aoife.token[:-1]}{last}"}
    assert client.get("/v1/me", headers=wrong).status_code == 401
    assert client.get(f"/v1/players/{aoife.id}", headers=wrong).status_code == 401
    assert client.get(f"/v1/players/{aoife.id}").status_code == 200


def test_scopes_are_kept(person: People) -> None:
    reader = person(scopes=("read",))
    assert reader.get("/v1/me").status_code == 200
    refused = reader.patch("/v1/me", {"name": "Bran"})
    assert (refused.status_code, refused.json["scope"]) == (403, "play")
    assert reader.post("/v1/me/keys", {"nonsense": 1}).status_code == 403
    player = person(scopes=("play",))
    assert player.get("/v1/me").status_code == 200
    assert player.patch("/v1/me", {"name": "Bran"}).status_code == 200


READ_IS_ENOUGH = {
    ("delete", "/v1/me/tokens/{token}"): "a token may revoke itself; another one needs the scope `account`",
    ("post", "/v1/matches/{match}/reading"): "says what a line would mean, and changes nothing",
    ("post", "/v1/matches/{match}/preview"): "shows a table after lines that are not made",
    ("post", "/v1/matches/{match}/plan"): "tries lines on an imagined table",
}
"""Operations with another method than GET that a token for reading may use, and why."""


def test_a_token_for_reading_only_reads(app: Flask, person: People) -> None:
    reader, refused = person(scopes=("read",)), 0
    for path, operations in json.loads(render_document())["paths"].items():
        for method, operation in operations.items():
            if method in ("get", "parameters") or (method, path) in READ_IS_ENOUGH:
                continue
            wanted = [scope for each in operation["security"] for scope in each.get("token", ())]
            if not wanted:
                continue  # open to everybody
            named = [*operations.get("parameters", ()), *operation.get("parameters", ())]
            examples = {
                each["name"]: each["schema"].get("examples", [1])[0] for each in named if each.get("in") == "path"
            }
            place = path.format(**examples)
            client = FlaskClient(app, app.response_class)
            answer = client.open(place, method=method.upper(), json={}, headers=reader.bearer)
            assert (answer.status_code, json.loads(answer.data).get("scope")) == (403, wanted[-1]), (method, path)
            refused += 1
    assert refused > 40


@pytest.mark.usefixtures("clock")
def test_a_request_costs_one_query_for_its_token(person: People, caplog: pytest.LogCaptureFixture) -> None:
    aoife = person()
    aoife.get("/v1/me")
    with caplog.at_level(logging.DEBUG, logger="peewee"):
        aoife.get("/v1/me")
    asked = [str(record.msg) for record in caplog.records if record.name == "peewee"]
    assert len([each for each in asked if "join token" in each]) == 1
    assert len(asked) == 2, asked
    assert not [each for each in asked if "update" in each.lower()]


def test_last_use_is_written_once_a_minute(person: People, clock: Clock) -> None:
    aoife = person()
    seen = []
    for _ in range(5):
        aoife.get("/v1/me")
        seen.append(rows("select used_at from token")[0][0])
        clock.forward(seconds=30)
    assert len(set(seen)) == 3


@pytest.mark.usefixtures("clock")
def test_when_nothing_can_be_written_reading_goes_on(person: People, monkeypatch: Any) -> None:  # noqa: ANN401
    aoife = person()
    real = type(db.obj).execute_sql

    def full(self: Any, sql: str, *args: Any) -> Any:  # noqa: ANN401
        if sql.startswith("update token"):
            raise OperationalError("database or disk is full")
        return real(self, sql, *args)

    monkeypatch.setattr(type(db.obj), "execute_sql", full)
    assert aoife.get("/v1/me").status_code == 200


def test_cursors_go_through_a_list_and_serve_no_other(person: People) -> None:
    aoife = person()
    for number in range(4):
        day = f"2027-0{2 + number}-01"
        if number < 3:
            aoife.post("/v1/me/leave", {"first_day": day, "last_day": day})
    path, seen = "/v1/me/leave?limit=2", []
    while path:
        answer = aoife.get(path)
        seen += [item["first_day"] for item in answer.json["items"]]
        link = answer.headers.get("Link", "")
        path = link.partition("<")[2].partition(">")[0]
    assert seen == ["2027-04-01", "2027-03-01", "2027-02-01"]
    cursor = (
        aoife.get("/v1/me/leave?limit=2").headers["Link"].partition("cursor=")[2].partition("&")[0].partition(">")[0]
    )
    assert aoife.get(f"/v1/me/leave?cursor={cursor}").status_code == 200
    for wrong in (
        f"/v1/me/keys?cursor={cursor}",
        f"/v1/me/leave?cursor=x{cursor}",
        "/v1/me/leave?cursor=",
        "/v1/me/keys?limit=0",
    ):
        assert aoife.get(wrong).json["type"] == "/problems/invalid", wrong
    for wrong in ("limit=201", "limit=1.0", "limit=true", "limit=%D9%A1", "limit=1_0", "cursor=%00", "page=2"):
        assert aoife.get(f"/v1/me/keys?{wrong}").status_code == 422, wrong


def test_etags_spare_the_body_and_belong_to_the_reader(person: People) -> None:
    aoife, bran = person(), person("Bran")
    first = aoife.get("/v1/me")
    tag = first.headers["ETag"]
    again = aoife.get("/v1/me", If_None_Match=tag)
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == tag
    assert bran.get("/v1/me", If_None_Match=tag).status_code == 200
    aoife.patch("/v1/me", {"name": "Aífe"})
    assert aoife.get("/v1/me", If_None_Match=tag).status_code == 200
    assert "Authorization" in first.headers["Vary"]


def test_headers_protect_and_other_sites_may_read(client: Client, person: People) -> None:
    answer = person().get("/v1/me", X_Request_Id="mine-1")
    assert answer.headers["X-Request-Id"] == "mine-1"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert client.get("/v1/me", headers={"X-Request-Id": "bad id\t"}).headers["X-Request-Id"] != "bad id"
    flight = client.options(
        "/v1/me", headers={"Origin": "https://example.org", "Access-Control-Request-Method": "PATCH"}
    )
    assert flight.status_code == 200
    assert "PATCH" in flight.headers["Access-Control-Allow-Methods"]
    assert "Authorization" in flight.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Origin" not in client.get("/metrics").headers


@pytest.mark.usefixtures("clock")
def test_logs_hold_no_secrets(config: Config, capsys: pytest.CaptureFixture[str]) -> None:
    client = open_app(replace(config, log_level="debug")).test_client()
    aoife = newcomer(client)
    aoife.get("/v1/me?secret=1")
    client.post("/v1/players", json={"name": "Bran", "address": "bran@example.org"})
    client.get("/confirm/aaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbbbbbbbbbbbb")
    told = capsys.readouterr().err
    assert told.count('"event": "request"') == 3
    assert '"rule": "/v1/me"' in told
    assert aoife.id in told
    for secret in (aoife.token, aoife.address, "bran@example.org", "bbbbbbbb", "secret", "127.0.0.1"):
        assert secret not in told
