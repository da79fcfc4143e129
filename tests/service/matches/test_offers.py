"""Offers to end a match, and notes to the table."""

from __future__ import annotations

from collections.abc import Callable

from flask.testing import FlaskClient

from service.db.connection import rows
from service.record.verify import verify
from tests.support.http_tables import Answer, head, make
from tests.support.players import Person

People = Callable[..., Person]


def test_an_end_needs_every_person_and_keeps_the_scores(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    made = one.post("offers", {"kind": "end"})
    assert (made.status_code, made.json["status"], made.json["agreed"]) == (201, "open", [0])
    assert one.post("offers", {"kind": "end"}).json["agreed"] == [0]
    assert head(one.match)[0] == 2
    done = two.post(f"offers/{made.json['id']}", {"agree": True})
    assert (done.status_code, done.json["status"], done.json["agreed"]) == (200, "made", [0, 1])
    table = one.read("table")
    assert (table["status"], table["result"]["why"]) == ("over", "agreed")
    assert [score["total"] for score in table["result"]["scores"]] == [-4, -4]
    assert one.read("history")["items"][-1]["line"] == "end agreed"
    verify(one.get("record").data)
    assert two.post("offers", {"kind": "end"}).json["type"] == "/problems/match-over"


def test_a_cancelled_match_has_no_result(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    one.post("offers", {"kind": "end"})
    one.post("offers", {"kind": "cancel"})
    assert two.post("offers", {"kind": "cancel"}).json["status"] == "made"
    assert one.read("table")["result"] == {"why": "cancelled", "scores": None, "winners": []}
    assert sorted(offer["status"] for offer in one.read("offers")["items"]) == ["lapsed", "made"]


def test_offers_are_refused_withdrawn_and_do_not_stop_play(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    first = one.post("offers", {"kind": "end"}).json["id"]
    assert two.post(f"offers/{first}", {"agree": False}).json["status"] == "declined"
    assert two.post(f"offers/{first}", {"agree": True}).status_code == 409
    second = one.post("offers", {"kind": "end"}).json["id"]
    assert one.post(f"offers/{second}", {"agree": False}).json["status"] == "withdrawn"
    third = one.post("offers", {"kind": "end"}).json["id"]
    one.move(one.lines[-1], "draw deck")
    assert two.post(f"offers/{third}", {"agree": True}).json["status"] == "made"
    assert one.read("table")["status"] == "over"


def test_beside_bots_an_offer_is_made_at_once(person: People) -> None:
    (one,) = make(person("Aoife"))
    assert one.post("offers", {"kind": "cancel"}).json["status"] == "made"


def test_spectators_take_no_part(person: People) -> None:
    one, _ = make(person("Aoife"), person("Brendan"))
    stranger = person("Ciara")
    for method, path, body in (
        ("POST", "offers", {"kind": "end"}),
        ("GET", "offers", None),
        ("POST", "notes", {"text": "Hello"}),
        ("GET", "notes", None),
        ("PUT", "notes/mute", {"muted": True}),
    ):
        answer: Answer = stranger.ask(method, one.path(path), body)
        assert (answer.status_code, answer.json["type"]) == (403, "/problems/not-your-seat"), path


def test_notes_are_read_by_the_table_and_can_be_muted(person: People, client: FlaskClient) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    written = one.post("notes", {"text": "Bonne chance !\nÀ toi."})
    assert (written.status_code, written.json["seat"], written.json["name"]) == (201, 0, "Aoife")
    two.post("notes", {"text": "Merci"})
    assert [note["text"] for note in two.read("notes")["items"]] == ["Merci", "Bonne chance !\nÀ toi."]
    assert rows("select player, type from event where type = 'note.written' order by id") == [
        (two.person.id, "note.written"),
        (one.person.id, "note.written"),
    ]
    assert two.person.ask("PUT", two.path("notes/mute"), {"muted": True}).status_code == 204
    assert two.read("notes") == {"items": [two.read("notes")["items"][0]], "muted": True}
    assert two.read("notes")["items"][0]["text"] == "Merci"
    one.post("notes", {"text": "Still there?"})
    assert len(rows("select 1 from event where type = 'note.written'")) == 2
    two.person.ask("PUT", two.path("notes/mute"), {"muted": False})
    assert len(two.read("notes")["items"]) == 3
    assert "chance !" not in client.get(one.path("record")).text
    assert "chance !" not in client.get(one.path("history")).text


def test_notes_steer_nobodys_terminal(person: People) -> None:
    one, two = make(person("Aoife"), person("Brendan"))
    assert one.post("notes", {"text": "\x1b[2J\x9bHello\x07\n\tthere\r"}).status_code == 201
    assert [note["text"] for note in two.read("notes")["items"]] == ["[2JHello\n\tthere"]
    refused = one.post("notes", {"text": "\x1b \x07"})
    assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "text")


def test_notes_have_their_bounds(person: People) -> None:
    (one,) = make(person("Aoife"))
    for text, status in (("", 422), ("   ", 422), ("x" * 1001, 422), ("a\0b", 400)):
        assert one.post("notes", {"text": text}).status_code == status, repr(text)[:20]
    assert one.post("notes", {"text": "é" * 1000}).status_code == 201
    one.post("notes", {"text": "two"})
    assert [note["text"] for note in one.read("notes?limit=1")["items"]] == ["two"], "the latest first"
