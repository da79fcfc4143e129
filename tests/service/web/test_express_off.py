"""Without the express lane Flask answers everything, and answers the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import Client

from service.config import BadConfig, Config, read
from service.web.app import configure_app, express_lanes
from tests.support.http_tables import Body, People, SeatClient, head, make

VARIES = {"Date", "X-Request-Id", "RateLimit", "RateLimit-Remaining", "RateLimit-Reset"}


def requests_of(one: SeatClient, two: SeatClient) -> list[tuple[str, Body | None, dict[str, str], int]]:
    """Ten requests as clients send them: path, body, credential and the status of their answer."""
    mine, theirs, options, moves = one.person.bearer, two.person.bearer, one.path("options"), one.path("moves")
    good = one.signed(one.lines[0])
    forged = {**good, "moves": [{"line": one.lines[0], "signature": "0" * 128}]}
    orders = two.signed("draw deck", orders=True, asked=head(one.match)[0], prev=head(one.match)[1])
    return [
        (options, None, mine, 200),
        (options, None, theirs, 200),
        (options, None, {"Authorization": "Bearer nonsense"}, 401),
        (moves, forged, mine, 422),
        (moves, good, theirs, 403),
        (moves, {"moves": "none"}, mine, 422),
        (moves, orders, theirs, 202),
        (moves, good, mine, 202),
        (moves, good, mine, 202),
        (options, None, mine, 200),
    ]


def ask(app: Flask, path: str, body: Body | None, credential: dict[str, str]) -> Any:  # noqa: ANN401  # an answer
    client, headers = Client(app.wsgi_app), {**credential, "Content-Type": "application/json"}
    return (
        client.get(path, headers=credential)
        if body is None
        else client.post(path, data=json.dumps(body), headers=headers)
    )


def test_ten_requests_are_answered_without_the_lane_as_with_it(app: Flask, config: Config, person: People) -> None:
    people = person("Aoife"), person("Brendan")
    for express in (0, 1):
        configure_app(app, replace(config, express=express))
        assert len(express_lanes(app)) == 2 * express
        one, two = make(*people)
        for path, body, credential, status in requests_of(one, two):
            answer = ask(app, path, body, credential)
            assert (express, path, answer.status_code, answer.text) == (express, path, status, answer.text)
        assert head(one.match)[0] == 3


def test_an_answer_does_not_tell_which_way_it_came(app: Flask, config: Config, person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    for path, body, credential, _ in requests_of(one, two):
        answers = []
        for express in (1, 0):
            configure_app(app, replace(config, express=express))
            answer = ask(app, path, body, credential)
            headers = sorted(pair for pair in answer.headers.items() if pair[0] not in VARIES)
            answers.append((answer.status, answer.data, headers))
        assert answers[0] == answers[1]


def test_the_setting_is_0_or_1() -> None:
    assert (read({}).express, read({"ECHTRA_EXPRESS": "0"}).express) == (1, 0)
    with pytest.raises(BadConfig, match="must be 0 or 1"):
        read({"ECHTRA_EXPRESS": "2"})
