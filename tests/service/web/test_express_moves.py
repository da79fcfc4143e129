"""The short way of a move answers as Flask does, good or bad, and takes only what is plain."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask import Flask
from peewee import OperationalError
from werkzeug.test import Client

from service.accounts import tokens
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.connection import db, execute, is_postgres, rows, write_transaction
from service.matches import arbiter_decisions
from service.play import match_loader
from service.record.keys import PublicKey
from service.timestamps import MINUTE
from service.web import rate_limits
from service.web.express.moves import MovesLane
from service.web.express.options import OptionsLane
from service.web.express.requests import WsgiEnviron
from tests.support.http_tables import Body, People, SeatClient, head, make
from tests.support.players import Clock
from tests.support.statements import record_statements

VARIES = {"X-Request-Id", "RateLimit", "RateLimit-Remaining"}


@dataclass
class WatchedFlask:
    """The application behind the short way, which remembers how often it was asked."""

    app: Any
    asked: int = 0

    def __call__(self, environ: WsgiEnviron, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
        self.asked += 1
        answer: Iterable[bytes] = self.app(environ, start_response)
        return answer


@dataclass
class BothRoutes:
    """Both ways to the same service."""

    flask: WatchedFlask
    client: Client

    def send(
        self, seat_client: SeatClient, body: Body, query: str = "", base: str = "http://localhost", **more: str
    ) -> Any:  # noqa: ANN401
        """Send moves; names of headers with `_` for `-`."""
        given = {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in more.items()}}
        path = seat_client.path("moves") + query
        headers = {**seat_client.person.bearer, **given}
        return self.client.post(path, base_url=base, data=json.dumps(body), headers=headers)


@pytest.fixture
def routes(app: Flask) -> BothRoutes:
    """The service with a watch on its long way."""
    options_way = app.wsgi_app
    assert isinstance(options_way, OptionsLane)
    short_way = options_way.next_app
    assert isinstance(short_way, MovesLane)
    flask = WatchedFlask(short_way.next_app)
    return BothRoutes(flask, Client(replace(short_way, next_app=flask)))


def assert_same(short: Any, long: Any) -> None:  # noqa: ANN401  # two answers
    """Both ways answer alike: the same bytes, and the same headers, each of them once."""
    assert (short.status, short.data) == (long.status, long.data)
    ours, theirs = (
        sorted((name, text) for name, text in answer.headers.items() if name not in VARIES) for answer in (short, long)
    )
    assert ours == theirs
    for answer in (short, long):
        assert {*VARIES} <= {*answer.headers.keys()}


@pytest.fixture
def one(person: People) -> SeatClient:
    """Seat 0 of a match of Keltis, whose turn it is."""
    first, _ = make(person("Aoife"), person("Brendan"))
    return first


def test_a_plain_move_is_answered_as_flask_answers_it(routes: BothRoutes, one: SeatClient) -> None:
    body = one.signed(one.lines[0])
    short = routes.send(one, body, X_Request_Id="mine")
    assert (short.status_code, routes.flask.asked, head(one.match)[0]) == (202, 0, 3)
    long = routes.send(one, body, Prefer="respond-async")
    assert (long.status_code, routes.flask.asked, head(one.match)[0]) == (202, 1, 3)
    assert_same(short, long)
    assert short.headers["X-Request-Id"] == "mine"


def test_over_https_both_ways_say_so(routes: BothRoutes, one: SeatClient) -> None:
    body = one.signed(one.lines[0])
    answers = [routes.send(one, body, base="https://localhost", **more) for more in ({}, {"Prefer": "wait=0"})]
    assert [answer.headers["Strict-Transport-Security"] for answer in answers] == ["max-age=31536000"] * 2


@pytest.mark.parametrize(
    ("query", "more"),
    [
        ("", {"Content-Type": "application/json; charset=utf-8"}),
        ("", {"Prefer": "wait=0"}),
        ("?a=b", {}),
    ],
)
def test_what_is_not_plain_goes_to_flask_and_is_made(
    routes: BothRoutes, one: SeatClient, query: str, more: dict[str, str]
) -> None:
    answer = routes.send(one, one.signed(one.lines[0]), query, **more)
    assert (answer.status_code, routes.flask.asked, head(one.match)[0]) == (202, 1, 3)


def test_a_body_that_breaks_off_is_no_move(routes: BothRoutes, one: SeatClient) -> None:
    longer = {"CONTENT_LENGTH": "9999", "wsgi.input_terminated": True}
    body, headers = one.signed(one.lines[0]), one.person.bearer
    answer = routes.client.post(one.path("moves"), json=body, headers=headers, environ_overrides=longer)
    assert (answer.status_code, routes.flask.asked, head(one.match)[0]) == (400, 1, 2)
    assert answer.content_type == "application/problem+json"


def stale(one: SeatClient) -> Body:
    question = one.question
    return one.signed(one.lines[1], asked=question["asked"] - 1, prev=question["prev"])


def unlisted(one: SeatClient) -> Body:
    return one.signed("draw deck")


def unreadable_line(one: SeatClient) -> Body:
    return one.signed("fly away")


def accented_line(one: SeatClient) -> Body:
    return {**one.signed(one.lines[0]), "moves": [{"line": "défausser", "signature": "0" * 128}]}


def forged(one: SeatClient) -> Body:
    return {**one.signed(one.lines[0]), "moves": [{"line": one.lines[0], "signature": "0" * 128}]}


def other_key(one: SeatClient) -> Body:
    return {**one.signed(one.lines[0]), "key": "k" * 43}


def wrong_prev(one: SeatClient) -> Body:
    return one.signed(one.lines[0], asked=one.question["asked"], prev="0" * 64)


def unknown_field(one: SeatClient) -> Body:
    return {**one.signed(one.lines[0]), "hurry": True}


def no_body(_one: SeatClient) -> Any:  # noqa: ANN401  # not what a client should send
    return []


REFUSALS = {
    stale: (409, "question-changed"),
    unlisted: (422, "not-listed"),
    unreadable_line: (422, "not-canonical"),
    accented_line: (422, "not-canonical"),
    forged: (422, "wrong-signature"),
    other_key: (403, "not-your-key"),
    wrong_prev: (422, "wrong-prev"),
    unknown_field: (422, "invalid"),
    no_body: (422, "invalid"),
}


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("wrong", REFUSALS)
def test_a_refusal_is_answered_as_flask_answers_it_and_counts_once(
    routes: BothRoutes, one: SeatClient, wrong: Callable[[SeatClient], Body], cached: bool
) -> None:
    body = wrong(one)
    long = routes.send(one, body, Prefer="wait=0")
    if not cached:
        reset_process_state()
    short = routes.send(one, body)
    assert (short.status_code, short.json["type"].removeprefix("/problems/")) == REFUSALS[wrong]
    assert (routes.flask.asked, head(one.match)[0]) == (1, 2)
    assert_same(short, long)
    assert int(short.headers["RateLimit-Remaining"]) == int(long.headers["RateLimit-Remaining"]) - 1


@pytest.mark.parametrize("header", [{}, {"Accept-Language": "fr, en;q=0.5"}, {"Accept-Language": "en"}])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_refusal_shows_the_table_in_the_language_of_the_reader(
    routes: BothRoutes, person: People, language: str, header: dict[str, str]
) -> None:
    one, _ = make(person("Aoife", language=language), person("Brendan"))
    body = unlisted(one)
    short, long = routes.send(one, body, **header), routes.send(one, body, Prefer="wait=0", **header)
    assert_same(short, long)
    verb = {"en": "Lay", "fr": "Poser"}[header.get("Accept-Language", language)[:2]]
    assert short.json["options"]["items"][0]["sentence"].split()[0] == verb


def test_a_body_that_is_no_json_is_refused_alike(routes: BothRoutes, one: SeatClient) -> None:
    headers = {**one.person.bearer, "Content-Type": "application/json"}
    for data in (b"{", b"\xff", b'{"asked": 1.5}', b""):
        short, long = (
            routes.client.post(one.path("moves"), data=data, headers={**headers, **more})
            for more in ({}, {"Prefer": "wait=0"})
        )
        assert short.status_code == 400
        assert_same(short, long)


def test_who_may_not_move_is_refused_alike(routes: BothRoutes, one: SeatClient, person: People) -> None:
    body, stranger, reader = one.signed(one.lines[0]), person("Ciara"), person("Dara", scopes=("read",))
    bearers = {
        401: {"Authorization": one.person.bearer["Authorization"][:-1] + "!"},
        403: reader.bearer,
        404: None,
    }
    for status, bearer in bearers.items():
        path = one.path("moves") if bearer else "/v1/matches/aaaaaaaaaaaaaaaaaaaa/moves"
        headers = {**(bearer or stranger.bearer), "Content-Type": "application/json"}
        short, long = (
            routes.client.post(path, data=json.dumps(body), headers={**headers, **more})
            for more in ({}, {"Prefer": "wait=0"})
        )
        assert short.status_code == status, short.text
        assert_same(short, long)
    seatless = routes.send(replace(one, person=stranger), body)
    assert (seatless.status_code, seatless.json["type"]) == (403, "/problems/not-your-seat")


def test_a_match_that_has_not_started_is_hidden_from_strangers_on_both_ways(routes: BothRoutes, person: People) -> None:
    made = person("Aoife").post("/v1/matches", {"game": "keltis", "seats": 2, "seat": 0, "visibility": "invitation"})
    seat_client = SeatClient(person("Brendan"), made.json["id"], 1)
    body = seat_client.signed("draw deck", asked=0, prev="0" * 64)
    short, long = routes.send(seat_client, body), routes.send(seat_client, body, Prefer="wait=0")
    assert (short.status_code, short.json["type"]) == (404, "/problems/not-found")
    assert_same(short, long)


@pytest.mark.parametrize("wrong", [stale, unlisted, unreadable_line, forged, wrong_prev])
def test_a_refused_move_is_verified_once(
    routes: BothRoutes, one: SeatClient, wrong: Callable[[SeatClient], Body], monkeypatch: pytest.MonkeyPatch
) -> None:
    body = wrong(one)
    one.read("table")
    checks = count_checks(monkeypatch)
    assert routes.send(one, body).status_code in (409, 422)
    assert (checks, routes.flask.asked) == ([1], 0)


def count_checks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A one for each signature that is verified from now on."""
    checks: list[int] = []
    check = PublicKey.verifies

    def counted(self: PublicKey, signature: str, text: bytes) -> bool:
        checks.append(1)
        return check(self, signature, text)

    monkeypatch.setattr(PublicKey, "verifies", counted)
    return checks


def test_a_move_at_a_table_that_went_on_elsewhere_is_verified_once(
    routes: BothRoutes, person: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = make(person("Aoife"), person("Brendan"))
    behind, body = match_loader.cached_match_state(one.match), one.signed(one.lines[0])
    assert behind is not None
    with write_transaction():
        arbiter_decisions.arbiter_for_operator(one.match, Config()).decide("pause illness")
        arbiter_decisions.arbiter_for_operator(one.match, Config()).decide("resume")
    reset_process_state()
    match_loader.cache_match_state(behind)
    checks = count_checks(monkeypatch)
    assert routes.send(one, body).status_code == 202
    assert (checks, routes.flask.asked) == ([1], 0)


def test_what_is_refused_at_an_old_table_is_looked_at_again_at_the_new_one(routes: BothRoutes, one: SeatClient) -> None:
    behind, body = match_loader.cached_match_state(one.match), unlisted(one)
    assert behind is not None
    assert routes.send(one, one.signed(one.lines[0])).status_code == 202
    now = one.read("table")
    reset_process_state()
    match_loader.cache_match_state(behind)
    refused = routes.send(one, body)
    assert (refused.status_code, refused.json["type"]) == (409, "/problems/question-changed")
    assert refused.json["table"]["seq"] == now["seq"]


def test_wrong_signatures_of_both_ways_are_counted_together(routes: BothRoutes, one: SeatClient) -> None:
    body = forged(one)
    answers = [routes.send(one, body, **({"Prefer": "wait=0"} if number % 2 else {})) for number in range(31)]
    assert [answer.status_code for answer in answers] == [422] * 30 + [429]
    long = routes.send(one, body, Prefer="wait=0")
    assert_same(routes.send(one, body), long)
    assert routes.send(one, one.signed(one.lines[0])).status_code == 202


def test_a_move_with_a_cookie_takes_the_short_way_and_is_judged_as_by_flask(
    routes: BothRoutes, one: SeatClient, clock: Clock
) -> None:
    with write_transaction():
        issued = tokens.issue_session(one.person.id, "Firefox", ["play"])
    client = Client(routes.client.application, use_cookies=False)
    body, path = json.dumps(one.signed(one.lines[0])), one.path("moves")

    def send(cookie: str, **more: str) -> Any:  # noqa: ANN401  # an answer
        given = {name.replace("_", "-"): text for name, text in more.items()}
        headers = {"Content-Type": "application/json", "Cookie": f"echtra={cookie}", **given}
        return client.post(path, data=body, headers=headers)

    own = {"Sec_Fetch_Site": "same-origin"}
    for foreign in (
        *({"Sec_Fetch_Site": site} for site in ("cross-site", "same-site", "same-origin,cross-site")),
        {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"},
        {},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:8001"},
    ):
        for cookie in (issued.text, issued.text[:-1]):
            assert send(cookie, **foreign).status_code == 401
    for not_a_session in (one.person.token, issued.text[:-2] + "xx"):
        assert_same(send(not_a_session, **own), send(not_a_session, **own, Prefer="wait=0"))
        assert send(not_a_session, **own).status_code == 401
    asked = routes.flask.asked
    made = send(issued.text, **own)
    assert (made.status_code, routes.flask.asked) == (202, asked)
    assert_same(made, send(issued.text, Origin="http://127.0.0.1:8000", Prefer="wait=0"))
    assert "Access-Control-Allow-Origin" not in made.headers
    assert made.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert made.headers["Cache-Control"] == "private, no-cache"
    assert {"Cookie", "Authorization"} <= set(made.headers["Vary"].split(", "))
    clock.forward(days=181)
    assert send(issued.text, **own).status_code == 401
    clock.forward(days=-181)
    tokens.revoke(one.person.id, issued.token.id)
    assert send(issued.text, **own).status_code == 401


def test_who_asks_too_often_is_told_alike(routes: BothRoutes, one: SeatClient, app: Flask) -> None:
    body = one.signed(one.lines[0])
    few = replace(app.extensions["echtra-limits"], requests=rate_limits.SlidingWindow(1, MINUTE))
    app.extensions["echtra-limits"] = few
    narrow = replace(routes, client=Client(MovesLane(routes.flask, few, app.config["ECHTRA"])))
    answers = [narrow.send(one, body, **more) for more in ({}, {}, {"Prefer": "wait=0"})]
    assert [answer.status_code for answer in answers] == [202, 429, 429]
    assert routes.flask.asked == 1
    assert_same(*answers[1:])
    assert int(answers[1].headers["Retry-After"]) > 0


def test_a_wrong_token_counts_against_its_address(routes: BothRoutes, one: SeatClient, app: Flask) -> None:
    few = replace(app.extensions["echtra-limits"], requests=rate_limits.SlidingWindow(2, MINUTE))
    app.extensions["echtra-limits"] = few
    narrow = replace(routes, client=Client(MovesLane(routes.flask, few, app.config["ECHTRA"])))
    wrong = {"Authorization": "Bearer echtra_aaaaaaaaaaaa_" + "A" * 43}
    answers = [narrow.send(one, {}, **wrong, **more) for more in ({}, {"Prefer": "wait=0"}, {}, {"Prefer": "wait=0"})]
    assert [answer.status_code for answer in answers] == [401, 401, 429, 429]
    assert_same(answers[0], answers[1])
    assert_same(answers[2], answers[3])


def test_our_own_fault_is_noted_and_told_as_flask_tells_it(
    routes: BothRoutes, one: SeatClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    body = one.signed(one.lines[0])
    with monkeypatch.context() as patch:
        patch.setattr("service.play.accept._check_proof", lambda *_: 1 / 0)
        short = routes.send(one, body)
        assert routes.flask.asked == 0
        long = routes.send(one, body, Prefer="wait=0")
    assert (short.status_code, short.content_type) == (500, "application/problem+json")
    assert_same(short, long)
    faults = [line for line in map(json.loads, capsys.readouterr().err.splitlines()) if line["event"] == "fault"]
    assert [line["request"] for line in faults] == [answer.headers["X-Request-Id"] for answer in (short, long)]
    assert {line["player"] for line in faults} == {one.person.id}
    assert all("ZeroDivisionError" in line["exception"] for line in faults)
    assert routes.send(one, body).status_code == 202


def test_a_fault_in_telling_a_refusal_is_ours_too(
    routes: BothRoutes, one: SeatClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = unlisted(one)
    with monkeypatch.context() as patch:
        patch.setattr("service.play.views.table_as_json", lambda *_: 1 / 0)
        answer = routes.send(one, body)
    assert (answer.status_code, answer.json["type"], routes.flask.asked) == (500, "/problems/server-error", 0)


def test_a_database_that_is_down_is_told_as_flask_tells_it(
    routes: BothRoutes, one: SeatClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = one.signed(one.lines[0])

    def down(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(type(db.obj), "execute_sql", down)
        short, long = routes.send(one, body), routes.send(one, body, Prefer="wait=0")
    assert (short.status_code, short.json["type"], routes.flask.asked) == (503, "/problems/not-now", 1)
    assert_same(short, long)
    assert routes.send(one, body).status_code == 202


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_connection_that_the_server_ended_heals_within_the_move(
    routes: BothRoutes,
    one: SeatClient,
    postgres_model: Any,  # noqa: ANN401
) -> None:
    body = one.signed(one.lines[0])
    ((number,),) = db.execute_sql("select pg_backend_pid()").fetchall()
    postgres_model.connection.execute("select pg_terminate_backend(%s, 5000)", (number,))
    assert (routes.send(one, body).status_code, routes.flask.asked, head(one.match)[0]) == (202, 0, 3)


def test_a_move_whose_answer_was_lost_happens_once(
    routes: BothRoutes, one: SeatClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = one.signed(one.lines[0])
    with monkeypatch.context() as patch:
        patch.setattr("service.play.submissions.SubmissionResult.path", property(lambda _: 1 / 0))
        assert routes.send(one, body).status_code == 500
    assert head(one.match)[0] == 3
    again = routes.send(one, body)
    assert (again.status_code, again.json["made"], head(one.match)[0]) == (202, [body["moves"][0]["line"]], 3)


def test_moves_of_both_ways_are_counted_together(routes: BothRoutes, one: SeatClient) -> None:
    def counted() -> float:
        name = f'echtra_requests_total{{method="POST",rule="{MovesLane.rule}",status="202"}} '
        here = {"REMOTE_ADDR": "127.0.0.1"}
        text = routes.client.get("/metrics", base_url="http://127.0.0.1:8000", environ_base=here).text
        found = [line for line in text.split("\n") if line.startswith(name)]
        return float(found[0].removeprefix(name)) if found else 0

    before = counted()
    for more in ({}, {"Prefer": "wait=0"}):
        routes.send(one, one.signed(one.lines[0]), **more)
    assert counted() == before + 2


def test_a_plain_move_is_one_read_and_one_write(routes: BothRoutes, one: SeatClient) -> None:
    assert routes.send(one, one.signed(one.lines[0])).status_code == 202
    body = one.signed(one.lines[0])
    with record_statements() as found:
        assert routes.send(one, body).status_code == 202
    read, *writes = [sql for sql, _ in found]
    assert "join token t" in read
    # PostgreSQL moves the head and inserts submission and entries in one statement.
    parts = ["update match", "into submission", "into entry"]
    kinds = [[part for part in parts if part in sql] for sql in writes]
    assert kinds == ([parts] if is_postgres() else [[part] for part in parts])
    assert (routes.flask.asked, head(one.match)[0]) == (0, 4)


def test_a_table_that_went_on_elsewhere_is_read_again(routes: BothRoutes, person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    behind = match_loader.cached_match_state(one.match)
    assert behind is not None
    one.move(next(line for line in one.lines if line.startswith("discard")), "draw deck")
    body = two.signed(two.lines[0])
    reset_process_state()
    match_loader.cache_match_state(behind)
    before = head(one.match)[0]
    assert routes.send(two, body).status_code == 202
    assert (routes.flask.asked, head(one.match)[0]) == (0, before + 1)


def test_a_remembered_table_does_not_make_a_move_twice(routes: BothRoutes, one: SeatClient) -> None:
    behind, body = match_loader.cached_match_state(one.match), one.signed(one.lines[0])
    assert behind is not None
    first = routes.send(one, body)
    reset_process_state()
    match_loader.cache_match_state(behind)
    again = routes.send(one, body)
    assert (again.status_code, again.data, head(one.match)[0]) == (202, first.data, 3)


@pytest.mark.parametrize(
    "change",
    [
        "update token set revoked_at = 1 where id = ?",
        "update player set deleted_at = 1 where id = (select player from token where id = ?)",
    ],
)
def test_a_token_that_is_no_longer_good_makes_no_move_though_it_was_just_used(
    routes: BothRoutes, one: SeatClient, change: str
) -> None:
    assert routes.send(one, one.signed(one.lines[0])).status_code == 202
    body, (_, token, _) = one.signed(one.lines[0]), one.person.token.split("_", 2)
    before = head(one.match)
    with write_transaction():
        execute(change, token)  # as another process does it
    answer = routes.send(one, body)
    assert (answer.status_code, answer.json["type"]) == (401, "/problems/wrong-token")
    assert head(one.match) == before


def test_that_a_token_is_used_is_noted_once_a_minute(routes: BothRoutes, one: SeatClient, clock: Clock) -> None:
    token = one.person.token.split("_", 2)[1]

    def used_at() -> int:
        ((at,),) = rows("select used_at from token where id = ?", token)
        return int(at)

    clock.forward(minutes=2)
    body = one.signed(one.lines[0])
    assert used_at() == clock.at
    clock.forward(seconds=30)
    routes.send(one, body)
    assert used_at() == clock.at - 30_000
    clock.forward(seconds=30)
    routes.send(one, body)
    assert used_at() == clock.at


def test_no_connection_is_kept_after_the_answer(routes: BothRoutes, one: SeatClient, config: Config) -> None:
    body = one.signed(one.lines[0])
    assert routes.send(one, body).status_code == 202
    assert db.is_closed() == config.database.startswith("postgres")
