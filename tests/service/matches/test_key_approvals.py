"""An older device signs for a new one, in all matches by one call; then what the new one signs is proved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from service.record.signed_text import link_to_previous, move_text
from service.record.verify import verify
from tests.service.matches.test_device_keys import device_of, house_lines, key_list, seat_of
from tests.support.http_tables import head, make, unchanged
from tests.support.players import Person

People = Callable[..., Person]


def listed(device: Person) -> list[dict[str, Any]]:
    answer = device.get(f"/v1/me/keys/{device.key.id}/approvals")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json["items"]
    return found


def signed(by: Person, items: list[dict[str, Any]]) -> dict[str, Any]:
    """The items, signed by this device."""
    made = []
    for item in items:
        parts = {name: item[name] for name in ("match", "seat", "asked", "prev", "line")}
        signature = by.private.sign(move_text(**parts, n=1, before=link_to_previous(None, orders=False))).hex()
        about = {name: item[name] for name in ("match", "asked", "prev", "line")}
        made.append({**about, "key": by.key.id, "signature": signature})
    return {"items": made}


def test_one_call_lets_a_device_play_in_all_matches(person: People) -> None:
    aoife, bran = person(), person("Bran")
    strict, loose = make(aoife, bran, moves="signed", title="Strict")[0], make(aoife, bran)[0]
    make(bran)
    phone = device_of(aoife)
    items = listed(phone)
    assert {(item["match"], item["moves"], item["title"]) for item in items} == {
        (strict.match, "signed", "Strict"),
        (loose.match, "any", ""),
    }
    assert all(item["keys"] == [aoife.key.id] and item["waiting"] == 0 for item in items)
    assert {item["line"] for item in items} == {f"keys {key_list(aoife, phone)}"}
    path = f"/v1/me/keys/{phone.key.id}/approvals"
    answer = aoife.post(path, signed(aoife, items))
    assert answer.status_code == 200, answer.text
    assert [item["made"] for item in answer.json["items"]] == [True, True]
    assert listed(phone) == []
    for table in (strict, loose):
        on_phone = seat_of(table, phone)
        on_phone.move(on_phone.lines[-1])
        assert house_lines(table.match) == []
        report = verify(table.get("record").data)
        assert (report.signed, report.attested) == (2, 0)


def test_what_the_house_vouched_for_is_proved_from_the_signature_on(person: People) -> None:
    aoife = person()
    table, _ = make(aoife, person("Bran"))
    phone = device_of(aoife)
    on_phone = seat_of(table, phone)
    on_phone.move(on_phone.lines[-1])
    (item,) = listed(phone)
    assert aoife.post(f"/v1/me/keys/{phone.key.id}/approvals", signed(aoife, [item])).json["items"][0]["made"]
    on_phone.move(on_phone.lines[0])
    report = verify(table.get("record").data)
    assert (report.signed, report.attested) == (2, 1)


def test_a_device_that_is_only_attested_cannot_prove_another(person: People) -> None:
    aoife = person()
    table, _ = make(aoife, person("Bran"))
    phone = device_of(aoife)
    on_phone = seat_of(table, phone)
    on_phone.move(on_phone.lines[-1])
    tablet = device_of(aoife, "tablet")
    (item,) = listed(tablet)
    assert item["keys"] == [aoife.key.id]
    assert aoife.post(f"/v1/me/keys/{tablet.key.id}/approvals", signed(phone, [item])).json["items"][0]["made"]
    assert [each["match"] for each in listed(tablet)] == [table.match], "it is on the seat, and still not proved"


def test_a_refusal_does_not_hold_up_the_other_matches(person: People) -> None:
    aoife, bran = person(), person("Bran")
    first, second, third = (make(aoife, bran, moves="signed")[0] for _ in range(3))
    phone = device_of(aoife)
    path = f"/v1/me/keys/{phone.key.id}/approvals"
    places = [each.match for each in (first, second, third)]
    body = signed(aoife, sorted(listed(phone), key=lambda item: places.index(item["match"])))
    first.move(first.lines[-1])
    body["items"][1]["signature"] = "0" * 128
    found = aoife.post(path, body).json["items"]
    assert [item["made"] for item in found] == [False, False, True]
    assert [item["type"] for item in found] == ["/problems/question-changed", "/problems/wrong-signature", None]
    assert all(item["detail"] for item in found[:2])
    assert {item["match"] for item in listed(phone)} == {first.match, second.match}
    french = aoife.post(path, body, Accept_Language="fr").json["items"]
    assert french[1]["detail"] != found[1]["detail"]
    assert third.match not in {item["match"] for item in listed(phone)}


def test_a_key_is_signed_for_by_others_and_by_a_line_that_names_it(person: People) -> None:
    aoife, bran = person(), person("Bran")
    table, _ = make(aoife, bran, moves="signed")
    phone, tablet = device_of(aoife), device_of(aoife, "tablet")
    (item,) = listed(phone)
    path = f"/v1/me/keys/{phone.key.id}/approvals"

    def refused(body: dict[str, Any], by: Person = aoife) -> str:
        answer = unchanged(table, lambda: by.post(path, body))
        return answer.json["items"][0]["type"] if answer.status_code == 200 else str(answer.status_code)

    assert refused(signed(phone, [item])) == "/problems/not-your-key"
    assert refused(signed(tablet, [item])) == "/problems/not-your-key"
    assert refused(signed(aoife, [{**item, "line": f"keys {key_list(aoife, tablet)}"}])) == "/problems/invalid"
    assert refused(signed(aoife, [{**item, "line": "resign"}])) == "/problems/invalid"
    assert refused(signed(bran, [item]), bran) == "404", "not a key of theirs"
    assert refused({"items": []}) == "422"
    assert head(table.match)[0] == item["asked"]


def test_orders_that_wait_are_told_and_keys_without_a_signer_too(person: People) -> None:
    aoife, bran = person(), person("Bran")
    one, two = make(aoife, bran, moves="signed")
    table = two.read("table")
    asked = {"asked": table["seq"], "prev": table["hash"]}
    two.send(two.signed(f"discard {table['view']['hand'][0]}", "draw deck", orders=True, **asked))
    assert [item["waiting"] for item in listed(device_of(bran))] == [2]
    aoife.delete(f"/v1/me/keys/{aoife.key.id}")
    (item,) = listed(device_of(aoife))
    assert (item["match"], item["keys"]) == (one.match, [])
