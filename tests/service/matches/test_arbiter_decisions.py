"""The organiser at a running match: every decision is a line of the house, and everybody gets an event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from service.config import Config
from service.db.connection import rows
from service.play import timeouts
from service.play.match_loader import load_match_state
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker
from service.timestamps import DAY
from tests.support.http_tables import NEW, Answer, Body, People, SeatClient, head
from tests.support.players import Clock, Person


@dataclass(frozen=True)
class Event:
    """A match with an organiser beside it."""

    orla: Person
    one: SeatClient
    two: SeatClient
    settle: Callable[[], None]

    @property
    def match(self) -> str:
        """Its id."""
        return self.one.match

    def decide(self, line: str, by: Person | None = None) -> Answer:
        """Ask for a decision."""
        return self.send({"line": line}, by)

    def send(self, body: Body, by: Person | None = None) -> Answer:
        """Send a decision."""
        answer = (by or self.orla).post(f"/v1/matches/{self.match}/house", body)
        self.settle()
        return answer

    def house(self) -> list[str]:
        """The lines of the house."""
        found = rows("select line from entry where match = ? and seat = -2 order by seq", self.match)
        return [line for (line,) in found]

    def told(self, person: Person) -> list[tuple[str, int]]:
        """The events of a person since the start."""
        sql = "select type, seq from event where player = ? and type <> 'match.started' order by id"
        return [(kind, seq) for kind, seq in rows(sql, person.id)]


@pytest.fixture
def event(person: People, config: Config) -> Event:
    """Aoife and Brendan at a match that Orla organises, with a clock of three days a move."""
    orla, aoife, brendan = person("Orla"), person("Aoife"), person("Brendan")
    for guest in (aoife, brendan):
        assert guest.ask("PUT", f"/v1/me/organisers/{orla.id}").status_code == 204
    body = {**NEW, "options": {"start": 0}, "sit": False, "players": {"0": aoife.id, "1": brendan.id}}
    made: Answer = orla.post("/v1/matches", {**body, "clock": "simple-3"})
    assert made.status_code == 201, made.text
    match = made.json["id"]

    def settle() -> None:
        resolve_match(match, make_effects(config), config.most_entries)

    settle()
    return Event(orla, SeatClient(aoife, match, 0), SeatClient(brendan, match, 1), settle)


def test_a_pause_stops_everything_until_the_match_goes_on(event: Event, clock: Clock) -> None:
    one, before = event.one, event.one.question
    made = event.decide("pause illness")
    assert made.status_code == 201, made.text
    assert (made.json["lines"], made.json["seq"], made.json["hash"]) == (["pause illness"], *head(event.match))
    assert made.headers["Location"] == f"/v1/matches/{event.match}/history?after={made.json['seq'] - 1}"
    assert event.orla.get(made.headers["Location"]).json["items"][0]["line"] == "pause illness"
    assert one.read("table")["status"] == "paused"
    assert one.read("options") == {"question": None, "items": [], "more": 0}
    assert one.person.get("/v1/me/turns").json["items"] == []
    refused = one.send(one.signed("draw deck", **before))
    assert (refused.status_code, "paused" in refused.json["detail"]) == (409, True)
    clock.forward(days=20)
    assert timeouts.write_timeouts() == 0
    assert event.decide("resume").status_code == 201
    question = one.question
    assert question["asked"] == head(event.match)[0]
    assert question["due"] > before["due"]
    one.move(one.lines[0], **question)
    assert event.house() == ["pause illness", "resume"]
    report = verify(event.orla.get(f"/v1/matches/{event.match}/record").data, rules=RulesChecker())
    assert [each.line for each in report.house] == event.house()


def test_everybody_at_the_table_is_told(event: Event) -> None:
    before = [event.told(each.person) for each in (event.one, event.two)]
    seq = head(event.match)[0] + 1
    event.decide("pause dispute")
    for each, old in zip((event.one, event.two), before, strict=True):
        assert event.told(each.person)[len(old) :] == [("match.decided", seq), ("match.moved", seq)]
    streamed = event.two.person.get("/v1/events?after=0").json["items"]
    assert [each["type"] for each in streamed][-2:] == ["match.decided", "match.moved"]
    assert event.one.read("history?told=true&newest=true&limit=1")["items"][0]["told"] == [
        "The match is paused: something must be settled first."
    ]


def test_the_organiser_ends_a_match_with_scores_or_as_it_stands(event: Event) -> None:
    assert event.decide("end adjudicated 12").status_code == 409
    assert event.decide("end adjudicated 12 -3").status_code == 201
    result = event.one.read("table")["result"]
    assert (result["why"], [score["total"] for score in result["scores"]], result["winners"]) == (
        "adjudicated",
        [12, -3],
        [0],
    )
    assert event.told(event.two.person)[-1][0] == "match.over"
    late = event.decide("resume")
    assert (late.status_code, late.json["type"]) == (409, "/problems/match-over")


def test_a_cancelled_match_has_no_result(event: Event) -> None:
    assert event.decide("end cancelled").status_code == 201
    assert event.one.read("table")["result"] == {"why": "cancelled", "scores": None, "winners": []}


def test_a_bot_takes_a_seat_and_a_consenting_player_takes_it_back(event: Event, person: People) -> None:
    assert event.decide("bot 0 steady").status_code == 201
    assert event.one.read("table")["seat"] is None
    assert event.one.send({"moves": []}).status_code == 403
    ciara = person("Ciara")
    keys = ciara.key.id
    unwilling = event.decide(f"seat 0 {ciara.id} {keys}")
    assert (unwilling.status_code, unwilling.json["type"]) == (403, "/problems/forbidden")
    assert ciara.ask("PUT", f"/v1/me/organisers/{event.orla.id}").status_code == 204
    wrong = event.decide(f"seat 0 {ciara.id} {event.two.person.key.id}")
    assert (wrong.status_code, wrong.json["type"]) == (409, "/problems/conflict")
    made = event.decide(f"seat 0 {ciara.id}")
    assert made.status_code == 201, made.text
    assert made.json["lines"] == [f"seat 0 {ciara.id} {keys}"]
    seated = SeatClient(ciara, event.match, 0)
    assert seated.read("table")["seat"] == 0
    if seated.question is None:
        event.two.move(event.two.lines[0], "draw deck")
        event.settle()
    assert seated.send(seated.signed(seated.lines[0])).status_code == 202
    assert event.told(ciara)[0][0] == "match.decided"
    assert verify(event.orla.get(f"/v1/matches/{event.match}/record").data, rules=RulesChecker()).over is False


def test_a_player_is_moved_out_of_a_seat_and_told(event: Event, person: People) -> None:
    ciara = person("Ciara")
    ciara.ask("PUT", f"/v1/me/organisers/{event.orla.id}")
    assert event.decide(f"seat 1 {ciara.id}").status_code == 201
    assert event.told(event.two.person)[-1][0] == "match.decided"
    assert event.two.read("table")["seat"] is None
    back = event.decide(f"seat 1 {event.two.person.id}")
    assert back.status_code == 201, back.text


def test_more_time_moves_the_deadline_and_leaves_the_question(event: Event, clock: Clock) -> None:
    question = event.one.question
    due = load_match_state(event.match).at + 10 * DAY
    until = {"deadline": {"seat": 0, "due": "2027-01-25T08:00:00Z"}}
    made = event.send(until)
    assert made.status_code == 201, made.text
    assert made.json["lines"] == ["pause more-time", "resume"]
    after = event.one.question
    assert after == {**question, "due": "2027-01-25T08:00:00.000Z"}
    assert event.one.person.get("/v1/me/turns").json["items"][0]["due"] == after["due"]
    clock.at = due - 1
    assert timeouts.write_timeouts() == 0
    assert event.one.send(event.one.signed(event.one.lines[0], **question)).status_code == 202
    assert len(verify(event.orla.get(f"/v1/matches/{event.match}/record").data, rules=RulesChecker()).house) == 2


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"deadline": {"seat": 0, "due": "2027-01-18T07:59:59Z"}}, 422, "invalid"),
        ({"deadline": {"seat": 0, "due": "2029-01-18T08:00:00Z"}}, 422, "invalid"),
        ({"deadline": {"seat": 7, "due": "2027-01-25T08:00:00Z"}}, 422, "invalid"),
        ({"deadline": {"seat": 1, "due": "2027-01-25T08:00:00Z"}}, 409, "conflict"),
        ({"line": "pause illness", "deadline": {"seat": 0, "due": "2027-01-25T08:00:00Z"}}, 422, "invalid"),
        ({}, 422, "invalid"),
        ({"line": "timeout 0 1"}, 422, "not-canonical"),
        ({"line": "keys 0 -"}, 422, "not-canonical"),
        ({"line": "pause"}, 422, "not-canonical"),
        ({"line": "pause Aoife is ill"}, 422, "not-canonical"),
        ({"line": "pause outage"}, 409, "conflict"),
        ({"line": "end agreed"}, 409, "conflict"),
        ({"line": "resume"}, 409, "conflict"),
        ({"line": "bot 0 nobody"}, 409, "conflict"),
        ({"line": "bot 5 steady"}, 409, "conflict"),
        ({"line": "seat 0 abcdefghijkl"}, 403, "forbidden"),
    ],
)
def test_what_may_not_be_decided_is_refused_and_writes_nothing(
    event: Event, body: Body, status: int, kind: str
) -> None:
    before = head(event.match)
    answer = event.send(body)
    assert (answer.status_code, answer.json["type"]) == (status, f"/problems/{kind}"), answer.json
    assert head(event.match) == before


def test_only_the_organiser_decides(event: Event, person: People) -> None:
    before = head(event.match)
    for other in (event.one.person, event.two.person, person("Ciara")):
        assert event.decide("end adjudicated", other).status_code == 403
    reader = person("Dara", scopes=("play",))
    assert event.decide("end adjudicated", reader).status_code == 403
    nobody = event.one.person.client.post(f"/v1/matches/{event.match}/house", json={"line": "resume"})
    assert nobody.status_code == 401
    assert event.orla.post("/v1/matches/abcdefghijkl/house", {"line": "resume"}).status_code == 404
    own = event.decide(f"seat 0 {event.orla.id}")
    assert (own.status_code, own.json["type"]) == (403, "/problems/forbidden")
    assert head(event.match) == before


def test_the_same_decision_with_one_key_happens_once(event: Event) -> None:
    path, body = f"/v1/matches/{event.match}/house", {"line": "pause illness"}
    first, again = (event.orla.post(path, body, Idempotency_Key="once") for _ in range(2))
    assert (first.status_code, again.status_code, first.json) == (201, 201, again.json)
    assert event.house() == ["pause illness"]


def test_a_match_that_has_not_started_has_nothing_to_decide(person: People) -> None:
    orla = person("Orla")
    made: Answer = orla.post("/v1/matches", {"game": "keltis", "seats": 2, "sit": False})
    answer = orla.post(f"/v1/matches/{made.json['id']}/house", {"line": "pause illness"})
    assert (answer.status_code, answer.json["type"]) == (409, "/problems/conflict")


def test_an_arbiter_cannot_play_in_the_match(event: Event) -> None:
    orla, aoife = event.orla, event.one.person
    body = {"game": "keltis", "seats": 2, "sit": False}
    made: Answer = orla.post("/v1/matches", {**body, "players": {"0": orla.id, "1": aoife.id}})
    assert (made.status_code, made.json["type"]) == (403, "/problems/forbidden")
    match = orla.post("/v1/matches", {**body, "players": {"1": aoife.id}}).json["id"]
    seated = orla.ask("PUT", f"/v1/matches/{match}/seats", {"seat": 0, "player": orla.id})
    assert (seated.status_code, seated.json["type"]) == (403, "/problems/forbidden")
    assert orla.post(f"/v1/matches/{match}/join", {"seat": 0}).status_code == 403
