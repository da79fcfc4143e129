"""Taking over a seat through the API."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask

from service.config import Config
from service.db.connection import rows
from service.play import timeouts
from service.timestamps import DAY
from tests.support.factories import settle, verified
from tests.support.players import Clock, Person

People = Callable[..., Person]


def test_a_seat_whose_player_is_gone_is_open_to_one_other(
    app: Flask, config: Config, clock: Clock, person: People
) -> None:
    me, absent, other, late = (person(name) for name in ("Me", "Absent", "Other", "Late"))
    wanted = {"game": "keltis", "seats": 2, "clock": "tournament", "policy": "substitute", "seat": 0}
    match = me.post("/v1/matches", wanted).json["id"]
    assert absent.post(f"/v1/matches/{match}/join", {}).status_code == 200
    path = f"/v1/matches/{match}/substitute"
    assert other.post(path, {}).status_code == 409
    settle(match, config)
    clock.at += 4 * DAY
    assert timeouts.write_timeouts() == 1
    settle(match, config)
    ((gone,),) = rows("select seat from seat where match = ? and player is null", match)
    stays = me if gone == 1 else absent
    assert stays.post(path, {}).json["type"] == "/problems/conflict"
    assert other.post(path, {"seat": 1 - gone}).json["free"] == [gone]
    taken = other.post(path, {"seat": gone})
    assert taken.status_code == 200
    settle(match, config)
    places = other.get(f"/v1/matches/{match}").json["places"]
    assert [place["player"] for place in places if place["seat"] == gone] == [other.id]
    assert late.post(path, {}).json["type"] == "/problems/match-full"
    assert [line for (line,) in rows("select line from entry where seat = -2 order by seq")][-1] == (
        f"seat {gone} {other.id} {other.key.id}"
    )
    assert verified(match).over is False
    assert app.name == "service.web"


def test_a_private_match_is_found_only_with_its_link(person: People, config: Config, clock: Clock) -> None:
    me, friend, other = person("Me"), person("Friend"), person("Other")
    wanted = {"game": "keltis", "seats": 2, "clock": "tournament", "policy": "substitute", "visibility": "link"}
    made = me.post("/v1/matches", wanted).json
    path = f"/v1/matches/{made['id']}/substitute"
    assert friend.post(f"/v1/matches/{made['id']}/join", {"link": made["link"]}).status_code == 200
    settle(made["id"], config)
    clock.at += 4 * DAY
    timeouts.write_timeouts()
    settle(made["id"], config)
    assert other.post(path, {}).status_code == 404
    assert other.post(path, {"link": made["link"]}).status_code == 200
