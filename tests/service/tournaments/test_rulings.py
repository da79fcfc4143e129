"""Rulings: once, twice, at the same time, and while a match ends; permissions, and contradictions to the log."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from service.config import Config
from service.db import connection
from service.db.connection import execute, is_postgres
from service.db.models.accounts import ConsentRow
from service.db.models.matches import MatchRow, SeatRow
from service.db.models.tournaments import EntrantRow, PairingRow, RoundRow
from service.matches.paired_matches import end_paired_match
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.timestamps import DAY, HOUR
from service.tournaments.entry.entrants import enter_tournament, list_entrants, withdraw_entrant
from service.tournaments.formats.log_lines import AcceptLine
from service.tournaments.rulings.ruling_words import RulingRequest, parse_ruling
from service.tournaments.rulings.rulings import RulingMade, hash_text, list_rulings, make_ruling, plan_ruling
from service.tournaments.tournament_store import append_lines
from tests.support.factories import settle, somebody
from tests.support.players import Clock
from tests.support.statements import record_statements
from tests.support.tournaments import HostedTournament, document_text, open_tournament

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 2w, then: adjudicate}
"""
SECTIONS = """
  - name: all
    format: round-robin
    sections: {size: 3, by: draw}
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 2w, then: as-it-stands}
"""


def rule(hosted: HostedTournament, text: str, seen: int | None = None) -> RulingMade:
    """Rule as the maker, having seen all lines or the given number."""
    return hosted.rule(text, seen)


def refused(call: Callable[[], object]) -> str:
    """Return the kind of problem that a call raises. Its text exists in both languages."""
    with pytest.raises(Problem) as found:
        call()
    assert found.value.detail_in("fr") != found.value.detail
    return found.value.kind


def running() -> list[str]:
    """Return the running matches by place."""
    return [row.id for row in MatchRow.select().where(MatchRow.status == "running").order_by(MatchRow.id)]


def end_of(number: int) -> int:
    """Return when a round of the first stage ends."""
    found = RoundRow.get((RoundRow.stage == "swiss") & (RoundRow.number == number)).ends_at
    assert found is not None
    return int(found)


def deadlines() -> dict[str, int]:
    """Return the deadline of each match."""
    waiting = SeatRow.select().where(SeatRow.due_at.is_null(is_null=False))
    return {row.match: int(row.due_at or 0) for row in waiting}


def begin(service: Config, clock: Clock, entrants: int = 4) -> HostedTournament:
    """Return a tournament whose first round runs."""
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=entrants)
    while not running():
        hosted.go_to_next()
    for match in running():
        settle(match, service)
    return hosted


def test_a_pause_stops_every_clock_and_moves_what_is_to_come(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    ends_at = end_of(1)
    due = deadlines()
    seen = hosted.row.head_seq
    rule(hosted, "pause technical The server moves.")
    assert refused(lambda: rule(hosted, "pause technical")) == "conflict"
    assert refused(lambda: rule(hosted, "pause technical", seen)) == "conflict"
    hosted.work()
    assert hosted.row.state == "paused"
    assert all(load_match_state(match).state.house.paused for match in running())
    clock.forward(days=42)
    hosted.work()
    assert [line for line in hosted.lines() if line.startswith("result")] == []
    rule(hosted, "resume technical")
    assert refused(lambda: rule(hosted, "resume technical")) == "conflict"
    hosted.work()
    assert hosted.row.state == "running"
    for match in running():
        settle(match, service)
    assert not any(load_match_state(match).state.house.paused for match in running())
    assert end_of(1) == ends_at + 42 * DAY
    later = deadlines()
    assert {match: at - due[match] for match, at in later.items()} == dict.fromkeys(due, 42 * DAY)
    assert hosted.lines().count("ruling resume technical") == 1
    told = [str(letter["player"]) for letter in hosted.letters("tournament-ruling")]
    assert sorted(told) == sorted([each.player.id for each in hosted.people] * 2)
    hosted.run_to_end()
    hosted.check()


def test_a_result_by_ruling_ends_its_match_and_stands_whatever_comes(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    one, other = running()
    seen = hosted.row.head_seq
    plan = plan_ruling(hosted.maker.player.id, hosted.tournament, parse_ruling(f"result {one} 2,1 rules"), service)
    assert hosted.row.head_seq == seen == plan.seq
    assert plan.lines[0] == f"ruling result {one} rules"
    assert {player for _, player in plan.letters} == set(json.loads(PairingRow.get_by_id(one).seats))
    assert {(change.points_before, change.points_after) for change in plan.standings} == {(0, 10_000), (0, 0)}
    rule(hosted, f"result {one} 2,1 rules Both agreed at the table.", seen)
    assert refused(lambda: rule(hosted, f"result {one} 2,1 rules", seen)) == "conflict"
    assert refused(lambda: rule(hosted, f"result {one} 2,1 rules")) == "conflict"
    hosted.work()
    assert MatchRow.get_by_id(one).status == "over"
    assert [line for line in hosted.lines() if line.startswith(f"result {one}")] == [plan.lines[1]]
    # A match may end by itself before the ruling. An organiser who has not seen that is warned first.
    end_paired_match(other, "adjudicated", [1, 2])
    seen = hosted.row.head_seq
    hosted.work()
    assert refused(lambda: rule(hosted, f"result {other} 2,1 mistake", seen)) == "conflict"
    rule(hosted, f"result {other} scores 3,3 mistake")
    assert hosted.lines()[-1] == f"result {other} 1:3:ruled 1:3:ruled"
    for wrong in ("scores 9999,1", "1,3", "1"):
        assert refused(partial(rule, hosted, f"result {other} {wrong} rules")) == "invalid"
    assert refused(lambda: rule(hosted, "result abcdefghijkl2345 1,2 rules")) == "not-found"
    hosted.run_to_end()
    hosted.check()
    assert refused(lambda: rule(hosted, "pause other")) == "conflict"


def test_more_time_moves_the_end_of_a_round_also_after_it_came(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    end = end_of(1)
    for wrong in ("2020-01-01T00:00", "2027-02-02T18:00", "2099-01-01T00:00"):
        assert refused(partial(rule, hosted, f"extend swiss:1 {wrong} illness")) == "invalid"
    assert refused(lambda: rule(hosted, "extend swiss:2 2027-03-10T18:00 illness")) == "conflict"
    assert refused(lambda: rule(hosted, "extend swiss:x 2027-03-10T18:00 illness")) == "not-found"
    SeatRow.update(due_at=end + 90 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    clock.at = end + HOUR
    hosted.work()
    assert all(load_match_state(match).state.house.paused for match in running())
    rule(hosted, "extend swiss:1 2027-03-10T18:00 illness")
    hosted.work()
    assert not any(load_match_state(match).state.house.paused for match in running())
    later = end_of(1)
    assert later > clock.at
    for match in running():
        settle(match, service)
    SeatRow.update(due_at=later + 90 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    clock.at = later + HOUR
    hosted.work()
    assert all(load_match_state(match).state.house.paused for match in running())
    # An organiser decides; who is silent for seven days lets the scores stand.
    first, second = running()
    rule(hosted, f"result {first} 1,2 time")
    assert hosted.lines()[-1].count("adjudicated") == 2
    clock.at = later + 7 * DAY + HOUR
    hosted.work()
    assert MatchRow.get_by_id(second).status == "over"
    hosted.run_to_end()
    hosted.check()


def test_somebody_willing_takes_over_place_points_and_seats(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    one, other, stranger = hosted.people[0].player.id, somebody("Willing"), somebody("Stranger")
    ConsentRow.create(player=other.player.id, organiser=hosted.maker.player.id, at=clock.at)
    playing = hosted.people[1].player.id
    assert refused(lambda: rule(hosted, f"replace {one} {playing} illness")) == "conflict"
    assert refused(lambda: rule(hosted, f"replace {one} {stranger.player.id} illness")) == "conflict"
    seen = hosted.row.head_seq
    rule(hosted, f"replace {one} {other.player.id} illness", seen)
    assert refused(lambda: rule(hosted, f"replace {one} {other.player.id} illness", seen)) == "conflict"
    assert refused(lambda: rule(hosted, f"replace {one} {other.player.id} illness")) == "conflict"
    hosted.work()
    match = PairingRow.get(PairingRow.seats.contains(other.player.id)).id
    assert load_match_state(match).seat_of(other.player.id) is not None
    assert load_match_state(match).seat_of(one) is None
    assert refused(lambda: enter_tournament(hosted.people[0].player, hosted.row, "-", service)) == "conflict"
    hosted.people[0] = other
    hosted.run_to_end()
    report = hosted.check()
    assert other.player.id in report.holders.values()
    assert one not in report.holders.values()
    assert not any("substitute" in line for line in hosted.lines())


def test_a_replay_is_a_new_deal_and_a_repair_pairs_anew_before_the_start(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    one, _ = running()
    seats = json.loads(PairingRow.get_by_id(one).seats)
    seen = hosted.row.head_seq
    rule(hosted, f"replay {one} technical", seen)
    assert refused(lambda: rule(hosted, f"replay {one} technical", seen)) == "conflict"
    assert refused(lambda: rule(hosted, f"replay {one} technical")) == "conflict"
    assert refused(lambda: rule(hosted, f"result {one} 1,2 technical")) == "conflict"
    hosted.work()
    assert MatchRow.get_by_id(one).status == "over"
    again = PairingRow.get((PairingRow.seats == json.dumps(seats)) & (PairingRow.void == False))  # noqa: E712
    assert MatchRow.get_by_id(again.id).status == "running"
    assert MatchRow.get_by_id(again.id).seed != MatchRow.get_by_id(one).seed
    assert refused(lambda: rule(hosted, "repair swiss:1 mistake")) == "conflict"
    hosted.decide_all()
    while not PairingRow.select().where(PairingRow.round == 2).exists():
        hosted.go_to_next()
    before = {row.id for row in PairingRow.select().where(PairingRow.round == 2)}
    people = [each.player.id for each in hosted.people]
    assert refused(lambda: rule(hosted, f"repair swiss:2 {people[0]}/{people[1]} mistake")) == "invalid"
    rule(hosted, f"repair swiss:2 {people[0]}/{people[1]} {people[3]}/{people[2]} mistake")
    hosted.work()
    tables = PairingRow.select().where((PairingRow.round == 2) & (PairingRow.void == False))  # noqa: E712
    assert sorted(json.loads(row.seats) for row in tables) == sorted([people[:2], [people[3], people[2]]])
    withdraw_entrant(people[0], hosted.tournament)
    rule(hosted, "repair swiss:2 absence")
    hosted.run_to_end()
    assert {row.id for row in PairingRow.select().where(PairingRow.round == 2) if row.void} >= before
    assert MatchRow.select().where(MatchRow.status.in_(("open", "running"))).count() == 0
    report = hosted.check()
    assert report.not_recomputed["swiss:2"] == "repaired"


@SQLITE
def test_who_is_excluded_leaves_at_once_and_may_be_let_in_again(service: Config, clock: Clock) -> None:
    text = document_text(SWISS).replace("least: 2", "least: 2, most: 5, by: approval")
    hosted = open_tournament(service, clock, text, entrants=7)
    people = [each.player.id for each in hosted.people]
    for player in people[:6]:
        rule(hosted, f"accept {player} agreed")
    assert [row.status for row in list_entrants(hosted.tournament)] == ["in"] * 5 + ["reserve", "waiting"]
    assert refused(lambda: rule(hosted, f"accept {people[0]} agreed")) == "conflict"
    assert refused(lambda: rule(hosted, f"accept {people[5]} agreed")) == "conflict"
    rule(hosted, f"exclude {people[4]} fair-play")
    hosted.work()
    assert refused(lambda: rule(hosted, f"exclude {people[4]} fair-play")) == "conflict"
    assert refused(lambda: enter_tournament(hosted.people[4].player, hosted.row, "-", service)) == "forbidden"
    assert [letter["player"] for letter in hosted.letters("tournament-offer")] == [people[5]]
    while not running():
        hosted.go_to_next()
    rule(hosted, f"exclude {people[0]} fair-play")
    hosted.work()
    assert EntrantRow.get(EntrantRow.player == people[0]).status == "excluded"
    assert len([line for line in hosted.lines() if line.startswith("result ")]) == 1
    rule(hosted, f"accept {people[0]} mistake")
    hosted.run_to_end()
    hosted.check()
    assert [line for line in hosted.lines() if line.startswith("exclude")] == [
        f"exclude {people[4]} fair-play",
        f"exclude {people[0]} fair-play",
    ]


@SQLITE
def test_nobody_rules_where_they_play_and_words_are_for_those_concerned(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=3)
    enter_tournament(hosted.maker.player, hosted.row, "-", service)
    hosted.people.append(hosted.maker)
    while not running():
        hosted.go_to_next()
    one, _ = running()
    assert refused(lambda: rule(hosted, f"result {one} 1,2 rules")) == "forbidden"
    assert refused(lambda: rule(hosted, "cancel other")) == "forbidden"
    rule(hosted, "pause rules")
    head = hosted.row.head_seq
    # Everybody who may stop the clocks may start them again.
    rule(hosted, "resume rules")
    request = RulingRequest("result", "rules", "An  \n email was lost.", match=one, places=(1, 2))
    made = make_ruling(None, hosted.tournament, request, head + 1, service)
    seats = json.loads(PairingRow.get_by_id(one).seats)
    outsider = next(
        each.player.id for each in hosted.people if each.player.id not in seats and each is not hosted.maker
    )
    concerned, *_ = (list_rulings(hosted.row, viewer, made.seq - 1, 5)[0] for viewer in seats)
    assert concerned.text == "An email was lost."
    assert concerned.line.endswith(hash_text(hosted.tournament, str(concerned.salt), concerned.text))
    for viewer in (outsider, None):
        assert list_rulings(hosted.row, viewer, made.seq - 1, 5)[0].text is None
    assert refused(lambda: make_ruling(outsider, hosted.tournament, request, head, service)) == "forbidden"
    hosted.work()
    rule(hosted, "pause other")
    make_ruling(None, hosted.tournament, RulingRequest("cancel", "too-few"), hosted.row.head_seq, service)
    hosted.work()
    assert not any(load_match_state(match).state.house.paused for match in running())
    hosted.run_to_end()
    hosted.check()


def test_of_two_rulings_at_once_one_wins_and_the_other_sees_what_holds(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    one, other = running()
    seen = hosted.row.head_seq
    texts = [f"result {one} 1,2 rules", f"result {one} 2,1 rules", f"replay {one} rules", "pause rules"] * 2
    made: list[object] = []
    ready = threading.Barrier(len(texts) + 1)

    def rule_at_once(text: str) -> None:
        try:
            ready.wait()
            made.append(rule(hosted, text, seen))
        except Problem as problem:
            made.append(problem)
        finally:
            connection.close_connection()

    def end_match() -> None:
        try:
            ready.wait()
            end_paired_match(one, "adjudicated", [1, 2])
        finally:
            connection.close_connection()

    threads = [threading.Thread(target=rule_at_once, args=(text,)) for text in texts]
    threads.append(threading.Thread(target=end_match))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(isinstance(each, RulingMade) for each in made) == 1
    lost = [each for each in made if isinstance(each, Problem)]
    assert {each.kind for each in lost} == {"conflict"}
    assert all(each.more["seq"] > seen for each in lost)
    assert len([line for line in hosted.lines() if line.startswith("ruling ")]) == 1
    hosted.work()
    if hosted.row.state == "paused":
        rule(hosted, "resume rules")
    assert len([line for line in hosted.lines() if line.startswith(f"result {one}")]) <= 1
    assert other
    hosted.run_to_end()
    hosted.check()


@SQLITE
def test_an_organiser_rules_in_sections_where_others_play(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(SECTIONS), entrants=5)
    enter_tournament(hosted.maker.player, hosted.row, "-", service)
    hosted.people.append(hosted.maker)
    while not running():
        hosted.go_to_next()
    own = next(row.section for row in PairingRow.select() if hosted.maker.player.id in json.loads(row.seats))
    tables = [row for row in PairingRow.select() if row.id in running()]
    here = next(row for row in tables if row.section == own)
    there = next(row for row in tables if row.section != own)
    assert refused(lambda: rule(hosted, f"result {here.id} 1,2 rules")) == "forbidden"
    assert refused(lambda: rule(hosted, "extend all:1 2027-04-01T18:00 rules")) == "forbidden"
    rule(hosted, f"result {there.id} 1,2 rules")
    hosted.run_to_end()
    hosted.check()


@SQLITE
def test_where_no_beacon_can_be_asked_an_organiser_gives_its_value_once(service: Config, clock: Clock) -> None:
    text = document_text(SWISS).replace("beacon: none", "beacon: drand-quicknet")
    hosted = open_tournament(service, clock, text, entrants=4)
    assert refused(lambda: rule(hosted, f"beacon {'ab' * 32} technical")) == "conflict"
    clock.at = (hosted.row.closes_at or 0) + 1
    hosted.work()
    assert hosted.verbs()[-1] == "close"
    assert refused(lambda: rule(hosted, f"beacon {'ab' * 32} technical")) == "conflict"
    clock.forward(minutes=11)
    hosted.work()
    assert refused(lambda: rule(hosted, "beacon drand-quicknet:1:" + "ab" * 32 + " technical")) == "invalid"
    assert refused(lambda: rule(hosted, "beacon tails technical")) == "invalid"
    seen = hosted.row.head_seq
    rule(hosted, f"beacon {'ab' * 32} technical", seen)
    assert refused(lambda: rule(hosted, f"beacon {'cd' * 32} technical", seen)) == "conflict"
    hosted.work()
    drawn = [line.split(" ") for line in hosted.lines() if line.startswith("draw ")]
    assert {words[3].rpartition(":")[2] for words in drawn} == {"ab" * 32}
    seen = hosted.row.head_seq
    rule(hosted, "cancel too-few", seen)
    assert refused(lambda: rule(hosted, "cancel too-few", seen)) == "conflict"
    hosted.work()
    assert len(hosted.letters("tournament-cancelled")) == 4
    hosted.check()


def test_rulings_are_found_by_an_index_however_long_the_log_is(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=2)
    append_lines(hosted.tournament, None, [AcceptLine(hosted.people[0].player.id)] * 5_000, clock.at)
    rule(hosted, "pause illness")
    execute("analyze tournament_entry")
    with record_statements() as statements:
        assert [each.what for each in list_rulings(hosted.row, None, 0, 50)] == ["pause"]
        plan_ruling(None, hosted.tournament, parse_ruling("resume illness"), service)
    asked = [statement for statement in statements if "substr(line" in statement[0]]
    assert len(asked) == 2
    assert not [sql for sql, _ in statements if "tournament_entry" in sql and "like" in sql.lower()]
    explain = "explain" if is_postgres() else "explain query plan"
    for sql, values in asked:
        plan = " ".join(str(row) for row in connection.db.execute_sql(f"{explain} {sql}", values).fetchall())
        assert "tournament_entry_ruling" in plan
        assert "Seq Scan" not in plan


@SQLITE
def test_an_organiser_gives_a_value_of_the_beacon_only_once_it_has_been_silent(service: Config, clock: Clock) -> None:
    text = document_text(SWISS).replace("beacon: none", "beacon: drand-quicknet")
    # Nobody answers at this address.
    reachable = replace(service, beacon_url="http://127.0.0.1:9/", hook_networks=("127.0.0.0/8",))
    hosted = open_tournament(reachable, clock, text, entrants=4)
    clock.at = (hosted.row.closes_at or 0) + 1
    hosted.work()
    clock.forward(minutes=11)
    hosted.work()
    assert refused(lambda: rule(hosted, f"beacon {'ab' * 32} technical")) == "conflict"
    clock.forward(hours=6)
    hosted.work()
    rule(hosted, f"beacon {'ab' * 32} technical")
    hosted.work()
    values = {line.split(" ")[3].rpartition(":")[2] for line in hosted.lines() if line.startswith("draw ")}
    assert values == {"ab" * 32}
    hosted.check()


@pytest.mark.usefixtures("service")
def test_names_of_several_words_are_read_in_rulings() -> None:
    ann, time_lord, bob = (somebody(name).player.id for name in ("Mary Ann", "Time Lord", "Bob"))
    assert parse_ruling("exclude Mary Ann illness She is ill.").player == ann
    # A name may contain the word of a reason.
    assert parse_ruling("exclude Time Lord time").player == time_lord
    replaced = parse_ruling("replace Mary Ann Time Lord agreed")
    assert (replaced.player, replaced.other, replaced.why) == (ann, time_lord, "agreed")
    assert parse_ruling("repair swiss:2 Mary Ann/Bob, Time Lord mistake").tables == ((ann, bob), (time_lord,))
    with pytest.raises(Problem, match="Mary Bob"):
        parse_ruling("accept Mary Bob agreed")


def test_refused_rulings_name_people_and_not_their_ids(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=2)
    stranger = somebody("Mary Ann").player.id
    with pytest.raises(Problem) as found:
        plan_ruling(hosted.maker.player.id, hosted.tournament, parse_ruling("exclude Mary Ann rules"), service)
    said = found.value.detail_in("en")
    assert said == "Mary Ann has not entered this tournament."
    assert stranger not in said
