"""Events of tournaments for streams and webhooks, and facts about fair play for neutral organisers."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from flask.testing import FlaskClient

from service.accounts import bot_accounts
from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.matches.paired_matches import end_paired_match
from service.problems import Problem
from service.timestamps import HOUR
from service.tournaments.entry.entrants import enter_tournament, withdraw_entrant
from service.tournaments.formats.log_lines import read
from service.tournaments.rulings.fair_play import FairPlayFact, read_fair_play
from service.tournaments.tournament_store import append_lines
from tests.support.factories import Seated, match_of, somebody
from tests.support.players import Clock, Person, newcomer
from tests.support.tournaments import HostedTournament, document_text, open_tournament
from tests.support.webhook_receivers import Receiver
from tests.support.webhooks import drained, hook_of

SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
SWISS = """
  - name: swiss
    format: swiss
    rounds: 2
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""


def start(config: Config, clock: Clock, client: FlaskClient) -> tuple[HostedTournament, Person]:
    """Return a Swiss of four whose first round has begun; a player with a token plays."""
    hosted = open_tournament(config, clock, document_text(SWISS), entrants=3)
    orla = newcomer(client, "Orla")
    enter_tournament(PlayerRow.get_by_id(orla.id), hosted.row, "-", config)
    while "start swiss:1" not in hosted.lines():
        hosted.go_to_next()
    return hosted, orla


def heard(player: str) -> list[str]:
    """Return the kinds of tournament events that a player received."""
    sql = "select type from event where player = ? and tournament is not null order by id"
    return [kind for (kind,) in rows(sql, player)]


def test_players_and_organisers_hear_of_pairings_rounds_and_the_end_in_streams_and_hooks(
    local: Config, clock: Clock, client: FlaskClient, receiver: Receiver
) -> None:
    hosted, orla = start(local, clock, client)
    assert heard(orla.id) == ["tournament.paired"]
    assert heard(hosted.maker.player.id) == ["tournament.opened"]
    told = orla.get("/v1/events?after=0").json["items"]
    paired = next(each for each in told if each["type"] == "tournament.paired")
    assert (paired["tournament"], paired["match"], paired["seat"]) == (hosted.tournament, None, None)
    assert hosted.lines()[paired["seq"] - 1].startswith("pair ")
    player = hosted.people[0]
    hook_of(player, receiver.url, local, events=["tournament.paired", "tournament.over"])
    hosted.run_to_end()
    kinds = ["tournament.paired", "tournament.round-over"] * 2 + ["tournament.over"]
    assert heard(orla.id) == heard(player.player.id) == kinds
    assert heard(hosted.maker.player.id)[-1] == "tournament.over"
    drained(local, clock)
    messages = [got.message for got in receiver.got]
    assert [message["type"] for message in messages] == ["tournament.paired", "tournament.over"]
    data = messages[1]["data"]
    assert (data["tournament"], data["url"]) == (hosted.tournament, f"{local.url}/v1/tournaments/{hosted.tournament}")
    assert set(data) == {"hook", "event", "tournament", "seq", "url"}


@SQLITE
def test_a_cancellation_is_told_to_all_and_strangers_hear_nothing(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted, orla = start(service, clock, client)
    stranger = newcomer(client, "Stranger")
    hosted.rule("cancel other")
    assert heard(orla.id)[-1] == heard(hosted.maker.player.id)[-1] == "tournament.ruled"
    assert heard(stranger.id) == []


@SQLITE
def test_organisers_who_do_not_play_get_facts_and_it_is_kept_who_looked(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted, orla = start(service, clock, client)
    one, two, three = (person.player.id for person in hosted.people)
    organiser = newcomer(client, "Ronan")
    path = f"/v1/tournaments/{hosted.tournament}/fair-play"
    assert orla.get(path).status_code == 403
    assert organiser.get(path).status_code == 403
    with write_transaction():
        execute("update tournament set owner = ? where id = ?", organiser.id, hosted.tournament)
        for player, address in ((one, "a@home.example"), (two, "b@Home.example"), (three, "c@mail.example")):
            execute("update player set address = ? where id = ?", address, player)
    (match, seats), *_ = rows("select id, seats from pairing order by place")
    end_paired_match(match, "adjudicated", [1, 2])
    hosted.work()
    times = " ".join(["60000"] * 12)
    with write_transaction():
        for (player,) in rows("select player from seat where match = ?", match):
            insert = "insert into answer_times values (?, ?, 'keltis', 2, 2, ?, 12, ?)"
            execute(insert, match, player, clock.at, times)
    report = organiser.get(path).json
    kinds = {each["kind"]: each for each in report["facts"]}
    assert {each["player"] for each in kinds["shared-domain"]["players"]} == {one, two}
    assert "home" not in kinds["shared-domain"]["text"].lower()
    assert kinds["within-minutes"]["match"] == match
    assert all(each["player"] in seats for each in kinds["within-minutes"]["players"])
    assert [each["name"] for each in report["looks"]] == ["Ronan"]
    assert len(organiser.get(path).json["looks"]) == 2


def begin(config: Config, clock: Clock, skills: Sequence[int] = ()) -> HostedTournament:
    """Return a Swiss of four whose first round has begun; some players have a skill from an earlier match."""
    hosted = open_tournament(config, clock, document_text(SWISS), entrants=4)
    for person, skill in zip(hosted.people, skills, strict=False):
        let_meet(hosted, [person], 1, skill)
    while "start swiss:1" not in hosted.lines():
        hosted.go_to_next()
    return hosted


def let_meet(hosted: HostedTournament, people: Sequence[Seated], times: int, skill: int = 250_000) -> None:
    """Record this number of rated matches between people, after which they have this skill."""
    for _ in range(times):
        match = match_of(hosted.config, *(somebody("Before") for _ in range(2)))
        end_paired_match(match, "adjudicated", [1, 2])
        with write_transaction():
            for seat, person in enumerate(people):
                ((known,),) = rows("select count(*) from rating where player = ?", person.player.id)
                values = (match, person.player.id, "keltis", seat, 1, hosted.clock.at - 1, skill, 10_000, known + 1)
                execute("insert into rating values (?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)


def facts(hosted: HostedTournament, kind: str) -> list[FairPlayFact]:
    """Return the facts of a kind as the maker gets them, who does not play."""
    return [fact for fact in read_fair_play(hosted.row, hosted.maker.player.id).facts if fact.kind == kind]


def give_addresses(*addresses: str) -> None:
    """Give the entrants these addresses, in order of entry."""
    for number, address in enumerate(addresses):
        PlayerRow.update(address=address).where(PlayerRow.name == f"Player {number}").execute()


def end_first_table(hosted: HostedTournament, result: str) -> tuple[str, tuple[str, str]]:
    """Write the result of the first table into the log. Return its match and players."""
    match, seats = rows("select id, seats from pairing order by place")[0]
    append_lines(hosted.tournament, None, [read(f"result {match} {result}")], hosted.clock.at)
    one, other = json.loads(seats)
    return match, (one, other)


@SQLITE
def test_pairs_share_a_domain_only_if_few_others_have_it(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    one, two, three, _ = (person.player.id for person in hosted.people)
    give_addresses("a@home.example", "b@HOME.example", "c@sub.home.example", "d@other.example")
    assert [set(fact.players) for fact in facts(hosted, "shared-domain")] == [{one, two}]
    give_addresses("a@home.example", "b@home.example", "c@home.example")
    assert len(facts(hosted, "shared-domain")) == 3
    assert {player for fact in facts(hosted, "shared-domain") for player in fact.players} == {one, two, three}
    for number in range(3):
        PlayerRow.update(address=f"{number}@home.example").where(PlayerRow.id == somebody("Else").player.id).execute()
    assert facts(hosted, "shared-domain") == []


@SQLITE
def test_pairs_met_often_if_in_half_of_the_matches_of_one_of_them(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    one, two, three, four = hosted.people
    let_meet(hosted, [one, two], 4)
    assert facts(hosted, "met-often") == []
    let_meet(hosted, [one, two], 1)
    met = FairPlayFact("met-often", tuple(sorted((one.player.id, two.player.id))), value=5)
    assert facts(hosted, "met-often") == [met]
    let_meet(hosted, [one], 6)
    assert facts(hosted, "met-often") == [met], "half of those of the other"
    let_meet(hosted, [two], 6)
    assert facts(hosted, "met-often") == []
    let_meet(hosted, [three, four], 5)
    assert [fact.value for fact in facts(hosted, "met-often")] == [5]


@SQLITE
def test_forfeits_are_told_with_who_gained_by_them(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    match, (one, other) = end_first_table(hosted, "1:31:played 2:12:played")
    assert facts(hosted, "forfeit") == []
    end_first_table(hosted, "2:0:forfeit 1:0:played")
    assert facts(hosted, "forfeit") == [FairPlayFact("forfeit", (one, other), match)]
    end_first_table(hosted, "1:0:forfeit 1:0:forfeit")
    assert facts(hosted, "forfeit") == [FairPlayFact("forfeit", (each,), match) for each in (one, other)]


@SQLITE
def test_who_leaves_while_a_match_is_open_is_told_with_who_gained(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    tables = {match: json.loads(seats) for match, seats in rows("select id, seats from pairing order by place")}
    (first, (one, other)), (second, (third, _)) = tables.items()
    clock.forward(hours=1)
    withdraw_entrant(one, hosted.tournament)
    assert facts(hosted, "left") == [FairPlayFact("left", (one, other), first)]
    clock.forward(hours=1)
    end_paired_match(first, "adjudicated", [1, 2])
    hosted.work()
    assert facts(hosted, "left") == [FairPlayFact("left", (one,), first)], "who left won, so nobody gained"
    end_paired_match(second, "adjudicated", [2, 1])
    hosted.work()
    clock.forward(hours=1)
    hosted.rule(f"exclude {third} fair-play")
    assert len(facts(hosted, "left")) == 1, "their match was over before"


@SQLITE
@pytest.mark.parametrize(("gap", "told"), [(6, True), (4, False)])
def test_results_against_expectation_need_a_large_gap_and_a_played_match(
    service: Config, clock: Clock, gap: int, told: bool
) -> None:
    hosted = begin(service, clock, skills=[(25 + gap * number) * 10_000 for number in (0, 1, 0, 1)])
    numbers = {person.player.id: number for number, person in enumerate(hosted.people)}
    match, seats = next(
        (match, json.loads(seats))
        for match, seats in rows("select id, seats from pairing order by place")
        if {numbers[each] % 2 for each in json.loads(seats)} == {0, 1}
    )
    weak = next(seat for seat, player in enumerate(seats) if numbers[player] % 2 == 0)

    def end(winner: int, how: str) -> None:
        words = [f"{1 if seat == winner else 2}:0:{how}" for seat in range(2)]
        append_lines(hosted.tournament, None, [read(f"result {match} {' '.join(words)}")], clock.at)

    end(1 - weak, "played")
    assert facts(hosted, "against-expectation") == []
    end(weak, "adjudicated")
    assert facts(hosted, "against-expectation") == []
    end(weak, "played")
    upset = FairPlayFact("against-expectation", (seats[1 - weak], seats[weak]), match, gap * 60)
    assert facts(hosted, "against-expectation") == ([upset] if told else [])


@SQLITE
def test_matches_within_minutes_need_many_quick_answers_of_both(service: Config, clock: Clock) -> None:
    hosted = begin(service, clock)
    tables = [(match, json.loads(seats)) for match, seats in rows("select id, seats from pairing order by place")]
    (quick, pair), (slow, _) = tables
    times = {quick: ([60_000] * 10, [300_000] * 12), slow: ([60_000] * 10, [301_000] * 10)}
    with write_transaction():
        for match, seats in tables:
            for player, each in zip(seats, times[match], strict=True):
                insert = "insert into answer_times values (?, ?, 'keltis', 2, 2, ?, 12, ?)"
                execute(insert, match, player, clock.at, " ".join(map(str, each)))
    assert facts(hosted, "within-minutes") == [FairPlayFact("within-minutes", tuple(sorted(pair)), quick, 10)]
    execute("update answer_times set times = ? where player = ?", " ".join(["60000"] * 9), pair[0])
    assert facts(hosted, "within-minutes") == []


@SQLITE
def test_an_organiser_who_plays_or_whose_program_does_cannot_look_and_leaves_no_trace(
    service: Config, clock: Clock
) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=3)
    maker = hosted.maker.player
    with write_transaction():
        program, _ = bot_accounts.create(maker.id, "Machine")

    for player in (maker, PlayerRow.get_by_id(program.id)):
        enter_tournament(player, hosted.row, "-", service)
        with pytest.raises(Problem, match="You play in this tournament"):
            read_fair_play(hosted.row, maker.id)
        withdraw_entrant(player.id, hosted.tournament)
    assert rows("select count(*) from fair_play_look") == [(0,)]
    assert len(read_fair_play(hosted.row, maker.id).looks) == 1
    clock.forward(hours=2)
    looks = read_fair_play(hosted.row, maker.id).looks
    assert [at for _, at in looks] == [clock.at, clock.at - 2 * HOUR], "the latest first, this one included"
    assert {player for player, _ in looks} == {maker.id}
