"""Invitations and organisers: how other people come to a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.config import Config
from tests.support.http_tables import Answer, People, SeatClient, ask, new, resolved
from tests.support.players import letters, newcomer
from tests.support.web_apps import open_app


def test_an_invitation_opens_the_door_and_is_answered(person: People) -> None:
    aoife, brendan, ciara = person("Aoife"), person("Brendan"), person("Ciara")
    match = new(aoife, visibility="invitation", seats=3).json["id"]
    sent: Answer = aoife.post(f"/v1/matches/{match}/invitations", {"player": brendan.id, "seat": 2})
    assert sent.status_code == 201
    assert letters("invitation") == [{"kind": "invitation", "invitation": sent.json["id"]}]
    received: Answer = brendan.get("/v1/me/invitations")
    assert [each["match"] for each in received.json["items"]] == [match]
    assert ask(ciara, "POST", f"/v1/matches/{match}/join", {}).status_code == 404
    joined: Answer = brendan.post(f"/v1/matches/{match}/join", {})
    assert joined.status_code == 200
    aoife.post(f"/v1/matches/{match}/invitations", {"player": ciara.id})
    assert ciara.post(f"/v1/matches/{match}/decline").status_code == 204
    assert ask(ciara, "GET", f"/v1/matches/{match}").status_code == 404
    answers: Answer = aoife.get(f"/v1/matches/{match}/invitations")
    assert sorted(each["answer"] for each in answers.json["items"]) == ["declined", "joined"]


def test_inviting_an_address_does_not_tell_who_has_it(person: People) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match = new(aoife).json["id"]
    answers = [
        ask(aoife, "POST", f"/v1/matches/{match}/invitations", {"address": address})
        for address in (brendan.address, "nobody@example.org")
    ]
    shapes = [
        {name: value for name, value in answer.json.items() if name not in ("id", "address")} for answer in answers
    ]
    assert shapes[0] == shapes[1]
    assert len(ask(brendan, "GET", "/v1/me/invitations").json["items"]) == 1
    both = {"player": brendan.id, "address": brendan.address}
    assert aoife.post(f"/v1/matches/{match}/invitations", both).status_code == 422
    assert aoife.post(f"/v1/matches/{match}/invitations", {}).status_code == 422


@pytest.mark.usefixtures("clock")
def test_invitations_are_limited_to_matches_that_wait(config: Config) -> None:
    app = open_app(replace(config, invitations=1))
    aoife, brendan = newcomer(app.test_client(), "Aoife"), newcomer(app.test_client(), "Brendan")
    first, second = new(aoife).json["id"], new(aoife).json["id"]
    guest = {"address": "guest@example.org"}
    assert aoife.post(f"/v1/matches/{first}/invitations", guest).status_code == 201
    assert aoife.post(f"/v1/matches/{second}/invitations", guest).status_code == 422
    brendan.post(f"/v1/matches/{first}/join", {})
    assert aoife.post(f"/v1/matches/{second}/invitations", guest).status_code == 201


def test_organisers_seat_those_who_agreed(person: People) -> None:
    orla, aoife, brendan = person("Orla"), person("Aoife"), person("Brendan")
    seats = {"0": aoife.id, "1": brendan.id}
    refused = new(orla, sit=False, players=seats)
    assert (refused.status_code, refused.json["type"]) == (403, "/problems/forbidden")
    for guest in (aoife, brendan):
        assert guest.ask("PUT", f"/v1/me/organisers/{orla.id}").status_code == 204
    assert [each["name"] for each in ask(aoife, "GET", "/v1/me/organisers").json["items"]] == ["Orla"]
    made = new(orla, sit=False, players=seats)
    assert made.status_code == 201
    assert (made.json["status"], made.json["arbiter"]["name"]) == ("running", "Orla")
    resolved(made.json["id"])
    seated = SeatClient(aoife, made.json["id"], 0)
    assert seated.question is not None
    assert orla.post(seated.path("moves"), {"moves": []}).status_code == 403
    assert aoife.delete(f"/v1/me/organisers/{orla.id}").status_code == 204
    assert new(orla, sit=False, players=seats).status_code == 403


def test_organisers_seat_one_by_one_and_need_the_scope(person: People) -> None:
    orla, aoife, brendan = person("Orla"), person("Aoife"), person("Brendan")
    match = new(orla, sit=False, visibility="invitation").json["id"]
    seats = f"/v1/matches/{match}/seats"
    assert orla.ask("PUT", seats, {"seat": 0, "player": aoife.id}).status_code == 403
    aoife.ask("PUT", f"/v1/me/organisers/{orla.id}")
    seated = ask(orla, "PUT", seats, {"seat": 0, "player": aoife.id})
    assert seated.json["places"][0]["name"] == "Aoife"
    assert orla.post(f"/v1/matches/{match}/join", {}).status_code == 403
    assert ask(orla, "PUT", seats, {"seat": 0, "player": None}).json["places"][0]["player"] is None
    assert orla.ask("PUT", seats, {"seat": 0, "player": None}).status_code == 404
    assert orla.ask("PUT", seats, {"seat": 7, "player": aoife.id}).status_code == 409
    player = person("Pádraig", scopes=("play",))
    assert player.ask("PUT", seats, {"seat": 0, "player": aoife.id}).status_code == 403
    assert new(player, sit=False).status_code == 403
    assert brendan.ask("PUT", seats, {"seat": 0, "player": brendan.id}).status_code == 404
