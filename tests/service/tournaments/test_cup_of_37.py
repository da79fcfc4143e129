"""The cup of 37 as the service runs it: pods, knockout and final, with people who leave, substitutes and rulings.

Everything goes through the doors that people have: entering, withdrawing, offers to reserves, rulings, jobs and clocks.
Its export is verified, and a second program finds the same draws, seats, seeds, points and standings.
"""

from __future__ import annotations

import pytest

from engine.game import legal
from service.config import Config
from service.db.models.accounts import ConsentRow
from service.db.models.tournaments import PairingRow, PlaceOfferRow
from service.matches.paired_matches import end_paired_match, list_left_seats
from service.play import timeouts
from service.play.match_loader import load_match_state
from service.record.match_state import MatchState
from service.tournaments.entry.entrants import enter_tournament, withdraw_entrant
from service.tournaments.formats.verify import verify_tournament
from service.tournaments.tournament_store import export_record, load_state
from tests.support.factories import Seated, settle, somebody
from tests.support.players import Clock
from tests.support.second_tournament_reader import read_tournament
from tests.support.tournaments import HostedTournament, document_text, open_tournament

STAGES = """
  - name: pods
    format: pods
    seats: 4
    rounds: 4
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 12w, then: as-it-stands}
    points: {places: [6, 4, 2, 0], short: [6, 3, 0]}
  - name: quarter
    format: knockout
    seats: 4
    rounds: 1
    from: {stage: pods, places: 1-16}
    start: {next: when-over, gap: 1d}
  - name: final
    format: knockout
    seats: 4
    from: {stage: quarter, advance: 1}
    start: {next: when-over, gap: 1d}
"""
LAST_ROUND = 4
DOCUMENT = (
    document_text(STAGES, least=5)
    .replace("least: 5", "least: 8, most: 37")
    .replace("game: keltis", "game: keltis\nclock: simple-3\nlate_seat: substitute")
)


def list_asked() -> list[str]:
    """Return the reserves who were asked for the last abandoned seat, in order."""
    offers = list(PlaceOfferRow.select().order_by(PlaceOfferRow.asked_at))
    return [offer.player for offer in offers if offer.match == offers[-1].match]


def go_to_round(hosted: HostedTournament, stage: str, number: int) -> list[str]:
    """Let time pass until a round runs. Return its matches by place."""
    while not any(line == f"start {stage}:{number}" for line in hosted.lines()):
        hosted.go_to_next()
    mine = (PairingRow.stage == stage) & (PairingRow.round == number) & ~PairingRow.void
    return [row.id for row in PairingRow.select().where(mine).order_by(PairingRow.place)]


def decide(hosted: HostedTournament, match: str) -> None:
    """End a match with random places."""
    table = settle(match, hosted.config)
    scores = [hosted.random.randrange(5) for _ in table.players]
    end_paired_match(match, "adjudicated", [1 + sum(other > score for other in scores) for score in scores])


def find_asked(table: MatchState) -> int:
    """Return the seat to act."""
    return next(seat for seat, question in enumerate(table.questions) if question is not None)


def play_round_the_table(hosted: HostedTournament, match: str) -> int:
    """Let everybody make one turn. Return the seat to act."""
    seated = {each.player.id: each for each in hosted.people}
    table, acted, last = settle(match, hosted.config), set[int](), None
    while True:
        seat = find_asked(table)
        if seat != last and seat in acted:
            return seat
        acted.add(seat)
        last = seat
        seated[str(table.players[seat])].send(match, next(iter(legal(table.state, seat))).line)
        table = settle(match, hosted.config)


def lose_by_time(hosted: HostedTournament, match: str) -> str:
    """Let a player who has made a turn run out of time. Return the player."""
    asked = play_round_the_table(hosted, match)
    for _ in range(20):
        if list_left_seats(match) == [asked]:
            return str(load_match_state(match).facts.header.places[asked].player)
        hosted.clock.forward(days=1)
        timeouts.write_timeouts()
        hosted.work()
    raise AssertionError(match)


def replace_two_by_reserves(hosted: HostedTournament, reserves: list[Seated]) -> list[str]:
    """In rounds 3 and 4, let players run out of time and reserves take their seats. Return the players."""
    silent = []
    for number, taker in ((3, reserves[0]), (4, reserves[1])):
        left, *others = go_to_round(hosted, "pods", number)
        for match in others:
            decide(hosted, match)
        silent.append(lose_by_time(hosted, left))
        assert list_asked() == [reserves[0].player.id]
        if number == LAST_ROUND:
            hosted.clock.forward(days=1, minutes=1)
            hosted.work()
            assert list_asked() == [each.player.id for each in reserves]
        enter_tournament(taker.player, hosted.row, "-", hosted.config)
        assert load_match_state(left).seat_of(taker.player.id) is not None
        decide(hosted, left)
        hosted.work()
    return silent


def compare_programs(data: bytes) -> None:
    """Read an export with both programs, which must agree."""
    again, second = verify_tournament(data), read_tournament(data)
    (ranking,) = again.rankings["pods"]
    assert second.holders == dict(again.holders)
    assert second.seeds() == dict(again.seeds)
    assert second.standings("pods") == [
        (each.rank, each.number, each.points, each.values) for each in ranking.standings
    ]
    assert second.points("pods") == {each.number: list(each.by_round) for each in ranking.standings}
    for name in ("quarter", "final"):
        assert second.knockout_places(name) == {number: place for place, number in again.places[name]}
    assert second.repeats == 0


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_cup_of_37_is_run_ruled_and_recomputed_by_a_second_program(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, DOCUMENT, entrants=39)
    reserves = hosted.people[37:]
    assert [enter_tournament(each.player, hosted.row, "-", service).status for each in reserves] == ["reserve"] * 2
    withdrawn = [each.player.id for each in hosted.people[:4]]

    # Round 1: somebody willing takes over a place; two leave, one of them out of the running match.
    go_to_round(hosted, "pods", 1)
    willing = somebody("Willing")
    ConsentRow.create(player=willing.player.id, organiser=hosted.maker.player.id, at=clock.at)
    hosted.rule(f"replace {hosted.people[10].player.id} {willing.player.id} illness")
    hosted.people[10] = willing
    withdraw_entrant(withdrawn[0], hosted.tournament)
    withdraw_entrant(withdrawn[1], hosted.tournament, at_once=True)
    hosted.work()
    hosted.decide_all()

    # Round 2: more time, and a result that the organiser gives.
    matches = go_to_round(hosted, "pods", 2)
    hosted.rule("extend pods:2 2027-06-30T18:00 technical The server was slow.")
    seats = len(settle(matches[1], service).players)
    places = ",".join(map(str, range(seats, 0, -1)))
    hosted.rule(f"result {matches[1]} {places} rules")
    withdraw_entrant(withdrawn[2], hosted.tournament)
    withdraw_entrant(withdrawn[3], hosted.tournament)
    hosted.decide_all()

    silent = replace_two_by_reserves(hosted, reserves)
    hosted.run_to_end()

    report = hosted.check()
    lines = hosted.lines()
    assert sorted(line.split(" ")[1] for line in lines if line.startswith("withdraw ")) == sorted(withdrawn + silent)
    assert [line.split(" ")[1] for line in lines if line.startswith("ruling ")] == ["replace", "extend", "result"]
    assert sum(line.count(":substitute") for line in lines) == 2
    assert willing.player.id in report.holders.values()
    assert report.rulings
    state = load_state(hosted.tournament)
    assert (len(state.stages["pods"].entrants), len(state.stages["quarter"].entrants)) == (37, 16)
    compare_programs(export_record(hosted.tournament))
