"""Orders, alternatives, repetitions and races: what happens to submissions that do not come alone or in turn."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.db.connection import db, rows
from service.record.verify import verify
from tests.support.http_tables import Body, People, SeatClient, found, head, make, resolved, unchanged

Pair = tuple[SeatClient, SeatClient]


@pytest.fixture
def pair(person: People) -> Pair:
    """Two people at a match of Keltis that has been dealt; seat 0 begins."""
    one, two = make(person("Aoife"), person("Brendan"))
    return one, two


def test_the_same_submission_again_gets_the_same_answer(pair: Pair) -> None:
    one, _ = pair
    discard = next(line for line in one.lines if line.startswith("discard"))
    body = one.signed(discard, "draw deck", "discard R0", asked=one.question["asked"], prev=one.question["prev"])
    first = one.send(body)
    assert first.status_code == 202
    assert (first.json["status"], first.json["waiting"]) == ("waiting", 1)
    resolved(one.match)
    again = unchanged(one, lambda: one.send(body))
    assert (again.status_code, again.json) == (202, first.json)


def test_replays_of_public_signatures_are_refused(pair: Pair) -> None:
    one, two = pair
    discard = next(line for line in one.lines if line.startswith("discard"))
    body = one.signed(discard, "draw deck")
    one.send(body)
    resolved(one.match)
    two.move(next(line for line in two.lines if line.startswith("discard")), "draw deck")
    cut = {**body, "moves": body["moves"][:1]}
    answer = unchanged(one, lambda: one.send(cut))
    assert (answer.status_code, answer.json["type"]) == (409, "/problems/question-changed")
    kept = unchanged(one, lambda: one.send({**cut, "orders": True}))
    assert (kept.status_code, kept.json["type"]) == (422, "/problems/wrong-signature")


def test_alternatives_make_the_first_that_is_listed(pair: Pair) -> None:
    one, _ = pair
    line = one.lines[0]
    text = f"draw deck | {line} | {one.lines[1]}"
    assert one.move(text)["made"] == [line]
    entry = one.read("history")["items"][-1]
    assert (entry["line"], entry["text"]) == (line, text)
    verify(one.get("record").data)


def test_orders_wait_for_their_question_and_are_made(pair: Pair) -> None:
    one, two = pair
    discard = two.read("table")["view"]["hand"][0]
    seq, hash_ = head(one.match)
    sent = two.send(two.signed(f"discard {discard}", "draw deck", orders=True, asked=seq, prev=hash_))
    assert (sent.status_code, sent.json["status"], sent.json["waiting"]) == (202, "waiting", 2)
    assert head(one.match) == (seq, hash_)
    assert "discard" not in one.get("history").text
    one.move(next(line for line in one.lines if line.startswith("discard")), "draw deck")
    after = found(two, sent)
    assert (after["status"], after["made"], after["waiting"]) == ("made", 2, 0)
    made = [entry for entry in one.read("history")["items"] if entry["seat"] == 1]
    assert [entry["line"] for entry in made] == [f"discard {discard}", "draw deck"]
    assert made[0]["orders"] is True
    assert one.question is not None
    resolved(one.match)
    verify(one.get("record").data)


def test_orders_that_are_not_listed_are_dropped(pair: Pair) -> None:
    one, two = pair
    seq, hash_ = head(one.match)
    sent = two.send(two.signed("draw deck", orders=True, asked=seq, prev=hash_))
    one.move(next(line for line in one.lines if line.startswith("discard")), "draw deck")
    after = found(two, sent)
    assert after["status"] == "dropped"
    rule = "first lay a card, discard one or take a wish stone; the draw comes after that"
    assert after["why"] == f"draw deck: {rule}"
    [(kept,)] = rows("select reason from submission where id = ?", after["id"])
    assert json.loads(kept)["values"]["rule"]["words"]["en"] == rule
    assert two.question is not None


def test_the_latest_orders_replace_and_an_empty_submission_withdraws(pair: Pair) -> None:
    one, two = pair
    seq, hash_ = head(one.match)
    asked: Body = {"asked": seq, "prev": hash_}
    hand = two.read("table")["view"]["hand"]
    first = two.send(two.signed(f"discard {hand[0]}", orders=True, **asked))
    second = two.send(two.signed(f"discard {hand[-1]}", orders=True, **asked))
    assert found(two, first)["status"] == "replaced"
    assert found(two, second)["status"] == "waiting"
    empty = two.send({"moves": []})
    assert (empty.status_code, empty.json["id"], empty.json["made"]) == (202, None, [])
    assert found(two, second)["status"] == "withdrawn"
    one.move(next(line for line in one.lines if line.startswith("discard")), "draw deck")
    assert two.read("table")["view"]["hand"] == hand


def test_of_many_answers_to_one_question_one_wins(pair: Pair) -> None:
    one, _ = pair
    question, lines = one.question, one.lines
    bodies = [one.signed(line, asked=question["asked"], prev=question["prev"]) for line in lines[:8]]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda body: _post(one, body), bodies))
    assert sorted(answers) == [202, *[409] * (len(bodies) - 1)]
    assert head(one.match)[0] == 3


def test_the_same_submission_many_times_at_once_happens_once(pair: Pair) -> None:
    one, two = pair
    seq, hash_ = head(one.match)
    waiting = two.signed("draw deck", orders=True, asked=seq, prev=hash_)
    for seat_client, body, entries in ((one, one.signed(one.lines[0]), 1), (two, waiting, 0)):
        before = head(one.match)[0]
        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda _, seat_client=seat_client, body=body: _post(seat_client, body), range(6)))
        if seat_client is one:
            assert answers == [202] * 6
        assert head(one.match)[0] == before + entries
        assert rows("select count(*) from submission where seat = ?", seat_client.seat) == [(1,)]


def _post(seat_client: SeatClient, body: Body) -> int:
    try:
        client = seat_client.person.client.application.test_client()
        status: int = client.post(seat_client.path("moves"), json=body, headers=seat_client.person.bearer).status_code
        return status
    finally:
        db.close()


def test_seats_that_are_asked_together_all_succeed(person: People) -> None:
    people = [person(name) for name in ("Aoife", "Brendan", "Ciara", "Diarmuid")]
    seat_client = make(*people)
    match = seat_client[0].match
    for _ in range(400):
        asked = seat_client[0].read("table")["view"]["asked"]
        if asked == [0, 1, 2, 3]:
            break
        seat_client[asked[0]].move(seat_client[asked[0]].lines[0])
    bodies = [each.signed("last none") for each in seat_client]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(_post, seat_client, bodies))
    assert answers == [202] * 4
    resolved(match)
    assert seat_client[0].read("table")["status"] == "over"
    verify(seat_client[0].get("record").data)
