"""Hints may be lost, doubled and shuffled: the sweep finds what is left, and every job is done once."""

from __future__ import annotations

import base64
import json
import random
import threading
import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
import redis
from peewee import OperationalError

from service.config import Config
from service.db import connection
from service.db.connection import execute, rows
from service.jobs import outbox
from service.jobs.heartbeat import OUTAGE, STOPPED_ROW, beat, mark_stopped, silent_workers, worker_name
from service.jobs.outbox import Job, RetryLater
from service.timestamps import now
from tests.support.factories import match_of, settle, somebody, verified
from tests.support.players import Clock
from tests.support.servers import Redis
from worker import hints, sweeper
from worker.celery_app import JOB_TASK, RESOLVE_TASK, create_celery
from worker.hints import HintSender, WaitingHints
from worker.process import BackgroundWorker
from worker.sweeper import UnresolvedMatches, take_due_jobs
from worker.tasks import LEASE_MS, MOST_TRIES, MatchLocks, release_leases, run_job

DAY = 24 * 3_600_000


def job(key: str = "one", due_at: int | None = None) -> int:
    number = outbox.add("test", key, {"key": key}, due_at)
    assert number is not None
    return number


def column(number: int, what: str) -> Any:  # noqa: ANN401
    return rows(f"select {what} from job where id = ?", number)[0][0]  # noqa: S608


@pytest.mark.usefixtures("service")
def test_a_job_with_the_same_key_is_written_once() -> None:
    job("one")
    assert outbox.add("test", "one", {}) is None
    assert rows("select count(*) from job") == [(1,)]


def test_many_threads_do_each_job_once(service: Config) -> None:
    numbers = [job(str(each)) for each in range(20)]
    done: Counter[str] = Counter()
    given = numbers * 6
    random.Random(1).shuffle(given)

    def work(mine: list[int]) -> None:
        for number in mine:
            run_job(number, service, {"test": lambda each, _config: done.update([each.payload["key"]])})
        connection.drop_connections()

    threads = [threading.Thread(target=work, args=(given[each::6],)) for each in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == Counter({str(each): 1 for each in range(20)})
    assert rows("select count(*) from job where done_at is null") == [(0,)]


def test_a_handler_gets_the_whole_job(service: Config) -> None:
    number = job("one")
    execute("update job set attempts = 2 where id = ?", number)
    seen: list[Job] = []
    assert run_job(number, service, {"test": lambda each, _config: seen.append(each)})
    assert seen == [Job(number, "test", "one", {"key": "one"}, 3)]


def test_a_job_that_fails_is_tried_again_later_and_given_up_in_the_end(service: Config, clock: Clock) -> None:
    number = job()

    def fails(_job: Job, _config: Config) -> None:
        raise ValueError("no good")

    for tries in range(1, MOST_TRIES + 1):
        assert take_due_jobs() == [number]
        assert not run_job(number, service, {"test": fails})
        assert column(number, "attempts") == tries
        assert not run_job(number, service, {"test": fails})  # not before its time
        clock.at = max(clock.at + 1, column(number, "due_at"))
    assert column(number, "dead_at") is not None
    assert column(number, "last_error") == "ValueError: no good"
    clock.forward(days=30)
    assert take_due_jobs() == []
    assert not run_job(number, service, {"test": fails})


def test_a_job_that_says_later_is_not_counted_as_a_failure(service: Config, clock: Clock) -> None:
    number, until = job(), clock.at + DAY

    def later(_job: Job, _config: Config) -> None:
        raise RetryLater(until, "their server is away")

    assert not run_job(number, service, {"test": later})
    assert (column(number, "due_at"), column(number, "attempts")) == (until, 0)
    assert take_due_jobs() == []


def test_a_job_that_kills_its_worker_is_given_up(service: Config, clock: Clock) -> None:
    number, tries = job(), []

    def dies(_job: Job, _config: Config) -> None:
        tries.append(1)
        raise OperationalError("as good as dead: nothing is noted")

    for _ in range(MOST_TRIES + 1):
        clock.forward(seconds=LEASE_MS / 1000 + 1)
        try:
            run_job(number, service, {"test": dies})
        except OperationalError:
            continue
    assert len(tries) == MOST_TRIES
    assert column(number, "dead_at") is not None


def test_a_topic_that_nobody_knows_waits(service: Config, clock: Clock) -> None:
    number = job()
    assert not run_job(number, service, {})
    assert column(number, "dead_at") is None
    assert column(number, "due_at") > clock.at
    assert "test" in column(number, "last_error")


def test_who_was_too_slow_marks_nothing_done(service: Config, clock: Clock) -> None:
    number = job()
    done: list[str] = []

    def slow(_job: Job, _config: Config) -> None:
        clock.forward(seconds=LEASE_MS / 1000 + 1)
        if not done:
            done.append("other")
            assert run_job(number, service, {"test": lambda _job, _config: done.append("again")})

    run_job(number, service, {"test": slow})
    assert done == ["other", "again"]
    assert column(number, "attempts") == 2


def test_a_job_of_a_killed_process_is_free_at_once_where_there_is_only_one(service: Config, clock: Clock) -> None:
    number = job()
    execute("update job set lease_until = ?, hint_until = ?, attempts = 1", clock.at + LEASE_MS, clock.at + 1)
    assert take_due_jobs() == []
    release_leases()
    assert take_due_jobs() == [number]
    assert run_job(number, service, {"test": lambda _job, _config: None})


@pytest.mark.usefixtures("service")
def test_a_job_is_named_once_in_a_while_and_not_before_its_time(clock: Clock) -> None:
    number = job(due_at=clock.at + 1000)
    assert take_due_jobs() == []
    clock.forward(seconds=1)
    assert take_due_jobs() == [number]
    assert take_due_jobs() == []
    clock.forward(seconds=6)
    assert take_due_jobs() == [number]


def test_a_clock_put_back_delays_nothing_for_long(service: Config, clock: Clock) -> None:
    number = job()
    assert take_due_jobs() == [number]
    execute("update job set lease_until = ?", clock.at + LEASE_MS)
    clock.forward(days=-1)
    execute("update job set due_at = ?", clock.at)
    assert take_due_jobs() == [number]
    assert run_job(number, service, {"test": lambda _job, _config: None})


@pytest.mark.usefixtures("service")
def test_hints_for_jobs_stay_within_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper, "MOST_HINTED", 5)
    for each in range(12):
        job(str(each))
    assert len(take_due_jobs()) == 5
    assert take_due_jobs() == []


def test_unresolved_matches_are_found_again_and_again_until_resolved(service: Config) -> None:
    me, seek = somebody(), UnresolvedMatches()
    match = match_of(service, me, bots={1: "steady"})
    assert seek.take_due() == ([], [])  # the first hint has its chance
    time.sleep(0.12)
    assert seek.take_due() == ([match], [])
    assert seek.take_due() == ([], [])
    seek._hinted = dict.fromkeys(seek._hinted, 0)
    assert seek.take_due() == ([], [match])  # nobody took the hint
    assert seek.take_due() == ([], [])
    settle(match, service)
    assert seek.take_due() == ([], [])
    assert seek._hinted == {}


def test_a_flood_of_unresolved_matches_goes_through_a_window(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper, "MOST_HINTED", 3)
    monkeypatch.setattr(sweeper, "MOST_FOUND", 6)
    me, seek, done = somebody(), UnresolvedMatches(), Counter[str]()
    ids = [match_of(service, me, bots={1: "steady"}) for _ in range(12)]
    for _ in range(50):
        fresh, again = seek.take_due()
        assert again == []
        assert len(fresh) <= 3
        for match in fresh:
            settle(match, service)
        done.update(fresh)
        time.sleep(0.01)
    assert done == Counter(ids)


def test_a_hint_is_sent_once_however_often_it_is_given(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, list[str]]] = []
    gate = threading.Event()

    def slow(_app: object, task: str, whats: list[str]) -> None:
        gate.wait(5)
        sent.append((task, whats))

    monkeypatch.setattr(hints, "send_hint", slow)
    sender = HintSender(create_celery(service))
    sender.start()
    for _ in range(10):
        sender.queue(RESOLVE_TASK, "one")
        sender.queue(JOB_TASK, "2")
        sender.queue(JOB_TASK, "3")
    gate.set()
    until = time.monotonic() + 5
    while len(sent) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.05)
    sender.stop()
    assert [whats for task, whats in sent if task == JOB_TASK] == [["2", "3"]]
    assert 1 <= sent.count((RESOLVE_TASK, ["one"])) <= 2  # one may have been on its way when it was given again


def test_hints_do_not_pile_up_while_no_worker_takes_them(service: Config) -> None:
    redis_server = Redis()
    redis_server.start()
    try:
        app = create_celery(replace(service, broker_url=redis_server.url, database_url="postgresql://unused"))
        sender, client = HintSender(app), redis.Redis.from_url(redis_server.url)
        sender.start()
        for _ in range(20):
            for number in range(30):
                sender.queue(RESOLVE_TASK, f"match-{number}")
            time.sleep(0.01)
        until = time.monotonic() + 10
        while sender._waiting and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.1)
        named = [json.loads(base64.b64decode(json.loads(message)["body"]))[0][0] for message in _messages(client)]
        assert Counter(match for matches in named for match in matches) == Counter(f"match-{n}" for n in range(30))
        WaitingHints(app).remove(RESOLVE_TASK, ["match-7"])
        sender.queue(RESOLVE_TASK, "match-7")
        sender.queue(RESOLVE_TASK, "match-8")
        while len(_messages(client)) == len(named) and time.monotonic() < until:
            time.sleep(0.01)
        newest = json.loads(base64.b64decode(json.loads(_messages(client)[0])["body"]))[0][0]
        assert newest == ["match-7"]  # a worker took the first of them
        sender.stop()
    finally:
        redis_server.end()


def _messages(client: redis.Redis) -> list[bytes | str]:
    return list(client.lrange("echtra", 0, -1))


def test_one_thread_at_a_time_resolves_a_match_and_no_word_is_lost() -> None:
    one, inside, counts = MatchLocks(), Counter[str](), Counter[str]()
    wanted = threading.Barrier(6)

    def work() -> None:
        wanted.wait()
        for _ in range(300):
            with one.lock("match") as mine:
                while mine():
                    inside["now"] += 1
                    assert inside["now"] == 1
                    counts["done"] += 1
                    inside["now"] -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts["done"] >= 300
    assert one._requested == {}


# The threads of a pool end with the process; here the process goes on, and their connections are seen to be dropped.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("mischief", ["lost", "doubled"])
def test_a_crew_resolves_whatever_becomes_of_the_hints(
    service: Config, mischief: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = somebody()
    crew = BackgroundWorker(service)
    if mischief == "lost":
        outbox.HintChannel.send = staticmethod(lambda _task, _what: None)
    else:
        real = hints.send_hint
        monkeypatch.setattr(hints, "send_hint", lambda app, task, whats: [real(app, task, whats) for _ in range(3)])
    crew.start()
    try:
        ids = [match_of(service, me, bots={1: "random", 2: "steady"}) for _ in range(3)]
        for number in range(3):
            for match in ids:
                _until_resolved(match)
                me.move(match, number)
        for match in ids:
            _until_resolved(match)
    finally:
        crew.stop()
    assert not crew.died.is_set()
    for match in ids:
        assert verified(match).signed == 3
    assert rows("select count(*) from event where type = 'match.started'") == [(3,)]


def _until_resolved(match: str) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if rows("select 1 from match where id = ? and resolved_seq = head_seq", match):
            return
        time.sleep(0.01)
    raise AssertionError(f"{match} was not resolved")


def test_a_heartbeat_is_written_and_a_long_silence_becomes_one_job(service: Config, clock: Clock) -> None:
    beat(service)
    assert rows("select worker, at from heartbeat") == [(worker_name(), clock.at)]
    clock.forward(minutes=14)
    beat(service)
    assert rows("select count(*) from job where topic = 'outage'") == [(0,)]
    since = clock.at
    clock.forward(seconds=OUTAGE / 1000 + 60)
    assert silent_workers(now()) == [(worker_name(), since)]
    beat(service)
    beat(service)
    assert rows("select key from job where topic = 'outage'") == [(f"outage:{since}",)]
    mark_stopped()
    assert rows("select worker, at from heartbeat") == [(STOPPED_ROW, clock.at)]
    assert silent_workers(clock.at + DAY) == []
