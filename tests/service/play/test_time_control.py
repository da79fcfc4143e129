"""Clocks as functions of given times: presets, banks, zones, weekends, leave and the two days a year of odd length."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from service.play.time_control import (
    NO_REST,
    PRESETS,
    RestDays,
    bank_after_answer,
    bank_after_excuse,
    counted_time,
    deadline,
    due_reminders,
    later_deadline,
    moment_after,
)
from service.timestamps import DAY, HOUR, MINUTE

DUBLIN, TOKYO, NEW_YORK, APIA = "Europe/Dublin", "Asia/Tokyo", "America/New_York", "Pacific/Apia"
WEEKENDS = RestDays(DUBLIN, weekends=True)
TWICE = (("2027-01-12", "2027-01-12"), ("2027-01-14", "2027-01-15"))


def ms(text: str, zone: str = "UTC") -> int:
    """A wall clock time in a zone."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def wall(at: int | None, zone: str = "UTC") -> str:
    assert at is not None
    return datetime.fromtimestamp(at / 1000, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


# 2027-01-15 is a Friday. Clocks change in Dublin on 28 March and 31 October, in New York on 14 March and 7 November.
# fmt: off
DUE = [  # preset, bank in hours or None for a new one, asked, zone, rest on weekends, leave, due
    ("simple-1", None, "2027-01-15 10:00", DUBLIN, False, (), "2027-01-16 10:00"),
    ("simple-14", None, "2027-01-15 10:00", DUBLIN, False, (), "2027-01-29 10:00"),
    ("standard", None, "2027-01-11 10:00", DUBLIN, True, (), "2027-01-14 10:00"),
    ("standard", None, "2027-01-15 10:00", DUBLIN, True, (), "2027-01-20 10:00"),
    ("standard", None, "2027-01-16 10:00", DUBLIN, True, (), "2027-01-21 00:00"),
    ("standard", None, "2027-01-17 23:59", DUBLIN, True, (), "2027-01-21 00:00"),
    ("standard", 48, "2027-01-14 00:00", DUBLIN, True, (), "2027-01-16 00:00"),
    ("standard", 168, "2027-01-11 00:00", DUBLIN, True, (), "2027-01-20 00:00"),
    ("standard", 24, "2027-01-15 12:00", TOKYO, True, (), "2027-01-18 12:00"),
    ("tournament", None, "2027-01-15 10:00", DUBLIN, False, (), "2027-01-18 10:00"),
    ("relaxed", None, "2027-01-15 10:00", DUBLIN, False, (), "2027-01-25 10:00"),
    ("reactions", None, "2027-01-15 10:00", DUBLIN, False, (), "2027-01-25 22:00"),
    ("reactions-8", 24, "2027-01-15 10:00", DUBLIN, False, (), "2027-01-16 18:00"),
    ("reactions-24", 24, "2027-01-15 10:00", DUBLIN, False, (), "2027-01-17 10:00"),
    ("block", None, "2027-01-15 10:00", DUBLIN, False, (), "2027-03-31 11:00"),
    # days on leave are not counted, and weekends within them not twice
    ("simple-3", None, "2027-01-11 10:00", DUBLIN, False, (("2027-01-12", "2027-01-14"),), "2027-01-17 10:00"),
    ("simple-3", None, "2027-01-11 10:00", DUBLIN, False, (("2027-01-01", "2027-01-10"),), "2027-01-14 10:00"),
    ("simple-3", None, "2027-01-11 10:00", DUBLIN, False, (("2027-01-15", "2027-01-20"),), "2027-01-14 10:00"),
    ("simple-3", None, "2027-01-11 10:00", DUBLIN, False, (("2027-01-11", "2027-01-11"),), "2027-01-15 00:00"),
    ("simple-2", None, "2027-01-11 10:00", DUBLIN, False, TWICE, "2027-01-16 10:00"),
    ("standard", 24, "2027-01-15 12:00", DUBLIN, True, (("2027-01-16", "2027-01-17"),), "2027-01-18 12:00"),
    ("standard", 24, "2027-01-15 12:00", DUBLIN, True, (("2027-01-18", "2027-01-18"),), "2027-01-19 12:00"),
    # a day is 24 hours long even when the clock on the wall jumps
    ("simple-1", None, "2027-03-27 10:00", DUBLIN, False, (), "2027-03-28 11:00"),
    ("simple-1", None, "2027-10-30 10:00", DUBLIN, False, (), "2027-10-31 09:00"),
    ("simple-1", None, "2027-03-13 12:00", NEW_YORK, False, (), "2027-03-14 13:00"),
    # weekends and leave are days of the wall: 47 and 49 hours do not count
    ("standard", 24, "2027-03-26 12:00", DUBLIN, True, (), "2027-03-29 12:00"),
    ("standard", 24, "2027-10-29 12:00", DUBLIN, True, (), "2027-11-01 12:00"),
    ("simple-1", None, "2027-03-27 12:00", DUBLIN, False, (("2027-03-28", "2027-03-28"),), "2027-03-29 12:00"),
    ("simple-1", None, "2027-10-30 12:00", DUBLIN, False, (("2027-10-31", "2027-10-31"),), "2027-11-01 12:00"),
    ("standard", 24, "2027-11-05 12:00", NEW_YORK, True, (), "2027-11-08 12:00"),
    # a day that some island left out altogether
    ("simple-2", None, "2011-12-29 12:00", APIA, False, (), "2012-01-01 12:00"),
    ("standard", 24, "2011-12-29 12:00", APIA, True, (), "2012-01-02 12:00"),
    # every deadline of a phase at six in the evening, universal time, about three days on, on a working day
    ("phases", None, "2027-01-11 18:05", "UTC", True, (), "2027-01-14 18:00"),
    ("phases", None, "2027-01-11 19:30", "UTC", True, (), "2027-01-15 18:00"),
    ("phases", None, "2027-01-13 18:05", "UTC", True, (), "2027-01-18 18:00"),
    ("phases", None, "2027-01-13 18:05", "UTC", True, (("2027-01-18", "2027-01-19"),), "2027-01-20 18:00"),
    # whole days, those beyond the twentieth double, and nobody stays away for more than forty
    ("classic-30", 5 * 24, "2027-01-01 10:00", "UTC", False, (), "2027-01-07 10:00"),
    ("classic-30", None, "2027-01-01 10:00", "UTC", False, (), "2027-01-27 10:00"),
    ("classic-50", None, "2027-01-01 10:00", "UTC", False, (), "2027-02-06 10:00"),
    ("classic-50", 150 * 24, "2027-01-01 10:00", "UTC", False, (), "2027-02-10 10:00"),
]
ANSWERS = [  # preset, bank in hours, asked, answered, zone, weekends, leave, which turn it completes or none, bank then
    ("standard", 72, "2027-01-11 10:00", "2027-01-11 16:00", DUBLIN, True, (), 1, 90),
    ("standard", 72, "2027-01-11 10:00", "2027-01-11 16:00", DUBLIN, True, (), None, 66),
    ("standard", 168, "2027-01-11 10:00", "2027-01-11 10:01", DUBLIN, True, (), 9, 168),
    ("standard", 72, "2027-01-15 22:00", "2027-01-18 02:00", DUBLIN, True, (), None, 68),
    ("standard", 10, "2027-01-11 10:00", "2027-01-12 10:00", DUBLIN, True, (), 1, 24),
    ("standard", 72, "2027-03-26 22:00", "2027-03-29 02:00", DUBLIN, True, (), None, 68),
    ("standard", 72, "2027-01-11 22:00", "2027-01-14 02:00", DUBLIN, True, (("2027-01-12", "2027-01-13"),), None, 68),
    ("relaxed", 240, "2027-01-11 10:00", "2027-01-11 20:00", DUBLIN, False, (), 1, 240),
    ("tournament", 72, "2027-01-11 10:00", "2027-01-12 10:00", DUBLIN, False, (), 1, 84),
    ("tournament", 120, "2027-01-11 10:00", "2027-01-11 11:00", DUBLIN, False, (), 1, 120),
    ("reactions", 240, "2027-01-11 10:00", "2027-01-11 21:59", DUBLIN, False, (), 1, 288),
    ("reactions", 240, "2027-01-11 10:00", "2027-01-12 00:00", DUBLIN, False, (), 1, 286),
    ("classic-30", 720, "2027-01-01 10:00", "2027-01-02 09:59", "UTC", False, (), 1, 720),
    ("classic-30", 720, "2027-01-01 10:00", "2027-01-23 10:00", "UTC", False, (), 1, 720 - 24 * 24),
    ("classic-30", 240, "2027-01-01 10:00", "2027-01-01 11:00", "UTC", False, (), 9, 240),
    ("classic-30", 240, "2027-01-01 10:00", "2027-01-01 11:00", "UTC", False, (), 10, 240 + 720),
    ("block", 1800, "2027-01-01 10:00", "2027-01-02 10:00", "UTC", False, (), 50, 1800 + 96),
    ("block", 1800, "2027-01-01 10:00", "2027-01-02 10:00", "UTC", False, (), 51, 1800 - 24),
    ("simple-3", 0, "2027-01-01 10:00", "2027-01-02 10:00", "UTC", False, (), 3, 0),
]
REMINDERS = [  # days of time, days left, sent already, what is sent
    (3, 2.0, (), ()),
    (3, 1.001, (), ()),
    (3, 1.0, (), ("urgent",)),
    (3, 0.5, ("urgent",), ()),
    (10, 2.01, (), ()),
    (10, 2.0, (), ("reminder",)),
    (10, 1.5, ("reminder",), ()),
    (10, 1.0, ("reminder",), ("urgent",)),
    (10, 0.9, (), ("urgent",)),
    (1, 0.99, (), ()),
    (1, 0.2, (), ("urgent",)),
    (1, -0.1, (), ()),
    (40, 26.1, (), ()),
    (40, 26.0, (), ("day-14",)),
    (40, 20.0, ("day-14",), ()),
    (40, 12.0, ("day-14",), ("day-28",)),
    (40, 8.0, ("day-14", "day-28"), ("reminder",)),
    (40, 5.0, ("day-14", "day-28", "reminder"), ("day-35",)),
]
# fmt: on


@pytest.mark.parametrize(("preset", "bank", "asked", "zone", "weekends", "leaves", "wanted"), DUE)
def test_when_an_answer_is_due(
    preset: str,
    bank: int | None,
    asked: str,
    zone: str,
    weekends: bool,
    leaves: tuple[tuple[str, str], ...],
    wanted: str,
) -> None:
    clock = PRESETS[preset]
    found = deadline(
        clock, clock.bank if bank is None else bank * HOUR, ms(asked, zone), RestDays(zone, weekends, leaves)
    )
    assert wall(found, zone) == wanted


@pytest.mark.parametrize(("preset", "bank", "asked", "at", "zone", "weekends", "leaves", "turn", "wanted"), ANSWERS)
def test_what_an_answer_leaves_in_the_bank(
    preset: str,
    bank: int,
    asked: str,
    at: str,
    zone: str,
    weekends: bool,
    leaves: tuple[tuple[str, str], ...],
    turn: int | None,
    wanted: int,
) -> None:
    rest = RestDays(zone, weekends, leaves)
    assert bank_after_answer(PRESETS[preset], bank * HOUR, ms(asked, zone), ms(at, zone), rest, turn) == wanted * HOUR


@pytest.mark.parametrize(("days", "left", "sent", "wanted"), REMINDERS)
def test_which_reminders_are_due(days: int, left: float, sent: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    since = ms("2027-01-11 10:00")
    until = since + days * DAY
    assert due_reminders(since, until, until - int(left * DAY), frozenset(sent)) == wanted


def test_a_match_without_a_clock_has_no_deadline_but_a_word_after_two_weeks() -> None:
    since = ms("2027-01-11 10:00")
    assert deadline(PRESETS["none"], 0, since) is None
    assert due_reminders(since, None, since + 13 * DAY, frozenset()) == ()
    assert due_reminders(since, None, since + 14 * DAY, frozenset()) == ("day-14",)


@pytest.mark.parametrize("zone", ["UTC", DUBLIN, TOKYO, NEW_YORK, APIA, "Australia/Lord_Howe", "Africa/Cairo"])
def test_what_counts_until_a_deadline_is_the_time_there_was(zone: str) -> None:
    rests = [NO_REST, RestDays(zone, weekends=True), RestDays(zone, True, (("2027-03-10", "2027-03-20"),))]
    for rest in rests:
        for day in range(0, 400, 3):
            start = ms("2027-01-01 13:37", zone) + day * DAY
            for span in (MINUTE, 5 * HOUR, 3 * DAY, 7 * DAY + 1):
                assert counted_time(start, moment_after(start, span, rest), rest) == span


def test_more_time_never_means_an_earlier_deadline() -> None:
    rest = RestDays(DUBLIN, True, (("2027-03-25", "2027-03-30"),))
    for name, clock in PRESETS.items():
        found = [deadline(clock, bank * 7 * HOUR, ms("2027-03-22 09:00", DUBLIN), rest) for bank in range(60)]
        if name != "none":
            assert found == sorted(found, key=lambda at: at or 0), name
    later_asked = [deadline(PRESETS["phases"], 0, ms("2027-03-01 00:00") + hour * HOUR, rest) for hour in range(400)]
    assert later_asked == sorted(later_asked, key=lambda at: at or 0)


def test_a_new_deadline_is_never_earlier_than_the_old() -> None:
    assert later_deadline(5, 9) == 9
    assert later_deadline(9, 5) == 9
    assert later_deadline(None, 5) is None
    assert later_deadline(5, None) == 5


def test_an_excuse_is_worth_a_turn_and_at_least_a_day() -> None:
    assert bank_after_excuse(PRESETS["standard"]) == DAY
    assert bank_after_excuse(PRESETS["relaxed"]) == 36 * HOUR
    assert bank_after_excuse(PRESETS["simple-3"]) == 0


def test_every_preset_ends_and_hard_ones_are_those_of_events() -> None:
    assert {name for name, clock in PRESETS.items() if clock.hard} == {
        "tournament",
        "classic-30",
        "classic-40",
        "classic-50",
        "block",
    }
    for name, clock in PRESETS.items():
        found = deadline(clock, clock.bank, ms("2027-01-11 10:00"), WEEKENDS)
        assert (found is None) == (name == "none")
