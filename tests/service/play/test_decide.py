"""One decision: its result follows from state and facts, without the database. Each race has one winner."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from engine.game import legal
from service.accounts import signing_keys
from service.config import Config
from service.db import connection
from service.db.connection import db, rows, write_transaction
from service.play import accept
from service.play.match_loader import load_match_state
from service.play.match_log import AdditionOr, LogAddition
from service.play.submissions import Submission, SubmissionResult
from service.problems import Problem
from service.record.keys import PublicKey, public_key_of
from service.record.match_state import MatchState
from tests.support.factories import Seated, match_of, settle, somebody, verified
from tests.support.statements import record_statements

THREADS = 8


@pytest.fixture
def pair(service: Config) -> tuple[Seated, Seated, str]:
    """Return the asked player, the waiting one, and their match."""
    one, two = somebody("Aoife"), somebody("Bran")
    match = match_of(service, one, two)
    asked = settle(match, service).questions
    return (one, two, match) if asked[0] else (two, one, match)


def lines_of(who: Seated, match_state: MatchState) -> list[str]:
    seat = match_state.seat_of(who.player.id)
    assert seat is not None
    return [action.line for action in legal(match_state.state, seat)]


def decide(
    who: Seated, match_state: MatchState, sent: Submission, patch: pytest.MonkeyPatch
) -> AdditionOr[SubmissionResult]:
    """Decide a submission while every statement raises."""
    seat = match_state.seat_of(who.player.id)
    assert seat is not None
    facts = accept.read_facts(match_state, seat, who.player.id, sent)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a decision reads nothing")

    with patch.context() as context:
        context.setattr(type(db.obj), "execute_sql", refuse)
        return accept.decide(match_state, seat, who.player.id, sent, facts)


def test_lines_that_answer_the_question_are_decided_without_a_statement(
    pair: tuple[Seated, Seated, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _, match = pair
    match_state = load_match_state(match)
    sent = one.submission(match_state, (lines_of(one, match_state)[0],))
    decide(one, match_state, sent, monkeypatch)  # from now on the key of the player is cached
    with record_statements() as statements:
        decision = decide(one, match_state, sent, monkeypatch)
    assert statements == []
    assert isinstance(decision, LogAddition)
    assert decision.result.made == sent.lines
    assert (decision.also, len(decision.entries), decision.submission is None) == (None, 1, False)


def test_orders_resignations_and_withdrawals_are_decided_from_facts(
    pair: tuple[Seated, Seated, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, match = pair
    match_state = load_match_state(match)
    orders = decide(two, match_state, two.submission(match_state, ("draw deck",), orders=True), monkeypatch)
    resigned = decide(two, match_state, two.submission(match_state, ("resign",)), monkeypatch)
    withdrawn = decide(two, match_state, Submission(0, "", ()), monkeypatch)
    noted = replace(one.submission(match_state, (lines_of(one, match_state)[0],)), note="Well met")
    for decision, made in (
        (orders, 0),
        (resigned, 1),
        (withdrawn, 0),
        (decide(one, match_state, noted, monkeypatch), 1),
    ):
        assert isinstance(decision, LogAddition)
        assert len(decision.entries) == made
    assert rows("select count(*) from submission") == [(0,)]


def test_a_stored_answer_is_a_fact(pair: tuple[Seated, Seated, str], monkeypatch: pytest.MonkeyPatch) -> None:
    one, _, match = pair
    match_state = load_match_state(match)
    sent = one.submission(match_state, (lines_of(one, match_state)[0],))
    first = accept.accept(match, one.player.id, sent)
    assert decide(one, load_match_state(match), sent, monkeypatch) == first


def test_a_key_that_is_not_the_seats_is_refused_from_a_fact(
    pair: tuple[Seated, Seated, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, match = pair
    match_state = load_match_state(match)
    device = Seated(one.player)
    sent = device.submission(match_state, (lines_of(one, match_state)[0],))
    for _ in range(2):
        with pytest.raises(Problem) as refused:
            decide(one, match_state, sent, monkeypatch)
        assert refused.value.kind == "not-your-key"
        # A key without seats is no better than a missing one.
        with write_transaction():
            signing_keys.add(one.player.id, public_key_of(device.private), "new")
    with write_transaction():
        signing_keys.add(one.player.id, public_key_of(device.private), "new", token="t")  # an id
    decision = decide(one, match_state, sent, monkeypatch)
    assert isinstance(decision, LogAddition)
    assert (len(decision.entries), decision.result.made) == (2, sent.lines)
    assert PublicKey(public_key_of(device.private).x).id in decision.after.keys[match_state.seat_of(one.player.id) or 0]
    with pytest.raises(Problem) as refused:
        decide(two, match_state, replace(sent, key="k" * 43), monkeypatch)
    assert refused.value.kind == "not-your-key"


def at_once(send: Callable[[], SubmissionResult]) -> list[SubmissionResult]:
    """Send the same from many threads at the same moment."""
    gate, answers = threading.Barrier(THREADS), list[SubmissionResult]()

    def work() -> None:
        gate.wait()
        try:
            answers.append(send())
        finally:
            connection.drop_connections()

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def test_a_submission_that_comes_many_times_at_once_happens_once(
    service: Config, pair: tuple[Seated, Seated, str]
) -> None:
    *people, match = pair
    for number in range(10):
        match_state = settle(match, service)
        one = next(each for each in people if match_state.questions[match_state.seat_of(each.player.id) or 0])
        listed = lines_of(one, match_state)
        sent = one.submission(match_state, (listed[number % len(listed)],))
        answers = at_once(partial(accept.accept, match, one.player.id, sent))
        assert [answer.text for answer in answers] == [answers[0].text] * THREADS
        assert load_match_state(match).seq == match_state.seq + 1
        assert rows("select count(*) from submission where id = ?", sent.id) == [(1,)]
    assert verified(match).signed == 10


def test_orders_that_come_many_times_at_once_wait_once(pair: tuple[Seated, Seated, str]) -> None:
    _, two, match = pair
    for number in range(1, 6):
        match_state = load_match_state(match)
        sent = two.submission(match_state, (f"lay B{number}",), orders=True)
        answers = at_once(partial(accept.accept, match, two.player.id, sent))
        assert [answer.text for answer in answers] == [answers[0].text] * THREADS
        assert rows("select id from submission where status = 'waiting'") == [(sent.id,)]
        accept.accept(match, two.player.id, Submission(0, "", ()))
        assert rows("select status from submission where id = ?", sent.id) == [("withdrawn",)]
