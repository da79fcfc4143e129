"""Appending to a log: what is decided on an old table is decided anew, and the worker hears of it after the commit."""

from __future__ import annotations

import pytest

from engine.game import HOUSE
from engine.house import Pause, Resume
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.i18n.catalogue import msg
from service.jobs import queue as outbox
from service.play import match_log
from service.play.match_loader import cached_table, table_of
from service.play.match_log import AdditionOr, HeadMoved, LogAddition, MatchBusy, append_to_match, next_entries
from service.record.match_state import Table
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
def hints(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The matches of which the worker was told."""
    found: list[str] = []
    monkeypatch.setattr(outbox.HintChannel, "send", staticmethod(lambda _task, what: found.append(what)))
    return found


def pause(table: Table) -> AdditionOr[int]:
    entries, after = next_entries(table, [(HOUSE, Pause("outage")), (HOUSE, Resume())])
    return LogAddition(table, entries, after, after.seq)


def test_what_was_decided_at_an_old_table_is_decided_anew(match: str, me: Seated) -> None:
    seen: list[int] = []

    def decide(table: Table) -> AdditionOr[int]:
        seen.append(table.seq)
        if len(seen) == 1:
            me.move(match)
        return pause(table)

    before = table_of(match).seq
    assert append_to_match(match, decide) == before + 3
    assert seen == [before, before + 1]
    assert log_of(match)[-2:] == PAUSED
    assert verified(match).entries == before + 3


def test_a_result_without_an_addition_is_returned_and_nothing_is_written(match: str, hints: list[str]) -> None:
    before = log_of(match)
    assert append_to_match(match, lambda table: table.seq) == len(before)
    assert (log_of(match), hints) == (before, [])


def test_whoever_never_comes_first_is_told_so_with_the_sentence_of_the_caller(match: str, hints: list[str]) -> None:
    asked: list[Table] = []

    def lose_race() -> None:
        raise HeadMoved(match)

    def decide(table: Table) -> AdditionOr[int]:
        asked.append(table)
        entries, after = next_entries(table, [(HOUSE, Pause("outage"))])
        return LogAddition(table, entries, after, after.seq, lose_race)

    before = log_of(match)
    with pytest.raises(MatchBusy) as refused:
        append_to_match(match, decide, tries=7, busy=msg("matches.too_fast_to_end"))
    assert (refused.value.kind, refused.value.detail) == (
        "not-now",
        "The table moves too fast to end it now; try again.",
    )
    assert refused.value.more == {"retry_after": 1}
    assert (len(asked), log_of(match), hints) == (7, before, [])


def test_what_belongs_to_the_entries_is_written_with_them_or_not_at_all(match: str) -> None:
    def decide(table: Table) -> AdditionOr[int]:
        entries, after = next_entries(table, [(HOUSE, Pause("outage"))])

        def also() -> None:
            execute("update match set title = 'changed' where id = ?", match)
            raise ZeroDivisionError

        return LogAddition(table, entries, after, after.seq, also)

    before = log_of(match)
    with pytest.raises(ZeroDivisionError):
        append_to_match(match, decide)
    assert log_of(match) == before
    assert rows("select title from match where id = ?", match) != [("changed",)]


def test_the_worker_is_told_once_the_entries_can_be_read(match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[tuple[int, str]]] = []
    monkeypatch.setattr(outbox.HintChannel, "send", staticmethod(lambda _task, what: told.append(log_of(what)[-2:])))
    append_to_match(match, pause)
    assert told == [PAUSED]


def test_inside_another_transaction_the_worker_is_told_after_that_one(match: str, hints: list[str]) -> None:
    with write_transaction():
        append_to_match(match, pause)
        assert hints == []
    assert hints == [match]


def test_of_what_is_undone_nobody_is_told_and_nothing_is_remembered(match: str, hints: list[str]) -> None:
    before = table_of(match)

    def undo() -> None:
        with write_transaction():
            append_to_match(match, pause)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        undo()
    assert (hints, cached_table(match)) == ([], before)
    assert table_of(match) == before


def test_a_resolution_tells_nobody(match: str, me: Seated, hints: list[str], service: Config) -> None:
    me.move(match)
    assert hints == [match]
    settle(match, service)
    assert hints == [match]


def test_a_long_addition_is_written_whole(match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_log, "MOST_ROWS", 3)

    def decide(table: Table) -> AdditionOr[int]:
        entries, after = next_entries(table, [(HOUSE, Pause("outage")), (HOUSE, Resume())] * 4)
        return LogAddition(table, entries, after, after.seq)

    before = table_of(match).seq
    assert append_to_match(match, decide) == before + 8
    assert log_of(match)[before:] == PAUSED * 4
