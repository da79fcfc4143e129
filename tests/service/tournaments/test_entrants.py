"""Entry: the receipt, the waiting list, refusals, withdrawing, entering late and entering again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from service.accounts import players as accounts
from service.config import Config
from service.db import connection
from service.db.connection import execute
from service.db.models.matches import MatchRow
from service.db.models.tournaments import EntrantRow, PairingRow
from service.matches.erasure import erase_player
from service.matches.paired_matches import end_paired_match, list_left_seats
from service.play import server_keys, timeouts
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.timestamps import DAY
from service.tournaments.entry.entrants import (
    EntryReceipt,
    ask_bye,
    enter_tournament,
    list_entrants,
    withdraw_entrant,
)
from service.tournaments.formats.skill import UNIT
from service.tournaments.formats.tournament_log import entry_text
from service.tournaments.rounds.standings import read_standings
from service.tournaments.tournament_store import find_log, load_state
from tests.support.factories import Seated, match_of, settle, somebody
from tests.support.players import Clock
from tests.support.tournaments import ROBIN, HostedTournament, document_text, open_tournament

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
RATED = (
    "insert into rating (match, player, game, seat, place, ended_at, mu, sigma, matches) "
    "values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
CONDUCT = "insert into conduct (match, player, at, answers, late, finished) values (?, ?, ?, ?, ?, ?)"
PODS = """
  - name: pods
    format: pods
    seats: 3
    rounds: 2
    points: {places: [3, 1, 0]}
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
"""
SWISS = """
  - name: swiss
    format: swiss
    rounds: 4
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
"""


def enter(hosted: HostedTournament, person: Seated, nonce: str = "-") -> EntryReceipt:
    """Let a player enter."""
    return enter_tournament(person.player, hosted.row, nonce, hosted.config)


def refusal(call: Callable[[], object]) -> str:
    """Return the kind of problem that a call raises."""
    with pytest.raises(Problem) as found:
        call()
    assert found.value.detail_in("fr") != found.value.detail
    return found.value.kind


def test_entering_gives_a_receipt_that_names_the_line_of_the_log(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text())
    me = somebody()
    receipt = enter(hosted, me, "c0ffee")
    assert hosted.lines() == [f"enter {me.player.id} c0ffee", f"accept {me.player.id}"]
    line = find_log(hosted.tournament, 0)[0]
    assert (receipt.seq, receipt.hash, receipt.at, receipt.status) == (1, line.hash, line.at, "in")
    text = entry_text(hosted.tournament, me.player.id, "c0ffee", 1, line.hash, line.at)
    assert server_keys.current_key().key.verifies(receipt.signature, text)
    # Entering twice is the same entrant and the same receipt.
    assert enter(hosted, me) == receipt
    assert len(hosted.lines()) == 2
    assert [letter["status"] for letter in hosted.letters("tournament-entered")] == ["in"]


def statuses(hosted: HostedTournament) -> list[str]:
    """Return the status of all entrants in order of entry."""
    return [row.status for row in list_entrants(hosted.tournament)]


def offered(hosted: HostedTournament) -> list[object]:
    """Return the players who got an offer, in order."""
    return [letter["player"] for letter in hosted.letters("tournament-offer")]


def test_reserves_are_asked_in_order_with_a_day_each(service: Config, clock: Clock) -> None:
    text = document_text(closes="2027-01-30T18:00").replace("least: 2", "least: 2, most: 2")
    hosted = open_tournament(service, clock, text, entrants=5)
    people = [each.player.id for each in hosted.people]
    assert statuses(hosted) == ["in", "in", "reserve", "reserve", "reserve"]
    withdraw_entrant(people[0], hosted.tournament)
    assert offered(hosted) == [people[2]]
    # The place is not free for newcomers, nor for reserves who were not asked, nor by waiting at the door.
    assert enter(hosted, somebody("New")).status == "reserve"
    assert enter(hosted, hosted.people[3]).status == "reserve"
    clock.forward(hours=10)
    # A player who left comes back at the end of the list, and the time of the one who is asked keeps running.
    assert enter(hosted, hosted.people[0]).status == "reserve"
    hosted.work()
    assert offered(hosted) == [people[2]]
    clock.forward(hours=14, minutes=1)
    hosted.work()
    assert offered(hosted) == people[2:4]
    assert enter(hosted, hosted.people[2]).status == "reserve"
    assert enter(hosted, hosted.people[3]).status == "in"
    assert enter(hosted, hosted.people[3]).status == "in"
    withdraw_entrant(people[1], hosted.tournament)
    withdraw_entrant(people[4], hosted.tournament)
    assert offered(hosted)[:3] == people[2:5]
    assert len(offered(hosted)) == 4
    assert refusal(lambda: withdraw_entrant(people[4], hosted.tournament)) == "conflict"
    for _ in range(3):
        clock.forward(days=1, minutes=1)
        hosted.work()
    # Everybody was asked and gave no answer: a place that is still free goes to the first who comes.
    assert enter(hosted, hosted.people[2]).status == "in"
    assert enter(hosted, somebody("Late")).status == "reserve"
    hosted.check()


@SQLITE
def test_a_left_seat_is_offered_to_reserves_in_order_and_scores_as_left(service: Config, clock: Clock) -> None:
    text = document_text(PODS).replace("game: keltis", "game: tir-na-nog\nlate_seat: substitute")
    hosted = open_tournament(service, clock, text.replace("least: 2", "least: 2, most: 3"), entrants=5)
    people = [each.player.id for each in hosted.people]
    while not MatchRow.select().where(MatchRow.status == "running").exists():
        hosted.go_to_next()
    match = MatchRow.get(MatchRow.status == "running").id
    settle(match, service)
    for _ in range(60):
        if offered(hosted):
            break
        clock.forward(days=1)
        timeouts.write_timeouts()
        hosted.work()
    assert offered(hosted) == [people[3]]
    (seat,) = list_left_seats(match)
    clock.forward(days=1, minutes=1)
    hosted.work()
    assert offered(hosted) == people[3:]
    assert enter(hosted, hosted.people[3]).status == "reserve"
    assert load_match_state(match).seat_of(people[3]) is None
    assert enter(hosted, hosted.people[4]).status == "reserve"
    assert enter(hosted, hosted.people[4]).status == "reserve"
    assert load_match_state(match).seat_of(people[4]) == seat
    settle(match, service)
    end_paired_match(match, "adjudicated", [1 if each == seat else 2 for each in range(3)])
    hosted.work()
    (result,) = [line.split(" ")[2:] for line in hosted.lines() if line.startswith("result ")]
    assert result[seat].endswith((":substitute", ":forfeit"))
    ranked = {line.player: line.rank for line in read_standings(hosted.tournament, "pods").sections[0]}
    left = load_match_state(match).facts.header.places[seat].player
    assert ranked[str(left)] == 3
    assert people[4] not in ranked


@SQLITE
def test_limits_of_rating_and_reliability_let_newcomers_pass(service: Config, clock: Clock) -> None:
    limits = "least: 2, rating: {from: 1400, to: 1600}, on_time: 80"
    hosted = open_tournament(service, clock, document_text().replace("least: 2", limits))
    people = {name: somebody(name) for name in ("new", "weak", "strong", "late", "fine")}
    at = clock.at - DAY
    for name, mu, late in (("weak", 20, 0), ("strong", 30, 0), ("late", 25, 10), ("fine", 25, 2)):
        match, player = match_of(service, people[name], bots={1: "steady"}), people[name].player.id
        execute(RATED, match, player, "keltis", 0, 1, at, mu * UNIT, UNIT, 1)
        execute(CONDUCT, match, player, at, 40, late, True)
    for name in ("weak", "strong", "late"):
        assert refusal(partial(enter, hosted, people[name])) == "conflict"
    assert enter(hosted, people["new"]).status == enter(hosted, people["fine"]).status == "in"
    closed = document_text(name="rated-only").replace("least: 2", "least: 2, rating: {from: 1400, newcomers: no}")
    hosted.apply(closed)
    assert refusal(lambda: enter(hosted, people["new"])) == "conflict"
    enter(hosted, people["fine"])


@SQLITE
def test_who_may_not_enter_is_told_why(service: Config, clock: Clock) -> None:
    hosted = HostedTournament(service, clock, somebody("Maker"))
    hosted.apply(document_text(name="later-on", opens="2027-01-17T18:00"))
    assert refusal(lambda: enter(hosted, somebody())) == "conflict"
    clock.forward(days=3)
    hosted.work()
    assert refusal(lambda: enter(hosted, somebody(), "X")) == "invalid"
    me = somebody()
    enter(hosted, me)
    program = accounts.create(name="Robot", language="en", zone="UTC", at=clock.at, address=None, owner=me.player.id)
    assert refusal(lambda: enter(hosted, Seated(program))) == "conflict"
    busy = somebody()
    for _ in range(2):
        match_of(service, busy, bots={1: "steady"})
    hosted.config = replace(service, open_matches=2)
    assert refusal(lambda: enter(hosted, busy)) == "limit-reached"
    hosted.config = replace(service, open_matches=3)
    enter(hosted, busy)
    clock.at = (hosted.row.closes_at or 0) + 1
    hosted.work()
    assert refusal(lambda: enter(hosted, somebody())) == "conflict"
    assert refusal(lambda: ask_bye(me.player.id, hosted.tournament, "all:1")) == "conflict"
    assert refusal(lambda: ask_bye(me.player.id, hosted.tournament, "nowhere:1")) == "not-found"


@SQLITE
def test_somebody_comes_late_and_somebody_comes_back(service: Config, clock: Clock) -> None:
    text = document_text(SWISS).replace("least: 2", "least: 2, late: {until_round: 3, bye: half}")
    hosted = open_tournament(service, clock, text, entrants=4)
    while hosted.verbs().count("start") < 1:
        hosted.go_to_next()
    late = somebody("Late")
    hosted.people.append(late)
    enter(hosted, late)
    assert [line.split(" ")[0] for line in hosted.lines()[-4:]] == ["enter", "accept", "number", "bye"]
    assert hosted.lines()[-1] == f"bye {late.player.id} swiss:1 half"
    withdraw_entrant(hosted.people[0].player.id, hosted.tournament)
    hosted.decide_all()
    while hosted.verbs().count("start") < 2:
        hosted.go_to_next()
    enter(hosted, hosted.people[0])
    assert hosted.lines()[-1] == f"bye {hosted.people[0].player.id} swiss:2 zero"
    hosted.run_to_end()
    report = hosted.check()
    assert len(report.holders) == 5
    last = [line for line in hosted.lines() if line.startswith("pair ") and " swiss:4 " in line]
    assert any(hosted.people[0].player.id in line for line in last)


@SQLITE
def test_an_erased_player_is_withdrawn_and_results_stay(service: Config, clock: Clock) -> None:
    """Between `pair` and `start` too: the match begins and is forfeited at once."""
    hosted = open_tournament(service, clock, document_text(ROBIN), entrants=4)
    while "pair" not in hosted.verbs():
        hosted.go_to_next()
    gone = hosted.people[3].player.id
    erase_player(gone)
    hosted.work()
    assert load_state(hosted.tournament).entrants[gone].status == "withdrawn"
    hosted.run_to_end()
    report = hosted.check()
    assert gone in report.holders.values()
    mine = [row for row in PairingRow.select() if gone in row.seats]
    assert len(mine) == 3
    assert all("forfeit" in row.result for row in mine)
    assert MatchRow.select().count() == 4


def test_many_who_enter_at_once_are_in_once_each(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text().replace("least: 2", "least: 2, most: 5"))
    people = [somebody(f"Player {number}") for number in range(4)]
    row = hosted.row
    errors: list[BaseException] = []

    def enter_twice(person: Seated) -> None:
        try:
            for _ in range(2):
                enter_tournament(person.player, row, "-", service)
        except BaseException as error:  # noqa: BLE001  # told below
            errors.append(error)
        finally:
            connection.close_connection()

    threads = [threading.Thread(target=enter_twice, args=(person,)) for person in people * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert EntrantRow.select().where(EntrantRow.status == "in").count() == 4
    assert hosted.verbs() == ["enter", "accept"] * 4
    hosted.check()
