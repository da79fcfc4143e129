"""Every list of a person or a match goes on page by page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.service.matches.test_device_keys import device_of
from tests.support.http_tables import make
from tests.support.paging import check_pages
from tests.support.players import Person

People = Callable[..., Person]


def list_games(_: People, aoife: Person) -> tuple[Person, str]:
    return aoife, "/v1/games"


def list_notes(person: People, aoife: Person) -> tuple[Person, str]:
    one, two = make(aoife, person("Bran"))
    for number in range(3):
        for seat in (one, two):
            assert seat.post("notes", {"text": f"Note {number}"}).status_code == 201
    return aoife, one.path("notes")


def list_offers(person: People, aoife: Person) -> tuple[Person, str]:
    one, two = make(aoife, person("Bran"))
    for seat, kind in ((one, "end"), (two, "cancel"), (one, "end")):
        offer = seat.post("offers", {"kind": kind}).json["id"]
        assert seat.post(f"offers/{offer}", {"agree": False}).status_code == 200
    return aoife, one.path("offers")


def list_organisers(person: People, aoife: Person) -> tuple[Person, str]:
    for name in ("Orla", "Bran", "Ciara"):
        assert aoife.ask("PUT", f"/v1/me/organisers/{person(name).id}").status_code == 204
    return aoife, "/v1/me/organisers"


def list_programs(_: People, aoife: Person) -> tuple[Person, str]:
    for _number in range(3):
        assert aoife.post("/v1/me/programs", {"name": "Engine"}).status_code == 201
    return aoife, "/v1/me/programs"


def list_approvals(person: People, aoife: Person) -> tuple[Person, str]:
    bran = person("Bran")
    for moves in ("signed", "any", "signed"):
        make(aoife, bran, moves=moves)
    phone = device_of(aoife)
    return phone, f"/v1/me/keys/{phone.key.id}/approvals"


@pytest.mark.parametrize("fill", [list_games, list_notes, list_offers, list_organisers, list_programs, list_approvals])
def test_a_list_goes_on_page_by_page(person: People, fill: Callable[..., tuple[Person, str]]) -> None:
    reader, path = fill(person, person("Aoife"))
    check_pages(reader.get, path)
