"""Time that is given back: after an outage, and while letters come back."""

from __future__ import annotations

import pytest

from service.accounts import bounces
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.connection import execute, rows
from service.jobs import heartbeat
from service.jobs.heartbeat import RestoreLostTime
from service.jobs.queue import Job
from service.play import bounce_pauses, outages, timeouts
from service.play.match_loader import load_match_state, replay_from_start
from service.timestamps import DAY, HOUR, MINUTE, now
from tests.support.clock_tables import asked, due, house, shown, sit
from tests.support.factories import Seated, settle, verified
from tests.support.players import Clock
from worker.schedule import JOB_HANDLERS
from worker.tasks import run_job


def restart(service: Config) -> None:
    """Act like a worker that comes back: send a beat, and do the job that follows from a long silence."""
    heartbeat.beat(service)
    for (number,) in rows("select id from job where topic = 'outage' and done_at is null"):
        assert run_job(number, service, JOB_HANDLERS)


def test_an_outage_is_added_to_every_running_deadline_once(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-1")
    other, _ = sit(service, clock="none")
    until, before = due(match), load_match_state(match)
    heartbeat.beat(service)
    clock.forward(days=2)
    timeouts.check_clocks(service)
    assert house(match) == []  # nobody is late before it is known how long we were away
    restart(service)
    assert due(match) == until + 2 * DAY
    assert house(match) == ["pause outage", "resume"]
    assert house(other) == []
    timeouts.check_clocks(service)
    restart(service)
    ((number, key, payload),) = rows("select id, key, payload from job where topic = 'outage'")
    again = Job(number, key, RestoreLostTime.from_json(payload), 2)  # the same job once more, as after a crash
    outages.restore_lost_time(again, service)
    assert due(match) == until + 2 * DAY
    assert house(match) == ["pause outage", "resume"]
    assert load_match_state(match).questions == before.questions
    reset_process_state()
    assert replay_from_start(match, load_match_state(match).seq).questions == before.questions
    settle(match, service)
    people[asked(match)].move(match)
    settle(match, service)
    verified(match)


def test_a_question_put_during_an_outage_gets_only_what_it_lost(clock: Clock, service: Config) -> None:
    heartbeat.beat(service)
    clock.forward(hours=5)
    match, _ = sit(service, clock="simple-1")
    until = due(match)
    clock.forward(hours=3)
    restart(service)
    assert due(match) == until + 3 * HOUR


def test_the_bank_is_not_charged_for_an_outage(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="relaxed")
    seat = asked(match)
    heartbeat.beat(service)
    clock.forward(days=4)
    restart(service)
    clock.forward(hours=40)
    people[seat].move(match)
    settle(match, service)
    assert shown(match, seat, "bank")[0] in (200 * HOUR, 236 * HOUR)


@pytest.mark.parametrize(("minutes", "lines"), [(15, 0), (15.1, 2)])
def test_a_short_silence_is_no_outage(clock: Clock, service: Config, minutes: float, lines: int) -> None:
    match, _ = sit(service, clock="simple-1")
    heartbeat.beat(service)
    clock.forward(minutes=minutes)
    restart(service)
    assert len(house(match)) == lines


def test_a_clock_that_jumps_ahead_makes_nobody_late(clock: Clock, service: Config) -> None:
    match, _ = sit(service, clock="simple-1")
    heartbeat.beat(service)
    clock.forward(days=30)
    for _ in range(3):
        timeouts.check_clocks(service)
    restart(service)
    timeouts.check_clocks(service)
    assert house(match) == ["pause outage", "resume"]
    clock.forward(days=-30)
    heartbeat.beat(service)
    timeouts.check_clocks(service)
    assert len(house(match)) == 2


# Letters that come back


def come_back(who: Seated) -> int:
    """The letters to this player come back; how many clocks pause."""
    execute("update player set bounces = 2, bounced_at = ? where id = ?", now(), who.player.id)
    return bounce_pauses.pause_clocks(who.player.id)


def test_a_hard_bounce_pauses_the_clock_until_the_address_is_good_again(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-3")
    seat, until = asked(match), due(match)
    clock.forward(days=1)
    assert come_back(people[seat]) == 1
    clock.forward(days=5)
    timeouts.check_clocks(service)
    assert house(match) == []
    bounces.clear_bounces(people[seat].player.id)
    timeouts.check_clocks(service)
    assert due(match) == until + 5 * DAY
    assert come_back(people[seat]) == 0  # once per match
    clock.at = until + 5 * DAY + MINUTE
    timeouts.check_clocks(service)
    assert len(house(match)) == 1


def test_the_pause_of_a_bounce_ends_after_seven_days(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-3")
    seat, until = asked(match), due(match)
    come_back(people[seat])
    clock.forward(days=6.9)
    timeouts.check_clocks(service)
    assert due(match) == until
    clock.forward(days=3)
    timeouts.check_clocks(service)
    assert due(match) == until + 7 * DAY
    assert house(match) == []
    clock.at = until + 7 * DAY + MINUTE
    timeouts.check_clocks(service)
    assert len(house(match)) == 1


def test_who_is_asked_during_the_pause_loses_no_time(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="relaxed")
    first = asked(match)
    other = people[1 - first]
    come_back(other)
    clock.forward(days=1)
    while asked(match) == first:
        people[first].move(match)
        settle(match, service)
    until = due(match)
    clock.forward(days=2)
    bounces.clear_bounces(other.player.id)
    timeouts.check_clocks(service)
    assert due(match) == until + 2 * DAY
    clock.forward(hours=10)
    other.move(match)
    settle(match, service)
    assert shown(match, 1 - first, "bank")[0] in (230 * HOUR, 240 * HOUR)


@pytest.mark.parametrize(
    ("paused", "heard", "away", "back", "given"),
    [
        pytest.param(1, 6, 2, 4, 5, id="outage within the pause"),
        pytest.param(1, 3, 2, 4, 3, id="pause ends within the outage"),
        pytest.param(3, 6, 2, 4, 4, id="pause begins within the outage"),
        pytest.param(2.5, 3, 2, 4, 2, id="pause within the outage"),
        pytest.param(5, 6, 2, 4, 3, id="pause after the outage"),
        pytest.param(1, 2, 3, 5, 3, id="pause before the outage"),
        pytest.param(1, 13, 2, 4, 9, id="a week of pause, not counting the outage within"),
        pytest.param(1, 13, 5, 12, 12, id="outage longer than the week"),
    ],
)
def test_time_lost_twice_over_is_given_once(
    clock: Clock, service: Config, paused: float, heard: float, away: float, back: float, given: float
) -> None:
    match, people = sit(service, clock="simple-14")
    me, until, began = people[asked(match)], due(match), clock.at
    heartbeat.beat(service)
    for day in sorted((paused, heard, away, back)):
        clock.at = began + int(day * DAY)
        if not away < day <= back:
            execute("update heartbeat set at = ?", clock.at)  # it went on beating all the time
        if day == paused:
            come_back(me)
        if day == heard:
            bounces.clear_bounces(me.player.id)
        if day == back:
            timeouts.check_clocks(service)  # may well come before the job that gives the time back
            restart(service)
        if not away < day < back:
            timeouts.check_clocks(service)
    assert due(match) == until + int(given * DAY)
    assert shown(match, asked(match), "paused_at") == (None,)
