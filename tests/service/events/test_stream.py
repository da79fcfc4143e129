"""Events: read, waited for and streamed, each once and none missed."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from waitress.server import create_server
from waitress.wasyncore import close_all

from service.accounts import tokens
from service.config import Config
from service.db.connection import db, drop_connections, execute, rows, write_transaction
from service.events import log
from service.events import stream as streams
from service.events.dispatcher import dispatcher, newest_settled
from service.timestamps import now
from service.web.api.events import StreamTiming
from service.web.app import create_app
from tests.support.players import Clock, Person

People = Callable[..., Person]
MATCH = "m7q2x9v4k8t3w6zp"
ROOM = 4


def happen(who: Person, count: int = 1, kind: str = "turn.ready") -> list[int]:
    """Things happen; their numbers."""
    with write_transaction():
        log.write_events([log.Event(who.id, MATCH, 0, seq, kind) for seq in range(count)])
    found = rows("select id from event where player = ? order by id desc limit ?", who.id, count)
    return sorted(id_ for (id_,) in found)


def later(seconds: float, do: Callable[[], object]) -> threading.Thread:
    """Do this soon, in another thread."""

    def run() -> None:
        time.sleep(seconds)
        do()
        drop_connections()

    made = threading.Thread(target=run)
    made.start()
    return made


def test_events_are_read_from_where_one_was(person: People) -> None:
    me, other = person(), person("Other")
    first = me.get("/v1/events").json
    assert first["items"] == []
    numbers = happen(me, 3)
    happen(other, 2)
    found = me.get(f"/v1/events?after={first['after']}").json
    assert [each["id"] for each in found["items"]] == numbers
    assert found["items"][0] == {
        "id": numbers[0],
        "type": "turn.ready",
        "match": MATCH,
        "tournament": None,
        "seat": 0,
        "seq": 0,
        "at": "2027-01-15T08:00:00.000Z",
    }
    assert me.get(f"/v1/events?after={found['after']}").json["items"] == []
    page = me.get(f"/v1/events?after={first['after']}&limit=2").json
    assert [each["id"] for each in page["items"]] == numbers[:2]
    assert me.get(f"/v1/events?after={page['after']}").json["items"][0]["id"] == numbers[2]


@pytest.mark.parametrize("query", ["after=-1", "after=x", "wait=61", "wait=1.5", "limit=0", "limit=201", "more=1"])
def test_a_bad_query_is_refused(person: People, query: str) -> None:
    assert person().get(f"/v1/events?{query}").status_code == 422


def test_a_token_is_needed(client: FlaskClient) -> None:
    assert client.get("/v1/events").status_code == 401


def test_waiting_ends_with_the_first_event(person: People) -> None:
    me = person()
    after = me.get("/v1/events").json["after"]
    thread = later(0.4, lambda: happen(me))
    began = time.monotonic()
    found = me.get(f"/v1/events?after={after}&wait=10").json
    assert 0.3 < time.monotonic() - began < 3
    assert len(found["items"]) == 1
    thread.join()


def test_waiting_ends_in_time_without_an_event(person: People) -> None:
    me = person()
    began = time.monotonic()
    found = me.get("/v1/events?wait=1").json
    assert 0.9 < time.monotonic() - began < 3
    assert found["items"] == []


def test_waiting_ends_when_the_process_does(person: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "stopped", threading.Event())
    me = person()
    thread = later(0.3, streams.stop_waiting)
    began = time.monotonic()
    assert me.get("/v1/events?wait=30").json["items"] == []
    assert time.monotonic() - began < 3
    thread.join()


def test_an_event_that_commits_late_is_not_missed(person: People, config: Config, clock: Clock) -> None:
    """PostgreSQL numbers events before they commit; SQLite has one writer, so that it cannot happen there."""
    if config.database.startswith("sqlite"):
        happen(person())
        assert newest_settled() == rows("select max(id) from event")[0][0]
        return
    me = person()
    happen(me)
    after = me.get("/v1/events").json["after"]
    with psycopg.connect(config.database) as slow:
        sql = "insert into event (player, match, seat, seq, type, at) values (%s, %s, 0, 7, 'note.written', %s)"
        slow.execute(sql, (me.id, MATCH, clock.at))
        happen(me)
        assert me.get(f"/v1/events?after={after}").json["items"] == []
        slow.commit()
    assert [each["seq"] for each in me.get(f"/v1/events?after={after}").json["items"]] == [7, 0]


def test_a_number_that_was_never_used_holds_nobody_up(person: People, config: Config) -> None:
    me = person()
    after = me.get("/v1/events").json["after"]
    if not config.database.startswith("sqlite"):
        rows("select nextval('event_id_seq')")
    happen(me)
    assert len(me.get(f"/v1/events?after={after}").json["items"]) == 1


# As a stream, over a real server


@pytest.fixture
def served(config: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Flask, int]]:  # noqa: ARG001
    """The web service on a port, with quick heartbeats and room for four streams."""
    monkeypatch.setattr(StreamTiming, "heartbeat", 0.3)
    monkeypatch.setattr(dispatcher, "stopped", threading.Event())
    app = create_app(replace(config, streams=ROOM))
    app.teardown_request(lambda _error: drop_connections())  # its threads end with the test
    channels: dict[int, Any] = {}
    server = create_server(app, channels, host="127.0.0.1", port=0, threads=8)

    def run() -> None:
        # The server is closed from outside its own thread, which it notices by an error.
        with suppress(OSError):
            server.run()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield app, server.effective_port
    streams.stop_waiting()
    server.task_dispatcher.shutdown(timeout=5)
    server.close()
    thread.join(5)
    close_all(channels, ignore_all=True)


class Stream:
    """A client that listens."""

    def __init__(self, port: int, who: Person, query: str = "", seconds: int = 5, **headers: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.connection.request(
            "GET", f"/v1/events{query}", headers={"Accept": "text/event-stream", **who.bearer, **named}
        )
        self.response = self.connection.getresponse()

    def blocks(self, count: int) -> list[str]:
        """Return the next `count` blocks, keep-alive comments included."""
        found: list[str] = []
        lines: list[str] = []
        while len(found) < count:
            line = self.response.readline().decode()
            if not line:
                break
            if line.strip():
                lines.append(line.strip())
            else:
                found.append("\n".join(lines))
                lines = []
        return found

    def events(self, count: int) -> list[dict[str, Any]]:
        """Return the next `count` events."""
        found: list[dict[str, Any]] = []
        while len(found) < count:
            (block,) = self.blocks(1)
            fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
            if "data" in fields:
                found.append({**json.loads(fields["data"]), "name": fields["event"], "last": fields["id"]})
        return found

    def close(self) -> None:
        self.response.close()
        self.connection.close()


@pytest.fixture
def me(served: tuple[Flask, int]) -> Person:
    from tests.support.players import newcomer

    return newcomer(served[0].test_client())


def test_a_stream_tells_events_as_they_happen_and_goes_on_where_it_was(served: tuple[Flask, int], me: Person) -> None:
    stream = Stream(served[1], me)
    assert stream.response.status == 200
    assert stream.response.getheader("Content-Type") == "text/event-stream; charset=utf-8"
    assert stream.blocks(1) == ["retry: 2000"]
    began = time.monotonic()
    happen(me)
    (first,) = stream.events(1)
    assert time.monotonic() - began < 2
    assert (first["name"], first["last"]) == ("turn.ready", str(first["id"]))
    stream.close()
    missed = happen(me, 2, "match.moved")
    again = Stream(served[1], me, Last_Event_ID=str(first["id"]))
    assert [each["id"] for each in again.events(2)] == missed
    again.close()
    after = Stream(served[1], me, f"?after={missed[0]}")
    assert [each["id"] for each in after.events(1)] == missed[1:]
    after.close()


def test_a_silent_stream_shows_signs_of_life(served: tuple[Flask, int], me: Person) -> None:
    stream = Stream(served[1], me)
    began = time.monotonic()
    assert stream.blocks(4)[1:] == [": still here"] * 3
    assert 0.8 < time.monotonic() - began < 4
    stream.close()


def test_beyond_the_cap_there_is_no_stream_and_who_hangs_up_makes_room(served: tuple[Flask, int], me: Person) -> None:
    held = [Stream(served[1], me) for _ in range(ROOM)]
    refused = Stream(served[1], me)
    assert refused.response.status == 503
    assert refused.response.getheader("Retry-After") == "5"
    refused.close()
    assert me.get("/v1/events?wait=1").status_code == 200
    for each in held:
        each.blocks(1)
        each.close()
    until, status = time.monotonic() + 8, 503
    while status == 503 and time.monotonic() < until:
        stream = Stream(served[1], me)
        status = stream.response.status
        stream.close()
        time.sleep(0.1)
    assert status == 200


def test_a_stream_ends_by_itself(served: tuple[Flask, int], me: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StreamTiming, "longest", 0.7)
    stream = Stream(served[1], me)
    assert len(stream.blocks(100)) < 6
    stream.close()


@pytest.mark.parametrize("ended", ["revoked", "expired", "erased"])
def test_streams_and_waits_end_soon_after_their_token(
    served: tuple[Flask, int], me: Person, clock: Clock, ended: str
) -> None:
    stream = Stream(served[1], me)
    assert len(stream.blocks(6)) == 6, "it goes on while the token is good"
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(Stream, served[1], me, "?wait=30", Accept="application/json", seconds=30)
        time.sleep(0.3)
        began = time.monotonic()
        token = me.token.split("_")[1]
        if ended == "revoked":
            tokens.revoke(me.id, token)
        elif ended == "erased":
            execute("update player set deleted_at = ? where id = ?", now(), me.id)
        else:
            execute("update token set expires_at = ? where id = ?", now() + 1_000, token)
            clock.forward(seconds=2)
        assert len(stream.blocks(100)) < 20
        happen(me)
        answer = waiting.result(5)
        assert json.loads(answer.response.read())["items"] == []
        assert time.monotonic() - began < 5
        answer.close()
    stream.close()
    refused = Stream(served[1], me)
    assert refused.response.status == 401
    refused.close()


def test_a_stream_leaves_no_connection_open_in_its_thread(person: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StreamTiming, "heartbeat", 0.1)
    me = person()
    answer = me.get("/v1/events", Accept="text/event-stream")
    blocks = iter(answer.response)
    assert [next(blocks), next(blocks)] == [b"retry: 2000\n\n", b": still here\n\n"]
    answer.close()
    assert db.is_closed()


def test_the_usual_pace_is_the_documented_one() -> None:
    assert (StreamTiming.heartbeat, StreamTiming.longest) == (15.0, 300.0)
