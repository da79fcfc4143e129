"""Forecasts: based on earlier matches, reproducible, and discreet about people."""

from __future__ import annotations

from datetime import date
from statistics import mode

import pytest
from flask.testing import FlaskClient

from engine.game import legal
from service.accounts import vacation
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.matches.erasure import erase_player
from service.play.match_loader import load_match_state
from service.timestamps import DAY, HOUR
from service.tournaments.entry.entrants import withdraw_entrant
from service.tournaments.views.answer_times import TimedLine, find_answers, measure_ended_matches
from service.tournaments.views.forecast import TournamentForecast, forecast_tournament
from tests.support.factories import match_of, settle, somebody
from tests.support.players import Clock, newcomer
from tests.support.statements import record_statements
from tests.support.tournaments import HostedTournament, document_text, open_tournament

SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 9w, then: as-it-stands}
"""
TEXT = document_text(SWISS).replace("draw:", "clock: relaxed\nleave: yes\ndraw:")
INSERT = "insert into answer_times values (?, ?, 'keltis', 2, 2, ?, ?, ?)"


def play_slowly(config: Config, clock: Clock, hours: dict[int, int]) -> str:
    """Play a match of two in which each seat answers after this many hours. Return the match."""
    people = [somebody("Slow"), somebody("Slower")]
    match = match_of(config, *people)
    table = settle(match, config)
    while not table.state.over:
        seat = next(seat for seat, question in enumerate(table.questions) if question is not None)
        clock.at += hours[seat] * HOUR
        people[seat].send(match, next(iter(legal(table.state, seat))).line)
        table = settle(match, config)
    return match


def remember_times(hosted: HostedTournament, match: str, slow: int = -1) -> None:
    """Store 60 answers after two hours for everybody, and after a day for one player."""
    with write_transaction():
        for number, person in enumerate(hosted.people):
            hours = 24 if number == slow else 2
            times = " ".join([str(hours * HOUR)] * 60)
            execute(INSERT, match, person.player.id, hosted.clock.at, 20, times)


def look(hosted: HostedTournament, reader: str | None = None) -> TournamentForecast:
    """Return the forecast that a reader gets."""
    return forecast_tournament(hosted.row, reader)


def test_a_match_that_is_over_tells_how_long_its_players_took(service: Config, clock: Clock) -> None:
    match = play_slowly(service, clock, {0: 2, 1: 5})
    measure_ended_matches(service)
    found = rows("select player, game, seats, people, turns, times from answer_times where match = ?", match)
    times = {player: [int(each) for each in text.split()] for player, *_, text in found}
    assert [row[1:4] for row in found] == [("keltis", 2, 2)] * 2
    assert all(turns == len(times[player]) > 5 for player, *_, turns, _ in found)
    # The two lines of a turn are one answer, and the standard clock does not count weekends.
    first, second = (times[player] for player in load_match_state(match).players)
    assert (mode(first), mode(second)) == (4 * HOUR, 10 * HOUR)
    assert max(*first, *second) < 30 * HOUR
    measure_ended_matches(service)
    assert len(rows("select 1 from answer_times")) == 2
    erase_player(found[0][0])
    assert len(rows("select 1 from answer_times")) == 1


def test_a_run_of_lines_is_one_answer_and_orders_take_no_time() -> None:
    lines = [
        TimedLine(1, 0, "signed k", "a", 100, 0, None),
        TimedLine(2, 0, "signed k", "b", 130, 1, None),
        TimedLine(3, -1, "chance", "c", 130, None, None),
        TimedLine(4, 1, "mail m", "a", 500, 2, None),
        TimedLine(5, 0, "signed k", "a", 500, 2, True),
        TimedLine(6, 1, "bot steady", "a", 600, None, None),
    ]
    found, whole = find_answers(["p", "q"], 10, lines)
    assert {each.player: each.spans for each in found} == {"p": ((10, 130), (500, 500)), "q": ((130, 500),)}
    assert whole
    assert not find_answers(["p", "q"], 10, [*lines, TimedLine(7, -2, "house", "end forfeit", 700, None, None)])[1]


def test_ends_are_for_all_and_people_for_organisers_only(service: Config, clock: Clock, client: FlaskClient) -> None:
    match = play_slowly(service, clock, {0: 0, 1: 0})
    hosted = open_tournament(service, clock, TEXT, entrants=15)
    assert look(hosted).unknown == "no-matches"
    remember_times(hosted, match, slow=3)
    assert look(hosted).own_times  # fifteen people are eight tables
    hosted.enter(1)
    execute(INSERT, match, hosted.people[15].player.id, clock.at, 20, " ".join(["7200000"] * 60))
    seen, again, organised = look(hosted), look(hosted), look(hosted, hosted.maker.player.id)
    assert seen == again
    assert seen.ends is not None
    assert seen.bound is not None
    assert seen.ends.early <= seen.ends.middle <= seen.ends.late <= seen.bound
    assert [(each.stage, each.number) for each in seen.rounds] == [("swiss", 1), ("swiss", 2), ("swiss", 3)]
    assert (seen.slowest, organised.slowest[0].name, organised.slowest[0].percent) == ((), "Player 3", 100)
    assert look(hosted, hosted.people[3].player.id).slowest == ()

    away = hosted.people[0].player
    with write_transaction():
        vacation.book(away.id, "Europe/Dublin", date(2027, 2, 1), date(2027, 2, 28))
    moved = look(hosted, away.id)
    assert moved.ends is not None
    assert moved.ends.early > seen.ends.late
    assert [each.name for each in moved.clashes] == ["Player 0"] * len(moved.clashes) != []
    assert look(hosted).clashes == look(hosted, hosted.people[1].player.id).clashes == ()
    assert {each.player for each in look(hosted, hosted.maker.player.id).clashes} == {away.id}

    answer = client.get(f"/v1/tournaments/{hosted.tournament}/forecast").get_json()
    assert (answer["reason"], answer["slowest"], answer["clashes"], answer["futures"]) == (None, [], [], 400)
    assert answer["ends"]["early"] <= answer["ends"]["late"] <= answer["bound"]
    assert newcomer(client, "Orla").get(f"/v1/tournaments/{hosted.tournament}/forecast").json["slowest"] == []


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_with_few_tables_all_answer_as_others_do_and_more_people_cost_no_more_queries(
    service: Config, clock: Clock
) -> None:
    match = play_slowly(service, clock, {0: 0, 1: 0})
    hosted = open_tournament(service, clock, TEXT.replace("clock: relaxed", "clock: none"), entrants=14)
    remember_times(hosted, match, slow=3)
    with record_statements() as before:
        found = look(hosted, hosted.maker.player.id)
    assert (found.own_times, found.slowest, found.unknown) == (False, (), "")
    assert found.bound is not None  # nine weeks for each round
    hosted.enter(10)
    with record_statements() as after:
        look(hosted)
    assert len(after) <= len(before)
    while "start swiss:1" not in hosted.lines():
        hosted.go_to_next()
    running = look(hosted)
    assert running.rounds[0].starts.early <= clock.at
    hosted.run_to_end()
    assert (look(hosted).unknown, look(hosted).ends) == ("over", None)
    assert look(hosted).at <= clock.at < look(hosted).at + DAY


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_who_leaves_is_expected_to_finish_what_is_open_and_nothing_more(service: Config, clock: Clock) -> None:
    match = play_slowly(service, clock, {0: 0, 1: 0})
    hosted = open_tournament(service, clock, TEXT, entrants=16)
    remember_times(hosted, match, slow=3)
    while not hosted.row.started_at:
        hosted.go_to_next()
    before = look(hosted, hosted.maker.player.id)
    withdraw_entrant(hosted.people[3].player.id, hosted.tournament)
    after = look(hosted, hosted.maker.player.id)
    assert before.ends is not None
    assert after.ends is not None
    assert {each.number: each.player for each in after.slowest if each.percent > 50} == {1: hosted.people[3].player.id}
    assert 3 in {each.number for each in before.slowest if each.player == hosted.people[3].player.id}
    assert after.ends.middle < before.ends.middle
    hosted.rule("extend swiss:1 2027-06-01T12:00 illness")
    bounds = [after.rounds[0].bound, look(hosted).rounds[0].bound]
    assert [None if bound is None else (bound - clock.at) // DAY for bound in bounds] == [63, 86]
