"""Addresses that are forgotten: after leaving, and where nobody confirmed them; looked for in every table."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from service.accounts import players
from service.config import Config
from service.db.connection import db, execute, rows, write_transaction
from service.mail.incoming import inbox
from service.mail.outgoing import deliver as letters
from service.matches import erasure
from tests.support.mail_replies import config_with_mail, message
from tests.support.mailbox import deliver, sent, text_of
from tests.support.players import Client, Clock, Person

People = Callable[..., Person]
ADDRESS = "nuala@example.org"
NUALA = {"name": "Nuala", "address": ADDRESS, "language": "fr", "zone": "Europe/Paris"}


def tables_with(word: str) -> set[str]:
    """The tables in which a word stands anywhere."""
    held = {table: rows(f"select * from {table}") for table in db.get_tables()}  # noqa: S608  # our own
    return {table for table, found in held.items() for row in found for value in row if word in _text(value)}


def _text(value: object) -> str:
    raw = bytes(value) if isinstance(value, memoryview) else value
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)


def test_an_address_that_nobody_confirms_is_forgotten(config: Config, client: Client, clock: Clock) -> None:
    assert client.post("/v1/players", json=NUALA).status_code == 202
    assert deliver(config) == 1
    assert tables_with(ADDRESS) == {"code", "job", "letter"}
    for days in (7, 2):
        clock.forward(days=days)
        letters.forget_old_letters(config)
    assert client.post("/v1/tokens", json={"address": "brian@example.org"}).status_code == 202
    assert tables_with(ADDRESS) == set()
    assert tables_with("Nuala") == set()


def test_who_leaves_is_forgotten_in_every_table(config: Config, client: Client, person: People) -> None:
    client.post("/v1/players", json=NUALA)
    deliver(config)
    code = re.findall(r"[a-z0-9]{16}-[a-z0-9]{26}", text_of(sent("confirm")[0]))[-1]
    assert client.post("/v1/confirmations", json={"code": code}).status_code == 201
    aoife = person("Aoife")
    match = aoife.post("/v1/matches", {"game": "keltis", "seats": 2}).json["id"]
    assert aoife.post(f"/v1/matches/{match}/invitations", {"address": ADDRESS}).status_code == 201
    request = client.post("/v1/tokens", json={"address": ADDRESS}).json["id"]
    deliver(config)
    digits = re.findall(r"\b\d{6}\b", text_of(sent("code")[0]))[0]
    token = client.post(f"/v1/tokens/{request}/code", json={"code": digits, "scopes": ["account"]}).json["token"]
    said = f"From: {ADDRESS}\r\nTo: {config.mail_from}\r\nMessage-ID: <1@x>\r\n\r\nhelp, I am Nuala\r\n".encode()
    (letter,) = inbox.store(said, "smtp", config, envelope=ADDRESS.upper(), recipients=(config.mail_from,))
    inbox.process(letter, config)
    inbox.store(said + b"again", "smtp", config, envelope=ADDRESS, recipients=(config.mail_from,))
    assert tables_with(ADDRESS) >= {"player", "letter", "inbox"}
    answer = client.delete("/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert answer.json["remains"].keys() == erasure.REMAINS.keys()
    assert answer.json["remains"]["letters"] == rows("select count(*) from letter where player is not null")[0][0]
    assert tables_with(ADDRESS) == set()
    assert tables_with("Nuala") == set()


def host_invites(config: Config, clock: Clock, person: People) -> tuple[Person, str]:
    """Somebody who invites by letter, in words that are kept in several places; the answer's address for the guest."""
    aoife = person("Aoife")
    for text, verdict in (
        (f"new keltis with {ADDRESS.upper()} and x{ADDRESS}", "pass"),
        (f"new chess with {ADDRESS}", "pass"),
        (f"invite {ADDRESS}", ""),
    ):
        raw = message(text, aoife.address, config.mail_from, verdict=verdict)
        (number,) = inbox.store(raw, "smtp", config, envelope=aoife.address, recipients=(config.mail_from,))
        inbox.process(number, config)
        clock.forward(minutes=10)
    deliver(config)
    (invitation,) = [each for each in sent("invitation") if each["To"].addresses[0].addr_spec == ADDRESS]
    return aoife, str(invitation["Reply-To"].addresses[0].addr_spec)


def mentions() -> list[str]:
    """Payloads of jobs and of reply addresses in which the address stands."""
    found = rows("select payload from job") + rows("select payload from reply")
    return [text for (text,) in found if re.search(rf"(?<!x){ADDRESS}", text, re.IGNORECASE)]


def test_a_guest_who_declines_for_good_is_forgotten_in_what_the_host_wrote(
    config: Config, clock: Clock, person: People
) -> None:
    config = config_with_mail(config)
    _, to = host_invites(config, clock, person)
    assert len(mentions()) >= 3, "or this test looks for nothing"
    raw = message("stop", ADDRESS, to)
    (number,) = inbox.store(raw, "smtp", config, envelope=ADDRESS, recipients=(to,))
    outcome = inbox.process(number, config)
    assert outcome is not None
    assert outcome.what == "declined"
    assert mentions() == []
    assert f"x{ADDRESS}" in str(rows("select payload from job")), "another address stays"
    assert rows("select answer from invitation where address is null") == [("declined",)]


def test_a_guest_who_took_the_seat_is_forgotten_when_the_account_is_erased(
    config: Config, clock: Clock, person: People
) -> None:
    config = config_with_mail(config)
    _, to = host_invites(config, clock, person)
    (number,) = inbox.store(message("join", ADDRESS, to), "smtp", config, envelope=ADDRESS, recipients=(to,))
    outcome = inbox.process(number, config)
    assert outcome is not None
    assert outcome.player is not None
    assert mentions()
    erasure.erase_player(outcome.player)
    assert mentions() == []
    assert f"x{ADDRESS}" in str(rows("select payload from job")), "another address stays"


@pytest.mark.usefixtures("service")
@pytest.mark.parametrize("address", ["a_b@x.org", "%@x.org"])
def test_signs_in_an_address_stand_for_nothing_but_themselves(address: str) -> None:
    others = ["axb@x.org", "ab@x.org", "c@x.org"]
    for each in (address, *others):
        players.register("Nuala", each, "en", "UTC")
    execute("update job set done_at = 1")
    with write_transaction():
        erasure.forget_address(address)
    assert rows("select address from job where payload <> '{}' order by id") == [(each,) for each in others]
    assert rows("select count(*) from job where payload = '{}' and address is null") == [(1,)]
    assert tables_with(address) == set()
