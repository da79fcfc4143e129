"""The writer of logs: a match is written whole or not at all, and none harms another."""

from __future__ import annotations

import threading

import pytest

from engine.game import HOUSE
from engine.house import Pause, Resume
from service.config import Config
from service.db import connection, log_writer
from service.db.connection import db, execute, rows, write_transaction
from service.db.log_writer import HeadMove, HeadMoved, LogEntry, SubmissionRow, log_transaction, write_logs
from service.play.match_loader import load_match_state
from service.play.match_log import next_entries
from tests.support.factories import log_of, match_of, settle, somebody
from tests.support.own_connection import open_own_connection

PAUSED = [(HOUSE, "pause outage"), (HOUSE, "resume")]


@pytest.fixture
def matches(service: Config) -> list[str]:
    """Three matches against bots."""
    found = [match_of(service, somebody(name), bots={1: "steady"}) for name in ("Aoife", "Brendan", "Ciara")]
    for match in found:
        settle(match, service)
    return found


def pause(match: str, *, submitted: bool = False, times: int = 1) -> tuple[HeadMove, list[LogEntry]]:
    """A pause of this match and where its head goes with it."""
    before = load_match_state(match)
    entries, after = next_entries(before, [(HOUSE, Pause("outage")), (HOUSE, Resume())] * times)
    where = (before.seq, before.hash, after.seq, after.hash, after.at)
    return HeadMove(match, *where, "running", None, resolved=False, submitted=submitted), list(entries)


def submission(match: str, id_: str) -> SubmissionRow:
    """Somebody's submission with this id."""
    return SubmissionRow(id_, match, 0, "p", "api", 1, "h", False, 1, "{}", 1, 1, "made", "", "{}", "")


def write(
    moves: list[tuple[HeadMove, list[LogEntry]]], submissions: tuple[SubmissionRow, ...] = (), *, wait: bool = True
) -> set[str]:
    """Write all of these in one transaction."""
    entries = [entry for _, more in moves for entry in more]
    with log_transaction(alone=True):
        return write_logs([head for head, _ in moves], submissions, entries, wait=wait)


@pytest.mark.parametrize("wait", [True, False])
def test_heads_entries_and_submissions_are_written_together(matches: list[str], wait: bool) -> None:
    moves = [pause(match, submitted=match == matches[0]) for match in matches]
    assert write(moves, (submission(matches[0], "one"),), wait=wait) == set(matches)
    for match, (head, _) in zip(matches, moves, strict=True):
        assert log_of(match)[-2:] == PAUSED
        assert rows("select head_seq, head_hash from match where id = ?", match) == [(head.seq, head.hash)]
        assert not rows("select 1 from entry where match = ? and seq > ?", match, head.seq)
    assert rows("select id, match, orders from submission where id = 'one'") == [("one", matches[0], False)]


def test_a_match_that_went_on_is_left_out_and_harms_no_other(matches: list[str]) -> None:
    moves = [pause(match) for match in matches]
    write([pause(matches[1])])
    before = log_of(matches[1])
    assert write(moves) == {matches[0], matches[2]}
    assert log_of(matches[1]) == before
    assert write(moves) == set()


def test_without_its_submission_nothing_of_a_match_is_written(matches: list[str]) -> None:
    stored = submission(matches[0], "one")
    write([pause(matches[0], submitted=True)], (stored,))
    before = log_of(matches[0])
    moves = [pause(match, submitted=True) for match in matches[:2]]
    new = submission(matches[1], "two")
    if connection.is_postgres():
        assert write(moves, (stored, new)) == {matches[1]}
    else:
        # SQLite undoes all; whoever calls leaves the named match out and writes the others again.
        with pytest.raises(HeadMoved) as refused:
            write(moves, (stored, new))
        assert refused.value.matches == {matches[0]}
        assert write(moves[1:], (new,)) == {matches[1]}
    assert log_of(matches[0]) == before
    assert rows("select count(*) from submission") == [(2,)]


def test_a_head_may_move_to_itself(matches: list[str]) -> None:
    head, _ = pause(matches[0])
    still = head._replace(seq=head.before_seq, hash=head.before_hash, resolved=True)
    assert write([(still, [])]) == {matches[0]}
    assert rows("select head_seq, resolved_seq from match where id = ?", matches[0]) == [(head.before_seq,) * 2]


def test_a_long_addition_is_written_whole(matches: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_writer, "MOST_ROWS", 3)
    assert write([pause(matches[0], times=4)]) == {matches[0]}
    assert log_of(matches[0])[-8:] == PAUSED * 4


def test_an_exception_after_the_write_leaves_nothing(matches: list[str]) -> None:
    before = log_of(matches[0])
    head, entries = pause(matches[0])

    def write_and_fail() -> None:
        with log_transaction(alone=False):
            write_logs([head], (), entries, wait=True)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert log_of(matches[0]) == before


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_locked_match_is_skipped_or_waited_for(matches: list[str]) -> None:
    moves = [pause(match, submitted=True) for match in matches]
    submissions = tuple(submission(match, f"of {match}") for match in matches)
    waited: list[set[str]] = []

    def write_alone() -> None:
        waited.append(write(moves[:1], submissions[:1]))
        connection.drop_connections()

    with open_own_connection() as other, other.transaction():
        other.execute("update match set title = 'other' where id = %s", (matches[0],))
        assert write(moves, submissions, wait=False) == set(matches[1:])
        thread = threading.Thread(target=write_alone)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()
    thread.join(10)
    # The row changed while it was waited for, but not its head.
    assert waited == [{matches[0]}]
    assert log_of(matches[0])[-2:] == PAUSED
    assert rows("select count(*) from submission") == [(3,)]


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_match_that_goes_on_while_it_is_waited_for_is_left_out(matches: list[str]) -> None:
    first, second = pause(matches[0], submitted=True), pause(matches[0])
    waited: list[set[str]] = []

    def write_alone() -> None:
        waited.append(write([first], (submission(matches[0], "late"),)))
        connection.drop_connections()

    with write_transaction():
        write([second])
        thread = threading.Thread(target=write_alone)
        thread.start()
        thread.join(0.3)
        assert thread.is_alive()
    thread.join(10)
    assert waited == [set()]
    assert log_of(matches[0])[-2:] == PAUSED
    assert rows("select count(*) from submission") == [(0,)]


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_a_note_that_is_being_written_does_not_hold_a_match(matches: list[str]) -> None:
    with open_own_connection() as other, other.transaction():
        other.execute("insert into note (match, seq, at, text) values (%s, 1, 1, 'x')", (matches[0],))
        assert write([pause(matches[0])], wait=False) == {matches[0]}


def test_inside_another_transaction_it_is_part_of_it(matches: list[str]) -> None:
    before = log_of(matches[0])
    with write_transaction():
        assert write([pause(matches[0])]) == {matches[0]}
        db.rollback()
        db.begin()
        execute("update match set title = 'kept' where id = ?", matches[0])
    assert log_of(matches[0]) == before
