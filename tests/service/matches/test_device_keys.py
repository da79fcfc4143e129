"""A device that was signed in plays at every seat of its player, and the record says who vouched for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask.testing import FlaskClient

from service.accounts import tokens
from service.config import Config
from service.db.connection import rows, write_transaction
from service.jobs.queue import RetryLater
from service.mail import letters as kinds
from service.mail.letters.blocks import Link
from service.matches import key_revocation
from service.record.keys import public_key_of
from service.record.verify import verify
from tests.support.http_tables import SeatClient, head, make, resolved, unchanged
from tests.support.letter_jobs import letter_context
from tests.support.players import Person, letters

People = Callable[..., Person]


STOP_FORM = '<form method="post"><button'


def device_of(player: Person, label: str = "phone", token: str = "", **body: Any) -> Person:  # noqa: ANN401
    """Return the same player at another device, with a separate token and a key that may play everywhere."""
    private = Ed25519PrivateKey.generate()
    if not token:
        with write_transaction():
            token = tokens.issue(player.id, "browser", ("play", "read", "account")).text
    made = replace(player, token=token, private=private)
    answer = made.post("/v1/me/keys", {"jwk": made.key.jwk, "label": label, "seats": True, **body})
    assert answer.status_code == 201, answer.text
    return made


def house_lines(match: str) -> list[str]:
    return [line for (line,) in rows("select line from entry where match = ? and seat = -2 order by seq", match)]


def seat_of(table: SeatClient, player: Person) -> SeatClient:
    return replace(table, person=player)


def key_list(*people: Person) -> str:
    return ",".join(sorted(each.key.id for each in people))


def test_the_house_gives_the_key_to_the_seat_right_before_its_first_line(person: People) -> None:
    aoife, bran = person(), person("Bran")
    one, two = make(aoife, bran)
    other = make(aoife, bran)[0]
    phone = device_of(aoife)
    assert house_lines(one.match) == []
    on_phone = seat_of(one, phone)
    seq, line = head(one.match)[0], one.lines[-1]
    refused = unchanged(one, lambda: on_phone.send(on_phone.signed("dance")))
    assert (refused.status_code, refused.json["table"]["seq"]) == (422, seq)
    answer = on_phone.send(on_phone.signed(line))
    assert answer.status_code == 202, answer.text
    assert answer.json["receipt"]["seq"] == seq + 2
    found = rows("select seat, line, key from entry where match = ? and seq > ? order by seq", one.match, seq)
    assert found == [(-2, f"keys 0 {key_list(aoife, phone)}", None), (0, line, phone.key.id)]
    on_phone.move(on_phone.lines[0])
    assert len(house_lines(one.match)) == 1, "once is enough"
    assert house_lines(other.match) == [], "other matches stay untouched"
    assert [(each["player"], each["key"]) for each in letters("device")] == [(aoife.id, phone.key.id)]
    assert on_phone.send(on_phone.signed(line, asked=0, prev="0" * 64)).status_code == 409
    assert two.question is not None
    two.move(two.lines[-1], "draw deck")
    one.move(one.lines[-1], "draw deck")
    resolved(one.match)
    report = verify(one.get("record").data)
    assert (report.signed, report.attested) == (4, 2)


def test_the_same_submission_again_happens_once(person: People) -> None:
    one, _ = make(person(), person("Bran"))
    phone = seat_of(one, device_of(one.person))
    body = phone.signed(phone.lines[-1])
    first, again = phone.send(body), phone.send(body)
    assert (first.status_code, again.json) == (202, first.json)
    assert len(house_lines(one.match)) == 1


def test_a_seat_without_any_key_gets_its_first_one(person: People) -> None:
    one, _ = make(person(), person("Bran"))
    one.person.delete(f"/v1/me/keys/{one.person.key.id}")
    phone = seat_of(one, device_of(one.person))
    phone.move(phone.lines[-1])
    assert house_lines(one.match) == ["keys 0 -", f"keys 0 {phone.person.key.id}"]


def test_only_a_token_with_the_scope_account_lets_a_key_play(person: People) -> None:
    aoife, bran = person(scopes=("play", "read")), person("Bran")
    one, _ = make(aoife, bran)
    thief = replace(aoife, private=Ed25519PrivateKey.generate())
    refused = thief.post("/v1/me/keys", {"jwk": thief.key.jwk, "seats": True})
    assert (refused.status_code, refused.json["scope"]) == (403, "account")
    assert thief.post("/v1/me/keys", {"jwk": thief.key.jwk}).status_code == 201
    at_seat = seat_of(one, thief)
    refused = unchanged(one, lambda: at_seat.send(at_seat.signed(at_seat.lines[0])))
    assert (refused.status_code, refused.json["type"]) == (403, "/problems/not-your-key")
    stranger = seat_of(one, replace(device_of(bran), token=aoife.token))
    assert stranger.send(stranger.signed(one.lines[0])).status_code == 403, "a key of somebody else"


def test_a_key_that_was_there_may_be_let_play_later(person: People) -> None:
    one, _ = make(person(), person("Bran"))
    later = replace(one.person, private=Ed25519PrivateKey.generate())
    later.post("/v1/me/keys", {"jwk": later.key.jwk, "label": "tablet"})
    answer = later.post("/v1/me/keys", {"jwk": later.key.jwk, "seats": True})
    assert (answer.status_code, answer.json["seats"], answer.json["label"]) == (200, True, "tablet")
    at_seat = seat_of(one, later)
    assert at_seat.send(at_seat.signed(at_seat.lines[0])).status_code == 202


def test_orders_wait_and_the_seat_gets_their_key_when_they_are_made(person: People) -> None:
    one, two = make(person(), person("Bran"))
    phone = seat_of(two, device_of(two.person))
    table = two.read("table")
    hand = table["view"]["hand"]
    asked = {"asked": table["seq"], "prev": table["hash"]}
    answer = phone.send(phone.signed(f"discard {hand[0]}", "draw deck", orders=True, **asked))
    assert (answer.json["status"], house_lines(two.match)) == ("waiting", [])
    newer = device_of(two.person, token=phone.person.token)
    assert newer.get(f"/v1/me/keys/{phone.person.key.id}").json["replaced_at"] is not None
    one.move(one.lines[-1], "draw deck")
    assert house_lines(two.match) == [f"keys 1 {key_list(two.person, phone.person)}"]
    assert two.read(answer.headers["Location"].removeprefix(two.path("")))["status"] == "made"
    assert [each["key"] for each in letters("device")] == [phone.person.key.id]
    report = verify(two.get("record").data)
    assert (report.signed, report.attested) == (2, 2)


def test_a_tokens_new_key_takes_the_place_of_its_old_one(person: People) -> None:
    one, two = make(person(), person("Bran"))
    old = seat_of(one, device_of(one.person))
    old.move(old.lines[-1])
    new = seat_of(one, device_of(one.person, "again", token=old.person.token))
    new.move(new.lines[0])
    assert house_lines(one.match)[-1] == f"keys 0 {key_list(one.person, new.person)}"
    two.move(two.lines[-1], "draw deck")
    refused = old.send(old.signed(old.lines[0]))
    assert (refused.status_code, refused.json["type"]) == (403, "/problems/not-your-key")
    with write_transaction():
        tokens.revoke(one.person.id, new.person.token.split("_")[1])
    device_of(one.person, "third")
    assert rows("select replaced_at is null from signing_key where id = ?", new.person.key.id) == [(False,)]


def test_of_nine_keys_the_one_unused_longest_goes(person: People) -> None:
    one, two = make(person(), person("Bran"))
    devices = [device_of(one.person, f"device {number}") for number in range(8)]
    used: list[Person] = []
    for each in devices:
        while one.question is None:
            two.move(two.lines[-1])
        at_seat = seat_of(one, each)
        at_seat.move(at_seat.lines[-1])
        used.append(each)
    last = house_lines(one.match)[-1].split(" ")[2].split(",")
    assert len(last) == 8
    assert set(last) == {each.key.id for each in used}, "the key of the start made no line"


def test_where_moves_are_signed_the_house_gives_nothing(person: People) -> None:
    one, _ = make(person(), person("Bran"), moves="signed")
    phone = seat_of(one, device_of(one.person))
    refused = unchanged(one, lambda: phone.send(phone.signed(phone.lines[0])))
    assert (refused.status_code, refused.json["type"]) == (403, "/problems/not-your-key")
    assert refused.json["signed"] is True
    assert letters("device") == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_letter_has_a_link_whose_button_stops_the_device(
    person: People, client: FlaskClient, config: Config, language: str
) -> None:
    one, _ = make(person(language=language), person("Bran"))
    phone = seat_of(one, device_of(one.person))
    phone.move(phone.lines[-1])
    (job,) = letters("device")
    letter = kinds.compose(letter_context(job, config))
    assert letter is not None
    assert (
        letter.subject
        == {"en": "“phone” now plays for you", "fr": "«\u00a0phone\u00a0» joue pour vous maintenant"}[language]
    )
    (link,) = [block.url for block in letter.blocks if isinstance(block, Link)]
    path = link.removeprefix(config.url)
    for _ in range(2):
        page = unchanged(one, lambda: client.get(path))
        assert (page.status_code, page.headers["Cache-Control"]) == (200, "no-store")
        assert STOP_FORM in page.text
    assert phone.get("table").status_code == 200, "looking changes nothing"
    foreign = client.post(path, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status_code == 403
    for _ in range(2):
        done = client.post(path, headers={"Sec-Fetch-Site": "same-origin"})
        assert (done.status_code, STOP_FORM in done.text) == (200, False)
    assert house_lines(one.match)[-1] == f"keys 0 {one.person.key.id}"
    assert phone.get("table").status_code == 401, "it is signed out too"
    assert client.get(path[:-1] + ("a" if path[-1] != "a" else "b")).status_code == 404
    assert kinds.compose(letter_context(job, config)) is None, "nothing is left to tell"


def test_leaving_in_the_browser_takes_its_key_with_it(client: FlaskClient, person: People) -> None:
    aoife = person()
    with write_transaction():
        issued = tokens.issue_session(aoife.id, "Firefox", ("play", "read", "account"))
    phone = device_of(aoife, token=issued.text)
    client.set_cookie("echtra", issued.text)
    assert client.post("/leave", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 303
    assert rows("select revoked_at is not null from token where id = ?", issued.token.id) == [(True,)]
    assert rows("select replaced_at is not null from signing_key where id = ?", phone.key.id) == [(True,)]
    assert rows("select 1 from job where key = ?", f"retire:{aoife.id}:{phone.key.id}") == [(1,)]


def test_keys_of_a_token_that_is_signed_out_go_once_no_order_waits(person: People) -> None:
    one, two = make(person(), person("Bran"))
    phone = seat_of(two, device_of(two.person))
    table = two.read("table")
    asked = {"asked": table["seq"], "prev": table["hash"]}
    phone.send(phone.signed(f"discard {table['view']['hand'][0]}", "draw deck", orders=True, **asked))
    token = phone.person.token.split("_")[1]
    tokens.revoke(two.person.id, token)
    key_revocation.retire_keys_of_token(two.person.id, token)
    assert rows("select count(*) from job where topic = 'retire'") == [(1,)]
    with pytest.raises(RetryLater):
        key_revocation.revoke_retired_key(two.person.id, phone.person.key.id)
    one.move(one.lines[-1], "draw deck")
    assert len(house_lines(one.match)) == 1, "the order was made"
    for _ in range(2):
        key_revocation.revoke_retired_key(two.person.id, phone.person.key.id)
    assert house_lines(one.match)[-1] == f"keys 1 {two.person.key.id}"
    assert public_key_of(phone.person.private).id not in house_lines(one.match)[-1]
