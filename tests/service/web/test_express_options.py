"""The express lane for legal lines answers as Flask does, byte for byte, whether the sender may ask or not."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from service.bounded_cache import reset_process_state
from service.db.connection import execute
from service.play import match_loader
from service.web.express.options import OptionsLane
from tests.support.http_tables import People, SeatClient, make, resolved
from tests.support.statements import record_statements

VARIES = {"Date", "X-Request-Id", "RateLimit", "RateLimit-Remaining", "RateLimit-Reset"}


def ask(app: Flask, path: str, **headers: str) -> tuple[TestResponse, TestResponse]:
    """The same request by both ways; the long one is asked for by a query that changes nothing."""
    client = Client(app.wsgi_app)
    given = {name.replace("_", "-"): text for name, text in headers.items()}
    return client.get(path, headers=given), client.get(f"{path}?spectator=false", headers=given)


def assert_same(short: TestResponse, long: TestResponse) -> None:
    assert (short.status, short.data) == (long.status, long.data)
    ours, theirs = (
        sorted((name, text) for name, text in answer.headers.items() if name not in VARIES) for answer in (short, long)
    )
    assert ours == theirs


@pytest.fixture
def pair(person: People) -> tuple[SeatClient, SeatClient]:
    """Both seats of a match of Keltis."""
    first, second = make(person("Aoife"), person("Brendan"))
    return first, second


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("encoding", ["identity", "gzip", "gzip;q=0", ""])
def test_both_ways_list_the_same_lines(
    app: Flask, pair: tuple[SeatClient, SeatClient], language: str, encoding: str
) -> None:
    for seat_client in pair:
        wish = {"Accept_Language": language, "Accept_Encoding": encoding, **seat_client.person.bearer}
        short, long = ask(app, seat_client.path("options"), **wish)
        assert short.status_code == 200
        assert_same(short, long)


def test_entries_of_other_processes_are_followed_by_one_statement(
    app: Flask, pair: tuple[SeatClient, SeatClient]
) -> None:
    one, _ = pair
    old = match_loader.load_match_state(one.match)
    one.move(one.lines[0])
    resolved(one.match)
    match_loader.cache_match_state(old)
    client = Client(app.wsgi_app)
    client.get(one.path("options"), headers=one.person.bearer)
    reset_process_state()
    match_loader.cache_match_state(old)
    with record_statements() as said:
        short = client.get(one.path("options"), headers=one.person.bearer)
    assert len(said) == 1
    assert short.json is not None
    assert short.json["question"] == one.question


@pytest.mark.parametrize("trouble", ["no match", "private", "not started", "wrong token", "revoked", "stranger"])
def test_both_ways_refuse_alike(app: Flask, person: People, pair: tuple[SeatClient, SeatClient], trouble: str) -> None:
    one, _ = pair
    path, bearer = one.path("options"), one.person.bearer
    if trouble == "no match":
        path = path.replace(one.match, "a" * 16)
    elif trouble == "private":
        execute("update match set visibility = 'private' where id = ?", one.match)
        bearer = person("Ciara").bearer
    elif trouble == "not started":
        client = Client(app.wsgi_app)
        made = client.post("/v1/matches", json={"game": "keltis", "seats": 2}, headers=bearer)
        assert made.json is not None
        path = path.replace(one.match, made.json["id"])
    elif trouble == "wrong token":
        bearer = {"Authorization": "Bearer nonsense"}
    elif trouble == "revoked":
        execute("update token set revoked_at = 1")
    else:
        bearer = person("Dara").bearer
    short, long = ask(app, path, **bearer)
    assert short.status_code == (200 if trouble == "stranger" else short.status_code)
    assert_same(short, long)


def test_a_read_is_answered_without_flask(app: Flask, pair: tuple[SeatClient, SeatClient]) -> None:
    way = app.wsgi_app
    assert isinstance(way, OptionsLane)
    asked: list[str] = []

    def next_app(environ: dict[str, Any], start_response: Any) -> Any:  # noqa: ANN401  # as WSGI has it
        asked.append(environ["PATH_INFO"])
        return way.next_app(environ, start_response)

    client = Client(OptionsLane(next_app, way.limits))
    one, _ = pair
    first = client.get(one.path("options"), headers=one.person.bearer)
    assert asked == []
    again = client.get(one.path("options"), headers={**one.person.bearer, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, len(asked)) == (304, 1)
