"""Programs that play: told by hook, answering through the API, for a whole match."""

from __future__ import annotations

from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.config import Config
from service.play.match_loader import load_match_state
from service.record.keys import public_key_of, sign
from service.record.signed_text import link_to_previous, move_text
from tests.support.factories import settle, verified
from tests.support.players import Clock, Person, newcomer
from tests.support.web_apps import open_app
from tests.support.webhook_receivers import Receiver
from tests.support.webhooks import drained


def program_of(owner: Person) -> Person:
    """Return a program with its own key."""
    made = owner.post("/v1/me/programs", {"name": "Engine"})
    assert made.status_code == 201
    player = made.json["player"]
    private = Ed25519PrivateKey.generate()
    program = replace(owner, id=player["id"], name="Engine", address="", token=made.json["token"], private=private)
    assert program.post("/v1/me/keys", {"jwk": public_key_of(private).jwk}).status_code == 201
    return program


def test_a_program_plays_a_whole_match_from_what_its_hook_tells_it(
    local: Config, clock: Clock, receiver: Receiver
) -> None:
    owner = newcomer(open_app(local).test_client())
    program = program_of(owner)
    assert owner.get(f"/v1/players/{program.id}").json["owner"] == owner.id
    assert [each["id"] for each in owner.get("/v1/me/programs").json["items"]] == [program.id]
    wanted = {"url": receiver.url, "events": ["turn.ready"], "include": ["view"]}
    assert program.post("/v1/hooks", wanted).status_code == 201
    match = program.post("/v1/matches", {"game": "keltis", "seats": 2, "bots": {"1": "steady"}}).json["id"]
    told = 0
    while not settle(match, local).state.over:
        drained(local, clock)
        assert len(receiver.got) > told
        told = len(receiver.got)
        data = receiver.got[-1].message["data"]
        asked = data["table"]["question"]
        line = data["options"]["items"][told % len(data["options"]["items"])]["line"]
        text = move_text(match, data["seat"], asked["asked"], asked["prev"], 1, link_to_previous(None, False), line)
        move = {"line": line, "signature": sign(program.private, text)}
        sent = {"asked": asked["asked"], "prev": asked["prev"], "key": program.key.id, "moves": [move]}
        assert program.post(f"/v1/matches/{match}/moves", sent).status_code == 202
    report = verified(match)
    assert report.over
    assert report.signed == told == len(receiver.got)
    assert load_match_state(match).players[0] == program.id


def test_a_program_owns_nothing_and_there_are_ten_at_most(local: Config) -> None:
    owner = newcomer(open_app(local).test_client())
    program = program_of(owner)
    assert program.post("/v1/me/programs", {"name": "Engine"}).status_code == 403
    found = [owner.post("/v1/me/programs", {"name": "Engine"}).status_code for _ in range(10)]
    assert found == [201] * 9 + [422]
    path = f"/v1/me/programs/{program.id}/tokens"
    token = owner.post(path, {"name": "server"}).json["token"]
    assert replace(program, token=token).get("/v1/me").json["name"] == "Engine"
    assert program.post(path, {}).status_code == 404
    second = replace(program, token=token)
    assert program.delete("/v1/me").status_code == 403, "the owner erases it"
    listed = [each.token.split("_")[1] for each in (program, second)]
    assert {each["id"] for each in owner.get(path).json["items"]} == {*listed}
    assert program.delete(f"/v1/me/tokens/{listed[1]}").status_code == 403
    stranger = newcomer(owner.client, "Bran")
    for foreign in (path, f"{path}/{listed[1]}", f"/v1/me/programs/{program.id}"):
        assert stranger.ask("GET" if foreign == path else "DELETE", foreign).status_code == 404
    assert owner.delete(f"{path}/{listed[1]}").status_code == 204
    assert second.get("/v1/me").status_code == 401
    assert owner.delete(f"/v1/me/programs/{program.id}").status_code == 204
    assert program.get("/v1/me").status_code == 401
    assert program.id not in [each["id"] for each in owner.get("/v1/me/programs").json["items"]]
