"""Wake-ups may be lost, doubled and shuffled: the sweep finds what is left, and every job is done once."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import redis
from peewee import OperationalError

from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import connection
from service.db.connection import execute, rows, write_transaction
from service.jobs import queue as job_queue
from service.jobs import wakeups, work_metrics
from service.jobs.heartbeat import OUTAGE, STOPPED_ROW, beat, mark_stopped, silent_workers, worker_name
from service.jobs.payloads import BlankLetter, JobPayload
from service.jobs.queue import ClaimedJob, Job, NewJob, RetryLater, handles
from service.matches import create
from service.play import resolve
from service.play.time_control import GRACE
from service.record.match_state import MatchState
from service.timestamps import now
from tests.support.factories import match_of, settle, somebody, verified
from tests.support.players import Clock
from tests.support.servers import Redis
from tests.support.statements import record_statements
from worker import schedule, sweeper
from worker import wakeups as sending
from worker.celery_app import create_celery
from worker.process import BackgroundWorker
from worker.schedule import PERIODIC_TASKS
from worker.sweeper import MOST_BULK, Sweeper, UnresolvedMatches, take_due_jobs
from worker.tasks import (
    LEASE_MS,
    LONGEST_WAIT,
    MOST_LOST,
    MOST_TRIES,
    MatchResolver,
    WaitingMatches,
    release_leases,
    run_job,
)
from worker.wakeups import WakeupSender, listen_for_events

DAY = 24 * 3_600_000


class SweptJob(JobPayload, topic="test"):
    """A job of these tests alone."""

    key: str


def job(key: str = "one", due_at: int | None = None) -> int:
    number = job_queue.add(SweptJob(key=key), key, due_at)
    assert number is not None
    return number


def column(number: int, what: str) -> Any:  # noqa: ANN401
    return rows(f"select {what} from job where id = ?", number)[0][0]  # noqa: S608


@pytest.mark.usefixtures("service")
def test_a_job_with_the_same_key_is_written_once() -> None:
    job("one")
    assert job_queue.add(SweptJob(key="one"), "one") is None
    assert rows("select count(*) from job") == [(1,)]


def test_many_threads_do_each_job_once(service: Config) -> None:
    numbers = [job(str(each)) for each in range(20)]
    done: Counter[str] = Counter()
    given = numbers * 6
    random.Random(1).shuffle(given)

    def work(mine: list[int]) -> None:
        for number in mine:
            run_job(number, service, dict([handles(SweptJob, lambda each, _config: done.update([each.payload.key]))]))
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
    seen: list[Job[SweptJob]] = []
    assert run_job(number, service, dict([handles(SweptJob, lambda each, _config: seen.append(each))]))
    ((due_at,),) = rows("select due_at from job where id = ?", number)
    assert seen == [Job(number, "one", SweptJob(key="one"), 3, due_at)]


def test_a_job_that_fails_is_tried_again_later_and_given_up_in_the_end(service: Config, clock: Clock) -> None:
    number = job()

    def fails(_job: ClaimedJob, _config: Config) -> None:
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

    def later(_job: ClaimedJob, _config: Config) -> None:
        raise RetryLater(until, "their server is away")

    assert not run_job(number, service, {"test": later})
    assert (column(number, "due_at"), column(number, "attempts")) == (until, 0)
    assert take_due_jobs() == []


def lose_run(number: int, config: Config) -> bool:
    """Let a worker die while it runs this job. Return True if it had begun."""
    begun: list[int] = []

    def die(_job: ClaimedJob, _config: Config) -> None:
        begun.append(1)
        raise OperationalError("as good as dead: nothing is noted")

    with suppress(OperationalError):
        run_job(number, config, {"test": die})
    return bool(begun)


def test_a_job_that_kills_its_worker_is_tried_ever_more_rarely_and_given_up_after_hours(
    service: Config, clock: Clock
) -> None:
    number, began, tries = job(), clock.at, []
    while column(number, "dead_at") is None and clock.at < began + 30 * DAY:
        if lose_run(number, service):
            tries.append(clock.at)
        assert not lose_run(number, service), "nobody else takes it meanwhile"
        clock.at = max(clock.at + LEASE_MS + 1, column(number, "due_at"))
    assert len(tries) == MOST_LOST
    waits = [after - before for before, after in pairwise(tries)]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST_WAIT
    assert tries[-1] - began > DAY / 3
    assert (column(number, "lost"), column(number, "attempts")) == (MOST_LOST, 0)
    clock.forward(days=30)
    assert take_due_jobs() == []


def test_a_job_whose_worker_others_kill_again_and_again_is_done_soon_after(service: Config, clock: Clock) -> None:
    number, lost = job(), 0
    for _ in range(100):
        clock.forward(seconds=2)
        lost += lose_run(number, service)
        release_leases()
    assert lost > MOST_TRIES
    clock.at, since = max(clock.at, column(number, "due_at")), clock.at
    assert clock.at - since < 100_000
    assert take_due_jobs() == [number]
    assert run_job(number, service, {"test": lambda _job, _config: None})


def test_a_report_of_a_run_ends_the_count_of_those_that_were_lost(service: Config, clock: Clock) -> None:
    number = job()

    def later(_job: ClaimedJob, _config: Config) -> None:
        raise RetryLater(clock.at, "not yet")

    for _ in range(3):
        assert lose_run(number, service)
        release_leases()
        clock.forward(seconds=2)
    assert column(number, "lost") == 3
    assert not run_job(number, service, {"test": later})
    assert (column(number, "lost"), column(number, "attempts")) == (0, 0)


def test_a_topic_that_nobody_knows_waits(service: Config, clock: Clock) -> None:
    number = job()
    assert not run_job(number, service, {})
    assert column(number, "dead_at") is None
    assert column(number, "due_at") > clock.at
    assert "test" in column(number, "last_error")


def test_who_was_too_slow_marks_nothing_done(service: Config, clock: Clock) -> None:
    number = job()
    done: list[str] = []

    def slow(_job: ClaimedJob, _config: Config) -> None:
        clock.forward(seconds=LEASE_MS / 1000 + 1)
        if not done:
            done.append("other")
            assert run_job(number, service, {"test": lambda _job, _config: done.append("again")})

    run_job(number, service, {"test": slow})
    assert done == ["other", "again"]
    assert column(number, "lost") == 2


def test_a_job_of_a_killed_process_is_free_at_once_where_there_is_only_one(service: Config, clock: Clock) -> None:
    number = job()
    execute("update job set lease_until = ?, woken_until = ?, lost = 1", clock.at + LEASE_MS, clock.at + 1)
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
def test_wakeups_for_jobs_stay_within_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper, "MOST_WOKEN", 5)
    for each in range(12):
        job(str(each))
    assert len(take_due_jobs()) == 5
    assert take_due_jobs() == []


def test_unresolved_matches_are_found_again_and_again_until_resolved(service: Config) -> None:
    me, seek = somebody(), UnresolvedMatches()
    match = match_of(service, me, bots={1: "steady"})
    assert seek.take_due() == ([], [])  # the first wake-up has its chance
    time.sleep(0.12)
    assert seek.take_due() == ([match], [])
    assert seek.take_due() == ([], [])
    seek._woken = dict.fromkeys(seek._woken, 0)
    assert seek.take_due() == ([], [match])  # the wake-up was in vain
    assert seek.take_due() == ([], [])
    settle(match, service)
    assert seek.take_due() == ([], [])
    assert seek._woken == {}


def test_a_flood_of_unresolved_matches_goes_through_a_window(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper, "MOST_WOKEN", 3)
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


def test_a_wakeup_is_sent_once_however_often_it_is_given(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, list[str]]] = []
    gate = threading.Event()

    def slow(_app: object, task: str, ids: list[str]) -> None:
        gate.wait(5)
        sent.append((task, ids))

    monkeypatch.setattr(sending, "send_task", slow)
    sender = WakeupSender(create_celery(service), service)
    sender.start()
    for _ in range(10):
        sender.queue(wakeups.RESOLVE, "one")
        sender.queue(wakeups.RUN_JOBS, "2")
        sender.queue(wakeups.RUN_JOBS, "3")
    gate.set()
    until = time.monotonic() + 5
    while len(sent) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.05)
    sender.stop()
    assert (wakeups.RUN_JOBS, ["2", "3"]) in sent
    assert (wakeups.RESOLVE, ["one"]) in sent
    assert len(sent) <= 4  # some may have been on their way when they were given again


def test_messages_do_not_pile_up_while_no_worker_takes_them(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "MOST_MESSAGES", 5)
    monkeypatch.setattr(sending, "CHECK_SECONDS", 0)
    redis_server = Redis()
    redis_server.start()
    try:
        config = replace(service, broker_url=redis_server.url, database_url="postgresql://unused")
        sender, client = WakeupSender(create_celery(config), config), redis.Redis.from_url(redis_server.url)
        sender.start()
        for _ in range(20):
            for number in range(30):
                sender.queue(wakeups.RESOLVE, f"match-{number}")
                sender.queue(wakeups.RUN_JOBS, str(number))
            time.sleep(0.01)
        until = time.monotonic() + 10
        while sender._waiting and time.monotonic() < until:
            time.sleep(0.01)
        sender.stop()
        assert client.llen("echtra") == 5
    finally:
        redis_server.end()


def test_a_wakeup_for_event_streams_reaches_every_process_that_listens(service: Config) -> None:
    redis_server = Redis()
    redis_server.start()
    try:
        config = replace(service, broker_url=redis_server.url, database_url="postgresql://unused")
        heard = [threading.Event(), threading.Event()]
        for each in heard:
            listen_for_events(config, each.set)
            assert each.wait(5), "to begin with, as something may have been missed"
            each.clear()
        sender = WakeupSender(create_celery(config), config)
        sender.start()
        sender.queue(wakeups.READ_EVENTS, "")
        assert all(each.wait(5) for each in heard)
        sender.stop()
        redis_server.kill()
        for each in heard:
            each.clear()
        redis_server.start()
        assert all(each.wait(5) for each in heard), "whoever lost the connection looks and listens again"
    finally:
        redis_server.end()


def test_one_thread_at_a_time_resolves_a_match_and_no_word_is_lost() -> None:
    waiting, inside, counts = WaitingMatches(), Counter[str](), Counter[str]()
    wanted = threading.Barrier(6)

    def work() -> None:
        wanted.wait()
        for _ in range(300):
            waiting.add(["match"])
            while batch := waiting.take(50):
                inside["now"] += 1
                assert inside["now"] == 1
                counts["done"] += 1
                inside["now"] -= 1
                waiting.finish(batch, ())

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts["done"] >= 300
    assert (waiting._waiting, waiting._held) == ({}, set())


def test_a_match_that_cannot_be_resolved_does_not_hold_up_the_others(
    service: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    me = somebody()
    matches = [match_of(service, me, bots={1: "steady"}) for _ in range(4)]
    real = resolve.resolution_of

    def fail_for_one(match_state: MatchState, *rest: Any) -> resolve.Resolution:  # noqa: ANN401  # as the function has them
        if match_state.facts.id == matches[1]:
            raise RuntimeError("a bot that fails")
        return real(match_state, *rest)

    monkeypatch.setattr(resolve, "resolution_of", fail_for_one)
    MatchResolver(service, resolve.think_now).resolve(matches)
    assert {id_ for (id_,) in rows("select id from match where resolved_seq < head_seq")} == {matches[1]}


def test_how_long_moves_wait_for_their_resolution_is_measured(service: Config, clock: Clock) -> None:
    me, waits = somebody(), work_metrics.RESOLVE_SECONDS
    match = match_of(service, me, bots={1: "steady"})
    resolver = MatchResolver(service, resolve.think_now)
    resolver.resolve([match])
    me.move(match)
    before = {sample.name: sample.value for metric in waits.collect() for sample in metric.samples if not sample.labels}
    clock.forward(seconds=7)
    resolver.resolve([match])
    resolver.resolve([match])
    after = {sample.name: sample.value for metric in waits.collect() for sample in metric.samples if not sample.labels}
    grown = {name.rpartition("_")[2]: after[name] - value for name, value in before.items()}
    assert grown["count"] == 1, "what was resolved already is not measured again"
    assert grown["sum"] == pytest.approx(7)


def test_many_matches_are_resolved_by_few_statements(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    me = somebody()
    matches = [match_of(service, me, bots={1: "steady"}) for _ in range(8)]
    resolver = MatchResolver(service, resolve.think_now)
    resolver.resolve(matches)
    for match in matches:
        me.move(match)
    monkeypatch.setattr(resolve, "BATCH_SECONDS", 60)
    reset_process_state()
    with record_statements() as said:
        resolver.resolve(matches)
    assert not rows("select 1 from match where resolved_seq < head_seq")
    assert len(said) <= 24


# The threads of a pool end with the process; here the process goes on, and their connections are seen to be dropped.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("mischief", ["lost", "doubled"])
def test_a_crew_resolves_whatever_becomes_of_the_wakeups(
    service: Config, mischief: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "LOOK_SECONDS", 0.2)
    me = somebody()
    crew = BackgroundWorker(service)
    if mischief == "lost":
        wakeups.WakeupChannel.send = staticmethod(lambda _task, _what: None)
    else:
        real = sending.send_task
        monkeypatch.setattr(sending, "send_task", lambda *args: sum(real(*args) for _ in range(3)) == 3)
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


def test_a_worker_that_was_killed_is_listed_for_an_hour_while_others_run(service: Config, clock: Clock) -> None:
    execute("insert into heartbeat (worker, at, started_at) values ('killed', ?, ?)", clock.at, clock.at)
    clock.forward(minutes=59)
    beat(service)
    assert [worker for worker, _ in silent_workers(now())] == ["killed"]
    clock.forward(minutes=2)
    beat(service)
    assert silent_workers(now()) == []


@pytest.mark.usefixtures("service")
def test_the_many_letters_of_a_round_are_named_a_few_at_a_time_after_whatever_else_is_due() -> None:
    due = now() - 1000
    with write_transaction():
        many = [NewJob(BlankLetter(), f"tournament-round:t:swiss:1:{at}", due, job_queue.BULK) for at in range(20)]
        first = list(job_queue.add_all(many).values())
        (turn,) = job_queue.add_all([NewJob(BlankLetter(), "turn:m:0:3", due + 500)]).values()
    assert take_due_jobs() == [turn, *first[:MOST_BULK]]
    (later,) = job_queue.add_all([NewJob(BlankLetter(), "turn:m:0:5", due)]).values()
    assert take_due_jobs() == [later], "no more of the others while those are not done"
    execute("update job set done_at = ? where id = ?", now(), first[0])
    assert take_due_jobs() == [first[MOST_BULK]]


def sweeper_of(config: Config) -> Sweeper:
    return Sweeper(create_celery(config), config, PERIODIC_TASKS, MatchResolver(config, resolve.think_now))


def test_a_sweep_with_nothing_to_do_is_one_statement_and_a_long_sleep(service: Config) -> None:
    idle = sweeper_of(service)
    idle.sweep()  # the tasks without a due time have their turn
    with record_statements() as said:
        pause = idle.sweep()
    assert (len(said), pause) == (1, sweeper.LOOK_SECONDS)


def test_the_sweeper_sleeps_until_the_next_job_is_due(service: Config, clock: Clock) -> None:
    idle = sweeper_of(service)
    idle.sweep()
    job(due_at=clock.at + 700)
    assert idle.sweep() == 0.7


def test_a_wakeup_ends_the_sleep_of_the_sweeper(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []

    def look(_self: Sweeper) -> float:
        looks.append(time.monotonic())
        return 60

    monkeypatch.setattr(Sweeper, "sweep", look)
    idle = sweeper_of(service)
    idle.start()
    until = time.monotonic() + 10
    while not looks and time.monotonic() < until:
        time.sleep(0.01)
    idle.wake()
    while len(looks) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    idle.stop()
    assert len(looks) == 2


def test_the_next_deadline_and_the_next_expiry_are_read_from_the_database(service: Config) -> None:
    me = somebody()
    match = match_of(service, me, bots={1: "steady"})
    waiting = create.create_match(me.player, create.NewMatch(game="keltis", seats=2, seat=0), service).id
    settle(match, service)
    ((due,),) = rows("select due_at from seat where match = ? and asked is not null", match)
    ((expires,),) = rows("select expires_at from match where id = ?", waiting)
    assert rows(f"select {schedule.NEXT_CLOCK}, {schedule.NEXT_START_OR_EXPIRY}") == [(due + GRACE, expires)]
