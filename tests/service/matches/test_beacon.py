"""Public randomness beside the seed: given when a match is made, or named first and given when it starts."""

from __future__ import annotations

import pytest

from engine.chance import Numbered, match_key
from engine.games import GAMES
from engine.playout import roll_chance
from service.play.match_loader import load_match_state
from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker
from tests.support.http_tables import Answer, Body, People, SeatClient, new, play_out, resolved
from tests.support.players import Person

VALUE = "8f3a" * 16
EVENT: Body = {"sit": False, "beacon_round": "drand:4242"}


def start(person: Person, match: str, **body: str) -> Answer:
    return person.post(f"/v1/matches/{match}/start", body)


def test_a_beacon_goes_into_the_header_and_every_draw(person: People) -> None:
    aoife = person("Aoife")
    beacon = f"drand:4242:{VALUE}"
    made = new(aoife, beacon=beacon, nonce="00ff", seat=0, bots={"1": "random"})
    assert (made.status_code, made.json["beacon"]) == (201, beacon)
    resolved(made.json["id"])
    facts = load_match_state(made.json["id"]).facts
    assert facts.header.beacon == beacon
    keys = [match_key(facts.seed, ("00ff", "-"), each) for each in (beacon, "-")]
    deals = [roll_chance(GAMES["keltis"].rules.start(2, {"start": 0}), Numbered(key, 0)).line for key in keys]
    one = SeatClient(aoife, made.json["id"], 0)
    assert one.read("history")["items"][0]["line"] == deals[0] != deals[1]
    play_out([one])
    report = verify(one.get("record").data, rules=RulesChecker())
    assert report.beacon == beacon
    assert "beacon" in report.unproved()
    assert "last_nonce" not in report.unproved()


def test_a_named_round_waits_for_its_value(person: People) -> None:
    orla, aoife = person("Orla"), person("Aoife")
    made = new(orla, **EVENT, bots={"1": "random"})
    assert (made.status_code, made.json["beacon"]) == (201, "drand:4242")
    match = made.json["id"]
    joined = aoife.post(f"/v1/matches/{match}/join", {"nonce": "00ff"})
    assert joined.json["match"]["status"] == "open"
    missing = start(orla, match)
    assert (missing.status_code, "drand:4242" in missing.json["detail"]) == (409, True)
    assert start(aoife, match, beacon=VALUE).status_code == 403
    again = aoife.post(f"/v1/matches/{match}/join", {"nonce": "beef"})
    assert again.status_code == 200
    started = start(orla, match, beacon=VALUE)
    assert (started.status_code, started.json["status"]) == (200, "running"), started.text
    assert started.json["beacon"] == f"drand:4242:{VALUE}"
    assert aoife.post(f"/v1/matches/{match}/join", {"nonce": "f00d"}).status_code == 409
    resolved(match)
    header = load_match_state(match).facts.header
    assert (header.beacon, header.nonces) == (f"drand:4242:{VALUE}", ("beef", "-"))
    assert start(orla, match, beacon=VALUE).status_code == 409


def test_an_organiser_fills_seats_and_gives_the_value_at_once(person: People) -> None:
    orla = person("Orla")
    match = new(orla, **EVENT).json["id"]
    assert start(orla, match, beacon=VALUE).status_code == 409
    assert start(orla, match, fill="random").status_code == 409
    assert orla.get(f"/v1/matches/{match}").json["places"][0]["bot"] is None
    assert start(orla, match, fill="random", beacon=VALUE).status_code == 200


def test_a_value_that_nobody_waits_for_is_refused(person: People) -> None:
    aoife = person("Aoife")
    match = new(aoife).json["id"]
    assert start(aoife, match, fill="random", beacon=VALUE).status_code == 409
    assert start(aoife, match, fill="random").status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"beacon": "drand"}, "beacon"),
        ({"beacon": "drand:4242"}, "beacon"),
        ({"beacon": f"Drand:4242:{VALUE}"}, "beacon"),
        ({"beacon": f"drand:04242:{VALUE}"}, "beacon"),
        ({"beacon": f"drand:9999999999999999:{VALUE}"}, "beacon"),
        ({"beacon": "drand:4242:8f3a"}, "beacon"),
        ({"beacon": f"drand:4242:{VALUE.upper()}"}, "beacon"),
        ({"beacon_round": "drand:4242"}, "beacon_round"),
        ({**EVENT, "beacon_round": f"drand:4242:{VALUE}"}, "beacon_round"),
        ({**EVENT, "beacon_round": "drand"}, "beacon_round"),
        ({**EVENT, "beacon": f"drand:4242:{VALUE}"}, "beacon_round"),
        ({**EVENT, "starts_at": "2027-02-01T00:00:00Z"}, "beacon_round"),
    ],
)
def test_beacons_that_are_none_are_refused(person: People, body: Body, field: str) -> None:
    answer = new(person("Orla"), **body)
    assert (answer.status_code, answer.json["type"]) == (422, "/problems/invalid"), answer.json
    assert answer.json["errors"][0]["field"] == field
