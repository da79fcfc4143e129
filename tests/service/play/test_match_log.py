"""Appending to a log: a decision on an old state is made again, and the worker is woken after the commit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from engine.game import HOUSE
from engine.house import Pause, Resume
from service.config import Config
from service.db import connection
from service.db.connection import execute, rows, write_transaction
from service.db.log_writer import HeadMoved
from service.i18n.catalogue import msg
from service.jobs.wakeups import RESOLVE, WakeupChannel
from service.play.match_loader import cached_match_state, load_match_state
from service.play.match_log import AdditionOr, LogAddition, MatchBusy, append, append_to_match, next_entries
from service.play.notify import make_effects
from service.play.resolve import resolve_together
from service.record.match_state import MatchState
from tests.support.factories import Seated, log_of, match_of, settle, somebody, verified

PAUSED = [(HOUSE, "pause outage"), (HOUSE, "resume")]


@pytest.fixture
def me(service: Config) -> Seated:  # noqa: ARG001  # there must be a database
    """Return a player."""
    return somebody()


@pytest.fixture
def match(service: Config, me: Seated) -> str:
    """A match against a bot, in which somebody is asked."""
    made = match_of(service, me, bots={1: "steady"})
    settle(made, service)
    return made


@pytest.fixture
def wakeups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the matches for which the worker was woken."""
    found: list[str] = []

    def send(task: str, id_: str) -> None:
        if task == RESOLVE:
            found.append(id_)

    monkeypatch.setattr(WakeupChannel, "send", staticmethod(send))
    return found


def pause(match_state: MatchState) -> AdditionOr[int]:
    entries, after = next_entries(match_state, [(HOUSE, Pause("outage")), (HOUSE, Resume())])
    return LogAddition(match_state, entries, after, after.seq)


def test_what_was_decided_at_an_old_table_is_decided_anew(match: str, me: Seated) -> None:
    seen: list[int] = []

    def decide(match_state: MatchState) -> AdditionOr[int]:
        seen.append(match_state.seq)
        if len(seen) == 1:
            me.move(match)
        return pause(match_state)

    before = load_match_state(match).seq
    assert append_to_match(match, decide) == before + 3
    assert seen == [before, before + 1]
    assert log_of(match)[-2:] == PAUSED
    assert verified(match).entries == before + 3


def test_a_result_without_an_addition_is_returned_and_nothing_is_written(match: str, wakeups: list[str]) -> None:
    before = log_of(match)
    assert append_to_match(match, lambda match_state: match_state.seq) == len(before)
    assert (log_of(match), wakeups) == (before, [])


def test_whoever_never_comes_first_is_told_so_with_the_sentence_of_the_caller(match: str, wakeups: list[str]) -> None:
    asked: list[MatchState] = []

    def lose_race() -> None:
        raise HeadMoved(match)

    def decide(match_state: MatchState) -> AdditionOr[int]:
        asked.append(match_state)
        entries, after = next_entries(match_state, [(HOUSE, Pause("outage"))])
        return LogAddition(match_state, entries, after, after.seq, lose_race)

    before = log_of(match)
    with pytest.raises(MatchBusy) as refused:
        append_to_match(match, decide, tries=7, busy=msg("matches.too_fast_to_end"))
    assert (refused.value.kind, refused.value.detail) == (
        "not-now",
        "The match is moving too fast to end it now; try again.",
    )
    assert refused.value.more == {"retry_after": 1}
    assert (len(asked), log_of(match), wakeups) == (7, before, [])


def test_what_belongs_to_the_entries_is_written_with_them_or_not_at_all(match: str) -> None:
    def decide(match_state: MatchState) -> AdditionOr[int]:
        entries, after = next_entries(match_state, [(HOUSE, Pause("outage"))])

        def also() -> None:
            execute("update match set title = 'changed' where id = ?", match)
            raise ZeroDivisionError

        return LogAddition(match_state, entries, after, after.seq, also)

    before = log_of(match)
    with pytest.raises(ZeroDivisionError):
        append_to_match(match, decide)
    assert log_of(match) == before
    assert rows("select title from match where id = ?", match) != [("changed",)]


def test_the_worker_is_told_once_the_entries_can_be_read(match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[tuple[int, str]]] = []
    monkeypatch.setattr(WakeupChannel, "send", staticmethod(lambda _task, what: told.append(log_of(what)[-2:])))
    append_to_match(match, pause)
    assert told == [PAUSED]


def test_inside_another_transaction_the_worker_is_told_after_that_one(match: str, wakeups: list[str]) -> None:
    with write_transaction():
        append_to_match(match, pause)
        assert wakeups == []
    assert wakeups == [match]


def test_of_what_is_undone_nobody_is_told_and_nothing_is_remembered(match: str, wakeups: list[str]) -> None:
    before = load_match_state(match)

    def undo() -> None:
        with write_transaction():
            append_to_match(match, pause)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        undo()
    assert (wakeups, cached_match_state(match)) == ([], before)
    assert load_match_state(match) == before


def test_a_resolution_tells_nobody(match: str, me: Seated, wakeups: list[str], service: Config) -> None:
    me.move(match)
    assert wakeups == [match]
    settle(match, service)
    assert wakeups == [match]


@pytest.fixture
def others(service: Config) -> list[str]:
    """Four more matches, in which somebody is asked."""
    found = [match_of(service, somebody(name), bots={1: "steady"}) for name in ("Bran", "Ciara", "Dara", "Eithne")]
    for each in found:
        settle(each, service)
    return found


def addition(match: str, also: Callable[[], None] | None = None) -> LogAddition[int]:
    match_state = load_match_state(match)
    entries, after = next_entries(match_state, [(HOUSE, Pause("outage")), (HOUSE, Resume())])
    return LogAddition(match_state, entries, after, after.seq, also)


def test_of_many_additions_exactly_those_that_do_not_fit_are_left_out(
    match: str, me: Seated, others: list[str], wakeups: list[str]
) -> None:
    moved, refused, fine, twice = match, *others[:3]

    def refuse() -> None:
        execute("update match set title = 'changed' where id = ?", refused)
        raise HeadMoved(refused)

    additions = [addition(moved), addition(refused, refuse), addition(fine), addition(twice), addition(twice)]
    me.move(moved)
    before = {each: log_of(each) for each in (moved, refused)}
    wakeups.clear()
    asked: list[list[str]] = []
    written = append(additions, lambda done: asked.append([each.after.facts.id for each in done]))
    assert written == [False, False, True, True, False]
    assert asked == [[fine, twice]]
    assert {each: log_of(each) for each in before} == before
    assert rows("select title from match where id = ?", refused) != [("changed",)]
    for each in (fine, twice):
        assert log_of(each)[-2:] == PAUSED
        assert log_of(each)[-4:-2] != PAUSED
    assert wakeups == [fine, twice]


def test_what_is_written_with_all_may_leave_some_out(others: list[str]) -> None:
    tries: list[set[str]] = []

    def also(done: Sequence[LogAddition[int]]) -> None:
        tries.append({each.after.facts.id for each in done})
        if len(done) > 2:
            raise HeadMoved(others[0], others[3])

    assert append([addition(each) for each in others], also) == [False, True, True, False]
    assert tries == [set(others), set(others[1:3])]


def test_a_race_about_another_match_is_not_retried_for_ever(match: str, others: list[str]) -> None:
    def also(_done: Sequence[LogAddition[int]]) -> None:
        raise HeadMoved(others[0])

    before = log_of(match)
    with pytest.raises(HeadMoved):
        append([addition(match)], also)
    assert log_of(match) == before


def test_two_who_append_to_the_same_matches_in_opposite_order_share_them(service: Config) -> None:
    people = [somebody(name) for name in ("Aoife", "Bran")]
    matches = [match_of(service, people[0], bots={1: "steady"}) for _ in range(20)]
    for _ in range(3):
        for each in matches:
            settle(each, service)
            people[0].move(each)
        won: dict[int, list[bool]] = {}
        gate = threading.Barrier(3)

        def work(number: int, order: list[str], gate: threading.Barrier, won: dict[int, list[bool]]) -> None:
            additions = [addition(each) for each in order]
            gate.wait()
            won[number] = append(additions)
            connection.drop_connections()

        def resolve(gate: threading.Barrier) -> None:
            gate.wait()
            resolve_together(matches, make_effects(service), service.most_entries)
            connection.drop_connections()

        before = {each: len(log_of(each)) for each in matches}
        threads = [
            threading.Thread(target=work, args=(0, matches, gate, won)),
            threading.Thread(target=work, args=(1, matches[::-1], gate, won)),
            threading.Thread(target=resolve, args=(gate,)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        for each, first, second in zip(matches, won[0], reversed(won[1]), strict=True):
            assert not (first and second)
            paused = sum(line == "pause outage" for _, line in log_of(each)[before[each] :])
            assert paused == first + second
            assert verified(each).entries == len(log_of(each))
