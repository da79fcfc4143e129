"""Ratings and reliability: every finished match counts once, in order, and the logs alone give the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli import main
from engine.game import HOUSE
from engine.house import BotTakes, End
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db import connection
from service.db.connection import execute, rows
from service.jobs import heartbeat
from service.matches import create, erasure, offers, substitutes
from service.play import timeouts
from service.play.match_loader import load_match_state
from service.play.match_log import LogAddition, append_to_match, next_entries
from service.timestamps import DAY, MINUTE, now
from service.tournaments.formats.draw import beacon_round
from service.tournaments.formats.skill import NEW_SKILL, Skill, rate_match
from service.tournaments.ratings import rate_finished_matches, ratings, reliability
from service.tournaments.ratings.reliability import Reliability
from service.tournaments.rounds.rounds import take_beacon_value
from tests.support.clock_tables import set_excuses, sit
from tests.support.factories import Seated, match_of, settle, somebody
from tests.support.players import START, Clock
from tests.support.tournaments import document_text, open_tournament
from worker.schedule import JOB_HANDLERS, PERIODIC_TASKS
from worker.tasks import run_job

GAME = "keltis"


def write_house_lines(match: str, *actions: Any) -> None:  # noqa: ANN401  # lines of the house
    """Append arbiter lines."""

    def decide(table: Any) -> Any:  # noqa: ANN401
        entries, after = next_entries(table, [(HOUSE, action) for action in actions])
        return LogAddition(table, entries, after, None)

    append_to_match(match, decide)


def end(config: Config, match: str, *scores: int, why: str = "adjudicated") -> None:
    """End a match with these scores."""
    write_house_lines(match, End(why, scores))
    settle(match, config)


def play(config: Config, *people: Seated, scores: Sequence[int]) -> str:
    """Play a match that ends with these scores."""
    match = match_of(config, *people)
    settle(match, config)
    end(config, match, *scores)
    return match


def count_all() -> int:
    """Count as the worker does until nothing is left. Return the number of matches."""
    total = 0
    while counted := rate_finished_matches.count_next_matches():
        total += counted
    return total


def cache() -> list[list[tuple[Any, ...]]]:
    """Return every byte of both caches, and the matches that are counted."""
    return [
        rows("select * from rating order by match, player"),
        rows("select * from conduct order by match, player"),
        rows("select id, counted from match order by id"),
    ]


def skill(player: Seated) -> Skill:
    """Return the skill of a player."""
    return ratings.find_skills(GAME, [player.player.id], 2**62).get(player.player.id, NEW_SKILL)


@pytest.fixture
def echtra(service: Config, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run a command on the database of the test."""
    monkeypatch.setenv("ECHTRA_DATABASE_URL", service.database_url)
    monkeypatch.setenv("ECHTRA_DATA", str(service.data))
    heartbeat.beat(service)
    return lambda *words: CliRunner().invoke(main, list(words))


def test_the_worker_counts_every_ended_match_once(service: Config, clock: Clock) -> None:
    one, two = somebody("One"), somebody("Two")
    play(service, one, two, scores=(30, 20))
    PERIODIC_TASKS["ratings"].do(service)
    assert (skill(one), skill(two)) == (Skill(276354, 80659, 1), Skill(223646, 80659, 1))
    before = cache()
    PERIODIC_TASKS["ratings"].do(service)
    assert cache() == before
    assert clock.at == START


def test_a_match_that_is_played_to_its_end_is_rated_by_its_count(service: Config, clock: Clock) -> None:
    people = [somebody("One"), somebody("Two"), somebody("Three")]
    match = match_of(service, *people)
    turn = 0
    while not settle(match, service).state.over:
        table = load_match_state(match)
        asked = next(seat for seat, question in enumerate(table.questions) if question)
        people[asked].move(match, turn := turn + 7)
        clock.at += 1000
    assert count_all() == 1
    totals = [score.total for score in load_match_state(match).facts.game.rules.scores(load_match_state(match).state)]
    order = sorted(range(3), key=lambda seat: -totals[seat])
    assert len(set(totals)) == 3, "choose other moves"
    shown = [skill(people[seat]).rating for seat in order]
    assert shown == sorted(shown, reverse=True)
    answers = rows("select player, answers, late, finished from conduct")
    assert sum(count for _, count, _, _ in answers) == turn_runs(match)
    assert {(late, bool(finished)) for _, _, late, finished in answers} == {(0, True)}


def turn_runs(match: str) -> int:
    """Return how often the acting seat changes in a log."""
    seats = [
        seat
        for (seat,) in rows(
            "select seat from entry where match = ? and seat >= 0 and line <> 'resign' order by seq", match
        )
    ]
    return sum(one != two for one, two in zip([-1, *seats], seats, strict=False))


def test_nobody_is_rated_against_a_bot_alone_or_when_a_match_was_called_off(service: Config, clock: Clock) -> None:
    one, two = somebody("One"), somebody("Two")
    bot = match_of(service, one, bots={1: "steady"})
    alone = create.NewMatch(game="tir-na-nog", seats=2, seat=0, bots={1: "balor"}, options={"balor": "easy"})
    solo = str(create.create_match(one.player, alone, service).id)
    three = match_of(service, one, two, bots={2: "steady"})
    for match, scores in ((bot, (9, 1)), (solo, (9, 1)), (three, (9, 5, 1))):
        end(service, match, *scores)
    called_off = match_of(service, one, two)
    settle(called_off, service)
    offer = offers.make(called_off, one.player.id, "cancel")
    offers.answer(called_off, two.player.id, offer.id, agree=True)
    settle(called_off, service)
    unrated = match_of(service, one, two)
    execute("update match set rated = ? where id = ?", False, unrated)
    end(service, unrated, 9, 1)
    assert count_all() == 5
    assert rows("select * from rating") == []
    # Two people waited for each other in these, and nobody in the rest.
    found = rows("select distinct match from conduct order by match")
    assert found == [(match,) for match in sorted([three, called_off, unrated])]
    assert clock.at == START


def test_who_leaves_takes_the_last_place_and_a_substitute_is_not_rated(service: Config, clock: Clock) -> None:
    match, people = sit(service, 3, clock="tournament", policy="substitute")
    late, *_ = [seat for seat, question in enumerate(load_match_state(match).questions) if question]
    clock.forward(days=4)
    assert timeouts.write_timeouts() == 1
    settle(match, service)
    other = somebody("Other")
    substitutes.take_seat(other.player, match, late, None, service)
    settle(match, service)
    scores = [10, 10, 10]
    scores[late] = 90
    end(service, match, *scores)
    assert count_all() == 1
    places = dict(rows("select seat, place from rating where match = ?", match))
    assert places == {seat: 3 if seat == late else 1 for seat in range(3)}
    assert other.player.id not in {player for (player,) in rows("select player from rating")}
    expected = rate_match([NEW_SKILL] * 3, [places[seat] for seat in range(3)])
    assert tuple(skill(each) for each in people) == expected
    stayed = [seat for seat in range(3) if seat != late]
    conduct = {player: rest for player, *rest in rows("select player, answers, late, finished from conduct")}
    assert conduct[people[late].player.id] == [1, 1, False]
    assert [conduct[people[seat].player.id][2] for seat in stayed] == [True, True]
    assert conduct[other.player.id] == [0, 0, True]


def test_two_who_resign_at_a_table_of_four_share_the_last_place(service: Config, clock: Clock) -> None:
    people = [somebody(str(number)) for number in range(4)]
    match = match_of(service, *people)
    settle(match, service)
    for seat in (0, 2):
        people[seat].send(match, "resign")
        settle(match, service)
    end(service, match, 50, 20, 60, 30)
    count_all()
    assert rows("select seat, place from rating order by seat") == [(0, 4), (1, 2), (2, 4), (3, 1)]
    assert clock.at == START


def test_a_player_who_comes_back_is_rated_by_what_they_made(service: Config, clock: Clock) -> None:
    one, two = somebody("One"), somebody("Two")
    match = match_of(service, one, two)
    settle(match, service)
    write_house_lines(match, BotTakes(0, "steady"))
    settle(match, service)
    substitutes.take_seat(one.player, match, 0, None, service)
    end(service, match, 30, 10)
    count_all()
    assert skill(one).rating == 1658
    assert clock.at == START


def test_matches_count_in_the_order_of_their_ends_however_late_they_come_to_light(
    service: Config, clock: Clock, echtra: Callable[..., Result]
) -> None:
    people = [somebody(str(number)) for number in range(3)]
    matches = []
    for number, (one, two, scores) in enumerate(((0, 1, (9, 1)), (1, 2, (9, 1)), (2, 0, (9, 1)), (0, 1, (5, 5)))):
        clock.at = START + (number // 2) * DAY  # two and two end in the same moment
        matches.append(play(service, people[one], people[two], scores=scores))
    found = [rate_finished_matches.replay_ended_match(*each) for each in rate_finished_matches.list_ended_matches()]
    by_id = {each.id: each for each in found}
    # The worst order: the last one first, and of those that ended at once the later id first.
    for match in sorted(matches, key=lambda each: (by_id[each].ended_at, each), reverse=True):
        assert rate_finished_matches._write_counts([by_id[match]]) == 1
        assert rate_finished_matches._write_counts([by_id[match]]) == 0
    live = cache()
    ordered = sorted((each.result for each in found if each.result), key=lambda each: each.order)
    skills = {each.player.id: NEW_SKILL for each in people}
    for result in ordered:
        names = [place.player for place in result.places]
        rated = rate_match([skills[name] for name in names], [place.place for place in result.places])
        skills.update(zip(names, rated, strict=True))
    assert {each.player.id: skill(each) for each in people} == skills
    done = echtra("rebuild", "ratings")
    assert done.stdout == "Matches replayed: 4; rated: 4; rows changed: 0.\n"
    assert cache() == live


def test_several_workers_and_a_rebuild_at_once_count_every_match_once(service: Config, clock: Clock) -> None:
    people = [somebody(str(number)) for number in range(4)]
    for number in range(12):
        clock.at += number % 2
        play(service, people[number % 4], people[(number + 1) % 4], scores=(number % 3, 1))
    found = [rate_finished_matches.replay_ended_match(*each) for each in rate_finished_matches.list_ended_matches()]
    rate_finished_matches.replace_counts(found)
    alone = cache()
    execute("delete from rating")
    execute("delete from conduct")
    execute("update match set counted = ?", False)

    def work(number: int) -> int:
        try:
            if number == 3:
                return rate_finished_matches.replace_counts(found[:6]).matches
            return sum(rate_finished_matches.count_next_matches() for _ in range(5))
        finally:
            connection.close_connection()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    count_all()
    assert cache() == alone


def test_a_rebuild_gives_the_same_bytes_after_any_damage(
    service: Config, clock: Clock, echtra: Callable[..., Result]
) -> None:
    people = [somebody(str(number)) for number in range(4)]
    for number in range(6):
        clock.forward(hours=5)
        play(service, *people[: 2 + number % 3], scores=[number % 2, 3, 2, 3][: 2 + number % 3])
    running, _ = sit(service, 3, clock="tournament")
    set_excuses(running, 0)
    clock.forward(days=4)
    assert timeouts.write_timeouts() == 1
    settle(running, service)
    do_conduct_jobs(service)
    count_all()
    live = cache()
    assert len(live[0]) == 18
    for damage in (
        "delete from rating where place = 1",
        "update rating set mu = mu + 1",
        "delete from conduct",
        "update conduct set late = late + 1",
        "update match set counted = not counted where status = 'over'",
        "delete from rating; delete from conduct; update match set counted = false",
    ):
        for statement in damage.split("; "):
            execute(statement)
        assert echtra("rebuild", "ratings").exit_code == 0
        assert cache() == live, damage
    assert count_all() == 0
    # Rebuilding everything from an empty table, as the worker does, gives the same ratings.
    execute("delete from rating")
    execute("delete from conduct where match <> ?", running)
    execute("update match set counted = ?", False)
    assert count_all() == 6
    assert cache() == live


def do_conduct_jobs(config: Config) -> None:
    """Do the jobs after missed deadlines."""
    for (number,) in rows("select id from job where topic = 'conduct' and done_at is null"):
        assert run_job(number, config, JOB_HANDLERS)


def test_a_log_that_cannot_be_read_holds_up_no_other_match(
    service: Config, clock: Clock, echtra: Callable[..., Result]
) -> None:
    one, two = somebody("One"), somebody("Two")
    broken, good = (play(service, one, two, scores=(30, 20)) for _ in range(2))
    execute("update match set seed = ? where id = ?", "torn", broken)
    for match in (broken, good):
        execute("delete from snapshot where match = ?", match)
    reset_process_state()
    assert count_all() == 2
    assert {match for (match,) in rows("select match from rating")} == {good}
    live = cache()
    done = echtra("rebuild", "ratings", "--lang", "fr")
    assert done.exit_code == 1
    assert (
        done.stderr.strip() == f"La partie {broken} ne compte pas : son journal ne se rejoue pas ; voir echtra doctor."
    )
    assert cache() == live
    assert clock.at == START


def test_a_rebuild_of_ratings_takes_no_single_match(echtra: Callable[..., Result]) -> None:
    done = echtra("rebuild", "ratings", "--match", "k3v9m2x7q4p8w6ya")
    assert (done.exit_code, done.stderr) == (2, "You cannot use ratings and --match together; leave one out.\n")


def test_an_erased_player_keeps_the_rating_under_an_id_that_names_nobody(
    service: Config, clock: Clock, echtra: Callable[..., Result]
) -> None:
    one, two = somebody("One"), somebody("Two")
    play(service, one, two, scores=(30, 20))
    count_all()
    live = cache()
    erasure.erase_player(two.player.id)
    assert echtra("rebuild", "ratings").exit_code == 0
    assert cache() == live
    assert clock.at == START


def test_the_peak_is_the_highest_rating_held_within_a_year_without_the_provisional_ones(
    service: Config, clock: Clock
) -> None:
    one, two = somebody("One"), somebody("Two")
    ids = [one.player.id, two.player.id]
    held = []
    for number in range(14):
        clock.forward(days=30)
        play(service, one, two, scores=(9, 1) if number < 12 else (1, 9))
        count_all()
        held.append(skill(one).rating)
        if number < 9:
            assert ratings.find_peaks(GAME, ids, clock.at)[ids[0]] == held[-1], "a provisional one is what it is"
    assert skill(one).provisional is False
    assert ratings.find_peaks(GAME, ids, clock.at) == {ids[0]: max(held), ids[1]: skill(two).rating}
    assert max(held) == held[11] > held[13]
    later = clock.at + 340 * DAY  # the tenth and twelfth match are before the year, the thirteenth ends within it
    assert ratings.find_peaks(GAME, ids, later)[ids[0]] == held[12]
    (shown,) = ratings.list_ratings(ids[0], later)
    assert (shown.peak, shown.skill) == (held[12], skill(one))
    assert [point.skill.rating for point in shown.history] == [held[12], held[13]]
    assert shown.history[-1].day == datetime.fromtimestamp(clock.at / 1000, UTC).date()
    assert ratings.find_peaks(GAME, ids, clock.at + 2000 * DAY)[ids[0]] == held[13]
    assert ratings.find_peaks("tain", ids, clock.at) == {}


def test_days_with_several_matches_are_one_point(service: Config, clock: Clock) -> None:
    one, two = somebody("One"), somebody("Two")
    for _ in range(3):
        play(service, one, two, scores=(9, 1))
    count_all()
    (shown,) = ratings.list_ratings(one.player.id, clock.at)
    assert [point.skill for point in shown.history] == [skill(one)]


def test_reliability_counts_answers_in_time_and_matches_to_the_end(service: Config, clock: Clock) -> None:
    match, people = sit(service, 2, clock="simple-3")
    ids = [each.player.id for each in people]
    assert reliability.find_reliability(ids[0], now()) == Reliability(0, 0, 0, 0)
    late: dict[str, int] = dict.fromkeys(ids, 0)
    made: dict[str, int] = dict.fromkeys(ids, 0)
    for number in range(100):
        table = settle(match, service)
        asked = next(seat for seat, question in enumerate(table.questions) if question)
        if number == 20:
            clock.forward(days=3, minutes=2)
            assert timeouts.write_timeouts() == 1
            settle(match, service)
            late[ids[asked]] += 1
            do_conduct_jobs(service)
            # A running match counts up to what was missed, at once.
            assert reliability.find_reliability(ids[asked], now()).late == 1
        people[asked].move(match, 1)
    settle(match, service)
    people[0].send(match, "resign")
    settle(match, service)
    count_all()
    for player in ids:
        found = reliability.find_reliability(player, now())
        made[player] = found.answers
        assert (found.late, found.matches, found.finished) == (late[player], 1, 1), "to resign a duel is an end"
    assert sum(made.values()) == turn_runs(match)
    guilty = next(player for player in ids if late[player])
    found = reliability.find_reliability(guilty, now())
    assert not found.is_new
    assert (found.on_time_percent, found.finished_percent) == ((found.answers - 1) * 100 // found.answers, 100)
    assert reliability.find_reliability(guilty, now() + 366 * DAY) == Reliability(0, 0, 0, 0)


def test_who_loses_by_time_did_not_finish(service: Config, clock: Clock) -> None:
    match, people = sit(service, 2, clock="tournament", policy="forfeit")
    late = next(seat for seat, question in enumerate(load_match_state(match).questions) if question)
    clock.forward(days=4)
    timeouts.write_timeouts()
    settle(match, service)
    count_all()
    gone, stays = people[late].player.id, people[1 - late].player.id
    assert reliability.find_reliability(gone, now()) == Reliability(1, 1, 1, 0)
    assert reliability.find_reliability(stays, now()) == Reliability(0, 0, 1, 1)
    assert (skill(people[1 - late]).rating, skill(people[late]).rating) == (1658, 1342)
    do_conduct_jobs(service)
    assert reliability.find_reliability(gone, now()) == Reliability(1, 1, 1, 0)


def test_without_a_clock_nobody_is_late_or_in_time(service: Config, clock: Clock) -> None:
    match, people = sit(service, 2, clock="none")
    asked = next(seat for seat, question in enumerate(load_match_state(match).questions) if question)
    people[asked].move(match)
    end(service, match, 9, 1)
    count_all()
    assert {reliability.find_reliability(each.player.id, now()) for each in people} == {Reliability(0, 0, 1, 1)}
    assert clock.at == START


def test_numbers_go_by_the_rating_at_the_closing(service: Config, clock: Clock) -> None:
    hosted = open_tournament(service, clock, document_text(), entrants=4)
    last, first, *_ = hosted.people
    play(service, first, last, scores=(30, 20))
    count_all()
    while "close" not in hosted.verbs():
        hosted.go_to_next()
    clock.at += 1
    play(service, last, first, scores=(90, 0))
    count_all()
    hosted.run_to_end()
    numbers = [line.split(" ")[1:] for line in hosted.lines() if line.startswith("number ")]
    assert [player for player, _, _ in numbers[:2]] == [first.player.id, last.player.id]
    assert [int(rating) for _, _, rating in numbers[:2]] == [1658, 1342]
    assert {rating for _, _, rating in numbers[2:]} == {"-"}
    hosted.check()


def test_ratings_that_move_after_the_closing_change_no_number_section_or_pairing(service: Config, clock: Clock) -> None:
    stages = """
  - name: all
    format: round-robin
    sections: {size: 3, by: rating}
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
    text = document_text(stages).replace("beacon: none", "beacon: drand-quicknet")
    hosted = open_tournament(service, clock, text, entrants=6)
    strong, weak = hosted.people[:2], hosted.people[2:4]
    for one, other in zip(strong, weak, strict=True):
        play(service, one, other, scores=(30, 20))
    count_all()
    clock.at = hosted.row.closes_at or 0
    hosted.work()
    assert hosted.verbs()[-1] == "close"
    # Numbers come with the beacon, ten minutes later; until then the ratings turn over.
    clock.at += 1000
    for one, other in zip(weak, strong, strict=True):
        play(service, one, other, scores=(90, 0))
    count_all()
    assert all(skill(one).rating > skill(other).rating for one, other in zip(weak, strong, strict=True))
    clock.at += 20 * MINUTE
    hosted.work()
    take_beacon_value(hosted.tournament, beacon_round(hosted.row.closes_at or 0), "ab" * 32, service)
    hosted.run_to_end()
    numbers = [line.split(" ")[1:] for line in hosted.lines() if line.startswith("number ")]
    assert {player for player, _, _ in numbers[:2]} == {each.player.id for each in strong}
    assert {player for player, _, _ in numbers[2:4]} == {each.player.id for each in weak}
    assert [rating for _, _, rating in numbers] == ["1658", "1658", "1342", "1342", "-", "-"]
    pairs = [line.split(" ") for line in hosted.lines() if line.startswith("pair ")]
    first = {player for _, _, _, section, *people in pairs if section == "1" for player in people}
    assert first == {player for player, _, _ in numbers[:3]}
    hosted.check()
