"""Champions: standings, bracket, reasons and verifier name the same winner of a knockout."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.db.models.matches import MatchRow
from service.db.models.tournaments import PairingRow
from service.matches.paired_matches import end_paired_match
from service.tournaments.documents.document import load_document
from service.tournaments.entry.entrants import enter_tournament, withdraw_entrant
from service.tournaments.lifecycle import apply_tournament, plan_tournament
from service.tournaments.rounds.standings import read_standings
from service.tournaments.tournament_store import load_state
from tests.support.factories import settle
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

DOUBLE = """
  - name: cup
    format: double-elimination
    reset: yes
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
TABLE = """
  - name: cup
    format: knockout
    seats: {seats}
    start: {{first: 2027-02-01T18:00, next: when-over, gap: 1d}}
    end: {{at_most: 4w, then: as-it-stands}}
"""


def numbers_at(hosted: HostedTournament, match: str) -> list[int]:
    """Return the numbers of the players of a match, by seat."""
    numbers = load_state(hosted.tournament).number_of
    return [numbers[player] for player in json.loads(PairingRow.get_by_id(match).seats)]


def test_the_winner_of_the_reset_is_the_champion_everywhere(service: Config, clock: Clock, client: FlaskClient) -> None:
    hosted = open_tournament(service, clock, document_text(DOUBLE), entrants=4)
    hosted.work()
    finals = 0
    while hosted.row.ended_at is None:
        running = list(MatchRow.select().where(MatchRow.status == "running").order_by(MatchRow.id))
        finals += len(running) == 1 and numbers_at(hosted, running[0].id) in ([1, 2], [2, 1])
        for row in running:
            seats = numbers_at(hosted, row.id)
            # No. 1 loses nothing until the final, and then twice to No. 2.
            best = 2 if finals and sorted(seats) == [1, 2] else min(seats)
            settle(row.id, service)
            end_paired_match(row.id, "adjudicated", [1 if number == best else 2 for number in seats])
        hosted.work()
        if not running and hosted.row.ended_at is None:
            hosted.go_to_next()
    assert finals == 2, "the final and its reset"
    champion = load_state(hosted.tournament).holders[2]
    table = read_standings(hosted.tournament, "cup")
    assert [(line.rank, line.number) for line in table.sections[0]] == [(1, 2), (2, 1), (3, 3), (4, 4)]
    report = hosted.check()
    assert report.ruleset == "2026-11"
    assert [number for place, number in report.places["cup"] if place == 1] == [2]
    last = client.get(f"/v1/tournaments/{hosted.tournament}/bracket").get_json()["items"][-1]
    assert [seat["player"] for seat in last["seats"] if seat["goes_on"]] == [champion]
    why = client.get(f"/v1/tournaments/{hosted.tournament}/standings?why=true").get_json()
    assert "a first loss, and plays on." in json.dumps(why)


def play_final(hosted: HostedTournament, best_first: list[int], places: list[int], leaver: int = 0) -> dict[int, int]:
    """End the only match with these places after a player left. Return the ranks by number."""
    hosted.work()
    while not hosted.row.started_at:
        hosted.go_to_next()
    if leaver:
        withdraw_entrant(load_state(hosted.tournament).holders[leaver], hosted.tournament, at_once=True)
        hosted.work()
    (row,) = MatchRow.select().where(MatchRow.status == "running")
    settle(row.id, hosted.config)
    order = dict(zip(best_first, places, strict=True))
    end_paired_match(row.id, "adjudicated", [order[number] for number in numbers_at(hosted, row.id)])
    hosted.run_to_end()
    table = read_standings(hosted.tournament, "cup")
    ranks = {line.number: line.rank for line in table.sections[0]}
    assert {number: place for place, number in hosted.check().places["cup"]} == ranks
    return ranks


@pytest.mark.parametrize("seats", [3, 4])
def test_a_player_who_left_the_final_does_not_win_it(
    service: Config, clock: Clock, client: FlaskClient, seats: int
) -> None:
    hosted = open_tournament(service, clock, document_text(TABLE.format(seats=seats)), entrants=seats)
    numbers = list(range(1, seats + 1))
    ranks = play_final(hosted, numbers, numbers, leaver=1)
    assert ranks == {1: seats, **{number: number - 1 for number in numbers[1:]}}
    champion = load_state(hosted.tournament).holders[2]
    (table,) = client.get(f"/v1/tournaments/{hosted.tournament}/bracket").get_json()["items"]
    assert [seat["player"] for seat in table["seats"] if seat["goes_on"]] == [champion]
    why = client.get(f"/v1/tournaments/{hosted.tournament}/standings?why=true").get_data(as_text=True)
    assert "ranks behind everyone who did" in why


def test_a_tied_final_has_one_champion(service: Config, clock: Clock, client: FlaskClient) -> None:
    hosted = open_tournament(service, clock, document_text(TABLE.format(seats=3)), entrants=3)
    assert play_final(hosted, [3, 2, 1], [1, 1, 3]) == {2: 1, 3: 2, 1: 3}
    why = client.get(f"/v1/tournaments/{hosted.tournament}/standings?why=true").get_data(as_text=True)
    assert "First place was tied, so the better seed wins." in why


def test_a_tournament_from_before_keeps_its_rules_and_its_file_applies_without_a_change(
    service: Config, clock: Clock
) -> None:
    text = document_text(TABLE.format(seats=3))
    hosted = open_tournament(service, clock, text.replace("winter-cup", "other-cup"))
    new = hosted.read(text)
    old = load_document({key: value for key, value in new.canonical.items() if key != "ruleset"})
    hosted.tournament = apply_tournament(hosted.maker.player, old, None, service).id
    assert hosted.apply(text).document_hash == old.hash
    plan = plan_tournament(hosted.maker.player, hosted.read(f"ruleset: 2026-11\n{text}"), service)
    assert [(each.path, each.after, each.allowed) for each in plan.differences] == [("/ruleset", "2026-11", True)]
    hosted.enter(3)
    assert play_final(hosted, [3, 2, 1], [1, 1, 3]) == {2: 1, 3: 1, 1: 3}
    assert hosted.check().ruleset == ""
    assert hosted.apply(text).document_hash == old.hash


def test_an_organiser_who_plays_may_pause_and_resume(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(TABLE.format(seats=3)), entrants=2)
    enter_tournament(hosted.maker.player, hosted.row, "-", service)
    hosted.people.append(hosted.maker)
    while not hosted.row.started_at:
        hosted.go_to_next()
    hosted.rule("pause rules")
    hosted.work()
    assert hosted.row.state == "paused"
    hosted.rule("resume rules")
    hosted.work()
    assert hosted.row.state == "running"
