"""Requests that arrive together are answered as each would be alone, and share their way to the database."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder

from service.bounded_cache import reset_process_state
from service.db.connection import execute, is_postgres, rows
from service.play import match_loader
from service.play.views import Viewer
from service.web.api.tables import question_and_options
from service.web.app import express_lanes
from service.web.batches import MOST_TOGETHER
from service.web.express.requests import ExpressAnswer, ExpressLane, ExpressRequest
from service.web.streams import LoopCalls
from tests.support.http_tables import Body, People, SeatClient, head, make
from tests.support.own_connection import open_own_connection
from tests.support.statements import record_statements


@pytest.fixture
def options(app: Flask) -> ExpressLane:
    """The application that lists the legal lines without Flask."""
    return express_lanes(app)[0]


@pytest.fixture
def moves(app: Flask) -> ExpressLane:
    """The application that makes moves without Flask."""
    return express_lanes(app)[1]


@pytest.fixture
def seat_clients(person: People) -> list[SeatClient]:
    """Return the players to move in five matches. Each has moved once, so that the caches are warm."""
    names = ("Aoife", "Brendan", "Ciara", "Dara", "Eithne")
    found = [make(person(name), person(f"{name} too"))[0] for name in names]
    for seat_client in found:
        seat_client.move(next(line for line in seat_client.lines if line.startswith("discard")))
    return found


def move_request(moves: ExpressLane, seat_client: SeatClient, body: Body | None = None) -> ExpressRequest:
    """A move on its way, by default the first that is listed."""
    sent = body or seat_client.signed(seat_client.lines[0])
    request = moves.find_request(environ_of(seat_client, "moves", json.dumps(sent)))
    assert request is not None
    return request


def read_request(options: ExpressLane, seat_client: SeatClient) -> ExpressRequest:
    """A read of the legal lines on its way."""
    request = options.find_request(environ_of(seat_client, "options"))
    assert request is not None
    return request


def environ_of(seat_client: SeatClient, rest: str, data: str | None = None) -> dict[str, object]:
    kind = {} if data is None else {"content_type": "application/json", "method": "POST", "data": data}
    return EnvironBuilder(seat_client.path(rest), headers=seat_client.person.bearer, **kind).get_environ()  # type: ignore[arg-type]


def answers(app: ExpressLane, requests: list[ExpressRequest]) -> list[ExpressAnswer | None]:
    """Return the answer of each request in the batch, or None for one that must be answered alone."""
    found = dict(app.answer_batch(requests))
    return [found[request] for request in requests]


def statuses(found: list[ExpressAnswer | None]) -> list[int | None]:
    return [answer and answer[0] for answer in found]


def test_moves_of_many_matches_are_made_together(moves: ExpressLane, seat_clients: list[SeatClient]) -> None:
    requests = [move_request(moves, seat_client) for seat_client in seat_clients]
    before = [head(seat_client.match)[0] for seat_client in seat_clients]
    with record_statements() as said:
        found = answers(moves, requests)
    assert statuses(found) == [202] * 5
    # One read for all; then one statement, or on SQLite one each for heads, submissions and entries.
    assert len(said) == (2 if is_postgres() else 4)
    assert [head(seat_client.match)[0] for seat_client in seat_clients] == [seq + 1 for seq in before]
    for seat_client, answer in zip(seat_clients, found, strict=True):
        assert answer is not None
        told = json.loads(answer[2])
        stored = seat_client.read(f"submissions/{told['id']}")
        assert (stored["status"], stored["receipt"]) == ("made", told["receipt"])
        assert (told["receipt"]["seq"], told["receipt"]["hash"]) == head(seat_client.match)


def test_several_lines_of_one_submission_go_together(moves: ExpressLane, seat_clients: list[SeatClient]) -> None:
    others = [make(seat_client.person, seat_clients[0].person)[0] for seat_client in seat_clients[1:3]]
    requests = []
    for seat_client in others:
        discard = next(line for line in seat_client.lines if line.startswith("discard"))
        requests.append(move_request(moves, seat_client, seat_client.signed(discard, "draw deck")))
    assert statuses(answers(moves, requests)) == [202, 202]
    for seat_client in others:
        found = rows("select n, line from entry where match = ? and n is not null order by seq", seat_client.match)
        assert [(n, line.partition(" ")[0]) for n, line in found] == [(1, "discard"), (2, "draw")]


def test_one_that_went_on_elsewhere_harms_none_of_the_others(
    moves: ExpressLane, seat_clients: list[SeatClient]
) -> None:
    late = seat_clients[2]
    old = match_loader.cached_match_state(late.match)
    assert old is not None
    requests = [move_request(moves, seat_client) for seat_client in seat_clients]
    late.move(late.lines[0])
    after = head(late.match)
    match_loader.forget_match_state(late.match)
    match_loader.cache_match_state(old)
    # The same line came in by itself: the same answer, and nothing happens twice.
    assert statuses(answers(moves, requests)) == [202] * 5
    assert head(late.match) == after


def test_the_same_submission_twice_at_once_happens_once(moves: ExpressLane, seat_clients: list[SeatClient]) -> None:
    seat_client = seat_clients[0]
    body, before = seat_client.signed(seat_client.lines[0]), head(seat_client.match)[0]
    requests = [move_request(moves, seat_client, body) for _ in range(3)]
    found = answers(moves, requests)
    assert statuses(found) == [202, None, None]
    assert found[0] is not None
    assert [moves.answer_or_refuse(request)[2] for request in requests[1:]] == [found[0][2]] * 2
    assert head(seat_client.match)[0] == before + 1


@pytest.mark.parametrize("trouble", ["revoked", "wrong signature", "bad body", "not listed"])
def test_one_that_is_refused_harms_none_of_the_others(
    moves: ExpressLane, seat_clients: list[SeatClient], trouble: str
) -> None:
    bad, before = seat_clients[1], head(seat_clients[1].match)
    body = bad.signed(bad.lines[0])
    if trouble == "wrong signature":
        body["moves"][0]["signature"] = "0" * 128
    elif trouble == "bad body":
        body["moves"] = "nothing"
    elif trouble == "not listed":
        body = bad.signed("discard Z9")
    requests = [move_request(moves, seat_client, body if seat_client is bad else None) for seat_client in seat_clients]
    if trouble == "revoked":
        execute("update token set revoked_at = 1 where player = ?", bad.person.id)
    found = answers(moves, requests)
    told = found[1] or moves.answer_or_refuse(requests[1])
    assert told[0] == (401 if trouble == "revoked" else 422)
    assert head(bad.match) == before
    assert [status for status in statuses(found) if status == 202] == [202] * 4


def test_in_a_full_batch_a_token_that_was_revoked_before_makes_no_move(moves: ExpressLane, person: People) -> None:
    people = [person(f"Player {number}") for number in range(MOST_TOGETHER)]
    matches = [make(each)[0] for each in people]
    requests = [move_request(moves, seat_client) for seat_client in matches]
    assert statuses(answers(moves, requests[:1])) == [202]
    before = [head(seat_client.match) for seat_client in matches]
    revoked = {3, 17, 31}
    for number in revoked:
        token = people[number].token.split("_", 2)[1]
        assert people[number].delete(f"/v1/me/tokens/{token}").status_code == 204
    found = statuses(answers(moves, requests))
    assert found == [401 if number in revoked else 202 for number in range(MOST_TOGETHER)]
    for number, seat_client in enumerate(matches):
        moved = head(seat_client.match)[0] - before[number][0]
        assert moved == (0 if number in revoked or number == 0 else 1)


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_match_that_another_transaction_holds_is_not_waited_for(
    moves: ExpressLane, seat_clients: list[SeatClient]
) -> None:
    requests = [move_request(moves, seat_client) for seat_client in seat_clients]
    with open_own_connection() as other, other.transaction():
        other.execute("select 1 from match where id = %s for update", (seat_clients[3].match,))
        assert statuses(answers(moves, requests)) == [202, 202, 202, None, 202]
    assert moves.answer_or_refuse(requests[3])[0] == 202


def test_readers_of_many_matches_share_one_statement(options: ExpressLane, seat_clients: list[SeatClient]) -> None:
    requests = [read_request(options, seat_client) for seat_client in seat_clients]
    with record_statements() as said:
        found = answers(options, requests)
    assert len(said) == 1
    for seat_client, answer in zip(seat_clients, found, strict=True):
        assert answer is not None
        assert (answer[0], json.loads(answer[2])) == (200, seat_client.read("options"))


def test_tables_that_nobody_remembers_are_loaded_together(options: ExpressLane, seat_clients: list[SeatClient]) -> None:
    requests = [read_request(options, seat_client) for seat_client in seat_clients]
    expected = [seat_client.read("options") for seat_client in seat_clients]
    reset_process_state()
    with record_statements() as said:
        found = answers(options, requests)
    assert len(said) <= 3
    assert [json.loads(answer[2]) for answer in found if answer] == expected


def test_readers_who_may_not_look_harm_none_of_the_others(
    options: ExpressLane, seat_clients: list[SeatClient], person: People
) -> None:
    stranger, good = SeatClient(person("Fionn"), seat_clients[0].match, 0), seat_clients[1]
    execute("update match set visibility = 'private' where id = ?", stranger.match)
    nowhere = SeatClient(person("Grainne"), "a" * 16, 0)
    requests = [read_request(options, each) for each in (stranger, good, nowhere)]
    assert statuses(answers(options, requests)) == [None, 200, None]
    assert [options.answer_or_refuse(request)[0] for request in (requests[0], requests[2])] == [404, 404]


def test_a_fault_with_one_is_met_by_it_alone(
    options: ExpressLane, seat_clients: list[SeatClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_third(watched: Viewer) -> Body:
        if watched.match_state.facts.id == seat_clients[2].match:
            raise RuntimeError("a fault of ours")
        return question_and_options(watched)

    monkeypatch.setattr("service.web.express.options.question_and_options", break_third)
    requests = [read_request(options, seat_client) for seat_client in seat_clients]
    found = answers(options, requests)
    told = [answer or options.answer_or_refuse(request) for request, answer in zip(requests, found, strict=True)]
    assert [answer[0] for answer in told] == [200, 200, 500, 200, 200]


def test_what_threads_add_to_a_loop_is_all_called() -> None:
    count, threads = 5_000, 4

    async def run() -> int:
        calls, called, done = LoopCalls(asyncio.get_running_loop()), iter_count(), asyncio.Event()

        def note() -> None:
            if next(called) == count * threads:
                done.set()

        def add_all() -> None:
            for _ in range(count):
                calls.add(note)

        started = [threading.Thread(target=add_all) for _ in range(threads)]
        for thread in started:
            thread.start()
        await asyncio.wait_for(done.wait(), 30)
        return count * threads

    # In a thread, since a test before may have left a loop running in this one.
    with ThreadPoolExecutor(1) as executor:
        assert executor.submit(lambda: asyncio.run(run())).result() == count * threads


def iter_count() -> Iterator[int]:
    number = 0
    while True:
        number += 1
        yield number
