"""Errors of every kind are problem details with a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from peewee import OperationalError

from service.config import Config
from service.db.connection import connect, db, drop_connections
from service.db.migrations import migrate
from service.i18n.catalogue import msg
from service.problems import KINDS, Problem
from service.web import json_body, middleware
from service.web.app import NotReady, create_app
from service.web.problem_pages import problem_title
from tests.support.players import Client, Person, letters

People = Callable[..., Person]
JSON = "application/json"


def sent(client: Client, data: bytes | str, media: str = JSON) -> Any:  # noqa: ANN401
    return client.post("/v1/tokens", data=data, content_type=media)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ('{"address": "a@example.org", "address": "b@example.org"}', "bad-request"),
        ('{"address": NaN}', "bad-request"),
        ('{"address": Infinity}', "bad-request"),
        ('{"address": 1.0}', "bad-request"),
        ('{"address": 1e2}', "bad-request"),
        ('{"address": 9007199254740992}', "bad-request"),
        ('{"address": ' + "9" * 5000 + "}", "bad-request"),
        ('{"address": "\\u0000"}', "bad-request"),
        ('{"address": "\\ud800"}', "bad-request"),
        ('{"\\udfff": 1}', "bad-request"),
        (b'{"address": "\xff"}', "bad-request"),
        ("[" * 50_000, "bad-request"),
        ("{", "bad-request"),
        ("", "bad-request"),
        ("[]", "invalid"),
        ("null", "invalid"),
        ("7", "invalid"),
        ('{"address": 7}', "invalid"),
        ('{"address": true}', "invalid"),
        ("{}", "invalid"),
        ('{"address": "' + "x" * 70_000 + '"}', "too-large"),
    ],
)
def test_bodies_are_read_strictly(client: Client, data: bytes | str, kind: str) -> None:
    answer = sent(client, data)
    assert answer.content_type == "application/problem+json"
    assert answer.json["type"] == f"/problems/{kind}", answer.json
    assert answer.status_code == answer.json["status"] == KINDS[kind][0]
    assert letters() == []


def test_other_media_types_are_refused(client: Client) -> None:
    for media in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""):
        answer = sent(client, '{"address": "a@example.org"}', media)
        assert (answer.status_code, answer.json["type"]) == (415, "/problems/wrong-media-type"), media


def test_faults_name_field_and_reason(client: Client) -> None:
    answer = client.post("/v1/players", json={"name": 7, "adress": "x"})
    assert {fault["field"] for fault in answer.json["errors"]} == {"name", "address", "adress"}
    assert all(fault["reason"] for fault in answer.json["errors"])


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/v1/nothing", 404),
        ("PUT", "/v1/players", 405),
        ("GET", "/confirm/%00", 404),
        ("GET", "/mailbox/of/%00", 404),
        ("GET", "/mailbox/letters/%00", 404),
        ("GET", "/v1/games/%00", 404),
    ],
)
def test_what_flask_refuses_is_a_problem_too(client: Client, method: str, path: str, status: int) -> None:
    answer = client.open(path, method=method)
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")
    assert (status != 405) or "POST" in answer.headers["Allow"]


def test_every_kind_has_a_page_in_both_languages(client: Client) -> None:
    for kind, (status, title) in KINDS.items():
        for language, words in (("en", title), ("fr-CA,fr;q=0.9", problem_title(kind, "fr"))):
            page = client.get(f"/problems/{kind}", headers={"Accept-Language": language})
            assert page.status_code == 200
            assert words.replace("’", "’") in page.text, kind
            assert str(status) in page.text
    assert client.get("/problems/unheard-of").status_code == 404
    assert client.get("/problems/").text.count("<li>") == len(KINDS)


def test_a_database_that_is_down_is_503(client: Client, person: People, monkeypatch: Any) -> None:  # noqa: ANN401
    aoife = person()

    def down(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(type(db.obj), "execute_sql", down)
    for answer in (aoife.get("/v1/me"), client.post("/v1/tokens", json={"address": "a@example.org"})):
        assert (answer.status_code, answer.json["type"]) == (503, "/problems/not-now")
        assert int(answer.headers["Retry-After"]) > 0
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    monkeypatch.undo()
    assert aoife.get("/v1/me").status_code == 200


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_connection_that_the_server_ended_heals_within_the_request(person: People, postgres_model: Any) -> None:  # noqa: ANN401
    aoife = person()
    ((number,),) = db.execute_sql("select pg_backend_pid()").fetchall()
    postgres_model.connection.execute("select pg_terminate_backend(%s, 5000)", (number,))
    assert aoife.get("/v1/me").status_code == 200


@pytest.fixture
def own_app(config: Config) -> Flask:
    """A web service that takes further routes: no other test has it."""
    return create_app(config)


@pytest.mark.parametrize(("level", "tracebacks"), [("error", 0), ("debug", 1)])
def test_a_database_that_is_away_takes_one_line_of_the_log(
    capsys: pytest.CaptureFixture[str], own_app: Flask, level: str, tracebacks: int
) -> None:
    @own_app.get("/away")
    def away() -> str:
        raise OperationalError("connection refused\n\tIs the server running?\n")

    middleware.configure_logging(level)
    number = own_app.test_client().get("/away").headers["X-Request-Id"]
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [line for line in lines if line["event"] == "database" and line["request"] == number]
    assert [line["error"] for line in told if line["level"] == "error"] == [
        "connection refused\n\tIs the server running?"
    ]
    assert ["exception" in line for line in told] == [False, *[True] * tracebacks]


def test_our_faults_tell_nothing(capsys: pytest.CaptureFixture[str], own_app: Flask) -> None:
    @own_app.get("/broken")
    def broken() -> str:
        raise RuntimeError("the seed is 1234")

    client: Client = own_app.test_client()
    answer = client.get("/broken")
    assert (answer.status_code, answer.json["type"]) == (500, "/problems/server-error")
    assert "1234" not in answer.text
    assert answer.headers["X-Request-Id"] in capsys.readouterr().err


def test_members_of_a_problem_are_shown(own_app: Flask) -> None:
    @own_app.get("/odd")
    def odd() -> str:
        raise Problem("conflict", msg("matches.seat_taken"), free=[1, 2], table=object(), retry_after=7)

    answer = own_app.test_client().get("/odd")
    assert answer.json == {
        "type": "/problems/conflict",
        "title": "This conflicts with the current state",
        "status": 409,
        "detail": "That seat is taken.",
        "free": [1, 2],
    }
    assert answer.headers["Retry-After"] == "7"


def test_the_service_refuses_a_database_that_is_not_ready(tmp_path: Path) -> None:
    config = Config(data=tmp_path, log_level="error")
    with pytest.raises(NotReady, match="echtra migrate"):
        create_app(config)
    drop_connections()
    connect(config.database)
    migrate()
    db.execute_sql("drop trigger entry_no_update")
    with pytest.raises(NotReady, match="not protected"):
        create_app(config)
    migrate()
    create_app(config)
    drop_connections()
    with pytest.raises(NotReady, match="ECHTRA_DATABASE_URL"):
        create_app(Config(database_url="postgresql://nobody@127.0.0.1:1/none", log_level="error"))


def test_plain_numbers_and_texts_pass() -> None:
    read = json_body.parse_json(b'{"a": [1, -9007199254740991, "\\u00e9", true, null]}')
    assert read == {"a": [1, -9007199254740991, "é", True, None]}


def test_every_answer_says_its_length_once(client: Client) -> None:
    for path in ("/v1/games", "/v1/matches", "/healthz", "/v1/nowhere", "/v1/me"):
        answer = client.get(path)
        assert answer.headers.getlist("Content-Length") == [str(len(answer.data))], path
        head = client.head(path)
        assert (head.data, head.headers.getlist("Content-Length")) == (b"", [str(len(answer.data))]), path
