"""Brackets over HTTP: knockouts, two lives and tables of several, from the first pairing to the end."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.config import Config
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
KNOCKOUT = """
  - name: cup
    format: knockout
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
ROBIN_AND_CUP = """
  - name: all
    format: round-robin
    start: {first: 2027-02-01T18:00, all: yes}
    end: {at_most: 4w, then: as-it-stands}
  - name: cup
    format: knockout
    from: {stage: all, places: 1-2}
    start: {next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""


def bracket(client: FlaskClient, hosted: HostedTournament, query: str = "") -> Any:  # noqa: ANN401  # JSON
    """Return the bracket as a stranger gets it."""
    answer = client.get(f"/v1/tournaments/{hosted.tournament}/bracket{query}")
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def begin(hosted: HostedTournament) -> None:
    """Start the first round."""
    while not hosted.row.started_at:
        hosted.go_to_next()


def by_place(found: Any) -> dict[tuple[int, int], Any]:  # noqa: ANN401  # JSON
    """Return the tables of a response by round and place."""
    return {(table["round"], table["place"]): table for table in found["items"]}


def test_a_knockout_is_a_whole_tree_whose_winners_sit_at_the_next_table(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted = open_tournament(service, clock, document_text(KNOCKOUT), entrants=5)
    assert bracket(client, hosted)["items"] == [], "nothing is paired yet"
    begin(hosted)
    begun = bracket(client, hosted)
    assert (begun["stage"], begun["format"], begun["tree"], begun["over"], begun["rounds"]) == (
        *("cup", "knockout", True, False, 3),
    )
    tables = by_place(begun)
    assert list(tables) == [*((1, place) for place in range(1, 5)), (2, 1), (2, 2), (3, 1)]
    assert [tables[1, place]["next"] for place in range(1, 5)] == [1, 1, 2, 2]
    assert tables[3, 1] == {**tables[3, 1], "next": None, "match": None, "over": False, "seats": []}
    byes = [each for (number, _), each in tables.items() if number == 1 and len(each["seats"]) == 1]
    assert [(each["match"], each["over"], each["seats"][0]["goes_on"]) for each in byes] == [(None, True, True)] * 3
    assert sorted(seat["seed"] for seat in (each["seats"][0] for each in byes)) == [1, 2, 3]
    hosted.run_to_end()
    over = bracket(client, hosted)
    tables = by_place(over)
    assert over["over"]
    for (number, _), table in tables.items():
        (winner,) = [seat for seat in table["seats"] if seat["goes_on"]]
        if table["next"] is not None:
            following = tables[number + 1, table["next"]]
            assert winner["player"] in [seat["player"] for seat in following["seats"]]
    final = tables[3, 1]
    assert {seat["how"] for seat in final["seats"]} == {"adjudicated"}
    assert client.get(f"/v1/matches/{final['match']}").status_code == 200


def test_with_two_lives_tables_are_of_winners_or_losers(service: Config, clock: Clock, client: FlaskClient) -> None:
    double = KNOCKOUT.replace("knockout", "double-elimination")
    hosted = open_tournament(service, clock, document_text(double), entrants=4)
    hosted.run_to_end()
    found = bracket(client, hosted)
    assert (found["format"], found["tree"], found["over"]) == ("double-elimination", False, True)
    assert {table["part"] for table in found["items"] if table["round"] == 1} == {"winners"}
    assert "losers" in {table["part"] for table in found["items"]}
    assert {table["next"] for table in found["items"]} == {None}
    assert {table["over"] for table in found["items"]} == {True}


def test_tables_of_four_let_their_best_go_on(service: Config, clock: Clock, client: FlaskClient) -> None:
    four = KNOCKOUT.replace("format: knockout", "format: knockout\n    seats: 4\n    advance: 2")
    hosted = open_tournament(service, clock, document_text(four), entrants=8)
    hosted.run_to_end()
    found = bracket(client, hosted)
    tables = by_place(found)
    assert (found["tree"], list(tables)) == (False, [(1, 1), (1, 2), (2, 1)])
    going = {seat["player"] for place in (1, 2) for seat in tables[1, place]["seats"] if seat["goes_on"]}
    assert going == {seat["player"] for seat in tables[2, 1]["seats"]}
    assert len(going) == 4


def test_the_tables_come_in_pages_and_are_sent_once(service: Config, clock: Clock, client: FlaskClient) -> None:
    hosted = open_tournament(service, clock, document_text(KNOCKOUT), entrants=5)
    begin(hosted)
    path: str | None = f"/v1/tournaments/{hosted.tournament}/bracket?limit=3"
    found, pages = [], 0
    while path:
        answer = client.get(path)
        found += answer.get_json()["items"]
        pages += 1
        link = answer.headers.get("Link", "")
        path = link.partition(">")[0].lstrip("<") if 'rel="next"' in link else None
    assert (pages, found) == (3, bracket(client, hosted)["items"])
    first = client.get(f"/v1/tournaments/{hosted.tournament}/bracket")
    again = client.get(
        f"/v1/tournaments/{hosted.tournament}/bracket", headers={"If-None-Match": first.headers.get("ETag", "")}
    )
    standings = client.get(f"/v1/tournaments/{hosted.tournament}/crosstable")
    same = client.get(
        f"/v1/tournaments/{hosted.tournament}/crosstable", headers={"If-None-Match": standings.headers.get("ETag", "")}
    )
    assert (again.status_code, "ETag" in first.headers) == (same.status_code, "ETag" in standings.headers)


def test_what_has_no_bracket_says_so(service: Config, clock: Clock, client: FlaskClient) -> None:
    hosted = open_tournament(service, clock, document_text(ROBIN_AND_CUP), entrants=4)
    path = f"/v1/tournaments/{hosted.tournament}/bracket"
    refused = client.get(f"{path}?stage=all")
    assert (refused.status_code, refused.get_json()["detail"]) == (
        404,
        "Stage all has no bracket because it is not a knockout (round-robin). Ask for its standings or crosstable.",
    )
    assert client.get(f"{path}?stage=nothing").status_code == 404
    assert bracket(client, hosted)["stage"] == "cup", "the only stage that has one"
    other = open_tournament(
        service, clock, document_text(name="all-round", opens="2027-01-21T18:00", closes="2027-01-25T18:00")
    )
    assert "no knockout stage" in client.get(f"/v1/tournaments/{other.tournament}/bracket").get_json()["detail"]


def test_strangers_see_no_bracket_of_what_is_not_listed(service: Config, clock: Clock, client: FlaskClient) -> None:
    text = document_text(KNOCKOUT).replace("draw:", "listed: no\ndraw:")
    hosted = open_tournament(service, clock, text, entrants=4)
    hidden = client.get(f"/v1/tournaments/{hosted.tournament}/bracket")
    assert (hidden.status_code, hidden.get_json()["detail"]) == (
        404,
        client.get(f"/v1/tournaments/{hosted.tournament}/standings").get_json()["detail"],
    )
