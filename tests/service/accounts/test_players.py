"""Accounts: registering, confirming, tokens, keys, settings, leave, leaving."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from service.db.connection import execute, rows
from tests.support.players import Client, Clock, Person, letters

People = Callable[..., Person]
AOIFE = {"name": "Aoife", "address": "Aoife@Example.org", "language": "fr", "zone": "Europe/Paris"}


def register(client: Client, **changes: Any) -> Any:  # noqa: ANN401
    return client.post("/v1/players", json={**AOIFE, **changes})


def confirmed(client: Client, **changes: Any) -> str:  # noqa: ANN401
    register(client, **changes)
    answer = client.post("/v1/confirmations", json={"code": letters("confirm")[-1]["code"]})
    assert answer.status_code == 201, answer.json
    player: str = answer.json["id"]
    return player


def asked(client: Client, address: str = "aoife@example.org") -> str:
    answer = client.post("/v1/tokens", json={"address": address})
    assert answer.status_code == 202
    request: str = answer.json["id"]
    return request


def exchanged(client: Client, request: str, code: str, **more: Any) -> Any:  # noqa: ANN401
    return client.post(f"/v1/tokens/{request}/code", json={"code": code, **more})


def test_a_stranger_becomes_a_player_with_a_token(client: Client) -> None:
    answer = register(client)
    assert (answer.status_code, set(answer.json)) == (202, {"id", "until"})
    (letter,) = letters()
    assert letter["kind"] == "confirm"
    assert (letter["address"], letter["language"]) == ("aoife@example.org", "fr")
    player = client.post("/v1/confirmations", json={"code": letter["code"]})
    assert (player.status_code, player.json["name"]) == (201, "Aoife")
    request = asked(client)
    letter = letters("code")[-1]
    assert letter["player"] == player.json["id"]
    made = exchanged(client, request, letter["code"], name="phone", scopes=["read"])
    assert (made.status_code, made.json["name"], made.json["scopes"]) == (201, "phone", ["read"])
    me = client.get("/v1/me", headers={"Authorization": f"Bearer {made.json['token']}"})
    assert me.json["address"] == "aoife@example.org"
    assert me.json["zone"] == "Europe/Paris"
    assert made.json["token"].split("_", 2)[2] not in str(rows("select * from token"))


def test_the_link_acts_only_when_the_button_is_pressed(client: Client) -> None:
    register(client)
    path = letters()[0]["path"]
    page = client.get(path)
    assert page.status_code == 200
    assert "Confirmer mon adresse" in page.text
    assert rows("select count(*) from player where address is not null") == [(0,)]
    assert "confirmée" in client.post(path, headers={"Sec-Fetch-Site": "same-origin"}).text
    assert rows("select address from player where address is not null") == [("aoife@example.org",)]
    assert "confirmed" in client.get(path, headers={"Accept-Language": "en"}).text
    assert client.get(path[:-1] + "0").status_code == 410


def test_confirming_twice_gives_the_same_player(client: Client) -> None:
    register(client)
    code = letters()[0]["code"]
    first, second = (client.post("/v1/confirmations", json={"code": code}) for _ in range(2))
    assert first.json == second.json
    assert rows("select count(*) from player where address is not null") == [(1,)]


def test_a_link_is_good_for_seven_days(client: Client, clock: Clock) -> None:
    register(client)
    clock.forward(days=7, seconds=1)
    answer = client.post("/v1/confirmations", json={"code": letters()[0]["code"]})
    assert (answer.status_code, answer.json["type"]) == (410, "/problems/gone")


def test_one_unasked_letter_a_day_and_three_in_all(client: Client, clock: Clock) -> None:
    sent = []
    for _ in range(6):
        for _ in range(2):
            assert register(client).status_code == 202
        sent.append(len(letters()))
        clock.forward(days=1)
    assert sent == [1, 2, 3, 3, 3, 3]
    assert "aoife@example.org" not in str(rows("select * from unasked"))


def test_known_and_unknown_addresses_get_the_same_answer(client: Client) -> None:
    confirmed(client)
    known, unknown = register(client), register(client, address="nobody@example.org")
    assert known.status_code == unknown.status_code == 202
    assert known.json["until"] == unknown.json["until"]
    assert letters("registered")[0]["player"]
    known, unknown = (
        client.post("/v1/tokens", json={"address": each}) for each in (AOIFE["address"], "no@example.org")
    )
    assert known.status_code == unknown.status_code == 202
    assert known.json["until"] == unknown.json["until"]
    assert len(letters("code")) == 1
    other = "000000" if letters("code")[0]["code"] != "000000" else "111111"
    wrong = [exchanged(client, answer.json["id"], other) for answer in (known, unknown)]
    assert wrong[0].json == wrong[1].json
    assert list(known.headers.keys()) == list(unknown.headers.keys())


def test_known_and_unknown_addresses_take_the_same_time(client: Client, clock: Clock) -> None:
    confirmed(client)
    took: dict[str, list[float]] = {"aoife@example.org": [], "nobody@example.org": []}
    random = Random(1)
    for _ in range(25):
        clock.forward(hours=1)
        # In no fixed order, and the fastest counts: a busy machine may else interrupt always the same one of the two.
        for address in random.sample(list(took), 2):
            began = time.perf_counter()
            asked(client, address)
            took[address].append(time.perf_counter() - began)
    known, unknown = (min(times) for times in took.values())
    assert 0.5 < known / unknown < 2


def test_a_code_that_was_read_shows_that_letters_arrive(client: Client) -> None:
    confirmed(client)
    execute("update player set bounces = 2, bounced_at = 1")
    request = asked(client)
    assert rows("select bounces, bounced_at from player") == [(2, 1)]
    assert exchanged(client, request, letters("code")[-1]["code"]).status_code == 201
    assert rows("select bounces, bounced_at from player") == [(0, None)]


def test_nobody_unconfirmed_gets_a_code(client: Client) -> None:
    register(client)
    asked(client)
    assert [letter["kind"] for letter in letters()] == ["confirm"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "  "),
        ("name", "a\nb"),
        ("name", "x" * 61),
        ("name", 7),
        ("address", "aoife"),
        ("address", "a b@example.org"),
        ("address", "a@example.org\r\nBcc: b@example.org"),
        ("address", "@example.org"),
        ("language", "de"),
        ("zone", "Europe/Atlantis"),
        ("zone", "../../etc/passwd"),
        ("other", 1),
    ],
)
def test_faults_are_named_by_field(client: Client, field: str, value: object) -> None:
    answer = register(client, **{field: value})
    assert (answer.status_code, answer.json["type"]) == (422, "/problems/invalid")
    assert [fault["field"] for fault in answer.json["errors"]] == [field]
    assert letters() == []


def test_settings_change_and_stay(person: People) -> None:
    aoife = person()
    wanted = {"name": "Aífe", "letters": "digest", "digest_hour": 0, "quiet_weekends": True, "zone": "UTC"}
    answer = aoife.patch("/v1/me", wanted)
    assert {name: answer.json[name] for name in wanted} == wanted
    assert aoife.get("/v1/me").json == answer.json
    assert aoife.patch("/v1/me", {"address": "x@example.org"}).status_code == 422
    assert aoife.patch("/v1/me", {"digest_hour": 24}).status_code == 422
    assert aoife.patch("/v1/me", {"quiet_weekends": 1}).status_code == 422


def test_a_profile_shows_no_address(person: People, client: Client) -> None:
    aoife = person()
    answer = client.get(f"/v1/players/{aoife.id}")
    assert answer.json["name"] == "Aoife"
    assert "example.org" not in answer.text
    assert client.get("/v1/players/aaaaaaaaaaaaaaaa").status_code == 404


def test_tokens_are_listed_with_last_use_and_revoked(person: People, clock: Clock) -> None:
    aoife = person()
    (token,) = aoife.get("/v1/me/tokens").json["items"]
    assert token["used_at"] == "2027-01-15T08:00:00.000Z"
    assert "hash" not in token
    clock.forward(minutes=2)
    assert aoife.get("/v1/me/tokens").json["items"][0]["used_at"] == "2027-01-15T08:02:00.000Z"
    assert person("Bran").delete(f"/v1/me/tokens/{token['id']}").status_code == 404
    assert aoife.delete(f"/v1/me/tokens/{token['id']}").status_code == 204
    assert aoife.get("/v1/me").json["type"] == "/problems/wrong-token"


def test_only_tokens_with_the_scope_account_revoke_others_and_erase(client: Client, clock: Clock) -> None:
    confirmed(client)

    def token(**wanted: Any) -> Person:  # noqa: ANN401
        clock.forward(seconds=1)
        request = asked(client)
        made = exchanged(client, request, letters("code")[-1]["code"], **wanted).json
        return Person(client, made["id"], "Aoife", "", made["token"], Ed25519PrivateKey.generate())

    player, other, owner = token(), token(scopes=["play", "organise"]), token(scopes=["account"])
    assert [each["scopes"] for each in owner.get("/v1/me/tokens").json["items"]] == [
        ["play", "read"],
        ["organise", "play"],
        ["account"],
    ]
    for path in (f"/v1/me/tokens/{other.id}", "/v1/me"):
        refused = player.delete(path)
        assert (refused.status_code, refused.json["scope"]) == (403, "account")
        assert "POST /v1/tokens" in refused.json["detail"]
    assert other.get("/v1/me").status_code == 200
    assert other.delete(f"/v1/me/tokens/{other.id}").status_code == 204
    assert owner.delete(f"/v1/me/tokens/{player.id}").status_code == 204
    assert player.get("/v1/me").status_code == 401
    assert owner.patch("/v1/me", {"zone": "UTC"}).status_code == 403, "account alone does not play"
    assert owner.delete("/v1/me").status_code == 200


def test_a_token_ends_when_it_was_asked_to(client: Client, clock: Clock) -> None:
    confirmed(client)
    request = asked(client)
    code = letters("code")[-1]["code"]
    past = exchanged(client, request, code, expires_at="2027-01-15T08:00:00Z")
    assert (past.status_code, past.json["errors"][0]["field"]) == (422, "expires_at")
    made = exchanged(client, request, code, expires_at="2027-01-15T09:00:00Z").json
    assert made["expires_at"] == "2027-01-15T09:00:00.000Z"
    bearer = {"Authorization": f"Bearer {made['token']}"}
    lasting = exchanged(client, asked(client), letters("code")[-1]["code"]).json
    assert lasting["expires_at"] is None
    clock.forward(minutes=59, seconds=30)
    assert client.get("/v1/me", headers=bearer).status_code == 200
    clock.forward(seconds=30)
    refused = client.get("/v1/me", headers=bearer)
    assert (refused.status_code, refused.json["type"]) == (401, "/problems/wrong-token")
    assert "expired at 2027-01-15T09:00:00.000Z" in refused.json["detail"]
    # Moves take a shorter way, which remembers tokens.
    assert client.post("/v1/matches/m7q2x9v4k8t3w6zp/moves", json={}, headers=bearer).status_code == 401
    mine = client.get("/v1/me/tokens", headers={"Authorization": f"Bearer {lasting['token']}"})
    assert [each["id"] for each in mine.json["items"]] == [lasting["id"]]


def test_keys_come_as_pem_and_jwk_and_are_the_same(person: People) -> None:
    aoife, private = person(), Ed25519PrivateKey.generate()
    pem = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    made = aoife.post("/v1/me/keys", {"pem": pem, "label": "laptop"})
    assert made.status_code == 201
    assert aoife.get(made.headers["Location"]).json == made.json
    again = aoife.post("/v1/me/keys", {"jwk": {**made.json["jwk"], "alg": "EdDSA", "ext": True}, "label": "other"})
    assert (again.status_code, again.json) == (200, made.json)
    assert len(aoife.get("/v1/me/keys").json["items"]) == 2
    secret = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    for wrong in ({"pem": secret}, {"jwk": {**made.json["jwk"], "d": "x"}}, {"pem": "x"}, {}, {"pem": pem, "jwk": {}}):
        refused = aoife.post("/v1/me/keys", wrong)
        assert (refused.status_code, refused.json["type"]) == (422, "/problems/invalid"), wrong
    zero = {"kty": "OKP", "crv": "Ed25519", "x": "A" * 43}
    assert "small order" in aoife.post("/v1/me/keys", {"jwk": zero}).json["detail"]


def test_a_revoked_key_stays_revoked(person: People) -> None:
    aoife = person()
    path = f"/v1/me/keys/{aoife.key.id}"
    assert person("Bran").delete(path).status_code == 404
    assert aoife.delete(path).status_code == 204
    assert aoife.delete(path).status_code == 404
    assert aoife.get(path).json["revoked_at"] is not None
    assert aoife.post("/v1/me/keys", {"jwk": aoife.key.jwk}).status_code == 409


def test_leave_has_thirty_days_a_year_and_three_bookings_ahead(person: People, clock: Clock) -> None:
    aoife = person()

    def book(first: str, last: str) -> Any:  # noqa: ANN401
        return aoife.post("/v1/me/leave", {"first_day": first, "last_day": last})

    assert book("2027-01-14", "2027-01-16").status_code == 422
    assert book("2027-02-02", "2027-02-01").status_code == 422
    assert book("2029-02-02", "2029-02-03").status_code == 422
    assert book("2027-02-01", "2027-03-03").json["type"] == "/problems/limit-reached"
    first = book("2027-02-01", "2027-02-28")
    assert first.status_code == 201
    assert book("2027-02-28", "2027-02-28").status_code == 409
    assert book("2027-12-30", "2028-01-02").status_code == 201
    assert book("2027-06-01", "2027-06-01").json["days_left"] == 0
    assert aoife.get("/v1/me/leave").json["days_left"] == 0
    clock.forward(days=18)
    assert aoife.delete(first.headers["Location"]).status_code == 204
    assert aoife.get("/v1/me/leave").json["days_left"] == 27
    assert book("2027-03-01", "2027-03-01").status_code == 201
    assert book("2027-03-03", "2027-03-03").status_code == 201
    assert book("2027-03-05", "2027-03-05").json["type"] == "/problems/limit-reached"


def test_an_erased_player_leaves_nothing_but_an_id(person: People, client: Client) -> None:
    aoife = person()
    aoife.post("/v1/me/leave", {"first_day": "2027-02-01", "last_day": "2027-02-02"})
    assert aoife.delete("/v1/me").status_code == 200
    assert aoife.get("/v1/me").status_code == 401
    shown = client.get(f"/v1/players/{aoife.id}").json
    assert (shown["name"], shown["erased"]) == (None, True)
    for table in ("player", "token", "signing_key", "code", "leave", "letter", "idempotency"):
        found = str(rows(f"select * from {table}"))  # noqa: S608
        assert aoife.address not in found
        assert "Aoife" not in found
    assert rows("select count(*) from token") == [(0,)]
    assert rows("select count(*) from signing_key where revoked_at is null") == [(0,)]
    asked(client, aoife.address)
    assert letters("code") == []
