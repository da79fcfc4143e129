"""A seat with signed moves whose keys are all lost gets a new one by a mailed code, after two days and many letters."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.db.connection import rows
from service.jobs.queue import ClaimedJob
from service.mail import letters as kinds
from service.mail.letters.blocks import Link
from service.mail.outgoing.build_message import render_message
from service.record import verify
from service.timestamps import HOUR
from tests.service.matches.test_device_keys import device_of, house_lines, key_list, seat_of
from tests.support.http_tables import make
from tests.support.letter_jobs import letter_context
from tests.support.players import Answer, Clock, Person, letters
from tests.support.turn_letters import ADDRESSES
from worker.schedule import JOB_HANDLERS

People = Callable[..., Person]


def code_of(player: Person) -> dict[str, str]:
    """A code from a letter that the player asked for."""
    assert player.client.post("/v1/tokens", json={"address": player.address}).status_code == 202
    letter = letters("code")[-1]
    return {"request": letter["request"], "code": letter["code"]}


def claim(device: Person, **body: str) -> Answer:
    return device.post(f"/v1/me/keys/{device.key.id}/claims", body or code_of(device))


def do_claims(config: Config) -> None:
    """Let the worker do the claims that it finds, as if they were due."""
    ((payload,),) = rows("select payload from job where topic = 'claim'")
    JOB_HANDLERS["claim"](ClaimedJob(1, "claim", "", payload, 1), config)


def test_the_house_gives_the_key_to_signed_seats_after_two_days(person: People, clock: Clock, config: Config) -> None:
    aoife, bran, ciara = person(), person("Bran"), person("Ciara")
    one = make(aoife, bran, ciara, moves="signed")[0]
    loose, over = make(aoife, bran)[0], make(aoife, bran, moves="signed")[0]
    over.send(over.signed("resign"))
    phone = device_of(aoife)
    claimed = claim(phone)
    assert claimed.status_code == 202, claimed.text
    ((due,),) = rows("select due_at from job where topic = 'claim'")
    assert due == clock.at + 48 * HOUR
    assert claimed.json["claim_due_at"] == "2027-01-17T08:00:00.000Z"
    assert [each["seats"] for each in letters("claim")] == [[[one.match, 0]]]
    assert {(each["player"], each["match"]) for each in letters("claim-seat")} == {
        (bran.id, one.match),
        (ciara.id, one.match),
    }
    on_phone = seat_of(one, phone)
    assert on_phone.send(on_phone.signed(one.lines[0])).status_code == 403
    clock.forward(hours=48)
    for _ in range(2):
        do_claims(config)
    assert house_lines(one.match) == [f"keys 0 {key_list(aoife, phone)}"]
    assert (house_lines(loose.match), house_lines(over.match)) == ([], [])
    assert phone.get(f"/v1/me/keys/{phone.key.id}").json["claim_due_at"] is None
    on_phone.move(one.lines[-1])
    report = verify(one.get("record").data)
    assert (report.signed, report.attested) == (0, 1)


@pytest.mark.parametrize("objection", ["stopped", "moved", "revoked"])
def test_who_objects_or_moves_with_an_older_key_keeps_the_seat(
    person: People, clock: Clock, config: Config, client: FlaskClient, objection: str
) -> None:
    one, _ = make(person(), person("Bran"), moves="signed")
    phone = device_of(one.person)
    assert claim(phone).status_code == 202
    clock.forward(hours=1)
    if objection == "stopped":
        letter = kinds.compose(letter_context(letters("claim")[0], config))
        assert letter is not None
        (link,) = [block.url for block in letter.blocks if isinstance(block, Link)]
        assert client.post(link.removeprefix(config.url), headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200
    elif objection == "moved":
        one.move(one.lines[-1])
    else:
        one.person.delete(f"/v1/me/keys/{phone.key.id}")
    clock.forward(hours=48)
    do_claims(config)
    assert house_lines(one.match) == []


def test_a_claim_needs_a_device_a_match_and_a_fresh_code(person: People) -> None:
    aoife, bran = person(), person("Bran")
    phone = device_of(aoife)

    def kind(answer: Answer) -> tuple[int, Any]:
        return answer.status_code, answer.json["type"].rpartition("/")[2]

    assert kind(claim(phone)) == (409, "conflict"), "no match with signed moves"
    make(aoife, bran, moves="signed")
    tablet = device_of(aoife, "tablet")
    good = code_of(aoife)
    assert kind(claim(tablet, **{**good, "code": "000000"})) == (422, "invalid")
    assert kind(claim(tablet, **code_of(bran))) == (410, "gone")
    assert kind(claim(aoife, **good)) == (409, "conflict"), "its key plays by itself"
    assert kind(claim(phone, **good)) == (409, "conflict"), "the seat was taken with it"
    assert claim(tablet, **good).status_code == 202
    assert kind(claim(tablet)) == (409, "conflict"), "it waits already"
    third = device_of(aoife, "third")
    assert kind(claim(third, **good)) == (410, "gone"), "a code is good once"
    assert [each["key"] for each in letters("claim")] == [tablet.key.id]


@pytest.mark.parametrize(("language", "words"), [("en", "asks to play"), ("fr", "demande à jouer")])
def test_the_letters_say_what_happens_and_when(person: People, config: Config, language: str, words: str) -> None:
    one, two = make(person(language=language), person("Bran", language=language), moves="signed", title="Tuesday")
    phone = device_of(one.person)
    claim(phone)
    own = kinds.compose(letter_context(letters("claim")[0], config))
    others = kinds.compose(letter_context(letters("claim-seat")[0], config))
    assert own is not None
    assert others is not None
    assert words in own.subject
    assert "Tuesday" in str(own.blocks)
    assert (others.to.player, others.match) == (two.person.id, one.match)
    assert others.subject.startswith("Tuesday")
    assert "Aoife" in str(others.blocks)
    assert "17" in str(others.blocks)
    assert phone.key.id not in str(others.blocks)
    foot = {"en": "whatever your email settings", "fr": "quels que soient vos réglages"}[language]
    for letter in (own, others):
        mime = render_message("a" * 20, letter, ADDRESSES, config)
        part = message_from_bytes(mime, policy=default).get_body(("plain",))
        assert part is not None
        text = str(part.get_content())
        assert foot in " ".join(text.split())
