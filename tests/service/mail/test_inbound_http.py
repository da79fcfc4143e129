"""The HTTP door for mail providers: only with the secret, the same message once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.db import connection
from service.db.connection import rows
from tests.support.mail_replies import config_with_mail, message
from tests.support.players import Clock
from tests.support.web_apps import open_app

SECRET = {"X-Echtra-Secret": "open"}
MEDIA = {"Content-Type": "message/rfc822"}
RAW = message("help", "Aoife <aoife@example.org>", "Echtra <echtra@echtra.example>")


@pytest.fixture
def door(config: Config) -> Iterator[FlaskClient]:
    """A client of a service whose HTTP door is open."""
    yield open_app(config_with_mail(config)).test_client()
    connection.drop_connections()


def test_a_message_is_kept_once(door: FlaskClient, clock: Clock) -> None:
    for _ in range(2):
        answer = door.post("/v1/inbound/mail", data=RAW, headers={**SECRET, **MEDIA})
        assert (answer.status_code, answer.json) == (202, {"kept": 1})
    found = rows("select received, door, sender, recipient, state from inbox")
    assert found == [(clock.at, "http", "aoife@example.org", "echtra", "new")]
    assert rows("select topic from job") == [("inbox",)]


def test_the_envelope_counts_more_than_the_headers(door: FlaskClient) -> None:
    envelope = {"X-Envelope-From": "<>", "X-Envelope-To": "<elsewhere@example.org>"}
    answer = door.post("/v1/inbound/mail", data=RAW, headers={**SECRET, **MEDIA, **envelope})
    assert (answer.status_code, answer.json) == (202, {"kept": 0})
    envelope["X-Envelope-To"] = "other@example.org, <ECHTRA@echtra.example>"
    assert door.post("/v1/inbound/mail", data=RAW, headers={**SECRET, **MEDIA, **envelope}).json == {"kept": 1}
    assert rows("select sender from inbox") == [("<>",)]


@pytest.mark.parametrize(
    "secret", [{}, {"X-Echtra-Secret": ""}, {"X-Echtra-Secret": "opeń"}, {"X-Echtra-Secret": "opens"}]
)
def test_without_the_secret_nothing_is_kept(door: FlaskClient, secret: dict[str, str]) -> None:
    answer = door.post("/v1/inbound/mail", data=RAW, headers={**secret, **MEDIA})
    assert (answer.status_code, answer.get_json()["type"]) == (403, "/problems/forbidden")
    assert rows("select count(*) from inbox") == [(0,)]


def test_what_is_no_message_is_refused(door: FlaskClient) -> None:
    def status(data: bytes, **headers: str) -> int:
        return door.post("/v1/inbound/mail", data=data, headers={**SECRET, **MEDIA, **headers}).status_code

    assert status(b" ") == 400
    assert status(RAW, **{"Content-Type": "application/json"}) == 415
    assert status(RAW + b"x" * 1024 * 1024) == 413
    assert rows("select count(*) from inbox") == [(0,)]


def test_guessing_the_secret_is_slowed_down(door: FlaskClient) -> None:
    answers = [
        door.post("/v1/inbound/mail", data=RAW, headers={"X-Echtra-Secret": str(at), **MEDIA}) for at in range(31)
    ]
    assert [answer.status_code for answer in answers] == [403] * 30 + [429]


def test_a_service_without_a_secret_has_no_such_door(config: Config) -> None:
    client = open_app(replace(config_with_mail(config), inbound_secret="")).test_client()
    assert client.post("/v1/inbound/mail", data=RAW, headers={"X-Echtra-Secret": "", **MEDIA}).status_code == 404
    connection.drop_connections()
