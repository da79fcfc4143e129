"""Appending to a log: what is decided on an old table is decided anew, and the worker hears of it after the commit."""

from __future__ import annotations

import pytest

from engine.game import HOUSE
from engine.house import Pause, Resume
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.i18n.catalogue import msg
from service.jobs import queue
from service.play import match_log
from service.play.match_loader import cached_match_state, load_match_state
from service.play.match_log import AdditionOr, HeadMoved, LogAddition, MatchBusy, append_to_match, next_entries
from service.record.match_state import MatchState
from tests.support.factories import Seated, log_of, match_of, settle, somebody, verified

PAUSED = [(HOUSE, "pause outage"), (HOUSE, "resume")]


@pytest.fixture
def me(service: Config) -> Seated:  # noqa: ARG001  # there must be a database
    """Somebody who plays."""
    return somebody()


@pytest.fixture
def match(service: Config, me: Seated) -> str:
    """A match against a bot, in which somebody is asked."""
    made = match_of(service, me, bots={1: "steady"})
    settle(made, service)
    return made


@pytest.fixture
def wakeups(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches of which the worker was told."""
    found: list[str] = []
    monkeypatch.setattr(queue.WakeupChannel, "send", staticmethod(lambda _task, what: found.append(what)))
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
    monkeypatch.setattr(queue.WakeupChannel, "send", staticmethod(lambda _task, what: told.append(log_of(what)[-2:])))
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


def test_a_long_addition_is_written_whole(match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_log, "MOST_ROWS", 3)

    def decide(match_state: MatchState) -> AdditionOr[int]:
        entries, after = next_entries(match_state, [(HOUSE, Pause("outage")), (HOUSE, Resume())] * 4)
        return LogAddition(match_state, entries, after, after.seq)

    before = load_match_state(match).seq
    assert append_to_match(match, decide) == before + 8
    assert log_of(match)[before:] == PAUSED * 4
