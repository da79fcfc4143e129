"""Names: invisible ones are refused, and look-alike ones are distinguished."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.look_alikes import mixes_alphabets, remove_invisible, skeleton
from tests.support.players import Client, Person

People = Callable[..., Person]


INVISIBLE = (
    "\u202a\u202b\u202d\u202e\u2066\u2069\u200e\u200f\u061c\u200b\u200c\u200d\ufeff\u2060\u00ad\u034f\u180e"
    "\u115f\u1160\u3164\uffa0\u2800\ufff9\U000e0041\ue000\u0378"
)


def test_nobody_has_a_name_with_what_nobody_sees(person: People) -> None:
    aoife = person()
    for sign in INVISIBLE:
        answer = aoife.patch("/v1/me", {"name": f"Aoi{sign}fe"})
        assert (answer.status_code, [each["field"] for each in answer.json["errors"]]) == (422, ["name"])
        assert f"U+{ord(sign):04X}" in answer.json["errors"][0]["reason"]


def test_a_name_keeps_to_one_alphabet(person: People) -> None:
    aoife = person()
    for name in ("Aоife", "Αoife", "Taro Петров"):
        assert aoife.patch("/v1/me", {"name": name}).status_code == 422, name
    for name in ("Іван", "Κώστας", "田中 Taro", "김 Lee", "Seán O’Neill 2", "Aoife 🍀\ufe0f"):
        assert aoife.patch("/v1/me", {"name": name}).json["name"] == name.removesuffix("\ufe0f")


@pytest.mark.parametrize(
    ("name", "like"),
    [
        *[("Aoife", "AOIFE"), ("Aoife", "Aoífe."), ("Aoife", "A o i f e"), ("Bill", "Bi11"), ("Bill", "BiIl")],
        *[("Modern", "Modem"), ("Ocean", "0cean"), ("pax", "рах"), ("Oph", "Ορη"[:2] + "һ"), ("Aoife", "Ａｏｉｆｅ")],
    ],
)
def test_names_that_look_alike_have_one_skeleton(name: str, like: str) -> None:
    assert skeleton(name) == skeleton(like)


def test_other_names_have_another() -> None:
    names = ("Aoife", "Aoibhe", "Bran", "Brian", "Ann", "Anne", "Donn", "🙂", "🙃", "田中", "中田", "Иван", "Іванка")
    assert len({skeleton(name) for name in names}) == len(names)
    assert not mixes_alphabets("Aoife")


def test_look_alikes_are_shown_with_a_piece_of_their_id(person: People, client: Client) -> None:
    first, second, third = person("Raya"), person("Bran"), person("Ciara")
    assert second.patch("/v1/me", {"name": "ВАУА"}).json["name"] == "ВАУА"
    assert second.patch("/v1/me", {"name": "Рауа"}).json["name"] == "Рауа", "Paya is nobody yet"
    shown = third.patch("/v1/me", {"name": "Raya"}).json["name"]
    assert shown == f"Raya ({third.id[:4]})"
    assert client.get(f"/v1/players/{third.id}").json["name"] == shown
    again = second.patch("/v1/me", {"name": shown}).json["name"]
    assert again == f"{shown} ({second.id[:4]})"
    assert first.patch("/v1/me", {"name": "RAYA"}).json["name"] == "RAYA", "it is like nobody else's name"
    assert first.delete("/v1/me").status_code == 200
    assert second.patch("/v1/me", {"name": "raya"}).json["name"] == "raya", "the first is gone"
    program = third.post("/v1/me/programs", {"name": "Raya"}).json["player"]
    assert program["name"] == f"Raya ({program['id'][:4]})"


def test_names_of_letters_lose_what_nobody_sees() -> None:
    assert remove_invisible("Ao\u202eife\u200b \n of  Mag Mell") == "Aoife of Mag Mell"
