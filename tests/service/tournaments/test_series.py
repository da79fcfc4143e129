"""Best of N in the service: matches follow each other, the bracket counts them, and the round's end covers all."""

from __future__ import annotations

import json

from flask.testing import FlaskClient

from service.config import Config
from service.db.models.matches import MatchRow
from service.db.models.tournaments import PairingRow
from service.matches.paired_matches import end_paired_match
from service.tournaments.entry.entrants import withdraw_entrant
from service.tournaments.rounds.standings import read_standings
from service.tournaments.rulings.ruling_words import parse_ruling
from service.tournaments.rulings.rulings import make_ruling
from service.tournaments.tournament_integrity import rebuild_tournament
from service.tournaments.tournament_store import load_state
from tests.support.factories import settle
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament

CUP = """
  - name: cup
    format: knockout
    best_of: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""


def start(service: Config, clock: Clock, entrants: int = 2) -> HostedTournament:
    """Return a cup whose first round has begun."""
    hosted = open_tournament(service, clock, document_text(CUP), entrants=entrants)
    hosted.work()
    while not hosted.row.started_at:
        hosted.go_to_next()
    return hosted


def running() -> list[MatchRow]:
    return list(MatchRow.select().where(MatchRow.status == "running").order_by(MatchRow.id))


def seats_of(match: str) -> list[str]:
    return list(json.loads(PairingRow.get_by_id(match).seats))


def win(hosted: HostedTournament, match: str, winner: int) -> None:
    """End a match for the player with this number, and do what follows."""
    holder = load_state(hosted.tournament).holders[winner]
    settle(match, hosted.config)
    end_paired_match(match, "adjudicated", [1 if player == holder else 2 for player in seats_of(match)])
    hosted.work()


def test_matches_follow_each_other_until_the_series_is_decided(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted = start(service, clock, entrants=4)
    first = {
        match.id: sorted(load_state(hosted.tournament).number_of[who] for who in seats_of(match.id))
        for match in running()
    }
    one = next(match for match, numbers in first.items() if 1 in numbers)
    win(hosted, one, 1)
    # The next match begins at once, with seats exchanged, while the other table still plays its first.
    following = [match for match in running() if match.id not in first]
    assert [seats_of(match.id) for match in following] == [seats_of(one)[::-1]]
    items = client.get(f"/v1/tournaments/{hosted.tournament}/bracket").get_json()["items"]
    table = next(item for item in items if one in item["matches"])
    assert table["matches"] == [one, following[0].id]
    assert table["match"] == following[0].id
    assert not table["over"]
    assert {seat["seed"]: seat["score"] for seat in table["seats"]} == {1: 1, 4: 0}
    while hosted.row.ended_at is None:
        matches = running()
        for match in matches:
            numbers = load_state(hosted.tournament).number_of
            win(hosted, match.id, min(numbers[player] for player in seats_of(match.id)))
        if not matches:
            hosted.go_to_next()
    assert MatchRow.select().count() == 6, "three tables that were decided after two matches each"
    table = read_standings(hosted.tournament, "cup")
    assert [(line.rank, line.number) for line in table.sections[0]][:2] == [(1, 1), (2, 2)]
    hosted.check()
    assert not rebuild_tournament(hosted.tournament), "the caches are as the log says"
    why = client.get(f"/v1/tournaments/{hosted.tournament}/standings?why=true").get_json()
    assert "Matches won: 2 to 0." in json.dumps(why)


def test_the_end_of_the_round_ends_an_undecided_series(service: Config, clock: Clock) -> None:
    hosted = start(service, clock)
    win(hosted, running()[0].id, 2)
    while hosted.row.ended_at is None:
        hosted.go_to_next()
    rounds = load_state(hosted.tournament).stages["cup"].rounds
    assert len(rounds[1].valid) == 2, "no match is made after the end"
    table = read_standings(hosted.tournament, "cup")
    assert [(line.rank, line.number) for line in table.sections[0]] == [(1, 2), (2, 1)]
    hosted.check()


def test_whoever_withdraws_from_a_series_loses_it(service: Config, clock: Clock) -> None:
    hosted = start(service, clock)
    win(hosted, running()[0].id, 1)
    withdraw_entrant(load_state(hosted.tournament).holders[1], hosted.tournament, at_once=True)
    hosted.work()
    table = read_standings(hosted.tournament, "cup")
    assert [(line.rank, line.number) for line in table.sections[0]] == [(1, 2), (2, 1)]
    while hosted.row.ended_at is None:
        hosted.go_to_next()
    hosted.check()


def test_a_replay_ruling_voids_one_match_and_keeps_the_others(service: Config, clock: Clock) -> None:
    hosted = start(service, clock)
    (first,) = (match.id for match in running())
    win(hosted, first, 1)
    (second,) = (match.id for match in running())
    request = parse_ruling(f"replay {second} technical")
    make_ruling(hosted.maker.player.id, hosted.tournament, request, load_state(hosted.tournament).seq, service)
    hosted.work()
    (third,) = (match.id for match in running())
    assert seats_of(third) == seats_of(second) == seats_of(first)[::-1]
    void = {row.id: bool(row.void) for row in PairingRow.select()}
    assert void == {first: False, second: True, third: False}
    win(hosted, third, 1)
    while hosted.row.ended_at is None:
        hosted.go_to_next()
    hosted.check()
    assert not rebuild_tournament(hosted.tournament)
