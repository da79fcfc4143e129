"""Idempotency-Key: a creation sent twice happens once."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread

from flask import Flask

from service.config import Config
from service.db.connection import drop_connections, execute, rows
from service.i18n.catalogue import msg
from service.problems import Problem
from service.web import idempotency
from service.web.app import create_app
from tests.support.players import Client, Clock, Person, letters, newcomer

People = Callable[..., Person]
LEAVE = {"first_day": "2027-02-01", "last_day": "2027-02-02"}


def test_the_same_request_gets_the_same_answer(person: People, clock: Clock) -> None:
    aoife = person()
    first = aoife.post("/v1/me/leave", LEAVE, Idempotency_Key="one")
    clock.forward(hours=47)
    second = aoife.post("/v1/me/leave", LEAVE, Idempotency_Key="one")
    assert first.status_code == second.status_code == 201
    assert first.data == second.data
    assert first.headers["Location"] == second.headers["Location"]
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    assert rows("select count(*) from leave") == [(1,)]


def test_a_kept_answer_shows_no_token_to_who_reads_the_database(person: People) -> None:
    aoife = person()
    url = {"url": "https://93.184.216.34/x", "events": ["match.over"]}
    first = aoife.post("/v1/hooks", url, Idempotency_Key="a-long-key-of-mine")
    assert first.status_code == 201, first.text
    ((key, body),) = rows("select key, body from idempotency")
    assert first.json["secret"] not in body
    assert aoife.id not in body
    assert "a-long-key-of-mine" not in key
    assert aoife.post("/v1/hooks", url, Idempotency_Key="a-long-key-of-mine").json == first.json


def test_after_48_hours_the_key_is_free(person: People, clock: Clock) -> None:
    aoife = person()
    aoife.post("/v1/me/leave", LEAVE, Idempotency_Key="one")
    clock.forward(hours=48)
    assert aoife.post("/v1/me/leave", LEAVE, Idempotency_Key="one").status_code == 409
    other = {"first_day": "2027-03-01", "last_day": "2027-03-01"}
    assert aoife.post("/v1/me/leave", other, Idempotency_Key="one").status_code == 201
    assert rows("select count(*) from idempotency") == [(1,)]


def test_another_request_with_the_key_is_refused(person: People) -> None:
    aoife = person()
    aoife.post("/v1/me/leave", LEAVE, Idempotency_Key="one")
    other = aoife.post("/v1/me/leave", {**LEAVE, "last_day": "2027-02-03"}, Idempotency_Key="one")
    assert (other.status_code, other.json["type"]) == (422, "/problems/other-request")
    elsewhere = aoife.post("/v1/me/keys", {"jwk": aoife.key.jwk}, Idempotency_Key="one")
    assert elsewhere.json["type"] == "/problems/other-request"


def test_a_key_that_is_the_hash_of_an_earlier_one_is_a_key_of_its_own(person: People) -> None:
    aoife = person()
    aoife.post("/v1/me/leave", LEAVE, Idempotency_Key="one")
    ((hidden,),) = rows("select key from idempotency")
    again = aoife.post("/v1/me/leave", LEAVE, Idempotency_Key=hidden)
    assert (again.status_code, again.json["type"]) == (409, "/problems/conflict")
    other = {"first_day": "2027-03-01", "last_day": "2027-03-01"}
    assert aoife.post("/v1/me/leave", other, Idempotency_Key=hidden).status_code == 201


def test_keys_belong_to_their_player(person: People) -> None:
    aoife, bran = person(), person("Bran")
    first = aoife.post("/v1/me/leave", LEAVE, Idempotency_Key="one")
    second = bran.post("/v1/me/leave", LEAVE, Idempotency_Key="one")
    assert second.status_code == 201
    assert first.json["id"] != second.json["id"]


def test_a_refusal_is_not_kept(person: People) -> None:
    aoife = person()
    wrong = {"first_day": "2027-02-02", "last_day": "2027-02-01"}
    assert aoife.post("/v1/me/leave", wrong, Idempotency_Key="one").status_code == 422
    assert aoife.post("/v1/me/leave", LEAVE, Idempotency_Key="one").status_code == 201


def test_strangers_have_keys_too(client: Client) -> None:
    body = {"name": "Aoife", "address": "aoife@example.org"}
    one, two = (client.post("/v1/players", json=body, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert one.json == two.json
    other = client.post("/v1/players", json={**body, "name": "Bran"}, headers={"Idempotency-Key": "k"})
    assert other.status_code == 202
    assert len(letters()) == 1


def test_a_key_out_of_form_is_refused(person: People) -> None:
    aoife = person()
    for key in ("", "a b", "x" * 201, "é"):
        assert aoife.post("/v1/me/leave", LEAVE, Idempotency_Key=key).status_code == 400, key


def test_creation_and_answer_are_kept_together_or_not_at_all(config: Config) -> None:
    app = create_app(config)
    aoife = newcomer(app.test_client())

    @idempotency.once
    def half() -> str:
        execute("insert into leave (id, player, first_day, last_day, at) values ('x', ?, '', '', 0)", aoife.id)
        raise Problem("conflict", msg("matches.seat_taken"))

    app.add_url_rule("/v1/half", "half", half, methods=["POST"])
    assert aoife.post("/v1/half", {}, Idempotency_Key="one").status_code == 409
    assert rows("select count(*) from leave") == [(0,)]
    assert rows("select count(*) from idempotency") == [(0,)]


def test_of_many_at_once_one_happens(app: Flask, person: People) -> None:
    aoife, barrier = person(), Barrier(8)
    found: list[tuple[int, str]] = []

    def send() -> None:
        client: Client = app.test_client()
        barrier.wait()
        answer = client.post("/v1/me/leave", json=LEAVE, headers={**aoife.bearer, "Idempotency-Key": "one"})
        found.append((answer.status_code, answer.json.get("id", answer.json.get("type"))))
        drop_connections()

    threads = [Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows("select count(*) from leave") == [(1,)]
    assert {each for each in found if each[0] != 201} <= {(409, "/problems/in-progress")}
    assert len({each for each in found if each[0] == 201}) == 1
