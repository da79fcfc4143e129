"""Ladders: challenges made, accepted, declined or ignored; places won, newcomers, and the end."""

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
from service.tournaments.entry.entrants import enter_tournament, withdraw_entrant
from service.tournaments.formats.log_lines import PauseRuling, ResumeRuling
from service.tournaments.rounds import challenges
from service.tournaments.tournament_store import append_lines, load_state
from tests.service.tournaments.test_tournament_api import apply
from tests.support.factories import Seated, settle, somebody
from tests.support.players import Clock, Person
from tests.support.tournaments import HostedTournament, document_text, open_tournament

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
def hosted(service: Config, clock: Clock) -> HostedTournament:
    """A ladder of six that has begun."""
    found = open_tournament(service, clock, document_text(LADDER, closes="with-end", least=4), 6)
    while found.row.state != "running":
        found.go_to_next()
    return found


def order(hosted: HostedTournament) -> list[Seated]:
    """Return everybody on the ladder, best first."""
    state, seated = load_state(hosted.tournament), {each.player.id: each for each in hosted.people}
    return [seated[state.holders[number]] for number in state.ladder_order("ladder")]


def challenge(hosted: HostedTournament, one: Seated, other: Seated) -> ChallengeRow:
    """Let one player challenge another."""
    return challenges.make_challenge(one.player.id, hosted.tournament, other.player.id)


def accept(hosted: HostedTournament, made: ChallengeRow) -> str:
    """Let the challenged player accept. Return the match."""
    found = challenges.answer_challenge(made.challenged, hosted.tournament, made.id, accept=True)
    hosted.work()
    assert found.pairing is not None
    return found.pairing


def win(hosted: HostedTournament, match: str, winner: Seated) -> None:
    """Let a player win a match of two."""
    table = settle(match, hosted.config)
    places = [1 if player == winner.player.id else 2 for player in table.players]
    end_paired_match(match, "adjudicated", places)
    hosted.work()


def refused(hosted: HostedTournament, one: Seated, other: Seated) -> str:
    """Return the text key of the refusal of a challenge."""
    with pytest.raises(Problem) as problem:
        challenge(hosted, one, other)
    return str(problem.value.message.key)


def test_a_ladder_begins_by_the_draw_and_the_winner_takes_the_better_place(hosted: HostedTournament) -> None:
    first, second, third, fourth, fifth, sixth = order(hosted)
    assert len(hosted.letters("tournament-round")) == 6
    assert hosted.verbs()[-1] == "start"
    match = accept(hosted, challenge(hosted, fifth, second))
    assert [line["what"] for line in hosted.letters("tournament-challenge")] == ["made", "accepted"]
    assert settle(match, hosted.config).questions != (None, None)
    # Meanwhile other players move: the winner takes the current place of the loser.
    other = accept(hosted, challenge(hosted, fourth, third))
    win(hosted, other, fourth)
    assert order(hosted) == [first, second, fourth, third, fifth, sixth]
    win(hosted, match, fifth)
    assert order(hosted) == [first, fifth, second, fourth, third, sixth]
    # A challenged player who wins keeps the place.
    win(hosted, accept(hosted, challenge(hosted, third, fifth)), fifth)
    assert order(hosted) == [first, fifth, second, fourth, third, sixth]
    assert hosted.check().not_recomputed == {"ladder:1": "ladder"}


def test_a_challenge_against_the_rules_is_refused_in_words(hosted: HostedTournament, clock: Clock) -> None:
    first, second, third, fourth, fifth, sixth = order(hosted)
    assert refused(hosted, sixth, second) == "challenges.refused.beyond-reach"
    assert refused(hosted, first, third) == "challenges.refused.not-above"
    assert refused(hosted, first, first) == "challenges.refused.own-place"
    assert refused(hosted, somebody("Outside"), first) == "tournaments.not_entered"
    assert refused(hosted, second, somebody("Beside")) == "challenges.refused.not-on-the-ladder"
    made = challenge(hosted, fifth, third)
    assert refused(hosted, fifth, third) == "challenges.refused.open-already"
    assert refused(hosted, fifth, second) == "challenges.refused.too-many-made"
    assert refused(hosted, sixth, third) == "challenges.refused.too-many-received"
    # Made and received are counted apart: who was challenged may challenge, and who challenged may be challenged.
    challenge(hosted, third, first)
    challenge(hosted, sixth, fifth)
    with pytest.raises(Problem):
        challenges.answer_challenge(sixth.player.id, hosted.tournament, made.id, accept=True)
    win(hosted, accept(hosted, made), third)
    assert refused(hosted, fifth, third) == "challenges.refused.too-soon"
    with pytest.raises(Problem):
        challenges.answer_challenge(third.player.id, hosted.tournament, made.id, accept=True)
    clock.at += 14 * DAY + HOUR
    assert challenge(hosted, fifth, third).state == "open"
    assert fourth in order(hosted)


def test_silence_and_declining_lose_the_place(hosted: HostedTournament, clock: Clock) -> None:
    first, second, third, *rest = order(hosted)
    made = challenge(hosted, third, second)
    clock.at = made.answer_by - HOUR
    hosted.work()
    assert ChallengeRow.get_by_id(made.id).state == "open"
    clock.at = made.answer_by + HOUR
    hosted.work()
    assert ChallengeRow.get_by_id(made.id).state == "silent"
    assert order(hosted) == [first, third, second, *rest]
    assert hosted.lines()[-1].split(" ", 2)[2].count("forfeit") == 1
    assert {line["what"] for line in hosted.letters("tournament-challenge")} == {"made", "silent", "missed"}
    again = challenge(hosted, rest[0], third)
    challenges.answer_challenge(third.player.id, hosted.tournament, again.id, accept=False)
    assert order(hosted) == [first, rest[0], third, second, *rest[1:]]
    assert hosted.check().recomputed == ()


def test_newcomers_and_who_comes_back_begin_at_the_bottom(hosted: HostedTournament) -> None:
    everybody = order(hosted)
    hosted.enter(1)
    assert order(hosted) == [*everybody, hosted.people[-1]]
    second = everybody[1]
    made = challenge(hosted, everybody[2], second)
    withdraw_entrant(second.player.id, hosted.tournament)
    assert order(hosted) == [everybody[0], *everybody[2:], hosted.people[-1]]
    # A challenge to a player who has left binds nobody.
    assert challenge(hosted, everybody[2], everybody[0]).state == "open"
    enter_tournament(second.player, hosted.row, "ab12", hosted.config)
    assert order(hosted) == [everybody[0], *everybody[2:], hosted.people[-1], second]
    assert ChallengeRow.get_by_id(made.id).state == "open"
    hosted.check()


def test_what_is_open_at_the_end_lapses_and_the_ladder_stands(hosted: HostedTournament, clock: Clock) -> None:
    first, second, third, fourth, *rest = order(hosted)
    match = accept(hosted, challenge(hosted, second, first))
    clock.at = (hosted.row.next_at or 0) - HOUR
    last = challenge(hosted, fourth, third)
    while hosted.row.ended_at is None:
        hosted.go_to_next()
    assert hosted.results()[match].count("lapsed") == 2
    assert ChallengeRow.get_by_id(last.id).state == "lapsed"
    assert order(hosted) == [first, second, third, fourth, *rest]
    assert refused(hosted, fourth, third) == "challenges.not_running"
    assert hosted.check().ladders["ladder"] == load_state(hosted.tournament).ladder_order("ladder")
    assert hosted.verbs()[-2:] == ["over", "end"]


def test_challenges_over_http(person: People, service: Config, clock: Clock, client: FlaskClient) -> None:
    orla, *players = (person(name) for name in ("Orla", "Aoife", "Brendan", "Ciara"))
    made = apply(orla, document_text(LADDER, closes="with-end")).json
    path = f"/v1/tournaments/{made['id']}"
    clock.forward(days=10)
    for each in players:
        assert each.post(f"{path}/entrants", {"nonce": "8f3a"}).status_code == 201
    hosted = HostedTournament(service, clock, somebody("Worker"), tournament=made["id"])
    hosted.work()
    assert players[0].post(f"{path}/challenges", {"player": players[1].id}).status_code == 409
    while hosted.row.state != "running":
        hosted.go_to_next()
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
    hosted.work()
    assert taken["state"] == "accepted"
    assert top.get(f"/v1/matches/{taken['match']}").json["status"] == "running"
    assert top.post(one, {"accept": False}).status_code == 409
    lines = client.get(f"{path}/standings?why=true").get_json()["items"]
    assert [line["rank"] for line in lines] == [1, 2, 3]
    assert all(line["why"]["details"] for line in lines)


def test_leave_blocks_challenges_and_stops_the_time_to_answer(hosted: HostedTournament, clock: Clock) -> None:
    first, second, third, *_ = order(hosted)
    made = challenge(hosted, third, second)
    day = vacation.today("UTC", clock.at)
    with write_transaction():
        vacation.book(second.player.id, "UTC", day, day + timedelta(days=9))
    assert refused(hosted, second, first) == "challenges.own_leave"
    clock.at += 5 * DAY
    hosted.work()
    assert ChallengeRow.get_by_id(made.id).state == "open"
    assert ChallengeRow.get_by_id(made.id).answer_by > made.made_at + 9 * DAY
    clock.at += 9 * DAY
    hosted.work()
    assert ChallengeRow.get_by_id(made.id).state == "silent"


def test_a_pause_stops_the_time_to_answer(hosted: HostedTournament, clock: Clock) -> None:
    _, second, third, *_ = order(hosted)
    made = challenge(hosted, third, second)
    clock.at += DAY
    append_lines(hosted.tournament, None, [PauseRuling(why="storm")], clock.at)
    assert refused(hosted, second, third) == "challenges.paused"
    clock.at += 7 * DAY
    hosted.work()
    assert ChallengeRow.get_by_id(made.id).state == "open"
    append_lines(hosted.tournament, None, [ResumeRuling(why="over")], clock.at)
    clock.at += 2 * DAY - HOUR
    hosted.work()
    assert ChallengeRow.get_by_id(made.id).state == "open"
    clock.at += 3 * HOUR
    hosted.work()
    assert ChallengeRow.get_by_id(made.id).state == "silent"


def test_a_replayed_match_is_void_and_the_challenge_goes_on_with_the_next_one(hosted: HostedTournament) -> None:
    before = order(hosted)
    first, second, third, fourth, *_ = before
    match = accept(hosted, challenge(hosted, third, first))
    win(hosted, accept(hosted, challenge(hosted, fourth, second)), second)
    win(hosted, match, third)
    assert order(hosted)[:2] == [third, first]
    hosted.rule(f"replay {match} technical")
    hosted.work()
    assert order(hosted) == before, "what the void match moved is undone"
    replay = ChallengeRow.get(ChallengeRow.challenger == third.player.id).pairing
    assert replay not in {None, match}
    assert refused(hosted, third, first) == "challenges.refused.open-already"
    hosted.check()
    win(hosted, str(replay), first)
    assert order(hosted) == before
    assert refused(hosted, third, first) == "challenges.refused.too-soon"
    hosted.run_to_end()
    hosted.check()
