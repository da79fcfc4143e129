"""Invitations: invited players see and enter what others do not find, and get one email."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.db.models.tournaments import TournamentInvitationRow
from service.matches.erasure import forget_address
from service.tournaments.documents.document_values import read_moment
from service.tournaments.entry import invitations
from tests.service.tournaments.test_tournament_api import SWISS, apply
from tests.support.mailbox import deliver, sent, text_of
from tests.support.players import Clock, Person
from tests.support.tournaments import document_text

People = Callable[..., Person]
pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
CLOSED = document_text(SWISS).replace("entry: {", "entry: {by: invitation, ")
PATH = "/v1/tournaments/winter-cup"


@pytest.fixture
def config(config: Config) -> Config:
    """Letters without a hold, to the local mailbox."""
    return replace(config, letter_hold=0, mail_domain="mail.example", mail_from="echtra@mail.example")


def letters(service: Config, address: str) -> list[str]:
    """Return the invitation emails to an address."""
    deliver(service)
    return [text_of(each) for each in sent("tournament-invitation") if address in each["To"]]


def test_who_is_invited_sees_and_enters_what_strangers_do_not_find(
    person: People, client: FlaskClient, service: Config, clock: Clock
) -> None:
    orla, aoife, brendan = person("Orla"), person("Aoife"), person("Brendan", language="fr")
    made = apply(orla, CLOSED).json
    path = f"/v1/tournaments/{made['id']}"
    assert [each.get(path).status_code for each in (aoife, brendan)] == [404, 404]
    assert aoife.post(f"{path}/entrants", {"nonce": "00"}).status_code == 404
    invited = orla.post(f"{path}/invitations", {"player": aoife.id})
    assert (invited.status_code, invited.json["player"], invited.json["by"]["name"]) == (201, aoife.id, "Orla")
    by_address = orla.post(f"{path}/invitations", {"address": brendan.address.upper()})
    assert (by_address.status_code, by_address.json["player"]) == (201, None)
    assert [each.get(path).status_code for each in (aoife, brendan)] == [200, 200]
    assert [each["name"] for each in aoife.get("/v1/tournaments").json["items"]] == ["winter-cup"]
    assert client.get(path).status_code == 404
    assert client.get("/v1/tournaments").get_json()["items"] == []
    clock.at = read_moment("2027-01-17T18:00Z", "UTC").at
    for guest in (aoife, brendan):
        assert guest.post(f"{path}/entrants", {"nonce": "00"}).json["status"] == "in"
    (english,), (french,) = letters(service, aoife.address), letters(service, brendan.address)
    assert "Orla invites you to a tournament: Winter." in english
    assert "“enter winter-cup”" in english
    assert "Swiss" in english
    assert "Orla vous invite à un tournoi" in french
    listed = orla.get(f"{path}/invitations").json["items"]
    assert {each["address"] or each["player"] for each in listed} == {aoife.id, brendan.address}


def test_an_invitation_is_sent_once_and_by_organisers_only(person: People, service: Config) -> None:
    orla, aoife = person("Orla"), person("Aoife")
    apply(orla, document_text(SWISS))
    first, again = (orla.post(f"{PATH}/invitations", {"player": aoife.id}).json for _ in range(2))
    assert first == again
    assert len(letters(service, aoife.address)) == 1
    assert aoife.post(f"{PATH}/invitations", {"player": orla.id}).status_code == 403
    assert aoife.get(f"{PATH}/invitations").status_code == 403
    assert orla.post(f"{PATH}/invitations", {"player": "nosuchplayer0000"}).status_code == 404
    for body in ({}, {"player": aoife.id, "address": "x@example.com"}, {"address": "no address"}):
        assert orla.post(f"{PATH}/invitations", body).status_code == 422, body


def test_an_address_without_an_account_is_invited_by_one_letter_and_forgotten(person: People, service: Config) -> None:
    orla = person("Orla")
    made = apply(orla, CLOSED).json
    path = f"/v1/tournaments/{made['id']}"
    for _ in range(2):
        assert orla.post(f"{path}/invitations", {"address": "guest@example.org"}).status_code == 201
    (letter,) = letters(service, "guest@example.org")
    assert "sign in with this address" in letter
    assert f"/tournaments/{made['id']}" in letter
    forget_address("guest@example.org")
    assert orla.get(f"{path}/invitations").json["items"] == []


def test_a_day_has_room_for_so_many_invitations(person: People, monkeypatch: pytest.MonkeyPatch) -> None:
    orla, guests = person("Orla"), [person(f"Guest {number}") for number in range(3)]
    apply(orla, document_text(SWISS))
    monkeypatch.setattr(invitations, "MOST_A_DAY", 2)
    answers = [orla.post(f"{PATH}/invitations", {"player": guest.id}).status_code for guest in guests]
    assert answers == [201, 201, 422]
    assert TournamentInvitationRow.select().count() == 2


def test_a_link_counts_as_invitations_of_the_owner(person: People, monkeypatch: pytest.MonkeyPatch) -> None:
    orla, *guests = (person(name) for name in ("Orla", "Aoife", "Brendan", "Ciara"))
    path = f"/v1/tournaments/{apply(orla, CLOSED).json['id']}"
    assert guests[0].ask("PUT", f"{path}/link").status_code == 404
    link = orla.ask("PUT", f"{path}/link").json
    assert link["url"].endswith(f"/invitation/{link['link']}")
    monkeypatch.setattr(invitations, "MOST_A_DAY", 2)
    answers = [guest.post(f"{path}/link", {"link": link["link"]}).status_code for guest in (*guests[:2], *guests)]
    assert answers == [204, 204, 204, 204, 422], "who was invited before is not counted again"
    assert guests[2].get(path).status_code == 404
    assert guests[2].post(f"{path}/link", {"link": "0" * 24}).status_code == 404
    assert guests[0].delete(f"{path}/link").status_code == 403
    assert orla.delete(f"{path}/link").status_code == 204
    assert guests[0].post(f"{path}/link", {"link": link["link"]}).status_code == 404
    assert guests[0].get(path).status_code == 200


def test_invitations_by_address_count_against_the_quota_of_unsolicited_mail(person: People, service: Config) -> None:
    address, written = "stranger@example.org", []
    for number in range(3):
        orla = person(f"Orla {number}")
        cup = apply(orla, document_text(SWISS)).json["id"]
        invited = orla.post(f"/v1/tournaments/{cup}/invitations", {"address": address})
        written.append((invited.status_code, len(letters(service, address))))
    assert written == [(201, 1)] * 3, "one unsolicited email a day, whoever invites; the answer does not reveal it"
