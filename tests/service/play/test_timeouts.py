"""The house and the clock: who is late, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.game import winners
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.db.models.matches import MatchRow
from service.matches import substitutes
from service.play import match_log, reminders, timeouts
from service.play.match_loader import load_match_state
from service.play.match_log import LogAddition, append
from service.problems import Problem
from service.record.match_state import MatchState
from service.timestamps import DAY, HOUR, MINUTE, now
from tests.support.clock_tables import asked, due, house, set_excuses, shown, sit
from tests.support.factories import settle, somebody, verified
from tests.support.players import Clock, letters


def test_a_deadline_is_missed_a_minute_after_it_and_not_before(service: Config, clock: Clock) -> None:
    match, _ = sit(service, clock="simple-3")
    until = due(match)
    assert until == clock.at + 3 * DAY
    clock.at = until + MINUTE - 1
    assert timeouts.write_timeouts() == 0
    clock.at = until + MINUTE
    assert timeouts.write_timeouts() == 1
    assert house(match) == [f"timeout {asked(match)} {until}"]
    assert verified(match).over is False


def test_an_excuse_sets_the_deadline_anew_and_the_question_stands(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-3")
    seat, first = asked(match), load_match_state(match).questions
    clock.at = due(match) + 2 * MINUTE
    assert timeouts.write_timeouts() == 1
    settle(match, service)
    assert load_match_state(match).questions == first
    assert shown(match, seat, "excuses", "due_at") == (2, clock.at + 3 * DAY)
    assert timeouts.write_timeouts() == 0
    people[seat].move(match)
    settle(match, service)
    assert not [line for line in house(match) if line.startswith(("bot", "end"))]


def test_a_bank_that_ran_dry_gets_a_turn_s_worth(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="standard")
    seat = asked(match)
    clock.at = due(match) + MINUTE
    timeouts.write_timeouts()
    bank, until = shown(match, seat, "bank", "due_at")
    assert bank == DAY
    assert until == clock.at + DAY
    clock.forward(hours=6)
    people[seat].move(match)
    settle(match, service)
    kept = shown(match, seat, "bank")[0]
    assert kept in (18 * HOUR, 42 * HOUR)  # asked again at once, or the turn is over and earned a day


def test_late_is_not_too_late_until_the_house_has_written_it(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-1")
    clock.at = due(match) + 50_000
    people[asked(match)].move(match)
    clock.forward(minutes=5)
    assert timeouts.write_timeouts() == 0
    settle(match, service)
    assert timeouts.write_timeouts() == 0
    assert house(match) == []


def test_a_move_in_the_same_moment_wins(service: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    match, people = sit(service, clock="simple-1")
    clock.at = due(match) + MINUTE
    moved: list[str] = []

    def raced(additions: Sequence[LogAddition[Any]]) -> list[bool]:
        if not moved:
            moved.append(match)
            people[asked(match)].move(match)
        return append(additions)

    monkeypatch.setattr(match_log, "append", raced)
    assert timeouts.write_timeouts() == 0
    assert house(match) == []


def inbox(match: str | None, seat: int | None, received: int, read_at: int | None = None) -> None:
    with write_transaction():
        execute(
            "insert into inbox (id, received, door, sender, recipient, mime, digest, verdict, state, match, seat, "
            "result, read_at) values (?, ?, 'smtp', '', '', ?, '', '', 'new', ?, ?, '', ?)",
            f"{received}{match}{seat}{read_at}",
            received,
            b"",
            match,
            seat,
            read_at,
        )


@pytest.mark.parametrize(
    ("whose", "seconds", "read", "written"),
    [
        ("mine", 0, False, 0),  # came exactly in time
        ("mine", -3600, False, 0),
        ("mine", 1, False, 1),  # came late
        ("mine", -3600, True, 1),
        ("other", -3600, False, 1),
        ("unknown", -3600, False, 0),  # may be anybody's
        ("unknown", -2 * 86_400, False, 1),  # nobody could read it for days
    ],
)
def test_a_letter_that_came_in_time_and_is_unread_holds_the_house(
    service: Config, clock: Clock, whose: str, seconds: int, read: bool, written: int
) -> None:
    match, _ = sit(service, clock="simple-3")
    until, seat = due(match), asked(match)
    place = {"mine": (match, seat), "other": (match, 1 - seat), "unknown": (None, None)}[whose]
    inbox(*place, until + seconds * 1000, clock.at if read else None)
    clock.at = until + MINUTE
    assert timeouts.write_timeouts() == written


def test_forfeit_of_two_ends_the_match_with_the_late_seat_behind(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="tournament", policy="forfeit")
    seat = asked(match)
    people[seat].move(match)
    settle(match, service)
    seat = asked(match)
    clock.at = due(match) + MINUTE
    assert timeouts.write_timeouts() == 1
    found = settle(match, service)
    assert found.state.over
    assert found.state.house.ended == "forfeit"
    assert winners(found.facts.game, found.state) == (1 - seat,)
    assert [line.split()[0] for line in house(match)] == ["timeout", "end"]
    report = verified(match)
    assert report.over
    assert rows("select status from match") == [("over",)]
    told = rows("select player from event where type = 'match.over'")
    assert {player for (player,) in told} == {each.player.id for each in people}


def test_forfeit_of_three_lets_a_stand_in_play_on_that_cannot_win(clock: Clock, service: Config) -> None:
    match, people = sit(service, 3, clock="tournament", policy="forfeit")
    seat = asked(match)
    clock.at = due(match) + MINUTE
    assert timeouts.write_timeouts() == 1
    found = settle(match, service)
    assert not found.state.over
    assert found.state.house.resigned == (seat,)
    assert found.bots[seat] == found.facts.game.bots.current("steady")
    assert asked(match) != seat
    assert verified(match).entries == found.seq
    assert substitutes.open_seats(MatchRow.get_by_id(match), found, people[seat].player.id) == []


def test_a_stand_in_plays_on_after_the_last_excuse_and_the_player_may_come_back(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="simple-1", policy="stand-in")
    seat = asked(match)
    for left in (2, 1, 0):
        clock.at = due(match) + MINUTE
        assert timeouts.write_timeouts() == 1
        settle(match, service)
        assert shown(match, seat, "excuses") == (left,)
    clock.at = due(match) + MINUTE
    assert timeouts.write_timeouts() == 1
    found = settle(match, service)
    assert found.bots[seat] == found.facts.game.bots.current("steady")
    assert shown(match, seat, "player", "asked", "due_at") == (None, None, None)
    assert asked(match) == 1 - seat

    other = somebody("Stranger")
    with pytest.raises(Problem) as refused:
        substitutes.take_seat(other.player, match, None, None, service)
    assert refused.value.kind == "match-full"
    assert substitutes.take_seat(people[seat].player, match, None, None, service) == seat
    settle(match, service)
    assert shown(match, seat, "player", "bot", "excuses") == (people[seat].player.id, None, 3)
    people[1 - seat].move(match)
    settle(match, service)
    assert load_match_state(match).players[seat] == people[seat].player.id
    verified(match)


def test_a_phase_has_a_week_of_grace_and_then_the_policy(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="phases", policy="stand-in")
    seat, until = asked(match), due(match)
    clock.at = until + MINUTE
    assert timeouts.write_timeouts() == 1
    settle(match, service)
    assert shown(match, seat, "excuses", "due_at") == (2, until + 167 * HOUR)
    for days in range(1, 7):
        clock.at = until + MINUTE + days * DAY
        assert timeouts.write_timeouts() == 0
        reminders.queue_question_reminders()
        assert len(letters("late")) == 2 + 2 * days
    clock.at = until + 167 * HOUR + MINUTE
    assert timeouts.write_timeouts() == 1
    found = settle(match, service)
    assert found.bots[seat] == found.facts.game.bots.current("steady")
    seat = asked(match)
    clock.at = due(match) + MINUTE
    assert timeouts.write_timeouts() == 1
    people[seat].move(match)
    settle(match, service)
    assert shown(match, seat, "excuses") == (2,)
    verified(match)


def test_a_substitute_takes_the_seat_with_a_clock_of_their_own(clock: Clock, service: Config) -> None:
    match, people = sit(service, clock="standard", policy="substitute")
    seat = asked(match)
    set_excuses(match, 0)
    clock.at = due(match) + MINUTE
    timeouts.write_timeouts()
    settle(match, service)
    other = somebody("Étaín")
    with pytest.raises(Problem) as refused:
        substitutes.take_seat(people[1 - seat].player, match, None, None, service)
    assert refused.value.kind == "conflict"
    assert substitutes.take_seat(other.player, match, seat, None, service) == seat
    found = settle(match, service)
    assert found.players[seat] == other.player.id
    assert shown(match, seat, "bank", "excuses", "bounce_used") == (3 * DAY, 3, 0)
    for _ in range(20):
        turn = asked(match)
        (other if turn == seat else people[turn]).move(match)
        settle(match, service)
    assert (seat, "signed") in {
        (place, by.split()[0]) for place, by in rows("select seat, made_by from entry where match = ?", match)
    }
    assert verified(match).entries == load_match_state(match).seq


def test_everybody_is_told_who_is_late_and_what_followed(service: Config, clock: Clock) -> None:
    match, people = sit(service, clock="simple-3")
    seat, until = asked(match), due(match)
    clock.at = until + MINUTE
    timeouts.write_timeouts()
    told = letters("late")
    assert {each["player"] for each in told} == {each.player.id for each in people}
    assert {(each["seat"], each["outcome"], each["due"], each["excuses"]) for each in told} == {
        (seat, "excused", until, 2)
    }
    heard = rows("select player, seat, seq from event where type = 'seat.timeout'")
    assert sorted(heard) == sorted((each.player.id, seat, load_match_state(match).seq) for each in people)


def test_running_the_chore_by_many_at_once_writes_one_line(service: Config, clock: Clock) -> None:
    match, _ = sit(service, clock="simple-3")
    clock.at = due(match) + MINUTE
    stale = (match, asked(match))
    assert timeouts.time_out_seat(*stale)
    assert not timeouts.time_out_seat(*stale)
    reset_process_state()
    assert not timeouts.time_out_seat(*stale)
    assert len(house(match)) == 1


def test_moved_is_what_the_log_says(service: Config, clock: Clock) -> None:
    match, _ = sit(service, clock="simple-3")
    clock.at = due(match) + MINUTE
    table: MatchState = load_match_state(match)
    missed = timeouts._missed_deadline(match, asked(match))
    assert missed is not None
    assert append([timeouts._timeout_addition(table, missed)]) == [True]
    assert append([timeouts._timeout_addition(table, missed)]) == [False]
    assert now() == clock.at
