"""Matches over HTTP: making, finding, joining, leaving, inviting, starting, organising, playing again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.db.models.matches import MatchRow
from service.i18n.catalogue import translate
from service.matches import start
from service.play import access
from service.record import server_keys
from service.record.signed_text import join_text
from tests.support.http_tables import NEW, Answer, People, SeatClient, ask, make, new, resolved
from tests.support.players import Clock, Person, letters, newcomer
from tests.support.web_apps import open_app


def test_a_match_against_a_bot_starts_at_once(person: People) -> None:
    aoife = person("Aoife")
    made = new(aoife, bots={"1": "steady"}, seat=0, nonce="00ff", title="Sunday")
    assert made.status_code == 201
    match = made.json
    assert made.headers["Location"] == f"/v1/matches/{match['id']}"
    assert (match["status"], match["seed"], match["link"]) == ("running", None, None)
    assert [place["name"] for place in match["places"]] == ["Aoife", "Steady (bot)"]
    assert match["you"]["keys"] == [aoife.key.id]
    resolved(match["id"])
    found = aoife.get(f"/v1/matches/{match['id']}")
    assert found.json["head"]["seq"] == 2
    assert found.json["places"][0]["asked"] is True


@pytest.mark.parametrize(("game", "bot"), [("tir-na-nog", "balor"), ("bardwood-grove", "rival")])
def test_a_rival_for_a_match_alone_sits_at_no_ordinary_table(person: People, game: str, bot: str) -> None:
    aoife = person("Aoife")
    refused = new(aoife, game=game, bots={"1": bot}, seat=0)
    assert refused.status_code == 422
    sentence = translate("en", "commands.match.rival_bot", name=bot, slug=game)
    assert refused.json["errors"] == [{"field": "bots", "reason": sentence}]
    assert new(aoife, game=game, bots={"1": bot}, seat=0, options={bot: "normal"}).status_code == 201


def test_no_seat_is_filled_with_a_bot_that_plays_only_alone(person: People) -> None:
    me = person()
    match = me.post("/v1/matches", {"game": "tir-na-nog", "seats": 3}).json["id"]
    refused = me.post(f"/v1/matches/{match}/start", {"fill": "balor"})
    assert refused.status_code == 422
    sentence = translate("en", "commands.match.rival_bot", name="balor", slug="tir-na-nog")
    assert refused.json["errors"] == [{"field": "fill", "reason": sentence}]
    assert me.post(f"/v1/matches/{match}/start", {"fill": "steady"}).status_code == 200


def test_a_match_starts_when_the_last_seat_is_taken_and_receipts_hold(person: People, client: FlaskClient) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match = new(aoife, seat=1).json["id"]
    assert aoife.get(f"/v1/matches/{match}").json["status"] == "open"
    joined: Answer = brendan.post(f"/v1/matches/{match}/join", {"nonce": "abc123"})
    assert joined.status_code == 200
    assert joined.json["match"]["status"] == "running"
    receipt = joined.json["receipt"]
    assert (receipt["seat"], receipt["nonce"], receipt["keys"]) == (0, "abc123", brendan.key.id)
    text = join_text(*(receipt[name] for name in ("match", "seat", "player", "seed", "nonce", "keys", "at")))
    key = server_keys.read(client.get("/.well-known/echtra.json").data).key(receipt["server"], receipt["at"])
    assert key is not None
    assert key.verifies(receipt["signature"], text)
    late = person("Ciara").post(f"/v1/matches/{match}/join", {})
    assert (late.status_code, late.json["type"]) == (409, "/problems/match-started")


def test_joining_again_changes_seat_or_nonce(person: People) -> None:
    aoife = person("Aoife")
    match = new(aoife, seats=3, seat=0).json["id"]
    moved: Answer = aoife.post(f"/v1/matches/{match}/join", {"seat": 2, "nonce": "ff"})
    assert moved.json["match"]["you"]["seat"] == 2
    assert [place["player"] for place in moved.json["match"]["places"]] == [None, None, aoife.id]
    kept: Answer = aoife.post(f"/v1/matches/{match}/join", {"nonce": "aa"})
    assert (kept.json["receipt"]["seat"], kept.json["receipt"]["nonce"]) == (2, "aa")


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"seats": 5}, "seats"),
        ({"options": {"colour": "red"}}, "options"),
        ({"options": {"start": "0"}}, "options"),
        ({"bots": {"1": "nobody"}}, "bots"),
        ({"bots": {"7": "steady"}}, "bots"),
        ({"bots": {"0": "steady", "1": "steady"}}, "bots"),
        ({"bots": {"01": "steady"}}, "bots"),
        ({"clock": "fast"}, "clock"),
        ({"nonce": "FF"}, "nonce"),
        ({"starts_at": "2020-01-01T00:00:00Z"}, "starts_at"),
        ({"starts_at": "2033-01-01T00:00:00Z"}, "starts_at"),
        ({"seat": 9}, "seat"),
        ({"secret": 1}, "secret"),
    ],
)
def test_matches_that_cannot_be_are_refused(person: People, wanted: dict[str, Any], field: str) -> None:
    answer = new(person(), **wanted)
    assert answer.status_code == 422
    assert answer.json["errors"][0]["field"].split(".")[0] == field
    assert rows("select count(*) from match") == [(0,)]


def test_leaving_frees_the_seat_and_an_empty_match_is_cancelled(person: People) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match = new(aoife, seats=3).json["id"]
    brendan.post(f"/v1/matches/{match}/join", {})
    assert brendan.post(f"/v1/matches/{match}/leave").status_code == 204
    assert brendan.post(f"/v1/matches/{match}/leave").status_code == 403
    assert aoife.post(f"/v1/matches/{match}/leave").status_code == 204
    assert ask(aoife, "GET", f"/v1/matches/{match}").json["status"] == "cancelled"
    assert ask(aoife, "GET", f"/v1/matches/{match}/table").status_code == 409


@pytest.mark.usefixtures("clock")
def test_open_matches_are_limited(config: Config) -> None:
    app = open_app(replace(config, open_matches=2))
    aoife = newcomer(app.test_client())
    assert [new(aoife).status_code for _ in range(3)] == [201, 201, 422]
    assert new(aoife).json["type"] == "/problems/limit-reached"


def test_a_creation_with_a_key_happens_once(person: People) -> None:
    aoife = person()
    first: Answer = aoife.post("/v1/matches", {**NEW, "bots": {"1": "steady"}}, Idempotency_Key="one")
    again: Answer = aoife.post("/v1/matches", {**NEW, "bots": {"1": "steady"}}, Idempotency_Key="one")
    assert (again.status_code, again.json) == (201, first.json)
    assert rows("select count(*) from match") == [(1,)]
    other: Answer = aoife.post("/v1/matches", {**NEW, "seats": 3}, Idempotency_Key="one")
    assert (other.status_code, other.json["type"]) == (422, "/problems/other-request")


def test_private_matches_are_not_there_for_strangers(person: People, client: FlaskClient) -> None:
    aoife, brendan, stranger = person("Aoife"), person("Brendan"), person("Ciara")
    one, _ = make(aoife, brendan, visibility="link")
    hidden = make(aoife, brendan, visibility="invitation")[0]
    link = aoife.get(f"/v1/matches/{one.match}").json["link"]
    for match in (one.match, hidden.match, "nosuchmatch1"):
        missing = stranger.get(f"/v1/matches/{match}").json["detail"]
        for path in ("", "/table", "/table.txt", "/table.svg", "/options", "/history", "/record", "/notes", "/offers"):
            answer = ask(stranger, "GET", f"/v1/matches/{match}{path}")
            assert (answer.status_code, answer.json["detail"]) == (404, missing), path
        for path, body in (
            ("join", {}),
            ("leave", None),
            ("decline", None),
            ("start", {}),
            ("rematch", {}),
            ("reading", {"text": "1"}),
            ("notes", {"text": "hello"}),
            ("offers", {"kind": "end"}),
            ("invitations", {"player": stranger.id}),
            ("moves", {"moves": []}),
        ):
            answer = ask(stranger, "POST", f"/v1/matches/{match}/{path}", body)
            assert (answer.status_code, answer.json["detail"]) == (404, missing), path
    assert client.get(f"/v1/matches/{one.match}/table").status_code == 404
    assert client.get(f"/v1/matches/{one.match}/table?link={link}").status_code == 200
    assert client.get(f"/v1/matches/{one.match}/table?link={link[:-1]}").status_code == 404
    listed = stranger.get("/v1/matches").json
    assert listed == {"items": []}
    assert stranger.get(f"/v1/matches?player={aoife.id}").json == {"items": []}


def test_a_link_lets_in(person: People) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    made = new(aoife, visibility="link").json
    assert ask(brendan, "POST", f"/v1/matches/{made['id']}/join", {}).status_code == 404
    joined: Answer = brendan.post(f"/v1/matches/{made['id']}/join", {"link": made["link"]})
    assert joined.status_code == 200
    assert joined.json["match"]["link"] == made["link"]


def test_matches_are_found_page_by_page(person: People, clock: Clock) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    made = []
    for number in range(5):
        made.append(new(aoife, title=f"Evening {number}", seats=2 + number % 2).json["id"])
        clock.forward(seconds=number % 2)
    found: list[str] = []
    path = "/v1/matches?status=open&limit=2"
    while path:
        page: Answer = brendan.get(path)
        found += [match["id"] for match in page.json["items"]]
        path = page.headers["Link"].split(">")[0][1:] if "Link" in page.headers else ""
    assert sorted(found) == sorted(made)
    assert len(found) == 5

    def count(query: str, reader: Person = brendan) -> int:
        return len(ask(reader, "GET", f"/v1/matches?{query}").json["items"])

    assert (count("seats=3"), count("title=evening 4"), count("game=tain"), count("status=over")) == (2, 1, 0, 0)
    assert (count(f"player={aoife.id}"), count("mine=true"), count("mine=true", aoife)) == (5, 0, 5)
    assert brendan.get("/v1/matches?mine=maybe").status_code == 422
    assert brendan.client.get("/v1/matches?mine=true").status_code == 401
    assert brendan.get("/v1/matches?cursor=x.y").status_code == 422


def test_the_maker_starts_with_bots_in_the_empty_seats(person: People) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match = new(aoife, seats=3).json["id"]
    assert brendan.post(f"/v1/matches/{match}/start", {"fill": "steady"}).status_code == 403
    assert ask(aoife, "POST", f"/v1/matches/{match}/start", {}).json["type"] == "/problems/conflict"
    assert aoife.post(f"/v1/matches/{match}/start", {"fill": "nobody"}).status_code == 422
    started: Answer = aoife.post(f"/v1/matches/{match}/start", {"fill": "random"})
    assert started.status_code == 200
    assert [place["bot"] for place in started.json["places"]].count("random") == 2
    assert aoife.post(f"/v1/matches/{match}/start", {"fill": "random"}).status_code == 409


def test_a_match_starts_at_its_time_or_is_cancelled(person: People, clock: Clock) -> None:
    aoife = person("Aoife")
    later = "2027-01-15T09:00:00Z"
    full = new(aoife, bots={"1": "steady"}, starts_at=later).json["id"]
    empty = new(aoife, starts_at=later).json["id"]
    assert start.matches_due_to_start(clock.at) == []
    clock.forward(hours=1)
    assert sorted(start.matches_due_to_start(clock.at)) == sorted([full, empty])
    assert start.start_at_time(full)
    assert not start.start_at_time(empty)
    assert [ask(aoife, "GET", f"/v1/matches/{match}").json["status"] for match in (full, empty)] == [
        "running",
        "cancelled",
    ]


def test_a_match_with_a_time_of_its_own_waits_for_it(person: People, clock: Clock) -> None:
    aoife = person("Aoife")
    made = new(aoife, bots={"1": "steady"}, starts_at="2027-02-15T08:00:00Z").json
    assert made["expires_at"] == made["starts_at"]
    clock.forward(days=30)
    assert start.expire_open_matches(clock.at) == 0
    clock.forward(days=1)
    assert (start.expire_open_matches(clock.at), start.matches_due_to_start(clock.at)) == (0, [made["id"]])
    assert start.start_at_time(made["id"])


def test_matches_that_never_fill_expire(person: People, clock: Clock) -> None:
    aoife = person("Aoife")
    listed, hidden = new(aoife).json["id"], new(aoife, visibility="invitation").json["id"]
    clock.forward(days=15)
    assert start.expire_open_matches(clock.at) == 1
    assert letters("cancelled") == [{"kind": "cancelled", "match": listed}]
    assert start.expire_open_matches(clock.at) == 0
    assert [ask(aoife, "GET", f"/v1/matches/{match}").json["status"] for match in (listed, hidden)] == [
        "cancelled",
        "open",
    ]


def test_signed_matches_need_a_key(person: People) -> None:
    aoife = person("Aoife")
    assert aoife.delete(f"/v1/me/keys/{aoife.key.id}").status_code == 204
    refused = new(aoife, moves="signed")
    assert (refused.status_code, refused.json["type"]) == (409, "/problems/conflict")
    assert rows("select count(*) from match") == [(0,)]


def test_a_rematch_is_made_once_and_seats_move_on(person: People) -> None:
    aoife, brendan, stranger = person("Aoife"), person("Brendan"), person("Ciara")
    one, two = make(aoife, brendan, title="Sunday")
    assert one.post("rematch", {}).status_code == 409
    for seat_client in (one, two):
        seat_client.post("offers", {"kind": "end"})
    assert stranger.post(one.path("rematch"), {}).status_code == 403
    first = one.post("rematch", {})
    assert first.status_code == 201
    assert (first.json["title"], first.json["you"]["seat"], first.json["rematch_of"]) == ("Sunday", 1, one.match)
    second = two.post("rematch", {"nonce": "0f"})
    assert second.status_code == 200
    assert (second.json["id"], second.json["status"], second.json["you"]["seat"]) == (first.json["id"], "running", 0)


@pytest.mark.parametrize(("swap", "seat"), [(True, 1), (False, 0)])
def test_a_rematch_swaps_or_keeps_seats_with_people_and_with_bots(person: People, swap: bool, seat: int) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    one, two = make(aoife, brendan)
    for seat_client in (one, two):
        seat_client.post("offers", {"kind": "end"})
    assert one.post("rematch", {"swap": swap}).json["you"]["seat"] == seat
    assert two.post("rematch", {"swap": not swap}).json["you"]["seat"] == 1 - seat, "the second joins the first"
    alone = SeatClient(aoife, new(aoife, seats=2, bots={"1": "steady"}).json["id"], 0)
    resolved(alone.match)
    alone.move("resign")
    resolved(alone.match)
    again = alone.post("rematch", {"swap": swap}).json
    assert (again["you"]["seat"], [place["bot"] for place in again["places"]][1 - seat]) == (seat, "steady-2")


def test_seats_are_not_swapped_with_an_opponent_of_a_fixed_seat(person: People) -> None:
    aoife = person("Aoife")
    body = {"game": "tir-na-nog", "seats": 2, "bots": {"1": "balor"}, "options": {"balor": "easy"}}
    alone = SeatClient(aoife, new(aoife, **body).json["id"], 0)
    resolved(alone.match)
    alone.move("resign")
    resolved(alone.match)
    refused = alone.post("rematch", {"swap": True})
    assert (refused.status_code, refused.json["type"]) == (409, "/problems/conflict")
    assert alone.post("rematch", {"swap": False}).json["you"]["seat"] == 0


def test_turns_come_soonest_first(person: People, clock: Clock) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    made = []
    for _ in range(3):
        made.append(make(aoife, brendan)[0].match)
        clock.forward(hours=1)
    assert brendan.get("/v1/me/turns").json == {"items": []}
    turns: Answer = aoife.get("/v1/me/turns?limit=2")
    assert [turn["match"] for turn in turns.json["items"]] == made[:2]
    rest: Answer = aoife.get(turns.headers["Link"].split(">")[0][1:])
    assert [turn["match"] for turn in rest.json["items"]] == made[2:]
    first = turns.json["items"][0]
    assert (first["asked"], first["due"]) == (2, "2027-01-16T08:00:00.000Z")
    one = SeatClient(aoife, made[0], 0)
    one.move(one.lines[-1], "draw deck")
    assert [turn["match"] for turn in ask(aoife, "GET", "/v1/me/turns").json["items"]] == made[1:]
    assert [turn["match"] for turn in ask(brendan, "GET", "/v1/me/turns").json["items"]] == made[:1]


def test_the_first_match_of_a_person_has_the_options_for_a_first_match(person: People) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    wanted = {"game": "tir-na-nog", "bots": {"1": "steady"}}
    assert new(aoife, **wanted).json["options"]["geas"] == "first"
    assert new(aoife, **wanted).json["options"]["geas"] == "random"
    assert new(brendan, **wanted, options={"geas": "random"}).json["options"]["geas"] == "random"
    listed = aoife.get("/v1/games/tir-na-nog").json["options"]
    assert {option["name"]: option["schema"].get("x-first-match") for option in listed}["geas"] == "first"
    grove = {"game": "bardwood-grove", "bots": {"1": "steady"}}
    first, second = (new(aoife, **grove).json["options"] for _ in range(2))
    assert (first["content"], first["events"]) == ("base", "spring-fair,snowmelt")
    assert (second["content"], second["events"]) == ("winter", "random")


def test_who_sat_at_another_table_of_the_game_is_no_beginner(person: People) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    match = new(aoife, game="tir-na-nog", options={"geas": "random"}).json["id"]
    brendan.post(f"/v1/matches/{match}/join", {})
    assert new(brendan, game="tir-na-nog").json["options"]["geas"] == "random"
    assert new(brendan, game="keltis").status_code == 201


def test_a_list_and_a_look_at_one_match_know_the_same_readers(person: People) -> None:
    aoife, bran, ciara, dara = people = [person(name) for name in ("Aoife", "Bran", "Ciara", "Dara")]
    made = {name: new(aoife, visibility="invitation").json["id"] for name in ("invited", "declined")}
    for match in made.values():
        assert aoife.post(f"/v1/matches/{match}/invitations", {"player": ciara.id}).status_code == 201
    assert ciara.post(f"/v1/matches/{made['declined']}/decline").status_code == 204
    made |= {name: make(aoife, bran, visibility="invitation")[0].match for name in ("seated", "replaced", "arbitrated")}
    made |= {name: make(bran)[0].match for name in ("open", "sealed", "opened")}
    with write_transaction():
        execute("update seat set player = ? where match = ? and seat = 1", dara.id, made["replaced"])
        execute("update match set arbiter = ? where id = ?", ciara.id, made["arbitrated"])
        for name, visibility in (("sealed", access.SEALED), ("opened", access.OPEN)):
            sql = "update match set pairing = id, visibility = ?, created_by = ? where id = ?"
            execute(sql, visibility, dara.id, made[name])
    everybody = {"open", "opened"}
    expected = {
        aoife.id: {*made} - {"sealed"},
        bran.id: {*made} - {"invited", "declined"},
        ciara.id: {"invited", "arbitrated", *everybody},
        dara.id: {"replaced", *everybody},
        None: everybody,
    }
    for reader in [*(each.id for each in people), None]:
        rows_ = {name: MatchRow.get_by_id(match) for name, match in made.items()}
        listed = {row.id for row in MatchRow.select().where(access.readable_by(reader))}
        assert {name for name, match in made.items() if match in listed} == expected[reader]
        assert {name for name, row in rows_.items() if access.may_read(row, reader)} == expected[reader]
        linked = {name for name, row in rows_.items() if access.may_read(row, reader, row.link)}
        assert linked == expected[reader] | {name for name, row in rows_.items() if row.link and name != "sealed"}
