"""Entering a tournament: the receipt, the waiting list, who may not, leaving, coming late and coming back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from service.accounts import players as accounts
from service.config import Config
from service.db import connection
from service.db.models.matches import MatchRow
from service.db.models.tournaments import EntrantRow, PairingRow
from service.matches.erasure import erase_player
from service.play import server_keys
from service.problems import Problem
from service.tournaments.entrants import (
    EntryReceipt,
    accept_entrant,
    ask_bye,
    enter_tournament,
    entry_text,
    list_entrants,
    withdraw_entrant,
)
from service.tournaments.tournament_store import find_log, load_state
from tests.support.factories import Seated, match_of, somebody
from tests.support.players import Clock
from tests.support.tournaments import ROBIN, Venue, document_text, open_venue

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
SWISS = """
  - name: swiss
    format: swiss
    rounds: 4
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
"""


def enter(venue: Venue, person: Seated, nonce: str = "-") -> EntryReceipt:
    """Somebody enters."""
    return enter_tournament(person.player, venue.row, nonce, venue.config)


def refusal(call: Callable[[], object]) -> str:
    """The kind of problem that a call ends with."""
    with pytest.raises(Problem) as found:
        call()
    assert found.value.detail_in("fr") != found.value.detail
    return found.value.kind


def test_entering_gives_a_receipt_that_names_the_line_of_the_log(service: Config, clock: Clock) -> None:
    venue = open_venue(service, clock, document_text())
    me = somebody()
    receipt = enter(venue, me, "c0ffee")
    assert venue.lines() == [f"enter {me.player.id} c0ffee", f"accept {me.player.id}"]
    line = find_log(venue.tournament, 0)[0]
    assert (receipt.seq, receipt.hash, receipt.at, receipt.status) == (1, line.hash, line.at, "in")
    text = entry_text(venue.tournament, me.player.id, "c0ffee", 1, line.hash, line.at)
    assert server_keys.current_key().key.verifies(receipt.signature, text)
    # Entering twice is the same entrant and the same receipt.
    assert enter(venue, me) == receipt
    assert len(venue.lines()) == 2
    assert [letter["status"] for letter in venue.letters("tournament-entered")] == ["in"]


@SQLITE
def test_a_full_tournament_has_a_waiting_list_and_its_first_moves_up(service: Config, clock: Clock) -> None:
    text = document_text().replace("least: 2", "least: 2, most: 2")
    venue = open_venue(service, clock, text, entrants=4)
    statuses = [row.status for row in list_entrants(venue.tournament)]
    assert statuses == ["in", "in", "reserve", "reserve"]
    withdraw_entrant(venue.people[0].player.id, venue.tournament)
    assert venue.verbs()[-2:] == ["withdraw", "accept"]
    assert [row.status for row in list_entrants(venue.tournament)] == ["withdrawn", "in", "in", "reserve"]
    assert [letter["status"] for letter in venue.letters("tournament-entered")] == [
        "in",
        "in",
        "reserve",
        "reserve",
        "in",
    ]
    assert refusal(lambda: withdraw_entrant(venue.people[0].player.id, venue.tournament)) == "conflict"
    venue.run_to_end()
    venue.check()


@SQLITE
def test_where_entry_needs_approval_an_organiser_lets_people_in(service: Config, clock: Clock) -> None:
    text = document_text().replace("least: 2", "least: 2, most: 2, by: approval")
    venue = open_venue(service, clock, text, entrants=4)
    people = [each.player.id for each in venue.people]
    assert {row.status for row in list_entrants(venue.tournament)} == {"waiting"}
    assert refusal(lambda: accept_entrant(people[0], venue.tournament, people[0])) == "forbidden"
    maker = venue.maker.player.id
    assert [accept_entrant(maker, venue.tournament, player) for player in people[:3]] == ["in", "in", "reserve"]
    assert refusal(lambda: accept_entrant(maker, venue.tournament, people[0])) == "conflict"
    venue.run_to_end()
    assert len(venue.check().holders) == 2


@SQLITE
def test_who_may_not_enter_is_told_why(service: Config, clock: Clock) -> None:
    venue = Venue(service, clock, somebody("Maker"))
    venue.apply(document_text(name="later-on", opens="2027-01-17T18:00"))
    assert refusal(lambda: enter(venue, somebody())) == "conflict"
    clock.forward(days=3)
    venue.work()
    assert refusal(lambda: enter(venue, somebody(), "X")) == "invalid"
    me = somebody()
    enter(venue, me)
    program = accounts.create(name="Robot", language="en", zone="UTC", at=clock.at, address=None, owner=me.player.id)
    assert refusal(lambda: enter(venue, Seated(program))) == "conflict"
    busy = somebody()
    for _ in range(2):
        match_of(service, busy, bots={1: "steady"})
    venue.config = replace(service, open_matches=2)
    assert refusal(lambda: enter(venue, busy)) == "limit-reached"
    venue.config = replace(service, open_matches=3)
    enter(venue, busy)
    clock.at = (venue.row.closes_at or 0) + 1
    venue.work()
    assert refusal(lambda: enter(venue, somebody())) == "conflict"
    assert refusal(lambda: ask_bye(me.player.id, venue.tournament, "all:1")) == "conflict"
    assert refusal(lambda: ask_bye(me.player.id, venue.tournament, "nowhere:1")) == "not-found"


@SQLITE
def test_somebody_comes_late_and_somebody_comes_back(service: Config, clock: Clock) -> None:
    text = document_text(SWISS).replace("least: 2", "least: 2, late: {until_round: 3, bye: half}")
    venue = open_venue(service, clock, text, entrants=4)
    while venue.verbs().count("start") < 1:
        venue.go_to_next()
    late = somebody("Late")
    venue.people.append(late)
    enter(venue, late)
    assert [line.split(" ")[0] for line in venue.lines()[-4:]] == ["enter", "accept", "number", "bye"]
    assert venue.lines()[-1] == f"bye {late.player.id} swiss:1 half"
    withdraw_entrant(venue.people[0].player.id, venue.tournament)
    venue.decide_all()
    while venue.verbs().count("start") < 2:
        venue.go_to_next()
    enter(venue, venue.people[0])
    assert venue.lines()[-1] == f"bye {venue.people[0].player.id} swiss:2 zero"
    venue.run_to_end()
    report = venue.check()
    assert len(report.holders) == 5
    last = [line for line in venue.lines() if line.startswith("pair ") and " swiss:4 " in line]
    assert any(venue.people[0].player.id in line for line in last)


@SQLITE
def test_an_erased_player_is_withdrawn_and_results_stay(service: Config, clock: Clock) -> None:
    """Between `pair` and `start` too: the match begins and is forfeited at once."""
    venue = open_venue(service, clock, document_text(ROBIN), entrants=4)
    while "pair" not in venue.verbs():
        venue.go_to_next()
    gone = venue.people[3].player.id
    erase_player(gone)
    venue.work()
    assert load_state(venue.tournament).entrants[gone].status == "withdrawn"
    venue.run_to_end()
    report = venue.check()
    assert gone in report.holders.values()
    mine = [row for row in PairingRow.select() if gone in row.seats]
    assert len(mine) == 3
    assert all("forfeit" in row.result for row in mine)
    assert MatchRow.select().count() == 4


def test_many_who_enter_at_once_are_in_once_each(service: Config, clock: Clock) -> None:
    venue = open_venue(service, clock, document_text().replace("least: 2", "least: 2, most: 5"))
    people = [somebody(f"Player {number}") for number in range(4)]
    row = venue.row
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
    assert venue.verbs() == ["enter", "accept"] * 4
    venue.check()
