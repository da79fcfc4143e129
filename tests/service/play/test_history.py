"""The log page by page: what each reader gets of it, and when sealed lines open."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.record.chain import derive_salt, line_commitment
from tests.support.http_tables import Answer, Body, SeatClient, make, play_out, resolved, until_last_cards
from tests.support.players import Person

People = Callable[..., Person]


@pytest.fixture(autouse=True)
def seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards every time."""
    monkeypatch.setattr("service.ids.new_seed", lambda: bytes(31) + b"\x01")


def entries(seat_client: SeatClient, query: str = "") -> list[Body]:
    found: list[Body] = seat_client.read(f"history?limit=200{query}")["items"]
    return found


def test_hands_are_shown_to_their_seats_alone(person: People, client: FlaskClient) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    hidden = "deal {} ? ? ? ? ? ? ? ?"
    seen = [[entry["line"] for entry in entries(each)] for each in (one, two)]
    assert seen[0][1] == hidden.format(1)
    assert seen[1][0] == hidden.format(0)
    assert seen[0][0] != hidden.format(0)
    assert seen[1][1] != hidden.format(1)
    watched: Answer = client.get(one.path("history"))
    assert [entry["line"] for entry in watched.json["items"]] == [hidden.format(0), hidden.format(1)]
    assert watched.json["items"] == entries(one, "&spectator=true")
    assert all(entry["sealed"] for entry in watched.json["items"])
    assert set(watched.json["items"][0]) == {"seq", "seat", "at", "by", "commit", "hash", "sealed", "line"}


def test_pages_go_forward_backward_and_on(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    for each in (one, two, one):
        each.move(each.lines[-1], "draw deck")
    seqs = [entry["seq"] for entry in entries(one)]
    assert seqs == list(range(1, 12))
    assert [entry["seq"] for entry in entries(one, "&after=9")] == [10, 11]
    assert [entry["seq"] for entry in entries(one, "&newest=true&after=9")] == [11, 10]
    found: list[int] = []
    rest = "history?limit=4&newest=true"
    while rest:
        page = one.get(rest)
        found += [entry["seq"] for entry in page.json["items"]]
        rest = page.headers["Link"].split(">")[0][1:].removeprefix(one.path("")) if "Link" in page.headers else ""
    assert found == seqs[::-1]


def test_a_sealed_line_shows_neither_line_nor_signature_until_it_is_revealed(
    person: People, client: FlaskClient
) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    until_last_cards(one, two)
    made = two.move(next(line for line in two.lines if line != "last none"))
    mine, others = entries(two)[-1], entries(one)[-1]
    assert mine["line"] == made["made"][0]
    assert mine["signature"]
    assert others["line"] == "last ?"
    assert not {"signature", "asked", "n", "key", "text", "orders"} & set(others)
    words = made["made"][0].split(" ", 1)[1]
    last: Answer = client.get(one.path("history?newest=true&limit=1"))
    assert last.json["items"] == [others]
    for rest in ("history?limit=200", "table", "record", "table.txt"):
        answer = one.get(rest)
        assert mine["signature"] not in answer.text, rest
        assert not re.search(rf"last {re.escape(words)}", answer.text), rest
    assert two.get(f"submissions/{made['id']}").json["lines"] == made["made"]
    one.move("last none")
    assert one.read("table")["status"] == "over"
    opened = entries(one)
    assert not any(entry["sealed"] for entry in opened)
    assert opened == entries(two)
    assert opened[mine["seq"] - 1] == mine


def test_when_a_match_is_over_the_seed_opens_every_commitment(person: People, client: FlaskClient) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    play_out((one, two))
    match: Answer = client.get(f"/v1/matches/{one.match}")
    seed = bytes.fromhex(match.json["seed"])
    for entry in entries(one):
        assert entry["commit"] == line_commitment(derive_salt(seed, one.match, entry["seq"]), entry["line"])


def test_the_record_of_a_finished_match_is_fetched_once(person: People, client: FlaskClient) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    running: Answer = one.get("record")
    play_out((one, two))
    first: Answer = one.get("record")
    tag = first.headers["ETag"]
    assert tag != running.headers["ETag"]
    for bearer in (one.person.bearer, two.person.bearer, {}):
        again: Answer = client.get(one.path("record"), headers={**bearer, "If-None-Match": tag})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert client.get(one.path("record"), headers={"If-None-Match": running.headers["ETag"]}).status_code == 200


def test_an_arbiter_sees_no_hidden_line_before_the_end(person: People) -> None:
    orla, aoife, brendan = person("Orla"), person("Aoife"), person("Brendan")
    for guest in (aoife, brendan):
        guest.ask("PUT", f"/v1/me/organisers/{orla.id}")
    players = {"0": aoife.id, "1": brendan.id}
    made: Answer = orla.post("/v1/matches", {"game": "keltis", "seats": 2, "sit": False, "players": players})
    match = made.json["id"]
    resolved(match)

    def viewer(reader: Person) -> Any:  # noqa: ANN401
        answer: Answer = reader.get(f"/v1/matches/{match}/record")
        return json.loads(answer.text.splitlines()[-1])["viewer"], "?" in answer.text

    assert (viewer(orla), viewer(aoife), viewer(brendan)) == (("-", True), ("0", True), ("1", True))
    assert "?" in orla.get(f"/v1/matches/{match}/history").text
    orla.post(f"/v1/matches/{match}/house", {"line": "end storm"})
    assert viewer(orla) == ("all", False)
