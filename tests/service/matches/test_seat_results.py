"""Results of a tournament's matches: place, score and how, as the record of the match proves them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.game import HOUSE, final_scores
from engine.games import GAMES
from engine.house import PlayerTakes
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.connection import db, rows
from service.matches import paired_matches
from service.matches.paired_matches import end_paired_match
from service.matches.seat_results import read_all_seat_results, read_seat_results
from service.play import record_export, timeouts
from service.play.match_loader import load_match_state
from service.play.match_log import AdditionOr, LogAddition, append_to_match, next_entries
from service.play.notify import make_effects
from service.play.resolve import resolve_together
from service.record.match_state import MatchState
from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker
from service.timestamps import MINUTE
from tests.support.clock_tables import asked, due, house, set_excuses
from tests.support.factories import Seated, match_of, settle, somebody, verified
from tests.support.paired_tables import hows, places, result, result_jobs, seat
from tests.support.players import Clock


def _play_to_other(match: str, people: list[Seated], service: Config) -> None:
    """Let whoever is asked move until another is asked."""
    mover = asked(match)
    while asked(match) == mover:
        people[mover].move(match)
        settle(match, service)


def _miss_deadline(match: str, service: Config, clock: Clock) -> int:
    """Let the time of whoever is asked run out without an excuse; the seat."""
    set_excuses(match, 0)
    late = asked(match)
    clock.at = due(match) + MINUTE
    assert timeouts.write_timeouts() == 1
    settle(match, service)
    return late


@pytest.mark.parametrize("moved", [False, True])
def test_late_with_two_seats_loses_and_is_unplayed_only_without_a_line(
    service: Config, clock: Clock, moved: bool
) -> None:
    match, people = seat(service, clock="simple-1", policy="stand-in")
    first = asked(match)
    while moved and (load_match_state(match).made[first] == 0 or asked(match) != first):
        _play_to_other(match, people, service)
    late = _miss_deadline(match, service, clock)
    assert late == first
    assert house(match)[-1].startswith("end forfeit ")
    ended = read_seat_results(match)
    assert (ended[late].how, ended[1 - late].how) == ("played" if moved else "forfeit", "played")
    assert (ended[late].place, ended[1 - late].place) == (2, 1)
    assert (ended[late].lost_by_time, ended[1 - late].lost_by_time) == (True, False)
    assert result_jobs() == [f"result:{match}"]
    assert verified(match).over


@pytest.mark.parametrize("policy", ["stand-in", "forfeit"])
def test_a_seat_that_a_stand_in_or_a_substitute_plays_is_not_its_entrant_s(
    service: Config, clock: Clock, policy: str
) -> None:
    match, people = seat(service, 3, clock="simple-1", policy=policy)
    gone = _miss_deadline(match, service, clock)
    while load_match_state(match).made[asked(match)] == 0:
        _play_to_other(match, people, service)
    left = _miss_deadline(match, service, clock)
    stays = 3 - gone - left
    extra = somebody("Ciara").player.id

    def seat_somebody(table: MatchState) -> AdditionOr[None]:
        entries, after = next_entries(table, [(HOUSE, PlayerTakes(left, extra, "-"))])
        return LogAddition(table, entries, after, None)

    ended = {"as-it-stands": "adjudicated", "ruled": "ruled"}
    how: Any = "ruled" if policy == "forfeit" else "as-it-stands"
    if policy == "stand-in":
        append_to_match(match, seat_somebody)
        settle(match, service)
    assert paired_matches.end_paired_match(match, how)
    settle(match, service)
    if policy == "stand-in":
        assert [hows(match)[each] for each in (gone, left, stays)] == ["forfeit", "substitute", ended[how]]
    else:
        assert set(hows(match)) == {"ruled"}
        assert load_match_state(match).state.house.resigned == (gone, left)
    assert [each.lost_by_time for each in read_seat_results(match)] == [each != stays for each in range(3)]


def test_who_resigns_comes_last_and_has_played(service: Config) -> None:
    match, people = seat(service)
    people[0].send(match, "resign")
    settle(match, service)
    assert (hows(match), places(match)) == (["played", "played"], [2, 1])
    three, people = seat(service, 3)
    people[1].send(three, "resign")
    settle(three, service)
    assert paired_matches.end_paired_match(three, "late-loses")
    settle(three, service)
    assert (hows(three)[1], places(three)[1]) == ("stand-in", 3)


def test_a_bot_that_was_paired_has_played(service: Config) -> None:
    match, _ = seat(service, 1, bots={1: "steady"})
    assert paired_matches.end_paired_match(match, "late-loses")
    settle(match, service)
    scores = [score.total for score in final_scores(GAMES["keltis"], load_match_state(match).state)]
    assert result(match) == " ".join(f"{1 + (own < max(scores))}:{own}:adjudicated" for own in scores)


def test_a_match_that_still_runs_has_no_result(service: Config) -> None:
    match, _ = seat(service)
    with pytest.raises(ValueError, match=match):
        read_seat_results(match)


def test_many_matches_are_read_with_as_many_statements_as_one(service: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [seat(service)[0] for _ in range(4)]
    for number, match in enumerate(matches):
        assert end_paired_match(match, "adjudicated", (1, 2) if number % 2 else (2, 1))
    single = {match: read_seat_results(match) for match in matches}
    asked_for: list[str] = []
    run = db.obj.execute_sql

    def note(sql: str, *more: object) -> object:
        asked_for.append(sql)
        return run(sql, *more)

    monkeypatch.setattr(db.obj, "execute_sql", note)
    reset_process_state()
    assert read_all_seat_results(matches) == single
    assert len(asked_for) == 4


def test_every_end_that_a_resolution_finds_brings_one_job_and_no_other_match_has_one(service: Config) -> None:
    resigned, people = seat(service)
    people[0].send(resigned, "resign")
    decided, _ = seat(service)
    paired_matches.end_paired_match(decided, "ruled", [1, 2])
    running, _ = seat(service)
    other = match_of(service, *people)
    settle(other, service)
    people[0].send(other, "resign")
    assert result_jobs() == []
    effects = make_effects(service)
    assert resolve_together([other, resigned, decided, running], effects, service.most_entries) == []
    assert sorted(result_jobs()) == sorted([f"result:{resigned}", f"result:{decided}"])
    assert resolve_together([other, resigned, decided, running], effects, service.most_entries) == []
    assert len(result_jobs()) == 2
    assert rows("select payload from job where key = ?", f"result:{decided}") == [(f'{{"match":"{decided}"}}',)]


def test_the_last_move_brings_the_result_that_the_record_proves(service: Config) -> None:
    match, people = seat(service)
    luck = Random(1)
    while not (table := load_match_state(match)).state.over:
        mover = next(seat for seat, question in enumerate(table.questions) if question)
        people[mover].move(match, luck.randrange(1000))
        settle(match, service)
    assert result_jobs() == [f"result:{match}"]
    rules = RulesChecker()
    verify(record_export.export_record(load_match_state(match), "all"), rules=rules)
    assert tuple(each.score for each in read_seat_results(match)) == rules.scores()
    assert set(hows(match)) == {"played"}
