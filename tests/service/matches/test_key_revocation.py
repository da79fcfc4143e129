"""A revoked key is taken from every seat that has it; what it signed before stays good."""

from __future__ import annotations

import json
from collections.abc import Callable

from service.db.connection import rows
from service.matches import key_revocation
from service.play.match_loader import load_match_state_at
from service.record.verify import verify
from tests.support.http_tables import SeatClient, head, make, resolved
from tests.support.players import Person

People = Callable[..., Person]


def house_lines(match: str) -> list[str]:
    return [line for (line,) in rows("select line from entry where match = ? and seat = -2 order by seq", match)]


def test_revoking_writes_a_line_of_the_house_into_every_running_match(person: People) -> None:
    aoife, bran = person(), person("Bran")
    first, second = make(aoife, bran)[0], make(bran, aoife)[1]
    other = make(bran)[0]
    assert aoife.delete(f"/v1/me/keys/{aoife.key.id}").status_code == 204
    assert house_lines(first.match) == ["keys 0 -"]
    assert house_lines(second.match) == ["keys 1 -"]
    assert house_lines(other.match) == []
    assert rows("select keys from seat where player = ?", aoife.id) == [("-",), ("-",)]
    assert rows("select count(*) from job where topic = 'revoke'") == [(1,)]


def test_a_revoked_key_signs_nothing_and_what_it_signed_stays_good(person: People) -> None:
    aoife, bran = person(), person("Bran")
    seat_client = make(aoife, bran)
    asked = next(each for each in seat_client if each.question)
    asked.move(asked.lines[0])
    assert asked.person.delete(f"/v1/me/keys/{asked.person.key.id}").status_code == 204
    while asked.question is None:
        waiting = next(each for each in seat_client if each.question)
        waiting.move(waiting.lines[0])
    refused = asked.send(asked.signed(asked.lines[0]))
    assert (refused.status_code, refused.json["type"]) == (403, "/problems/not-your-key")
    report = verify(asked.get("record").data)
    assert [each.line for each in report.house] == [f"keys {asked.seat} -"]
    assert report.signed > 0


def test_doing_it_again_changes_nothing(person: People) -> None:
    aoife = person()
    (seat_client,) = make(aoife)
    aoife.delete(f"/v1/me/keys/{aoife.key.id}")
    before = head(seat_client.match)
    assert key_revocation.remove_key_from_seats(aoife.id, aoife.key.id) == []
    assert head(seat_client.match) == before


def test_other_keys_of_the_seat_stay(person: People) -> None:
    aoife, spare = person(), person("Spare")
    aoife.post("/v1/me/keys", {"jwk": spare.key.jwk, "label": "spare"})
    (seat_client,) = make(aoife)
    aoife.delete(f"/v1/me/keys/{spare.key.id}")
    assert house_lines(seat_client.match) == [f"keys 0 {aoife.key.id}"]
    resolved(seat_client.match)
    while seat_client.question is None:
        resolved(seat_client.match)
    seat_client.move(seat_client.lines[0])


def test_before_the_start_the_seat_gets_a_new_receipt(person: People) -> None:
    aoife, spare = person(), person("Spare")
    aoife.post("/v1/me/keys", {"jwk": spare.key.jwk, "label": "spare"})
    match = aoife.post("/v1/matches", {"game": "keltis", "seats": 2}).json["id"]
    aoife.delete(f"/v1/me/keys/{spare.key.id}")
    ((keys, receipt),) = rows("select keys, receipt from seat where match = ? and player = ?", match, aoife.id)
    assert keys == json.loads(receipt)["keys"] == aoife.key.id


def test_an_erased_player_leaves_the_matches_and_frees_seats_that_wait(person: People) -> None:
    aoife, bran = person(), person("Bran")
    running: SeatClient = make(aoife, bran)[0]
    waiting = aoife.post("/v1/matches", {"game": "keltis", "seats": 2}).json["id"]
    assert aoife.delete("/v1/me").status_code == 200
    assert house_lines(running.match) == ["keys 0 -"]
    assert rows("select count(*) from seat where match = ? and player is not null", waiting) == [(0,)]
    assert bran.get(f"/v1/matches/{waiting}").json["status"] == "cancelled"
    assert rows("select player from seat where match = ? and seat = 0", running.match) == [(aoife.id,)]
    assert load_match_state_at(running.match, *head(running.match)).keys[0] == ()
    assert bran.get(f"/v1/matches/{running.match}").status_code == 200
