"""The forecast: right as often as it says, the same each time, moved by what moves rounds, unknown from nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.play.time_control import PRESETS, RestDays, bank_after_answer, deadline, moment_after
from service.timestamps import DAY, HOUR, MINUTE
from service.tournaments.formats.forecast_model import (
    Forecast,
    ForecastBasis,
    LeaveClash,
    OpenTable,
    PlannedRound,
    PlayerHabit,
    UnknownForecast,
    _Absence,
    _Calendar,
    find_table_end,
    forecast_rounds,
    longest_play,
)

START = 1_800_000_000_000
"""2027-01-15T08:00:00Z, a Friday."""


def draw_times(random: Random, usual: float, count: int) -> tuple[int, ...]:
    """Return answers of a player whose usual one takes this many hours; now and then one takes much longer."""
    return tuple(int(random.lognormvariate(0, 1) * usual * HOUR) + MINUTE for _ in range(count))


def make_basis(
    count: int = 32, *, usual: float = 4, rounds: int = 2, seed: int = 1, clock: str = "none"
) -> ForecastBasis:
    """People with habits of their own, and rounds of four seats that follow each other after a day."""
    random = Random(seed)
    people = tuple(
        PlayerHabit(f"p{number:03}", draw_times(random, usual * random.lognormvariate(0, 0.5), 200))
        for number in range(count)
    )
    plans = tuple(PlannedRound(f"main:{number}", 4, gap=DAY) for number in range(1, rounds + 1))
    turns = {4: [random.randrange(8, 14) for _ in range(40)], 2: [10, 12]}
    return ForecastBasis(START, PRESETS[clock], people, plans, turns, draw_times(random, usual, 400), seed=str(seed))


def known(basis: ForecastBasis, futures: int = 400) -> Forecast:
    """The forecast, which there is."""
    found = forecast_rounds(basis, futures)
    assert isinstance(found, Forecast)
    return found


def play_for_real(basis: ForecastBasis, usuals: Sequence[float], random: Random) -> int:
    """When a tournament is over that is played answer by answer, each player resting on their own days."""
    over = START
    people = list(range(len(usuals)))
    for plan in basis.rounds:
        random.shuffle(people)
        ends = []
        for first in range(0, len(people), plan.seats):
            at = over + plan.gap
            for _ in range(random.randrange(8, 14)):
                for seat in people[first : first + plan.seats]:
                    habit = basis.players[seat]
                    rest = RestDays(habit.zone, habit.quiet_weekends, habit.leaves)
                    at = moment_after(at, draw_times(random, usuals[seat], 1)[0], rest)
            ends.append(at)
        over = max(ends)
    return over


def test_eight_of_ten_tournaments_end_between_the_early_and_the_late_time() -> None:
    hits = 0
    for seed in range(30):
        random = Random(1000 + seed)
        usuals = [3 * random.lognormvariate(0, 0.5) for _ in range(32)]
        people = tuple(
            PlayerHabit(
                f"p{number:03}",
                draw_times(random, usual, 200),
                quiet_weekends=number % 4 == 0,
                leaves=(("2027-01-25", "2027-01-31"),) if number == 5 else (),
            )
            for number, usual in enumerate(usuals)
        )
        basis = replace(make_basis(32, seed=seed), players=people)
        end = known(basis).end.ends
        hits += end.early <= play_for_real(basis, usuals, random) <= end.late
    print(f"{hits} of 30 between 10 and 90 %")
    assert 20 <= hits <= 29


def test_the_same_basis_gives_the_same_numbers_whatever_python_hashes() -> None:
    basis = make_basis()
    assert known(basis) == known(basis)
    assert known(basis) != known(replace(basis, seed="another"))
    found = known(replace(make_basis(8), players=make_basis(8).players))
    assert [
        datetime.fromtimestamp(each.ends.middle / 1000, UTC).date().isoformat() for each in found.rounds
    ] == EXPECTED


EXPECTED = ["2027-01-27", "2027-02-09"]


def test_a_leave_moves_the_end_and_is_named() -> None:
    basis = make_basis(32, rounds=1)
    away = replace(basis.players[3], leaves=(("2027-01-16", "2027-03-31"),))
    found = known(replace(basis, players=(*basis.players[:3], away, *basis.players[4:])))
    assert found.clashes == (LeaveClash("p003", "main:1"),)
    assert found.end.ends.early > datetime(2027, 4, 1, tzinfo=UTC).timestamp() * 1000 > known(basis).end.ends.late
    assert known(basis).clashes == ()
    forbidden = replace(basis, players=(*basis.players[:3], away, *basis.players[4:]), leave=False)
    assert known(forbidden).end.ends == known(basis).end.ends


def test_quiet_weekends_make_it_longer() -> None:
    basis = make_basis(32, rounds=1)
    quiet = tuple(replace(each, quiet_weekends=True) for each in basis.players)
    plain, longer = known(basis).end.ends.middle, known(replace(basis, players=quiet)).end.ends.middle
    assert 1.2 < (longer - START) / (plain - START) < 1.6
    weekends = replace(basis, clock=replace(PRESETS["none"], weekends=True), leave=False)
    assert known(weekends).end.ends.middle == longer


def test_rounds_wait_for_their_start_and_for_each_other() -> None:
    basis = make_basis(32)
    late = START + 300 * DAY
    fixed = replace(basis, rounds=(basis.rounds[0], PlannedRound("main:2", 4, starts_at=late)))
    assert known(fixed).rounds[1].starts.early == known(fixed).rounds[1].starts.late == late
    early = replace(basis, rounds=(basis.rounds[0], PlannedRound("main:2", 4, starts_at=START)))
    assert known(early).rounds[1].starts == known(early).rounds[0].ends
    hour = replace(basis, rounds=(PlannedRound("main:1", 4, gap=DAY, minute=18 * 60 + 30),), zone="Europe/Paris")
    starts = known(hour).end.starts
    assert starts.early == starts.late
    assert datetime.fromtimestamp(starts.late / 1000, UTC).isoformat() == "2027-01-16T17:30:00+00:00"


def test_what_is_played_already_is_not_played_again() -> None:
    basis = make_basis(32, rounds=1)
    tables = [tuple(f"p{number:03}" for number in range(first, first + 4)) for first in range(0, 32, 4)]
    ends = []
    for made in (0, 5, 12):
        paired = tuple(OpenTable(players, made) for players in tables)
        ends.append(known(replace(basis, rounds=(PlannedRound("main:1", 4, paired, starts_at=START - DAY),))).end.ends)
    assert ends[0].middle > ends[1].middle > ends[2].middle > START
    over = replace(basis, rounds=(PlannedRound("main:1", 4, (), starts_at=START - DAY),))
    assert known(over).end.ends.late == START


def test_nobodys_own_times_show_where_few_tables_are_open() -> None:
    basis = make_basis(31, rounds=1)
    slow = replace(basis.players[0], times=tuple(60 * DAY for _ in range(200)))
    few = replace(make_basis(28, rounds=1), players=(slow, *basis.players[1:28]))
    assert known(few) == known(replace(few, players=(basis.players[0], *basis.players[1:28])))
    assert known(few).end.slowest == ()
    many = replace(basis, players=(slow, *basis.players[1:]))
    assert known(many).end.slowest == (("p000", 400),)
    assert known(many).end.ends.early > known(basis).end.ends.late


def test_somebody_with_few_answers_takes_as_long_as_others() -> None:
    basis = make_basis(32, rounds=1)
    for count, expected in ((19, False), (20, True)):
        slow = replace(basis.players[0], times=(60 * DAY,) * count)
        found = known(replace(basis, players=(slow, *basis.players[1:])))
        assert (found.end.ends.early > START + 300 * DAY) is expected


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"players": ()}, "no-entrants"),
        ({"rounds": ()}, "no-entrants"),
        ({"turns": {}}, "no-matches"),
        ({"turns": {4: [], 2: [3]}}, "no-matches"),
        ({"game_times": (HOUR,) * 19, "players": tuple(PlayerHabit(f"p{n}", ()) for n in range(40))}, "no-answers"),
        ({"game_times": (400 * DAY,) * 99, "players": tuple(PlayerHabit(f"p{n}", ()) for n in range(40))}, "too-far"),
        (
            {
                "players": tuple(
                    PlayerHabit(f"p{n}", (1,) * 50, leaves=(("2027-01-01", "2040-01-01"),)) for n in range(40)
                )
            },
            "too-far",
        ),
    ],
)
def test_nothing_to_go_by_gives_no_number(change: dict[str, object], reason: str) -> None:
    assert forecast_rounds(replace(make_basis(40), **change)) == UnknownForecast(reason)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "none"])
@pytest.mark.parametrize("answers", [1, 7, 60])
def test_nobody_can_take_longer_than_the_bound_of_the_clock(name: str, answers: int) -> None:
    """A seat that answers in the last moment each time, by the clock itself, is within it and not far below."""
    clock = replace(PRESETS[name], weekends=False)
    at, bank, used = START, clock.bank, 0
    for turn in range(1, answers + 1):
        due = deadline(clock, bank, at)
        assert due is not None
        bank = bank_after_answer(clock, bank, at, due - 1, RestDays(), turn)
        used, at = used + due - 1 - at, due - 1
    most = longest_play(clock, answers, 0)
    assert most is not None
    assert used <= most
    assert most <= 3 * used + 2 * DAY
    assert (longest_play(clock, answers, 2) == most) is clock.hard


def test_the_clock_bounds_what_people_do_and_no_clock_bounds_nothing() -> None:
    slow = make_basis(32, usual=200, clock="simple-1", rounds=1)
    found = known(slow).end
    assert found.bound == START + DAY + 4 * max(slow.turns[4]) * DAY
    assert START + DAY < found.ends.late <= found.bound
    assert known(make_basis(32, rounds=1)).end.bound is None


@given(
    start=st.integers(0, 400 * DAY),
    span=st.integers(0, 90 * DAY),
    zone=st.sampled_from(["UTC", "Europe/Dublin", "America/New_York", "Australia/Lord_Howe"]),
    weekends=st.booleans(),
    leaves=st.lists(st.tuples(st.integers(0, 420), st.integers(0, 20)), max_size=3),
)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_table_rests_as_clocks_do(
    start: int, span: int, zone: str, weekends: bool, leaves: list[tuple[int, int]]
) -> None:
    days = tuple((_day(START + first * DAY), _day(START + (first + length) * DAY)) for first, length in leaves)
    rest = RestDays(zone, weekends, days)
    absences = sorted(_Absence(*span) for span in PlayerHabit("p", (), zone, leaves=days).absences)
    begin = moment_after(START + start, 0, rest)
    found = find_table_end(begin, span, _Calendar(START, zone, 0 if weekends else 10), absences)
    expected = moment_after(begin, span, rest)
    # If time is up at the moment when a rest begins, both ends of the rest are right.
    assert found == expected or moment_after(min(found, expected), 0, rest) == moment_after(
        max(found, expected), 0, rest
    )


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
