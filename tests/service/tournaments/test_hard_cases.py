"""Hard cases: all but one leave, nobody enters, and byes and late entry give nobody an advantage."""

from __future__ import annotations

import pytest

from service.config import Config
from service.tournaments.entry.entrants import enter_tournament, withdraw_entrant
from service.tournaments.formats.crosstable import How, Pairing, SeatResult, StageRound, rank_scores
from service.tournaments.formats.points import UNIT, PlacePoints, Scoring, WinPoints, count_points, seat_points
from tests.service.tournaments.test_rounds import STAGES
from tests.support.factories import somebody
from tests.support.players import Clock
from tests.support.tournaments import document_text, open_tournament

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@SQLITE
@pytest.mark.parametrize("kind", ["swiss", "brackets", "pods", "knockout", "double", "sections"])
def test_a_tournament_of_which_all_but_one_have_left_comes_to_its_end(service: Config, clock: Clock, kind: str) -> None:
    hosted = open_tournament(service, clock, document_text(STAGES[kind], least=4), entrants=5)
    while hosted.row.state != "running":
        hosted.go_to_next()
    for each in hosted.people[1:]:
        withdraw_entrant(each.player.id, hosted.tournament, at_once=True)
    hosted.run_to_end()
    assert hosted.row.state == "over"
    hosted.check()


@SQLITE
@pytest.mark.parametrize("entrants", [1, 2, 5, 7])
@pytest.mark.parametrize("kind", ["swiss", "brackets", "pods", "knockout", "double", "sections"])
def test_few_entrants_play_more_rounds_than_there_are_opponents_and_no_round_stays_behind(
    service: Config, clock: Clock, kind: str, entrants: int
) -> None:
    text = document_text(STAGES[kind], least=3).replace("rounds: 3", "rounds: 5").replace("rounds: 2", "rounds: 4")
    hosted = open_tournament(service, clock, text, entrants=entrants)
    hosted.run_to_end()
    assert hosted.row.state == ("over" if entrants > 2 else "cancelled")
    assert hosted.verbs().count("start") == hosted.verbs().count("over")
    hosted.check()


@SQLITE
def test_who_enters_late_in_the_last_round_that_allows_it_gets_one_half_at_most(service: Config, clock: Clock) -> None:
    text = document_text(STAGES["swiss"]).replace("least: 2", "least: 2, late: {until_round: 3, bye: half}")
    hosted = open_tournament(service, clock, text, entrants=4)
    while hosted.verbs().count("over") < 2:
        hosted.decide_all()
        if hosted.verbs().count("over") < 2:
            hosted.go_to_next()
    late = somebody("Late")
    enter_tournament(late.player, hosted.row, "ab12", service)
    hosted.people.append(late)
    byes = [line.split(" ")[2:] for line in hosted.lines() if line.startswith(f"bye {late.player.id} ")]
    assert sorted(kind for _, kind in byes) == ["half", "zero"]
    hosted.run_to_end()
    report = hosted.check()
    (line,) = [each for each in report.rankings["swiss"][0].standings if report.holders[each.number] == late.player.id]
    assert sum(line.by_round[:2]) == UNIT // 2


def test_both_who_forfeit_lose_and_a_leader_gains_nothing_by_asking_for_a_bye() -> None:
    forfeit = SeatResult(1, 0, How.FORFEIT)
    assert seat_points(WinPoints(), (forfeit, forfeit)) == (0, 0)
    assert seat_points(PlacePoints((60_000, 40_000, 20_000, 0)), (forfeit,) * 4) == (0,) * 4
    scoring = Scoring(PlacePoints((60_000, 40_000, 20_000, 0)), 4, None)
    led = StageRound(1, (Pairing((1, 2, 3, 4), rank_scores([9, 5, 3, 1])),))
    asked = StageRound(2, (Pairing((2, 3, 4), rank_scores([9, 5, 3])),), frozenset({1}))
    assert count_points(scoring, [led, asked], range(1, 5)).by_round[1] == (60_000, 15_000)
