"""Hooks through the API."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from service.config import Config
from tests.support.players import Clock, newcomer
from tests.support.web_apps import open_app
from tests.support.webhook_receivers import Receiver
from tests.support.webhooks import sweep


@pytest.fixture
def friend(local: Config) -> Callable[[], Any]:
    """Makes people with a client of the web service."""
    client = open_app(local).test_client()
    return lambda: newcomer(client)


def test_the_life_of_a_hook(friend: Callable[[], Any], local: Config, clock: Clock, receiver: Receiver) -> None:
    me, other = friend(), friend()
    made = me.post("/v1/hooks", {"url": receiver.url, "events": ["turn.ready"]})
    assert made.status_code == 201
    hook = made.json
    assert hook["secret"].startswith("whsec_")
    path = f"/v1/hooks/{hook['id']}"
    assert made.headers["Location"] == path
    seen = me.get(path).json
    assert "secret" not in seen
    assert seen["public_key"] == hook["public_key"]
    assert me.get("/v1/hooks").json["items"] == [seen]
    for method, where in (("get", path), ("delete", path), ("post", f"{path}/ping"), ("get", f"{path}/deliveries")):
        assert getattr(other, method)(where).status_code == 404
    ping = me.post(f"{path}/ping")
    assert ping.status_code == 202
    assert me.get(path).json["waiting"] == 1
    sweep(local)
    (logged,) = me.get(f"{path}/deliveries").json["items"]
    assert (logged["id"], logged["status"], logged["code"], logged["answer"]) == (
        ping.json["delivery"],
        "delivered",
        200,
        "hello",
    )
    assert json.loads(receiver.got[0].body)["type"] == "ping"
    rotated = me.post(f"{path}/rotate").json
    assert rotated["secret"] != hook["secret"]
    assert rotated["public_key"] != hook["public_key"]
    assert me.patch(path, {"enabled": False}).json["enabled"] is False
    assert me.post(f"{path}/ping").status_code == 409
    assert me.patch(path, {"enabled": True, "events": ["match.over"]}).json["events"] == ["match.over"]
    again = me.post(f"{path}/replay", {"since": "2027-01-01T00:00:00Z"})
    assert (again.status_code, again.json) == (202, {"count": 0})
    assert me.delete(path).status_code == 204
    assert me.get(path).status_code == 404
    assert clock.at == clock()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": "https://127.0.0.2:8443@example.org/"}, "url"),
        ({"url": "http://10.1.2.3/"}, "url"),
        ({"url": "gopher://example.org/"}, "url"),
        ({"url": "https://example.org/", "events": ["no.such"]}, "events.0"),
        ({"url": "https://example.org/", "include": ["state"]}, "include.0"),
        ({"url": "https://example.org/", "more": 1}, "more"),
        ({}, "url"),
    ],
)
def test_what_is_not_a_hook_is_refused_with_a_reason(friend: Callable[[], Any], body: Any, field: str) -> None:  # noqa: ANN401
    refused = friend().post("/v1/hooks", body)
    assert refused.status_code == 422
    assert refused.json["errors"][0]["field"] == field


def test_ten_hooks_and_no_more(friend: Callable[[], Any]) -> None:
    me = friend()
    found = [me.post("/v1/hooks", {"url": "https://example.org/"}).status_code for _ in range(11)]
    assert found == [201] * 10 + [422]
