"""Tournaments over HTTP, from the document to the record, for organisers, players and strangers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import datetime
from io import StringIO
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.matches.paired_matches import end_paired_match
from service.record.keys import PublicKey
from service.tournaments.entry.entrants import ask_bye, withdraw_entrant
from service.tournaments.formats import trf
from service.tournaments.formats.points import Scoring
from service.tournaments.formats.tournament_log import entry_text
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.tournament_store import load_state
from tests.support.factories import settle
from tests.support.http_tables import Answer
from tests.support.paging import check_pages, follow_pages
from tests.support.players import Clock, Person
from tests.support.tournaments import HostedTournament, document_text, open_tournament

People = Callable[..., Person]
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
    bye: {asked: half, most_asked: 1}
"""


def plan(organiser: Person, text: str, **headers: str) -> Answer:
    """Return the plan of a document."""
    return send(organiser, "POST", "/v1/tournaments/plan", text, **headers)


def send(person: Person, method: str, path: str, text: str | bytes, **headers: str) -> Answer:
    """Send a document in YAML."""
    sent = {"Authorization": f"Bearer {person.token}", "Content-Type": "application/yaml", **headers}
    return person.client.open(path, method=method, data=text, headers=sent)


def read(client: FlaskClient, path: str, **more: Any) -> Any:  # noqa: ANN401  # any JSON
    """Return what a stranger gets."""
    return client.get(path, **more).get_json()


def apply(organiser: Person, text: str, name: str = "winter-cup") -> Answer:
    """Plan a document and apply the plan."""
    etag = plan(organiser, text).json["etag"]
    return send(organiser, "PUT", f"/v1/tournaments/{name}", text, **{"If-Match": f'"{etag}"'})


@pytest.fixture
def played(service: Config, clock: Clock) -> HostedTournament:
    """Return a finished Swiss of five with a player whose name looks like a formula."""
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=5)
    first = hosted.people[0].player
    first.name = '=HYPERLINK("x")'
    first.save()
    hosted.run_to_end()
    return hosted


def test_a_plan_writes_nothing_and_applying_it_makes_one_tournament(person: People) -> None:
    orla, stranger = person("Orla"), person("Stranger")
    planned = plan(orla, document_text(SWISS)).json
    assert (planned["tournament"], planned["name"], planned["changes"]) == (None, "winter-cup", [])
    assert [(each["stage"], each["number"]) for each in planned["rounds"]][:1] == [("swiss", 1)]
    assert any("beacon" in warning for warning in planned["warnings"])
    assert (planned["forecast"]["reason"], planned["forecast"]["ends"]) == ("no-entrants", None)
    assert [each["rounds"] for each in planned["outlooks"]] == [3, 3]
    assert orla.get("/v1/tournaments").json["items"] == []
    made = apply(orla, document_text(SWISS))
    assert made.status_code == 200, made.text
    again = apply(orla, document_text(SWISS)).json
    assert (made.json["id"], made.json["state"]) == (again["id"], "announced")
    assert [each["id"] for each in stranger.get("/v1/tournaments").json["items"]] == [made.json["id"]]
    as_json = json.dumps(made.json["document"])
    sent = {"Authorization": f"Bearer {orla.token}", "Content-Type": "application/json"}
    same = orla.client.put("/v1/tournaments/winter-cup", data=as_json, headers=sent)
    assert same.json["head"] == made.json["head"]
    assert orla.get("/v1/tournaments/winter-cup").json["id"] == made.json["id"]
    assert "stages" in orla.get("/v1/tournaments/schema").json["properties"]


def test_a_document_with_faults_is_refused_with_all_of_them(person: People) -> None:
    text = document_text(SWISS.replace("rounds: 3", "rounds: 99\n    colour: red")).replace("keltis", "chess")
    answer = plan(person("Orla"), text)
    assert answer.status_code == 422
    found = {each["field"]: each for each in answer.json["errors"]}
    assert {"/game", "/stages/0/rounds"} <= set(found)
    assert any("colour" in field for field in found)
    assert all(each["line"] > 0 and each["column"] > 0 and each["reason"] and each["right"] for each in found.values())


@pytest.mark.parametrize(
    ("text", "headers", "status"),
    [
        (b"\xff\xfe", {}, 422),
        (b"", {}, 422),
        (b"a: &x [*x]", {}, 422),
        (b"- " * 3000, {}, 422),
        (b"x" * 70_000, {}, 413),
        (b"{}", {"Content-Type": "text/html"}, 415),
    ],
)
def test_what_is_no_document_is_refused_and_never_breaks(
    person: People, text: bytes, headers: dict[str, str], status: int
) -> None:
    orla = person("Orla")
    assert send(orla, "POST", "/v1/tournaments/plan", text, **headers).status_code == status
    assert send(orla, "PUT", "/v1/tournaments/winter-cup", text, **headers).status_code == status


def test_a_change_needs_the_plan_that_was_seen_and_the_right_address(person: People) -> None:
    orla, other = person("Orla"), person("Other")
    apply(orla, document_text(SWISS))
    changed = document_text(SWISS.replace("rounds: 3", "rounds: 4"))
    assert send(orla, "PUT", "/v1/tournaments/winter-cup", changed).status_code == 409
    assert send(orla, "PUT", "/v1/tournaments/summer-cup", changed).status_code == 422
    planned = plan(orla, changed).json
    assert [(each["path"], each["before"], each["after"]) for each in planned["changes"]] == [
        ("/stages/0/rounds", 3, 4)
    ]
    done = send(orla, "PUT", "/v1/tournaments/winter-cup", changed, **{"If-Match": planned["etag"]})
    assert done.json["document"]["stages"][0]["rounds"] == 4
    assert plan(other, changed).json["tournament"] is None


def test_strangers_find_nothing_of_a_tournament_that_is_not_listed(person: People, client: FlaskClient) -> None:
    orla, stranger = person("Orla"), person("Stranger")
    made = apply(orla, document_text(SWISS) + "listed: no\n").json
    for path in ("", "/rounds", "/rounds/swiss/1", "/standings", "/crosstable", "/log", "/record", "/entrants"):
        for name in (made["id"], "winter-cup"):
            assert stranger.get(f"/v1/tournaments/{name}{path}").status_code == 404
            assert client.get(f"/v1/tournaments/{name}{path}").status_code == 404
    for ending in ("csv", "json", "trf"):
        assert client.get(f"/v1/tournaments/{made['id']}/export.{ending}").status_code == 404
    assert stranger.post(f"/v1/tournaments/{made['id']}/entrants", {}).status_code == 404
    assert stranger.get("/v1/tournaments").json["items"] == []
    assert [each["id"] for each in orla.get("/v1/tournaments").json["items"]] == [made["id"]]


def test_entering_gives_a_signed_receipt_once_and_leaving_takes_it_back(
    person: People, clock: Clock, client: FlaskClient
) -> None:
    orla, aoife = person("Orla"), person("Aoife")
    made = apply(orla, document_text(SWISS)).json
    path = f"/v1/tournaments/{made['id']}"
    early = aoife.post(f"{path}/entrants", {"nonce": "8f3a"})
    assert early.status_code == 409
    assert client.post(f"{path}/entrants", json={}).status_code == 401
    clock.forward(days=10)
    receipt = aoife.post(f"{path}/entrants", {"nonce": "8f3a"}).json
    assert aoife.post(f"{path}/entrants", {"nonce": "8f3a"}).json == receipt
    keys = read(client, "/.well-known/echtra.json")["keys"]
    key = next(PublicKey(each["jwk"]["x"] if "jwk" in each else each["x"]) for each in keys)
    at = read(client, f"{path}/log")["items"][0]
    assert (at["seq"], at["hash"]) == (receipt["seq"], receipt["hash"])
    ms = round(datetime.fromisoformat(receipt["at"]).timestamp() * 1000)
    text = entry_text(made["id"], aoife.id, "8f3a", receipt["seq"], receipt["hash"], ms)
    assert key.verifies(receipt["signature"], text)
    (entrant,) = read(client, f"{path}/entrants")["items"]
    assert (entrant["name"], entrant["status"]) == ("Aoife", "in")
    assert aoife.get(path).json["you"] == {"status": "in", "number": None}
    assert aoife.post(f"{path}/byes", {"round": "swiss:1"}).status_code == 409
    assert aoife.post(f"{path}/byes", {"round": "swiss:x"}).status_code == 404
    assert aoife.delete(f"{path}/entrants/me").status_code == 204
    assert aoife.delete(f"{path}/entrants/me").status_code == 409
    assert aoife.get(path).json["you"]["status"] == "withdrawn"
    assert aoife.post(f"{path}/entrants", {"nonce": "not hex"}).status_code == 422


def test_a_tournament_that_was_played_is_read_in_every_way(played: HostedTournament, client: FlaskClient) -> None:
    path = f"/v1/tournaments/{played.tournament}"
    rounds = read(client, f"{path}/rounds")["items"]
    assert [(each["number"], each["state"], each["tables"], each["finished"]) for each in rounds] == [
        (number, "over", 3, 3) for number in (1, 2, 3)
    ]
    pairings = read(client, f"{path}/rounds/swiss/2")["items"]
    assert sorted(len(each["seats"]) for each in pairings) == [1, 2, 2]
    assert all(each["over"] for each in pairings)
    assert client.get(f"{path}/rounds/swiss/9").status_code == 404
    assert client.get(f"{path}/rounds/other/1").status_code == 404
    standings = read(client, f"{path}/standings?why=true")
    first, *rest = standings["items"]
    assert first["rank"] == 1
    assert len(rest) == 4
    for line in standings["items"]:
        assert line["why"]["summary"].startswith(f"{line['rank']}")
        assert sum(map(float, line["by_round"])) == float(line["points"])
    assert read(client, f"{path}/standings", headers={"Accept-Language": "fr"})["items"][0]["why"] is None
    french = read(client, f"{path}/standings?why=true", headers={"Accept-Language": "fr"})["items"][0]["why"]
    assert french["summary"].startswith("1er")
    table = read(client, f"{path}/crosstable")["items"]
    assert [len(row["cells"]) for row in table] == [3] * 5
    log = read(client, f"{path}/log?after=2&limit=3")
    assert [each["seq"] for each in log["items"]] == [3, 4, 5]
    record = client.get(f"{path}/record")
    assert verify_tournament(record.data).recomputed == ("swiss:1", "swiss:2", "swiss:3")
    assert client.get(f"{path}/standings?stage=other").status_code == 404


def test_standings_and_lists_go_on_page_by_page(played: HostedTournament, client: FlaskClient, person: People) -> None:
    reader, path = person("Reader"), f"/v1/tournaments/{played.tournament}"
    for part in ("standings", "crosstable", "entrants", "rounds", "rounds/swiss/2", "log"):
        check_pages(reader.get, f"{path}/{part}")
    log = follow_pages(client.get, f"{path}/log?after=2&limit=3")
    assert [line["seq"] for page in log for line in page] == list(range(3, played.row.head_seq + 1))
    for state, count in (("over", 1), ("entry", 0)):
        assert len(read(client, f"/v1/tournaments?state={state}&game=keltis")["items"]) == count


def test_trf_leaves_out_the_running_round_and_names_who_misses_it(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=7)
    while hosted.verbs().count("over") < 1:
        hosted.go_to_next()
        hosted.decide_all()
    resting = hosted.people[2].player.id
    ask_bye(resting, hosted.tournament, "swiss:2")
    withdraw_entrant(hosted.people[4].player.id, hosted.tournament)
    while hosted.verbs().count("start") < 2:
        hosted.go_to_next()
    path = f"/v1/tournaments/{hosted.tournament}/export"
    state = load_state(hosted.tournament)
    running = state.stages["swiss"].rounds[2]
    event = trf.read_trf(client.get(f"{path}.trf").data.decode())
    assert [each.number for each in event.rounds] == [1]
    assert all(pair.is_over for pair in event.rounds[0].pairings)
    assert event.absent == {state.number_of[resting]: "H", state.number_of[hosted.people[4].player.id]: "Z"}
    assert {pair.seats for pair in trf.pair_next_round(event, Scoring())} == {pair.seats for pair in running.pairs}
    first = running.pairs[0]
    settle(first.id, service)
    end_paired_match(first.id, "adjudicated", [1, 2])
    hosted.work()
    # A result of the running round changes neither points nor ranks.
    assert trf.read_trf(client.get(f"{path}.trf").data.decode()) == event


def test_exports_are_read_again_and_no_cell_is_a_formula(played: HostedTournament, client: FlaskClient) -> None:
    path = f"/v1/tournaments/{played.tournament}/export"
    text = client.get(f"{path}.csv").data.decode("utf-8-sig")
    rows = list(csv.DictReader(StringIO(text)))
    assert [int(row["rank"]) for row in rows] == sorted(int(row["rank"]) for row in rows)
    assert '\'=HYPERLINK("x")' in {row["name"] for row in rows}
    assert not any(cell.startswith(("=", "+", "@", "\t")) for row in rows for cell in row.values())
    whole = read(client, f"{path}.json")
    assert len(whole["stages"][0]["rounds"]) == 3
    assert {each["player"] for each in whole["entrants"]} == {each.player.id for each in played.people}
    event = trf.read_trf(client.get(f"{path}.trf").data.decode())
    assert trf.find_differences(event, Scoring()) == ()
    held: dict[str, Any] = {"rounds": [set(each.pairings) for each in event.rounds]}
    state = verify_tournament(client.get(f"/v1/tournaments/{played.tournament}/record").data)
    assert {line.number: line.points for line in state.rankings["swiss"][0].standings} == {
        number: sum(
            10000 * (pair.is_bye or pair.results[pair.seats.index(number)].place == 1) // (1 + _is_draw(pair))
            for pairs in held["rounds"]
            for pair in pairs
            if number in pair.seats
        )
        for number in event.numbers
    }


def _is_draw(pair: Any) -> bool:  # noqa: ANN401  # a pairing
    return not pair.is_bye and pair.results[0].place == pair.results[1].place
