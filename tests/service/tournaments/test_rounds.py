"""Rounds that run by themselves: each format from the document to the end, with entrants who play and leave."""

from __future__ import annotations

import pytest

from service.config import Config
from service.db.models.matches import MatchRow
from service.db.models.tournaments import PairingRow, RoundRow, StageRow
from service.matches.paired_matches import end_paired_match
from service.tournaments.entry.entrants import ask_bye, withdraw_entrant
from service.tournaments.rounds.standings import read_standings
from service.tournaments.tournament_integrity import rebuild_tournament
from service.tournaments.views.crosstable_pages import list_stage_numbers, read_crosstable
from tests.support.players import Clock
from tests.support.tournaments import document_text, open_tournament, table_scores

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
START = "start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}"
STAGES = {
    "sections": """
  - name: all
    format: round-robin
    cycles: 2
    sections: {size: 4, by: draw}
    start: {first: 2027-02-01T18:00, all: yes}
    end: {at: 2027-06-30T18:00, then: adjudicate}
""",
    "swiss": f"""
  - name: swiss
    format: swiss
    rounds: 3
    {START}
    bye: {{asked: half, most_asked: 1}}
""",
    "brackets": f"""
  - name: swiss
    format: swiss
    system: brackets
    rounds: 3
    {START}
""",
    "pods": f"""
  - name: pods
    format: pods
    seats: 4
    rounds: 2
    {START}
    points: {{places: [6, 4, 2, 0]}}
  - name: final
    format: knockout
    seats: 4
    from: {{stage: pods, places: 1-4}}
    start: {{next: when-over, gap: 1d}}
""",
    "knockout": f"""
  - name: cup
    format: knockout
    {START}
""",
    "double": f"""
  - name: cup
    format: double-elimination
    reset: yes
    {START}
""",
}


@SQLITE
def test_a_round_robin_is_played_to_its_end_by_itself(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=5)
    hosted.run_to_end(play=True)
    report = hosted.check()
    assert report.recomputed == tuple(f"all:{number}" for number in range(1, 6))
    results = hosted.results()
    assert len(results) == 10
    for match, result in results.items():
        assert [int(word.split(":")[1]) for word in result.split(" ")] == table_scores(match)
    assert hosted.verbs()[-1] == "end"
    assert hosted.row.state == "over"
    assert {letter["player"] for letter in hosted.letters("tournament-over")} == {p.player.id for p in hosted.people}
    assert len(hosted.letters("tournament-round")) == 5 * 5
    ranks = [line.rank for line in read_standings(hosted.tournament, "all").sections[0]]
    assert ranks == sorted(ranks)
    # Seeds follow from the deals that are open now, so that every match can be checked.
    assert {row.id: row.seed for row in MatchRow.select()} == {
        match: seed for match, seed in report.seeds.items() if match in results
    }


@pytest.mark.parametrize(
    ("database", "kind"),
    [*(("sqlite", kind) for kind in STAGES), ("postgres", "sections"), ("postgres", "pods")],
    indirect=["database"],
)
def test_every_format_runs_to_its_end_and_its_log_verifies(service: Config, clock: Clock, kind: str) -> None:
    game = "tir-na-nog" if kind == "pods" else "keltis"
    text = document_text(STAGES[kind], least=4).replace("game: keltis", f"game: {game}")
    hosted = open_tournament(service, clock, text, entrants=9)
    hosted.run_to_end()
    report = hosted.check()
    assert report.recomputed
    assert hosted.verbs().count("end") == 1
    pairings = PairingRow.select().where(PairingRow.result != "").count()
    assert MatchRow.select().count() == pairings == hosted.verbs().count("result")
    assert RoundRow.select().where(RoundRow.state != "over").count() == 0
    for stage in report.rankings:
        assert read_standings(hosted.tournament, stage).sections
        ranked = sum(len(section.standings) for section in report.rankings[stage])
        assert len(read_crosstable(hosted.row, stage, list_stage_numbers(hosted.row, stage))) == ranked
    assert not rebuild_tournament(hosted.tournament)


@SQLITE
def test_who_leaves_a_round_robin_forfeits_what_is_still_to_be_paired(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=4)
    while "start" not in hosted.verbs():
        hosted.go_to_next()
    leaver = hosted.people[0].player.id
    withdraw_entrant(leaver, hosted.tournament)
    hosted.run_to_end()
    hosted.check()
    lost = [line for line in hosted.lines() if line.startswith("result ") and ":forfeit" in line]
    assert len(lost) == 2
    for line in lost:
        assert sorted(word.split(":")[0::2] for word in line.split(" ")[2:]) == [["1", "played"], ["2", "forfeit"]]
    assert MatchRow.select().count() == 4


@SQLITE
def test_somebody_who_leaves_at_once_gives_up_running_seats(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=4)
    while MatchRow.select().where(MatchRow.status == "running").count() == 0:
        hosted.go_to_next()
    withdraw_entrant(hosted.people[1].player.id, hosted.tournament, at_once=True)
    hosted.work()
    assert [line.split(" ")[0] for line in hosted.lines()[-2:]] == ["withdraw", "result"]
    hosted.run_to_end()
    hosted.check()


def end_of_round() -> int:
    """Return when the time of the only round is over."""
    ends_at = RoundRow.get().ends_at
    assert ends_at is not None
    return int(ends_at)


@SQLITE
def test_time_ends_the_matches_of_a_round_and_only_results_end_the_round(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=2)
    while MatchRow.select().where(MatchRow.status == "running").count() == 0:
        hosted.go_to_next()
    ends_at = end_of_round()
    assert ends_at - 28 * 86_400_000 == MatchRow.get().started_at
    clock.at = ends_at - 1000
    hosted.work()
    assert "over" not in hosted.verbs()
    clock.at = ends_at
    hosted.work()
    assert hosted.verbs()[-3:] == ["result", "over", "end"]
    assert "adjudicated" in hosted.lines()[-3]
    hosted.check()


@SQLITE
def test_an_adjudicated_round_waits_a_week_for_the_organiser(service: Config, clock: Clock) -> None:
    text = document_text().replace("as-it-stands", "adjudicate")
    hosted = open_tournament(service, clock, text, entrants=2)
    while MatchRow.select().where(MatchRow.status == "running").count() == 0:
        hosted.go_to_next()
    clock.at = end_of_round()
    hosted.work()
    assert MatchRow.get().status == "running"
    clock.at += 7 * 86_400_000
    hosted.work()
    assert hosted.verbs()[-3:] == ["result", "over", "end"]


@SQLITE
def test_a_stage_is_planned_until_a_round_of_it_starts(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(STAGES["swiss"]), entrants=4)
    assert [row.state for row in StageRow.select()] == ["planned"]
    while "start" not in hosted.verbs():
        assert [row.state for row in StageRow.select()] == ["planned"]
        hosted.go_to_next()
    assert [row.state for row in StageRow.select()] == ["running"]


@SQLITE
def test_too_few_entrants_cancel_and_everybody_is_told(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(least=4), entrants=3)
    hosted.run_to_end()
    assert hosted.verbs()[-3:] == ["close", "ruling", "end"]
    assert hosted.row.state == "cancelled"
    assert {letter["player"] for letter in hosted.letters("tournament-cancelled")} == {
        p.player.id for p in hosted.people
    }
    hosted.check()


@SQLITE
def test_a_bye_that_was_asked_for_leaves_a_round_out(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(STAGES["swiss"]), entrants=6)
    while "start" not in hosted.verbs():
        hosted.go_to_next()
    ask_bye(hosted.people[2].player.id, hosted.tournament, "swiss:2")
    hosted.run_to_end()
    hosted.check()
    second = [line for line in hosted.lines() if line.startswith("pair ") and " swiss:2 " in line]
    assert second
    assert not any(hosted.people[2].player.id in line for line in second)


@SQLITE
def test_all_play_the_same_deal_and_results_come_together(service: Config, clock: Clock) -> None:
    stages = """
  - name: deal
    format: same-deal
    seats: 2
    seat: 0
    bots: {1: steady}
    start: {first: 2027-02-01T18:00}
    end: {at_most: 2w, then: as-it-stands}
    points: score
    ties: []
"""
    hosted = open_tournament(service, clock, document_text(stages, closes="with-end", least=1), entrants=3)
    while MatchRow.select().where(MatchRow.status == "running").count() < 3:
        hosted.go_to_next()
    hosted.enter(1)
    hosted.work()
    assert MatchRow.select().where(MatchRow.status == "running").count() == 4
    assert len({row.seed for row in MatchRow.select()}) == 1
    hosted.play_all()
    assert "result" not in hosted.verbs()
    hosted.run_to_end()
    assert not any(row.rated for row in MatchRow.select()), "who plays second may know the deal"
    assert hosted.verbs()[-6:] == ["result"] * 4 + ["over", "end"]
    assert len(read_standings(hosted.tournament, "deal").sections[0]) == 4
    hosted.check()


@SQLITE
def test_a_tied_table_of_a_knockout_plays_once_more_before_the_seeds_decide(service: Config, clock: Clock) -> None:
    text = STAGES["knockout"].replace("format: knockout", "format: knockout\n    replay: 1")
    hosted = open_tournament(service, clock, document_text(text), entrants=4)
    while hosted.row.state != "running":
        hosted.go_to_next()

    def end_all(*places: int) -> list[str]:
        running = [row.id for row in MatchRow.select().where(MatchRow.status == "running").order_by(MatchRow.id)]
        for match in running:
            end_paired_match(match, "adjudicated", list(places))
        hosted.work()
        return running

    first = end_all(1, 1)
    assert "over" not in hosted.verbs()
    again = end_all(1, 1)
    assert len(first) == len(again) == 2
    assert set(first).isdisjoint(again)
    assert {row.id for row in PairingRow.select().where(PairingRow.void)} == set(first)
    seeds = {row.id: row.seed for row in MatchRow.select()}
    assert len(set(seeds.values())) == 4
    assert hosted.verbs().count("over") == 1
    while not MatchRow.select().where(MatchRow.status == "running").exists():
        hosted.go_to_next()
    # The better seeds went on; the final is tied once, and then won.
    final = [line for line in hosted.lines() if line.startswith("pair ") and " cup:2 " in line]
    numbers = {line.split(" ")[1]: int(line.split(" ")[2]) for line in hosted.lines() if line.startswith("number ")}
    assert sorted(numbers[player] for player in final[0].split(" ")[4:]) == [1, 2]
    end_all(1, 1)
    end_all(2, 1)
    hosted.run_to_end()
    assert [place for place, _ in hosted.check().places["cup"]] == [1, 2, 3, 3]
    assert len([line for line in hosted.lines() if line.startswith("pair ")]) == 6
