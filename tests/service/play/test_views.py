"""Tables as JSON, text and pictures: for each seat, for spectators, now and earlier, in two languages."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from engine.games import GAMES
from engine.options import Setting
from service.db.connection import execute, write_transaction
from service.play.views import MOST_OPTIONS
from tests.support.http_tables import Answer, SeatClient, make, play_out, resolved
from tests.support.players import Person

People = Callable[..., Person]


def test_each_seat_sees_its_own_hand(person: People, client: FlaskClient) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    tables = [each.read("table") for each in (one, two)]
    assert [table["seat"] for table in tables] == [0, 1]
    assert all(len(table["view"]["hand"]) == 8 for table in tables)
    watched: Answer = client.get(one.path("table"))
    assert (watched.json["seat"], watched.json["question"], watched.json["view"]["hand"]) == (None, None, [])
    assert watched.json == one.read("table?spectator=true")
    assert watched.json["view"]["names"] == ["Aoife", "Brendan"]
    question = tables[0]["question"]
    assert question == {
        "asked": 2,
        "prev": tables[0]["hash"],
        "at": "2027-01-15T08:00:00.000Z",
        "due": "2027-01-16T08:00:00.000Z",
    }
    assert tables[1]["question"] is None


def test_names_that_are_alike_are_told_apart(person: People) -> None:
    one, two = make(person("Aoife"), person("Aoife"))
    assert one.read("table")["view"]["names"] == ["Aoife", f"Aoife ({two.person.id[:4]})"]
    with write_transaction():
        execute("update player set name = 'Aoife'")
    assert one.read("table")["view"]["names"] == ["Aoife 0", "Aoife 1"], "as names of before stay"


def test_the_form_follows_accept_or_suffix(person: People) -> None:
    (one,) = make(person("Aoife"))
    forms = {
        "text/plain": "table.txt",
        "image/svg+xml": "table.svg",
        "image/png": "table.png",
    }
    for media, rest in forms.items():
        by_accept, by_suffix = one.get("table", Accept=media), one.get(rest)
        assert by_accept.data == by_suffix.data
        assert by_accept.mimetype == by_suffix.mimetype == media
    assert one.get("table", Accept="text/*;q=0.5, image/png").mimetype == "image/png"
    assert one.get("table", Accept="*/*").mimetype == "application/json"
    refused = one.get("table", Accept="application/pdf")
    assert (refused.status_code, refused.json["accepted"][0]) == (406, "application/json")
    root = ET.fromstring(one.get("table.svg").text)  # noqa: S314  # our own picture
    assert root.tag.endswith("svg")
    width, height = struct.unpack(">II", one.get("table.png").data[16:24])
    assert 0 < width <= 1200
    assert height > 0
    text = one.get("table.txt").text
    assert "Aoife (you)" in text
    assert max(map(len, text.splitlines())) <= 120


def test_the_language_is_asked_for_or_the_players_own(person: People) -> None:
    (one,) = make(person("Aoife", language="fr"))
    assert "(vous)" in one.get("table.txt").text
    assert "(you)" in one.get("table.txt", Accept_Language="en").text
    french, english = (one.get("options", Accept_Language=each).json["items"] for each in ("fr", "en"))
    assert [each["line"] for each in french] == [each["line"] for each in english]
    assert all(one["sentence"] != two["sentence"] for one, two in zip(french, english, strict=True))
    assert one.get("table.txt").headers["Content-Language"] == "fr"


def test_options_have_line_parts_and_sentence(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    listed = one.read("options")
    assert listed["question"] == one.question
    assert [each["number"] for each in listed["items"]] == list(range(1, len(listed["items"]) + 1))
    for each in listed["items"]:
        assert each["parts"]["verb"] == each["line"].split(" ")[0]
        assert set(each) == {"number", "line", "parts", "sentence"}
    assert two.read("options") == {"question": None, "items": [], "more": 0}
    assert one.read("options?spectator=true") == {"question": None, "items": [], "more": 0}


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_game_has_a_table_in_every_form(person: People, client: FlaskClient, slug: str) -> None:
    game = GAMES[slug]
    seats = game.rules.seats[-1]
    bots = {str(seat): game.bots.stand_in for seat in range(1, seats)}
    made: Answer = person("Aoife").post("/v1/matches", {"game": slug, "seats": seats, "seat": 0, "bots": bots})
    assert made.status_code == 201, made.text
    resolved(made.json["id"])
    path = f"/v1/matches/{made.json['id']}"
    for rest in ("table", "table.txt", "table.svg", "table.png", "options", "history"):
        for language in ("en", "fr"):
            assert client.get(f"{path}/{rest}", headers={"Accept-Language": language}).status_code == 200, rest
    table: Answer = client.get(f"{path}/table")
    assert table.json["view"]["seats"] == seats


def test_long_lists_are_cut_and_say_so(person: People, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = make(person("Aoife"))
    whole = one.read("options")["items"]
    assert MOST_OPTIONS == 200
    monkeypatch.setattr("service.play.views.options.__defaults__", (3,))
    cut = one.read("options")
    assert (cut["items"], cut["more"]) == (whole[:3], len(whole) - 3)


def test_an_earlier_table_is_as_it_was(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    seen: list[dict[str, Any]] = [one.read("table")]
    for each in (one, two, one, two):
        each.move(each.lines[-1], "draw deck")
        seen.append(one.read("table"))
    for table in seen[:-1]:
        earlier = one.read(f"table?at={table['seq']}")
        assert earlier == {**table, "question": earlier["question"]}
    assert one.read(f"table?at={seen[-1]['seq']}") == seen[-1]
    assert one.read("table?at=0")["view"]["hand"] == []
    assert one.get("table?at=999").status_code == 422
    assert one.get("table.png?at=2").data != one.get("table.png").data


def test_reads_have_etags_of_what_is_shown(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    first = one.get("table")
    assert one.get("table", If_None_Match=first.headers["ETag"]).status_code == 304
    assert one.get("table", If_None_Match=two.get("table").headers["ETag"]).status_code == 200
    one.move(one.lines[-1], "draw deck")
    assert one.get("table", If_None_Match=first.headers["ETag"]).status_code == 200


def test_a_match_that_is_over_tells_its_result(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    play_out((one, two))
    table = one.read("table")
    result = table["result"]
    assert (table["status"], result["why"]) == ("over", "played")
    totals = [score["total"] for score in result["scores"]]
    assert result["winners"] == [seat for seat, total in enumerate(totals) if total == max(totals)]
    assert all(sum(count["points"] for count in score["counts"]) == score["total"] for score in result["scores"])


def test_a_match_that_waits_has_no_table(person: People) -> None:
    made: Answer = person("Aoife").post("/v1/matches", {"game": "keltis", "seats": 2})
    answer = SeatClient(person("Brendan"), made.json["id"], 0).get("table")
    assert (answer.status_code, answer.json["type"]) == (409, "/problems/conflict")


def test_games_are_described(client: FlaskClient) -> None:
    listed: Answer = client.get("/v1/games")
    assert {game["slug"] for game in listed.json["items"]} == set(GAMES)
    for short in listed.json["items"]:
        whole: Answer = client.get(f"/v1/games/{short['slug']}", headers={"Accept-Language": "fr"})
        assert whole.json["rules"]
        assert whole.json["stand_in"] in whole.json["bots"]
        assert whole.headers["Content-Language"] == "fr"
        for option in whole.json["options"]:
            Draft202012Validator.check_schema(option["schema"])
            Draft202012Validator(option["schema"]).validate(option["schema"]["default"])
    assert client.get("/v1/games/chess").status_code == 404


@pytest.mark.parametrize(
    ("game", "name", "value"), [("tir-na-nog", "geas", "oisin,fionn,cathbad"), ("tain", "first", 1)]
)
def test_what_a_match_takes_fits_the_schema_of_its_option(
    client: FlaskClient, person: People, game: str, name: str, value: Setting
) -> None:
    made: Answer = person("Aoife").post("/v1/matches", {"game": game, "seats": 2, "options": {name: value}})
    assert made.status_code == 201, made.text
    told: Answer = client.get(f"/v1/games/{game}")
    (schema,) = [option["schema"] for option in told.json["options"] if option["name"] == name]
    Draft202012Validator(schema).validate(value)
