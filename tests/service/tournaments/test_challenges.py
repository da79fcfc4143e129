"""Ladders: challenges made, answered, met with silence, counted apart; places won, newcomers, and the end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask.testing import FlaskClient

from service.accounts import vacation
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.tournaments import ChallengeRow
from service.matches.paired_matches import end_paired_match
from service.problems import Problem
from service.timestamps import DAY, HOUR
from service.tournaments.entry import challenges
from service.tournaments.entry.entrants import enter_tournament, withdraw_entrant
from service.tournaments.tournament_store import append_lines, load_state
from tests.service.tournaments.test_tournament_api import apply
from tests.support.factories import Seated, settle, somebody
from tests.support.players import Clock, Person
from tests.support.tournaments import Venue, document_text, open_venue

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
People = Callable[..., Person]
LADDER = """
  - name: ladder
    format: ladder
    reach: 3
    at_once: 1
    answer: 3d
    again_after: 14d
    start: {first: 2027-02-01T18:00}
    end: {at: 2027-06-01T18:00}
"""


@pytest.fixture
def venue(service: Config, clock: Clock) -> Venue:
    """A ladder of six that has begun."""
    found = open_venue(service, clock, document_text(LADDER, closes="with-end", least=4), 6)
    while found.row.state != "running":
        found.go_to_next()
    return found


def order(venue: Venue) -> list[Seated]:
    """Everybody on the ladder, best first."""
    state, seated = load_state(venue.tournament), {each.player.id: each for each in venue.people}
    return [seated[state.holders[number]] for number in state.ladder_order("ladder")]


def challenge(venue: Venue, one: Seated, other: Seated) -> ChallengeRow:
    """One challenges another."""
    return challenges.make_challenge(one.player.id, venue.tournament, other.player.id)


def accept(venue: Venue, made: ChallengeRow) -> str:
    """The challenged takes it up; the match."""
    found = challenges.answer_challenge(made.challenged, venue.tournament, made.id, accept=True)
    venue.work()
    assert found.pairing is not None
    return found.pairing


def win(venue: Venue, match: str, winner: Seated) -> None:
    """Somebody wins a match of two."""
    table = settle(match, venue.config)
    places = [1 if player == winner.player.id else 2 for player in table.players]
    end_paired_match(match, "adjudicated", places)
    venue.work()


def refused(venue: Venue, one: Seated, other: Seated) -> str:
    """The key of the sentence with which a challenge is refused."""
    with pytest.raises(Problem) as problem:
        challenge(venue, one, other)
    return str(problem.value.message.key)


def test_a_ladder_begins_by_the_draw_and_the_winner_takes_the_better_place(venue: Venue) -> None:
    first, second, third, fourth, fifth, sixth = order(venue)
    assert len(venue.letters("tournament-round")) == 6
    assert venue.verbs()[-1] == "start"
    match = accept(venue, challenge(venue, fifth, second))
    assert [line["what"] for line in venue.letters("tournament-challenge")] == ["made", "accepted"]
    assert settle(match, venue.config).questions != (None, None)
    # Meanwhile others move: the place that is won is the one as it is then.
    other = accept(venue, challenge(venue, fourth, third))
    win(venue, other, fourth)
    assert order(venue) == [first, second, fourth, third, fifth, sixth]
    win(venue, match, fifth)
    assert order(venue) == [first, fifth, second, fourth, third, sixth]
    # Who is challenged and wins keeps the place.
    win(venue, accept(venue, challenge(venue, third, fifth)), fifth)
    assert order(venue) == [first, fifth, second, fourth, third, sixth]
    assert venue.check().not_recomputed == {"ladder:1": "ladder"}


def test_a_challenge_against_the_rules_is_refused_in_words(venue: Venue, clock: Clock) -> None:
    first, second, third, fourth, fifth, sixth = order(venue)
    assert refused(venue, sixth, second) == "challenges.refused.beyond-reach"
    assert refused(venue, first, third) == "challenges.refused.not-above"
    assert refused(venue, first, first) == "challenges.refused.own-place"
    assert refused(venue, somebody("Outside"), first) == "tournaments.not_entered"
    assert refused(venue, second, somebody("Beside")) == "challenges.refused.not-on-the-ladder"
    made = challenge(venue, fifth, third)
    assert refused(venue, fifth, third) == "challenges.refused.open-already"
    assert refused(venue, fifth, second) == "challenges.refused.too-many-made"
    assert refused(venue, sixth, third) == "challenges.refused.too-many-received"
    # Made and received are counted apart: who was challenged may challenge, and who challenged may be challenged.
    challenge(venue, third, first)
    challenge(venue, sixth, fifth)
    with pytest.raises(Problem):
        challenges.answer_challenge(sixth.player.id, venue.tournament, made.id, accept=True)
    win(venue, accept(venue, made), third)
    assert refused(venue, fifth, third) == "challenges.refused.too-soon"
    with pytest.raises(Problem):
        challenges.answer_challenge(third.player.id, venue.tournament, made.id, accept=True)
    clock.at += 14 * DAY + HOUR
    assert challenge(venue, fifth, third).state == "open"
    assert fourth in order(venue)


def test_silence_and_declining_lose_the_place(venue: Venue, clock: Clock) -> None:
    first, second, third, *rest = order(venue)
    made = challenge(venue, third, second)
    clock.at = made.answer_by - HOUR
    venue.work()
    assert ChallengeRow.get_by_id(made.id).state == "open"
    clock.at = made.answer_by + HOUR
    venue.work()
    assert ChallengeRow.get_by_id(made.id).state == "silent"
    assert order(venue) == [first, third, second, *rest]
    assert venue.lines()[-1].split(" ", 2)[2].count("forfeit") == 1
    assert {line["what"] for line in venue.letters("tournament-challenge")} == {"made", "silent", "missed"}
    again = challenge(venue, rest[0], third)
    challenges.answer_challenge(third.player.id, venue.tournament, again.id, accept=False)
    assert order(venue) == [first, rest[0], third, second, *rest[1:]]
    assert venue.check().recomputed == ()


def test_newcomers_and_who_comes_back_begin_at_the_bottom(venue: Venue) -> None:
    everybody = order(venue)
    venue.enter(1)
    assert order(venue) == [*everybody, venue.people[-1]]
    second = everybody[1]
    made = challenge(venue, everybody[2], second)
    withdraw_entrant(second.player.id, venue.tournament)
    assert order(venue) == [everybody[0], *everybody[2:], venue.people[-1]]
    # A challenge to somebody who left binds nobody.
    assert challenge(venue, everybody[2], everybody[0]).state == "open"
    enter_tournament(second.player, venue.row, "ab12", venue.config)
    assert order(venue) == [everybody[0], *everybody[2:], venue.people[-1], second]
    assert ChallengeRow.get_by_id(made.id).state == "open"
    venue.check()


def test_what_is_open_at_the_end_lapses_and_the_ladder_stands(venue: Venue, clock: Clock) -> None:
    first, second, third, fourth, *rest = order(venue)
    match = accept(venue, challenge(venue, second, first))
    clock.at = (venue.row.next_at or 0) - HOUR
    last = challenge(venue, fourth, third)
    while venue.row.ended_at is None:
        venue.go_to_next()
    assert venue.results()[match].count("lapsed") == 2
    assert ChallengeRow.get_by_id(last.id).state == "lapsed"
    assert order(venue) == [first, second, third, fourth, *rest]
    assert refused(venue, fourth, third) == "challenges.not_running"
    assert venue.check().ladders["ladder"] == load_state(venue.tournament).ladder_order("ladder")
    assert venue.verbs()[-2:] == ["over", "end"]


def test_challenges_over_http(person: People, service: Config, clock: Clock, client: FlaskClient) -> None:
    orla, *players = (person(name) for name in ("Orla", "Aoife", "Brendan", "Ciara"))
    made = apply(orla, document_text(LADDER, closes="with-end")).json
    path = f"/v1/tournaments/{made['id']}"
    clock.forward(days=10)
    for each in players:
        assert each.post(f"{path}/entrants", {"nonce": "8f3a"}).status_code == 201
    venue = Venue(service, clock, somebody("Worker"), tournament=made["id"])
    venue.work()
    assert players[0].post(f"{path}/challenges", {"player": players[1].id}).status_code == 409
    while venue.row.state != "running":
        venue.go_to_next()
    state, by_id = load_state(made["id"]), {each.id: each for each in players}
    top, middle, bottom = (by_id[state.holders[number]] for number in state.ladder_order("ladder"))
    assert client.post(f"{path}/challenges", json={"player": top.id}).status_code == 401
    assert top.post(f"{path}/challenges", {"player": bottom.id}).status_code == 409
    assert bottom.post(f"{path}/challenges", {"player": 7}).status_code == 422
    asked = bottom.post(f"{path}/challenges", {"player": top.id})
    assert (asked.status_code, asked.json["state"]) == (201, "open")
    assert (asked.json["challenger"]["place"], asked.json["challenged"]["place"]) == (3, 1)
    one = f"{path}/challenges/{asked.json['id']}"
    assert middle.post(one, {"accept": True}).status_code == 404
    assert client.get(f"{path}/challenges?state=open").get_json()["items"] == [asked.json]
    taken = top.post(one, {"accept": True}).json
    venue.work()
    assert taken["state"] == "accepted"
    assert top.get(f"/v1/matches/{taken['match']}").json["status"] == "running"
    assert top.post(one, {"accept": False}).status_code == 409
    lines = client.get(f"{path}/standings?why=true").get_json()["items"]
    assert [line["rank"] for line in lines] == [1, 2, 3]
    assert all(line["why"]["details"] for line in lines)


def test_leave_blocks_challenges_and_stops_the_time_to_answer(venue: Venue, clock: Clock) -> None:
    first, second, third, *_ = order(venue)
    made = challenge(venue, third, second)
    day = vacation.today("UTC", clock.at)
    with write_transaction():
        vacation.book(second.player.id, "UTC", day, day + timedelta(days=9))
    assert refused(venue, second, first) == "challenges.own_leave"
    clock.at += 5 * DAY
    venue.work()
    assert ChallengeRow.get_by_id(made.id).state == "open"
    assert ChallengeRow.get_by_id(made.id).answer_by > made.made_at + 9 * DAY
    clock.at += 9 * DAY
    venue.work()
    assert ChallengeRow.get_by_id(made.id).state == "silent"


def test_a_pause_stops_the_time_to_answer(venue: Venue, clock: Clock) -> None:
    _, second, third, *_ = order(venue)
    made = challenge(venue, third, second)
    clock.at += DAY
    append_lines(venue.tournament, None, ["ruling pause storm"], clock.at)
    assert refused(venue, second, third) == "challenges.paused"
    clock.at += 7 * DAY
    venue.work()
    assert ChallengeRow.get_by_id(made.id).state == "open"
    append_lines(venue.tournament, None, ["ruling resume over"], clock.at)
    clock.at += 2 * DAY - HOUR
    venue.work()
    assert ChallengeRow.get_by_id(made.id).state == "open"
    clock.at += 3 * HOUR
    venue.work()
    assert ChallengeRow.get_by_id(made.id).state == "silent"
