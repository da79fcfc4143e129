"""The short way of a move answers as the long way does, takes only what is plain, and leaves every refusal to it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client

from service.config import Config
from service.db.connection import db, execute, write_transaction
from service.play import table_store
from service.timestamps import MINUTE
from service.web import auth, rate_limits
from service.web.fast_moves import MOVES_RULE, FastMoves, WsgiEnviron
from tests.support.http_tables import Body, People, Sitting, head, make
from tests.support.players import Clock

VARIES = {"X-Request-Id", "RateLimit", "RateLimit-Remaining"}


@dataclass
class LongWay:
    """The application behind the lane, which remembers how often it was asked."""

    app: Any
    asked: int = 0

    def __call__(self, environ: WsgiEnviron, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
        self.asked += 1
        answer: Iterable[bytes] = self.app(environ, start_response)
        return answer


@dataclass
class Street:
    """Both ways to the same service."""

    long_way: LongWay
    client: Client

    def send(self, sitting: Sitting, body: Body, query: str = "", base: str = "http://localhost", **more: str) -> Any:  # noqa: ANN401
        """Send moves; names of headers with `_` for `-`."""
        given = {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in more.items()}}
        path = sitting.path("moves") + query
        headers = {**sitting.person.bearer, **given}
        return self.client.post(path, base_url=base, data=json.dumps(body), headers=headers)


@pytest.fixture
def street(app: Flask) -> Street:
    """The service with a watch on its long way."""
    lane = app.wsgi_app
    assert isinstance(lane, FastMoves)
    long_way = LongWay(lane.long_way)
    return Street(long_way, Client(replace(lane, long_way=long_way)))


@pytest.fixture
def one(person: People) -> Sitting:
    """Seat 0 of a match of Keltis, whose turn it is."""
    first, _ = make(person("Aoife"), person("Brendan"))
    return first


def test_a_plain_move_is_answered_as_the_long_way_answers_it(street: Street, one: Sitting) -> None:
    body = one.signed(one.lines[0])
    short = street.send(one, body, X_Request_Id="mine")
    assert (short.status_code, street.long_way.asked, head(one.match)[0]) == (202, 0, 3)
    long = street.send(one, body, Prefer="respond-async")
    assert (long.status_code, street.long_way.asked, head(one.match)[0]) == (202, 1, 3)
    assert short.data == long.data
    ours, theirs = (
        {name: text for name, text in answer.headers.items() if name not in VARIES} for answer in (short, long)
    )
    assert ours == theirs
    assert set(short.headers.keys()) >= VARIES
    assert short.headers["X-Request-Id"] == "mine"


def test_over_https_both_ways_say_so(street: Street, one: Sitting) -> None:
    body = one.signed(one.lines[0])
    answers = [street.send(one, body, base="https://localhost", **more) for more in ({}, {"Prefer": "wait=0"})]
    assert [answer.headers["Strict-Transport-Security"] for answer in answers] == ["max-age=31536000"] * 2


@pytest.mark.parametrize(
    ("query", "more"),
    [
        ("", {"Content-Type": "application/json; charset=utf-8"}),
        ("", {"Prefer": "wait=0"}),
        ("?a=b", {}),
    ],
)
def test_what_is_not_plain_goes_the_long_way_and_is_made(
    street: Street, one: Sitting, query: str, more: dict[str, str]
) -> None:
    answer = street.send(one, one.signed(one.lines[0]), query, **more)
    assert (answer.status_code, street.long_way.asked, head(one.match)[0]) == (202, 1, 3)


def test_a_body_that_breaks_off_is_no_move(street: Street, one: Sitting) -> None:
    longer = {"CONTENT_LENGTH": "9999", "wsgi.input_terminated": True}
    body, headers = one.signed(one.lines[0]), one.person.bearer
    answer = street.client.post(one.path("moves"), json=body, headers=headers, environ_overrides=longer)
    assert (answer.status_code, street.long_way.asked, head(one.match)[0]) == (400, 1, 2)
    assert answer.content_type == "application/problem+json"


def test_a_refusal_comes_from_the_long_way_and_counts_once(street: Street, one: Sitting) -> None:
    good, question = one.signed(one.lines[0]), one.question
    wrong = one.signed(one.lines[1], asked=question["asked"] - 1, prev=question["prev"])
    before = int(street.send(one, wrong, Prefer="wait=0").headers["RateLimit-Remaining"])
    refused = street.send(one, wrong)
    assert (refused.status_code, street.long_way.asked) == (409, 2)
    assert refused.content_type == "application/problem+json"
    assert int(refused.headers["RateLimit-Remaining"]) == before - 1
    made = street.send(one, good)
    assert (made.status_code, int(made.headers["RateLimit-Remaining"])) == (202, before - 2)


def test_who_asks_too_often_is_told_by_the_long_way(street: Street, one: Sitting, app: Flask) -> None:
    body = one.signed(one.lines[0])
    few = replace(app.extensions["echtra-limits"], requests=rate_limits.SlidingWindow(1, MINUTE))
    app.extensions["echtra-limits"] = few
    narrow = replace(street, client=Client(FastMoves(street.long_way, few)))
    answers = [narrow.send(one, body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 429]
    assert int(answers[1].headers["Retry-After"]) > 0


def test_a_fault_on_the_short_way_is_told_by_the_long_way(
    street: Street, one: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = one.signed(one.lines[0])
    with monkeypatch.context() as patch:
        patch.setattr("service.play.accept._check_proof", lambda *_: 1 / 0)
        answer = street.send(one, body)
    assert (answer.status_code, answer.content_type) == (500, "application/problem+json")
    assert street.send(one, body).status_code == 202


def test_a_move_whose_answer_was_lost_happens_once(
    street: Street, one: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = one.signed(one.lines[0])
    with monkeypatch.context() as patch:
        patch.setattr("service.web.rate_limits.LimitState.pairs", lambda *_: 1 / 0)
        patch.setattr("service.web.rate_limits.add_limit_headers", lambda _response: None)
        answer = street.send(one, body)
    assert (answer.status_code, street.long_way.asked, head(one.match)[0]) == (202, 1, 3)


def test_moves_of_both_ways_are_counted_together(street: Street, one: Sitting) -> None:
    def counted() -> float:
        name = f'echtra_requests_total{{method="POST",rule="{MOVES_RULE}",status="202"}} '
        found = [line for line in street.client.get("/metrics").text.split("\n") if line.startswith(name)]
        return float(found[0].removeprefix(name)) if found else 0

    before = counted()
    for more in ({}, {"Prefer": "wait=0"}):
        street.send(one, one.signed(one.lines[0]), **more)
    assert counted() == before + 2


def asked_of_the_database(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements from now on."""
    found: list[str] = []
    ask = db.obj.execute_sql

    def asked(sql: str, *more: Any) -> Any:  # noqa: ANN401
        found.append(sql)
        return ask(sql, *more)

    monkeypatch.setattr(db.obj, "execute_sql", asked)
    return found


def test_a_move_that_fits_what_is_remembered_is_one_statement(
    street: Street, one: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert street.send(one, one.signed(one.lines[0])).status_code == 202
    body = one.signed(one.lines[0])
    with monkeypatch.context() as patch:
        found = asked_of_the_database(patch)
        assert street.send(one, body).status_code == 202
    assert [sql.split(" (", 1)[0] for sql in found] == ["insert into accepted"]
    assert (street.long_way.asked, head(one.match)[0]) == (0, 4)


def test_a_table_that_went_on_elsewhere_is_read_again(street: Street, person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    behind = table_store.cached_table(one.match)
    assert behind is not None
    one.move(next(line for line in one.lines if line.startswith("discard")), "draw deck")
    body = two.signed(two.lines[0])
    table_store.clear_cache()
    table_store.cache_table(behind)
    before = head(one.match)[0]
    assert street.send(two, body).status_code == 202
    assert (street.long_way.asked, head(one.match)[0]) == (0, before + 1)


def test_a_remembered_table_does_not_make_a_move_twice(street: Street, one: Sitting) -> None:
    behind, body = table_store.cached_table(one.match), one.signed(one.lines[0])
    assert behind is not None
    first = street.send(one, body)
    table_store.clear_cache()
    table_store.cache_table(behind)
    again = street.send(one, body)
    assert (again.status_code, again.data, head(one.match)[0]) == (202, first.data, 3)


@pytest.mark.parametrize(
    "change",
    [
        "update token set revoked_at = 1 where id = ?",
        "update player set deleted_at = 1 where id = (select player from token where id = ?)",
    ],
)
def test_a_token_that_is_no_longer_good_makes_no_move_though_it_is_remembered(
    street: Street, one: Sitting, change: str
) -> None:
    body, (_, token, secret) = one.signed(one.lines[0]), one.person.token.split("_", 2)
    assert auth.cached_caller(f"Bearer echtra_{token}_{secret}") is not None
    with write_transaction():
        execute(change, token)  # as another process does it
    answer = street.send(one, body)
    assert (answer.status_code, answer.json["type"], head(one.match)[0]) == (401, "/problems/wrong-token", 2)


def test_who_holds_a_token_is_remembered_for_a_minute_and_only_with_its_secret(one: Sitting, clock: Clock) -> None:
    one.read("table")
    good = one.person.bearer["Authorization"]
    known = auth.cached_caller(good)
    assert known is not None
    assert known.player == one.person.id
    other = "A" if good[-2] != "A" else "B"
    for wrong in (good.lower(), good[:-1], good[:-2] + other + good[-1], good.removeprefix("Bearer "), ""):
        assert auth.cached_caller(wrong) is None
    clock.forward(minutes=1)
    assert auth.cached_caller(good) is None


def test_no_more_tokens_are_remembered_than_there_is_room_for(person: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "MOST_CACHED_TOKENS", 2)
    people = [person() for _ in range(3)]
    for each in people:
        each.get("/v1/me")
    assert [auth.cached_caller(each.bearer["Authorization"]) is not None for each in people] == [False, False, True]


def test_no_connection_is_kept_after_the_answer(street: Street, one: Sitting, config: Config) -> None:
    body = one.signed(one.lines[0])
    assert street.send(one, body).status_code == 202
    assert db.is_closed() == config.database.startswith("postgres")
