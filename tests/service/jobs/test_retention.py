"""Ledgers are kept as long as the settings say; logs, headers and receipts for ever."""

from __future__ import annotations

from dataclasses import replace

from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.jobs import queue, retention
from service.jobs.payloads import BlankLetter
from service.timestamps import now
from tests.support.factories import match_of, settle, somebody
from tests.support.players import Clock
from tests.support.webhooks import happen, hook_of

TRUTH = ("header", "entry", "submission", "match", "seat", "player", "signing_key", "server_key", "note")


def counts(*tables: str) -> dict[str, int]:
    """How many rows each table has."""
    return {table: int(rows(f"select count(*) from {table}")[0][0]) for table in tables}  # noqa: S608  # our own


def test_what_is_old_goes_and_what_is_open_or_true_stays(service: Config, clock: Clock) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "steady"})
    settle(match, service)
    me.move(match)
    with write_transaction():
        queue.add(BlankLetter(), "waits")
        queue.add(BlankLetter(), "done", done=True)
    before = counts(*TRUTH)
    clock.forward(days=5000)
    gone = retention.delete_old_rows(service)
    assert gone["job"] >= 1
    assert gone["event"] >= 1
    assert ("waits",) in rows("select key from job")
    assert ("done",) not in rows("select key from job")
    assert counts(*TRUTH) == before


def test_each_setting_says_how_many_days_and_0_means_for_ever(service: Config, clock: Clock) -> None:
    with write_transaction():
        queue.add(BlankLetter(), "done", done=True)
    clock.forward(days=8)
    assert retention.delete_old_rows(replace(service, keep_jobs=0))["job"] == 0
    assert retention.delete_old_rows(replace(service, keep_jobs=9))["job"] == 0
    assert retention.delete_old_rows(replace(service, keep_jobs=7))["job"] == 1


def test_more_than_a_batch_goes_and_attempts_go_with_their_delivery(local: Config, clock: Clock) -> None:
    me = somebody()
    hook_of(me, "http://127.0.0.1:9/", local)
    happen(me, match_of(local, me, bots={1: "steady"}), 3)
    ((delivery,),) = rows("select id from delivery limit 1")
    execute("update delivery set status = 'delivered'")
    execute("insert into attempt (delivery, at, answer, ms) values (?, ?, '', 1)", delivery, now())
    with write_transaction():
        for number in range(retention.BATCH_SIZE + 3):
            queue.add(BlankLetter(), f"done{number}", done=True)
    clock.forward(days=local.keep_deliveries + 1)
    gone = retention.delete_old_rows(local)
    assert gone["job"] > retention.BATCH_SIZE
    assert counts("delivery", "attempt") == {"delivery": 0, "attempt": 0}
