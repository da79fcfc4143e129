"""Signed moves over HTTP: what is taken, what is refused, what waits, and who wins a race."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from random import Random
from threading import BoundedSemaphore
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask.testing import FlaskClient

from engine.reading import read
from engine.tuples import put
from service.accounts import signing_keys
from service.db.connection import db, rows, write_transaction
from service.play import accept, match_loader, match_log, submissions
from service.play.submissions import Submission
from service.problems import Problem
from service.record.keys import public_key_of
from service.record.verify import verify
from tests.support.http_tables import Body, People, SeatClient, found, head, make, resolved, unchanged

Pair = tuple[SeatClient, SeatClient]


@pytest.fixture
def pair(person: People) -> Pair:
    """Two people at a match of Keltis that has been dealt; seat 0 begins."""
    one, two = make(person("Aoife"), person("Brendan"))
    return one, two


def test_a_signed_move_is_made_and_receipted(pair: Pair) -> None:
    one, _ = pair
    line = one.lines[0]
    answer = one.send(one.signed(line))
    assert answer.status_code == 202
    assert answer.json["made"] == [line]
    assert answer.json["receipt"]["seq"] == head(one.match)[0] == 3
    sent = found(one, answer)
    assert (sent["status"], sent["lines"], sent["made"]) == ("made", [line], 1)
    assert one.read("history")["items"][-1]["line"] == line
    report = verify(one.get("record").data)
    assert report.entries == 3


def test_several_lines_are_made_together_and_chance_follows(pair: Pair) -> None:
    one, two = pair
    discard = next(line for line in one.lines if line.startswith("discard"))
    made = one.move(discard, "draw deck")
    assert made["made"] == [discard, "draw deck"]
    assert made["status"] == "made"
    assert two.question is not None
    assert len(one.read("table")["view"]["hand"]) == 8


def test_waiting_is_answered_with_the_resolved_table(pair: Pair) -> None:
    one, _ = pair
    discard = next(line for line in one.lines if line.startswith("discard"))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(_send_elsewhere, one, one.signed(discard, "draw deck"))
        while head(one.match)[0] == 2 and not waiting.done():
            time.sleep(0.01)
        resolved(one.match)
        answer = waiting.result()
    assert answer.status_code == 200, answer.text
    assert answer.headers["Preference-Applied"] == "wait=10"
    assert answer.json["table"]["seq"] == 5
    assert answer.json["options"] == {"question": None, "items": [], "more": 0}


def _send_elsewhere(seat_client: SeatClient, body: Body) -> Any:  # noqa: ANN401
    """Send from a separate thread, which returns its connection."""
    try:
        client = seat_client.person.client.application.test_client()
        return client.post(
            seat_client.path("moves"),
            json=body,
            headers={**seat_client.person.bearer, "Prefer": "respond-async, wait=10"},
        )
    finally:
        db.close()


def test_nobody_waits_beyond_the_places_for_it(pair: Pair, client: FlaskClient) -> None:
    one, _ = pair
    room = client.application.extensions["echtra-waiting"] = BoundedSemaphore(1)
    room.acquire()
    answer = one.send(one.signed(one.lines[0]), Prefer="wait=60")
    assert answer.status_code == 202


def wrongs(one: SeatClient, two: SeatClient) -> dict[str, tuple[Body, int, str]]:
    """Submissions of seat 0 that must be refused, with status and kind."""
    asked, line, other = one.question, one.lines[0], one.lines[1]
    good, double = one.signed(line), one.signed(line, other)
    stranger = Ed25519PrivateKey.generate()

    def but(**changes: Any) -> Body:  # noqa: ANN401
        return {**good, **changes}

    def move(**changes: Any) -> Body:  # noqa: ANN401
        return but(moves=[{**good["moves"][0], **changes}])

    flipped = ("0" if good["moves"][0]["signature"][0] != "0" else "1") + good["moves"][0]["signature"][1:]
    return {
        "stale": (one.signed(line, asked=1, prev="0" * 64), 409, "question-changed"),
        "future": (one.signed(line, asked=99, prev="0" * 64), 409, "question-changed"),
        "wrong prev": (one.signed(line, asked=asked["asked"], prev="0" * 64), 422, "wrong-prev"),
        "another line": (move(line=other), 422, "wrong-signature"),
        "flipped bit": (move(signature=flipped), 422, "wrong-signature"),
        "wrong key signs": (one.signed(line, private=stranger), 422, "wrong-signature"),
        "unknown key": (but(key=public_key_of(stranger).id), 403, "not-your-key"),
        "key of another seat": (but(key=two.person.key.id), 403, "not-your-key"),
        "re-ordered": (but(moves=list(reversed(double["moves"]))), 422, "wrong-signature"),
        "first cut off": (but(moves=double["moves"][1:]), 422, "wrong-signature"),
        "mixed": (but(moves=[good["moves"][0], one.signed(other, line)["moves"][1]]), 422, "wrong-signature"),
        "now as an order": (but(orders=True), 422, "wrong-signature"),
        "upper-case hex": (move(signature=good["moves"][0]["signature"].upper()), 422, "invalid"),
        "signature cut": (move(signature=good["moves"][0]["signature"][:-2]), 422, "invalid"),
        "base64": (move(signature="A" * 88), 422, "invalid"),
        "asked as text": (but(asked=str(good["asked"])), 422, "invalid"),
        "asked as truth": (but(asked=True), 422, "invalid"),
        "unknown field": (but(seat=0), 422, "invalid"),
        "unknown field in a move": (move(seat=0), 422, "invalid"),
        "no key": ({name: good[name] for name in ("asked", "prev", "moves")}, 422, "invalid"),
        "too many": (but(moves=good["moves"] * 65), 422, "invalid"),
        "not canonical": (one.signed(f"{line} "), 422, "not-canonical"),
        "not canonical case": (one.signed(line.upper()), 422, "not-canonical"),
        "accents": (but(moves=[{"line": "défausser R5", "signature": "0" * 128}]), 422, "not-canonical"),
        "line end": (one.signed(f"{line}\n"), 422, "not-canonical"),
        "not listed": (one.signed("draw deck"), 422, "not-listed"),
        "no alternative listed": (one.signed("draw deck | draw R"), 422, "not-listed"),
        "house line": (one.signed("end agreed"), 422, "not-canonical"),
        "chance line": (one.signed("draw 0 R5"), 422, "not-listed"),
    }


def test_wrong_submissions_are_refused_and_write_nothing(pair: Pair) -> None:
    one, two = pair
    for name, (body, status, kind) in wrongs(one, two).items():
        answer = unchanged(one, partial(one.send, body))
        assert (answer.status_code, answer.json["type"]) == (status, f"/problems/{kind}"), (name, answer.json)


def test_bodies_that_are_no_json_are_refused(pair: Pair) -> None:
    one, _ = pair
    for data, media, status in (
        (b"{", "application/json", 400),
        (b"[]", "application/json", 422),
        (b'{"moves":[],"moves":[]}', "application/json", 400),
        (b'{"moves":[],"asked":1.0}', "application/json", 400),
        (b"{}", "text/plain", 415),
        (b'{"moves":[' + b" " * 17_000 + b"]}", "application/json", 413),
    ):
        answer = one.person.client.post(one.path("moves"), data=data, content_type=media, headers=one.person.bearer)
        assert answer.status_code == status, (data[:40], answer.text)


def test_no_answer_depends_on_a_signature_alone(pair: Pair, person: People) -> None:
    one, two = pair
    body = one.signed(one.lines[0])
    assert one.person.client.post(one.path("moves"), json=body).status_code == 401
    answer = unchanged(one, lambda: two.send(body))
    assert (answer.status_code, answer.json["type"]) == (403, "/problems/not-your-key")
    stranger = person("Ciara")
    answer = unchanged(one, lambda: SeatClient(stranger, one.match, 0).send(body))
    assert (answer.status_code, answer.json["type"]) == (403, "/problems/not-your-seat")
    accepted = one.send(body)
    assert accepted.status_code == 202
    for other in (two.person, stranger):
        assert other.get(accepted.headers["Location"]).status_code == 404
        assert other.post(one.path("moves"), body).status_code == 403


def test_a_refusal_shows_the_senders_own_table(pair: Pair) -> None:
    one, two = pair
    answer = one.send(one.signed("draw deck"))
    assert answer.json["table"] == one.read("table")
    assert answer.json["options"] == one.read("options")
    body = one.signed(one.lines[0])
    one.send(body)
    fresh = one.send(one.signed("draw deck", asked=body["asked"], prev=body["prev"]))
    assert fresh.status_code == 409
    assert fresh.json["table"]["seat"] == 0
    assert fresh.json["options"]["question"] == one.question
    out_of_turn = two.send(two.signed("draw deck", asked=2, prev=body["prev"]))
    assert out_of_turn.status_code == 409
    assert out_of_turn.json["table"] == two.read("table")
    assert out_of_turn.json["options"]["items"] == []


def test_a_line_that_is_not_canonical_is_told_what_it_may_have_meant(pair: Pair) -> None:
    one, _ = pair
    line = one.lines[0]
    answer = one.send(one.signed(line.upper()))
    assert answer.json["meant"] == [line]


def test_resigning_ends_a_match_of_two(pair: Pair) -> None:
    one, two = pair
    seq, hash_ = head(one.match)
    two.move("resign", asked=seq, prev=hash_)
    table = one.read("table")
    assert (table["status"], table["result"]["why"], table["result"]["winners"]) == ("over", "resign", [0])
    late = unchanged(one, lambda: one.send(one.signed("draw deck", asked=seq, prev=hash_)))
    assert (late.status_code, late.json["type"]) == (409, "/problems/match-over")


def test_a_new_key_is_given_to_a_seat_by_a_signed_line(pair: Pair) -> None:
    one, _ = pair
    fresh = Ed25519PrivateKey.generate()
    with write_transaction():
        signing_keys.add(one.person.id, public_key_of(fresh), "new")
    one.move(f"keys {public_key_of(fresh).id}")
    old = unchanged(one, lambda: one.send(one.signed(one.lines[0])))
    assert old.json["type"] == "/problems/not-your-key"
    body = {**one.signed(one.lines[0], private=fresh), "key": public_key_of(fresh).id}
    assert one.send(body).status_code == 202
    verify(one.get("record").data)


def test_a_move_can_bring_a_note(pair: Pair) -> None:
    one, two = pair
    body = {**one.signed(one.lines[0]), "note": "Good luck!"}
    assert one.send(body).status_code == 202
    assert one.send(body).status_code == 202
    assert [note["text"] for note in two.read("notes")["items"]] == ["Good luck!"]
    for note in ("x" * 1001, "  "):
        refused = one.send({**one.signed(one.lines[0]), "note": note})
        assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "note")


def test_nothing_but_the_whole_signed_text_passes(pair: Pair) -> None:
    one, _ = pair
    good = one.signed(one.lines[0], "draw deck")
    lines = tuple(move["line"] for move in good["moves"])
    signatures = tuple(move["signature"] for move in good["moves"])
    sent = Submission(good["asked"], good["prev"], lines, signatures, good["key"])
    before, random = head(one.match), Random(5)
    for _ in range(1000):
        at, place, bit = random.randrange(2), random.randrange(128), 1 << random.randrange(4)
        digit = f"{int(signatures[at][place], 16) ^ bit:x}"
        forged = signatures[at][:place] + digit + signatures[at][place + 1 :]
        with pytest.raises(Problem) as refused:
            accept.accept(one.match, one.person.id, replace(sent, signatures=put(signatures, at, forged)))
        assert refused.value.kind == "wrong-signature"
    assert head(one.match) == before
    assert accept.accept(one.match, one.person.id, sent).made == lines


def test_a_line_computed_for_an_older_head_leaves_no_trace(pair: Pair) -> None:
    one, _ = pair
    before, known = match_loader.load_match_state(one.match), match_loader.head_of(one.match)
    good = one.signed(one.lines[0])
    sent = Submission(good["asked"], good["prev"], (one.lines[0],), (good["moves"][0]["signature"],), good["key"])
    first = accept.accept(one.match, one.person.id, sent, head=known)
    row, after = match_log.next_entry(before, 0, read(before.facts.game, one.lines[0], 0), "chance", before.at)
    stored = submissions.row_of(replace(sent, channel="other"), one.person.id, first, before.at)
    assert match_log.append([match_log.LogAddition(before, (row,), after, None, submission=stored)]) == [False]
    assert head(one.match)[0] == 3
    assert [stored for (stored,) in rows("select id from submission where match = ?", one.match)] == [first.id]
    assert accept.accept(one.match, one.person.id, sent, head=known) == first


def test_free_text_is_read_into_lines(pair: Pair) -> None:
    one, two = pair
    line = one.lines[0]
    assert one.post("reading", {"text": "1"}).json["lines"] == [line]
    discard = next(each for each in one.lines if each.startswith("discard"))
    both = one.post("reading", {"text": f"{discard.upper()}, draw deck"})
    assert both.json == {"question": one.question, "lines": [discard, "draw deck"]}
    french = one.post("reading", {"text": discard.replace("discard", "défausser")})
    assert french.json["lines"] == [discard]
    unclear = one.post("reading", {"text": "discard"})
    assert (unclear.status_code, unclear.json["type"]) == (422, "/problems/not-canonical")
    assert len(unclear.json["meant"]) > 1
    assert two.post("reading", {"text": "dance"}).status_code == 422
    assert head(one.match)[0] == 2


def test_failed_signatures_are_counted(pair: Pair) -> None:
    one, _ = pair
    body = one.signed(one.lines[0])
    body["moves"][0]["signature"] = "0" * 128
    statuses = [one.send(body).status_code for _ in range(31)]
    assert statuses == [422] * 30 + [429]


def test_a_sentence_may_name_a_bot_in_the_language_of_the_reader_or_the_other(person: People) -> None:
    me = person()
    made = me.post("/v1/matches", {"game": "tain", "seats": 2, "seat": 0, "bots": {"1": "random"}}).json
    resolved(made["id"])
    for language in ("en", "fr"):
        items = me.get(f"/v1/matches/{made['id']}/options", Accept_Language=language).json["items"]
        named = [item for item in items if "robot)" in item["sentence"] or "bot)" in item["sentence"]]
        assert named
        for item in named[:3]:
            read = me.post(f"/v1/matches/{made['id']}/reading", {"text": item["sentence"]})
            assert read.json["lines"] == [item["line"]]
