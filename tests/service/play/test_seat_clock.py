"""Banks, leave and zones of seats at real tables, and who is reminded."""

from __future__ import annotations

from datetime import date

import pytest

from service.accounts import vacation
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.db.models.matches import MatchRow
from service.jobs import heartbeat
from service.matches.arbiter_decisions import arbiter_for_operator
from service.play import reminders, timeouts
from service.play.match_loader import load_match_state
from service.timestamps import DAY, HOUR, MINUTE
from tests.support.clock_tables import asked, due, house, shown, sit
from tests.support.factories import settle, verified
from tests.support.players import Clock, letters


def test_leave_booked_before_the_question_counts_and_later_leave_does_not(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-3")
    seat, until = asked(match), due(match)
    with write_transaction():
        vacation.book(people[seat].player.id, "UTC", date(2027, 1, 16), date(2027, 1, 20))
        vacation.book(people[1 - seat].player.id, "UTC", date(2027, 1, 17), date(2027, 1, 20))
    assert due(match) == until
    while asked(match) == seat:
        people[seat].move(match)
        settle(match, service)
    assert due(match) == clock.at + 3 * DAY + 4 * DAY


def test_an_event_can_forbid_leave(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-3", leave=False)
    seat = asked(match)
    with write_transaction():
        vacation.book(people[1 - seat].player.id, "UTC", date(2027, 1, 16), date(2027, 1, 20))
    while asked(match) == seat:
        people[seat].move(match)
        settle(match, service)
    assert due(match) == clock.at + 3 * DAY


@pytest.mark.parametrize(
    ("zone", "quiet", "allowed", "days"),
    [("UTC", False, True, 3), ("UTC", True, True, 5), ("UTC", True, False, 3), ("Pacific/Kiritimati", True, True, 5)],
)
def test_weekends_are_quiet_for_who_wants_them_where_the_match_allows(
    clock: Clock, service: Config, zone: str, quiet: bool, allowed: bool, days: int
) -> None:
    match, people = sit(service, clock="simple-3", zone=zone, leave=allowed)
    seat = asked(match)
    execute("update player set quiet_weekends = ?", quiet)
    while asked(match) == seat:
        people[seat].move(match)
        settle(match, service)
    assert due(match) == clock.at + days * DAY


def test_the_increment_comes_once_a_turn_however_many_answers_it_takes(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="tournament")
    done = 0
    for _ in range(12):
        seat = asked(match)
        bank, turns = shown(match, seat, "bank", "turns")
        clock.forward(hours=1)
        people[seat].move(match)
        settle(match, service)
        left, done = shown(match, seat, "bank", "turns")
        completed = asked(match) != seat
        assert done == turns + completed
        assert left == (min(120 * HOUR, bank + 35 * HOUR) if completed else bank - HOUR)
        assert due(match) >= clock.at + shown(match, asked(match), "bank")[0]
    assert done > 1


def test_the_deadline_of_a_new_question_is_not_earlier_than_that_of_the_old(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-3")
    for _ in range(10):
        seat, until = asked(match), due(match)
        clock.forward(minutes=1)
        people[seat].move(match)
        settle(match, service)
        assert due(match) >= (until if asked(match) == seat else clock.at)


def test_a_deadline_once_given_holds_for_the_turns_after_it_too(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-3")
    seat, until = asked(match), due(match) + 5 * DAY
    arbiter_for_operator(match, service).extend(seat, until)
    settle(match, service)
    for _ in range(8):
        clock.forward(minutes=1)
        people[asked(match)].move(match)
        settle(match, service)
        assert due(match) == (until if asked(match) == seat else max(due(match), clock.at + 3 * DAY))
    clock.at = until - DAY
    for _ in range(4):
        people[asked(match)].move(match)
        settle(match, service)
        assert due(match) == clock.at + 3 * DAY


def test_reminders_go_out_once_each_as_time_runs_down(service: Config, clock: Clock) -> None:
    match, _ = sit(service, clock="simple-14")
    seat, until = asked(match), due(match)
    sent = []
    for at_ in (until - 5 * DAY, until - 2 * DAY, until - 2 * DAY + 1, until - DAY, until - 1):
        clock.at = at_
        reminders.queue_question_reminders()
        reminders.queue_question_reminders()
        sent.append([each["kind"] for each in letters() if each["kind"] in ("reminder", "urgent")])
    assert sent == [[], ["reminder"], ["reminder"], ["reminder", "urgent"], ["reminder", "urgent"]]
    assert {(each["match"], each["seat"], each["due"]) for each in letters("urgent")} == {(match, seat, until)}


def test_a_question_that_was_answered_is_not_reminded_of(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-3")
    seat, until = asked(match), due(match)
    while asked(match) == seat:
        people[seat].move(match)
        settle(match, service)
    clock.at = until - HOUR
    reminders.queue_question_reminders()
    assert {each["seat"] for each in letters("urgent")} == {1 - seat}


def test_who_is_on_leave_is_told_on_its_last_morning(service: Config, clock: Clock) -> None:
    _, people = sit(service, zone="Asia/Tokyo")
    with write_transaction():
        vacation.book(people[0].player.id, "Asia/Tokyo", date(2027, 1, 18), date(2027, 1, 20))
    told = letters("leave-ends")
    for hours in range(24 * 7):
        clock.forward(hours=1)
        reminders.queue_all(service)
        told = letters("leave-ends")
        assert len(told) == (hours >= 110)  # at eight in the morning of the twentieth in Tokyo
    assert told == [{"kind": "leave-ends", "player": people[0].player.id, "last_day": "2027-01-20"}]


def test_while_somebody_is_late_the_table_hears_of_it_daily(service: Config, clock: Clock) -> None:
    match, people = sit(service, clock="simple-3")
    clock.at = due(match) + MINUTE
    timeouts.write_timeouts()
    assert len(letters("late")) == 2
    for day in (1, 2):
        clock.forward(days=1)
        reminders.queue_question_reminders()
        reminders.queue_question_reminders()
        assert len(letters("late")) == 2 + 2 * day
    assert {each["player"] for each in letters("late")} == {each.player.id for each in people}


def test_three_weeks_of_many_tables(clock: Clock, service: Config) -> None:
    """Hour by hour, with nobody moving: nobody is timed out early, and nobody is forgotten."""
    found = [sit(service, clock=name, policy="stand-in", zone=zone)[0] for name, zone in TABLES]
    begin = clock.at
    while clock.at < begin + 21 * DAY:
        for _ in range(5):
            clock.forward(minutes=12)
            heartbeat.beat(service)
        timeouts.check_clocks(service)
        reminders.queue_question_reminders()
        for (match,) in rows("select id from match where resolved_seq < head_seq"):
            settle(match, service)
        late = rows("select count(*) from seat where due_at < ?", clock.at - HOUR - MINUTE)
        assert late == [(0,)]
    for match in found:
        for at_, line in rows("select at, line from entry where match = ? and line like ?", match, "timeout %"):
            assert 0 <= at_ - int(line.split()[2]) - MINUTE < HOUR
    names = {name for name, _ in TABLES if name != "none"}
    assert names == {MatchRow.get_by_id(match).clock for match in found if house(match)}
    assert all(verified(match).entries == load_match_state(match).seq for match in found)


TABLES = [
    ("none", "UTC"),
    ("standard", "Europe/Dublin"),
    ("standard", "Pacific/Apia"),
    ("tournament", "America/New_York"),
    ("simple-1", "Asia/Kolkata"),
    ("simple-5", "Australia/Lord_Howe"),
    ("phases", "Europe/Paris"),
    ("reactions", "UTC"),
]
