"""Leagues: one seed for all, committed at the opening, out when the last match is over."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from flask.testing import FlaskClient

from service.play import table_store
from service.record.verify import verify
from tests.support.http_tables import Answer, Sitting, resolved
from tests.support.players import Clock, Person
from tests.support.statements import record_statements

People = Callable[..., Person]
NEW = {
    "title": "Samhain",
    "game": "keltis",
    "seats": 2,
    "bots": {"1": "steady"},
    "closes_at": "2027-02-01T00:00:00Z",
}


def opened(organiser: Person, **more: Any) -> Answer:  # noqa: ANN401
    return organiser.post("/v1/leagues", {**NEW, **more})


def entered(person: Person, league: str) -> Sitting:
    answer: Answer = person.post(f"/v1/leagues/{league}/enter")
    assert answer.status_code == 201, answer.text
    resolved(answer.json["id"])
    return Sitting(person, answer.json["id"], 0)


def look(reader: Person, path: str) -> Answer:
    return reader.get(path)


def test_everybody_gets_the_same_deal_and_the_seed_comes_last(
    person: People, client: FlaskClient, clock: Clock
) -> None:
    orla, aoife, brendan = person("Orla"), person("Aoife"), person("Brendan")
    league = opened(orla).json
    assert league["seed"] is None
    one, two = entered(aoife, league["id"]), entered(brendan, league["id"])
    hands = [each.read("table")["view"]["hand"] for each in (one, two)]
    assert hands[0] == hands[1]
    line = one.lines[-1]
    for each in (one, two):
        each.move(line, "draw deck")
    assert one.read("table")["view"] == {
        **two.read("table")["view"],
        "names": one.read("table")["view"]["names"],
    }
    for each in (one, two):
        table = each.read("table")
        each.move("resign", asked=table["seq"], prev=table["hash"])
    assert look(aoife, f"/v1/leagues/{league['id']}").json["seed"] is None
    assert look(aoife, f"/v1/matches/{one.match}").json["seed"] is None
    assert one.get("record").status_code == 409
    clock.forward(days=20)
    out = look(aoife, f"/v1/leagues/{league['id']}").json
    assert sha256(bytes.fromhex(out["seed"])).hexdigest() == league["seed_hash"]
    assert look(brendan, f"/v1/matches/{one.match}").json["seed"] == out["seed"]
    assert verify(client.get(one.path("record")).data).entries > 0
    table_store.clear_cache()
    with record_statements() as found:
        standings = look(orla, f"/v1/leagues/{league['id']}/standings").json["items"]
    assert sum("from snapshot" in sql or "join snapshot" in sql for sql, _ in found) == 1
    assert {line["match"] for line in standings} == {one.match, two.match}
    assert [line["score"] for line in standings] == sorted((line["score"] for line in standings), reverse=True)


def test_nobody_watches_a_league_that_is_not_over(person: People, client: FlaskClient, clock: Clock) -> None:
    orla, aoife, brendan = person("Orla"), person("Aoife"), person("Brendan")
    league = opened(orla).json["id"]
    one = entered(aoife, league)
    entered(brendan, league)
    for reader in (orla, brendan):
        for rest in ("", "/table", "/history", "/record"):
            assert reader.get(f"/v1/matches/{one.match}{rest}").status_code == 404
    assert client.get(f"/v1/matches/{one.match}").status_code == 404
    standings = look(orla, f"/v1/leagues/{league}/standings").json["items"]
    assert [(line["match"], line["score"]) for line in standings] == [(None, None)] * 2
    assert one.post("offers", {"kind": "cancel"}).status_code == 409
    clock.forward(days=20)
    late: Answer = person("Ciara").post(f"/v1/leagues/{league}/enter")
    assert (late.status_code, late.json["type"]) == (409, "/problems/match-over")
    assert look(orla, f"/v1/leagues/{league}").json["published_at"] is None


def test_a_league_is_entered_once_and_without_nonce(person: People) -> None:
    orla, aoife = person("Orla"), person("Aoife")
    league = opened(orla).json["id"]
    one = entered(aoife, league)
    assert look(aoife, f"/v1/matches/{one.match}").json["you"]["nonce"] == "-"
    again: Answer = aoife.post(f"/v1/leagues/{league}/enter")
    assert (again.status_code, again.json["match"]) == (409, one.match)
    assert look(aoife, f"/v1/leagues/{league}").json["your_match"] == one.match
    assert [each["id"] for each in look(aoife, "/v1/leagues").json["items"]] == [league]
    assert look(aoife, "/v1/leagues/nosuchleague").status_code == 404


def test_leagues_that_cannot_be_are_refused(person: People) -> None:
    orla = person("Orla")
    wrongs: list[dict[str, Any]] = [
        {"bots": {}},
        {"bots": {"0": "steady"}},
        {"bots": {"1": "nobody"}},
        {"seat": 5},
        {"game": "chess"},
        {"options": {"x": 1}},
        {"closes_at": "2020-01-01T00:00:00Z"},
        {"closes_at": "2031-01-01T00:00:00Z"},
    ]
    for wanted in wrongs:
        assert opened(orla, **wanted).status_code == 422, wanted
    assert opened(person("Pádraig", scopes=("play",))).status_code == 403
