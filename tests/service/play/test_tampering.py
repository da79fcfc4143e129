"""Submissions tampered with by the thousand, and every replay of a real one: refused, and nothing written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from engine.tuples import put
from service.play import accept
from service.play.submissions import Submission
from service.problems import Problem
from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker
from tests.support.http_tables import Answer, Body, People, SeatClient, head, make, play_out, resolved, unchanged

ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the group: adding it to the second half of a signature gives another text for the same numbers."""
TAMPERED = 2_000
REFUSED = {"wrong-signature", "not-your-key", "question-changed", "wrong-prev", "not-listed", "not-canonical"}
Pair = tuple[SeatClient, SeatClient]
Mutation = Callable[[Submission, Random], Submission]


@pytest.fixture
def pair(person: People) -> Pair:
    """Two people at a match of Keltis that has been dealt; seat 0 begins."""
    one, two = make(person("Aoife"), person("Brendan"))
    return one, two


def submission(body: Body) -> Submission:
    """A body as the door for moves takes it."""
    lines = tuple(move["line"] for move in body["moves"])
    signatures = tuple(move["signature"] for move in body["moves"])
    return Submission(body["asked"], body["prev"], lines, signatures, body["key"], bool(body.get("orders")))


def _bit(text: str, random: Random) -> str:
    place, bit = random.randrange(len(text)), 1 << random.randrange(4)
    return text[:place] + f"{int(text[place], 16) ^ bit:x}" + text[place + 1 :]


def _signature(sent: Submission, random: Random) -> Submission:
    at = random.randrange(len(sent.signatures))
    return replace(sent, signatures=put(sent.signatures, at, _bit(sent.signatures[at], random)))


def _random_signature(sent: Submission, random: Random) -> Submission:
    at = random.randrange(len(sent.signatures))
    return replace(sent, signatures=put(sent.signatures, at, random.randbytes(64).hex()))


def _same_numbers(sent: Submission, random: Random) -> Submission:
    at = random.randrange(len(sent.signatures))
    raw = bytes.fromhex(sent.signatures[at])
    larger = int.from_bytes(raw[32:], "little") + ORDER * random.randrange(1, 8)
    return replace(sent, signatures=put(sent.signatures, at, (raw[:32] + larger.to_bytes(32, "little")).hex()))


def _line(sent: Submission, random: Random) -> Submission:
    at, line = random.randrange(len(sent.lines)), sent.lines[random.randrange(len(sent.lines))]
    place = random.randrange(len(line))
    changed = line[:place] + random.choice("abcRYGBP0123456789 -|") + line[place + 1 :]
    return replace(sent, lines=put(sent.lines, at, changed))


def _asked(sent: Submission, random: Random) -> Submission:
    return replace(sent, asked=sent.asked + random.choice((-2, -1, 1, 2, 1000)))


def _prev(sent: Submission, random: Random) -> Submission:
    return replace(sent, prev=_bit(sent.prev, random))


def _orders(sent: Submission, _random: Random) -> Submission:
    return replace(sent, orders=not sent.orders)


def _shuffled(sent: Submission, random: Random) -> Submission:
    order = random.sample(range(len(sent.lines)), random.randrange(1, len(sent.lines) + 1))
    order = order if order != sorted(order) or order[0] else [1, 0]
    return replace(
        sent, lines=tuple(sent.lines[at] for at in order), signatures=tuple(sent.signatures[at] for at in order)
    )


def _crossed(sent: Submission, _random: Random) -> Submission:
    return replace(sent, signatures=sent.signatures[::-1])


MUTATIONS: tuple[Mutation, ...] = (
    *(_signature, _random_signature, _same_numbers, _line, _asked, _prev, _orders, _shuffled, _crossed),
)


def test_thousands_of_tampered_submissions_are_refused(pair: Pair) -> None:
    one, _ = pair
    discard = next(line for line in one.lines if line.startswith("discard"))
    good = submission(one.signed(discard, "draw deck", "discard R0"))
    before, random = head(one.match), Random(11)
    kinds = set()
    for number in range(TAMPERED):
        mutation = MUTATIONS[number % len(MUTATIONS)]
        sent = mutation(good, random)
        if sent == good:
            continue
        with pytest.raises(Problem) as refused:
            accept.accept(one.match, one.person.id, sent)
        assert refused.value.kind in REFUSED, (mutation, sent)
        kinds.add(refused.value.kind)
    assert "wrong-signature" in kinds
    assert head(one.match) == before
    assert accept.accept(one.match, one.person.id, good).made == (discard, "draw deck")


def test_another_text_for_the_same_numbers_is_refused_over_http(pair: Pair) -> None:
    one, _ = pair
    body = one.signed(one.lines[0])
    signature = _same_numbers(submission(body), Random(1)).signatures[0]
    answer = unchanged(one, lambda: one.send({**body, "moves": [{**body["moves"][0], "signature": signature}]}))
    assert (answer.status_code, answer.json["type"]) == (422, "/problems/wrong-signature")
    assert one.send(body).status_code == 202


def replays(body: Body, other: Body) -> dict[str, Body]:
    """Submissions that an onlooker could make from signatures that are public by now."""
    moves, strange = body["moves"], other["moves"]
    return {
        "first alone": {**body, "moves": moves[:1]},
        "last alone": {**body, "moves": moves[-1:]},
        "turned round": {**body, "moves": moves[::-1]},
        "twice": {**body, "moves": moves * 2},
        "with another's end": {**body, "moves": [*moves[:1], *strange[1:]]},
        "another's with this end": {**body, "moves": [*strange[:1], *moves[1:]]},
        "as orders": {**body, "orders": True},
        "first as orders": {**body, "moves": moves[:1], "orders": True},
        "for another question": {**body, "asked": other["asked"], "prev": other["prev"]},
    }


def test_every_replay_of_made_submissions_is_refused(pair: Pair) -> None:
    bodies: list[tuple[SeatClient, Body, Answer]] = []
    for turn in range(6):
        each = pair[turn % 2]
        body = each.signed(next(line for line in each.lines if line.startswith("discard")), "draw deck")
        answer = each.send(body)
        assert answer.status_code == 202
        bodies.append((each, body, answer))
        resolved(each.match)
    for number, (each, body, answer) in enumerate(bodies):
        again = unchanged(each, partial(each.send, body))
        assert (again.status_code, again.json) == (202, answer.json)
        stranger = pair[1 - each.seat]
        foreign = unchanged(each, partial(stranger.send, body))
        assert (foreign.status_code, foreign.json["type"]) == (403, "/problems/not-your-key")
        for name, sent in replays(body, bodies[number - 2][1]).items():
            refused = unchanged(each, partial(each.send, sent))
            assert refused.status_code in (409, 422), (number, name)
            assert refused.json["type"].removeprefix("/problems/") in REFUSED, (number, name)
    verify(pair[0].get("record").data, rules=RulesChecker())


def test_signatures_of_one_match_are_nothing_in_another(pair: Pair, person: People) -> None:
    one, two = pair
    other = make(one.person, two.person)[0]
    mine, theirs = one.signed("resign"), other.signed("resign")
    for seat_client, body, question in ((other, mine, other.question), (one, theirs, one.question)):
        moved = {**body, "asked": question["asked"], "prev": question["prev"]}
        for sent in (body, moved):
            answer = unchanged(seat_client, partial(seat_client.send, sent))
            assert (answer.status_code, answer.json["type"]) == (422, "/problems/wrong-signature")
    ciara = SeatClient(person("Ciara"), one.match, 0)
    assert unchanged(one, lambda: ciara.send(mine)).status_code == 403


def test_nothing_can_be_replayed_into_a_match_that_is_over(pair: Pair) -> None:
    one, two = pair
    first = one.signed(one.lines[-1], "draw deck")
    answer = one.send(first)
    resolved(one.match)
    play_out((one, two))
    assert unchanged(one, lambda: one.send(first)).json == answer.json
    cut = unchanged(one, lambda: one.send({**first, "moves": first["moves"][:1]}))
    assert (cut.status_code, cut.json["type"]) == (409, "/problems/match-over")
