"""Matches of a tournament: made and started once, with settled seats, and nothing of what others may do by hand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from engine.games import GAMES
from service import ids
from service.accounts import signing_keys
from service.config import Config
from service.db import connection
from service.db.connection import execute, rows, write_transaction
from service.db.models.matches import MatchRow
from service.matches import (
    arbiter_decisions,
    create,
    erasure,
    invitations,
    join,
    key_revocation,
    offers,
    organisers,
    paired_matches,
    rematch,
    start,
    substitutes,
)
from service.matches.paired_matches import PairedMatch, are_made, make_paired_matches, start_paired_matches
from service.play import record_export, timeouts
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.record.keys import public_key_of
from service.record.verify import verify
from service.record.verify.report import Report
from service.record.verify.rules_check import RulesChecker
from service.timestamps import DAY, MINUTE, now
from tests.service.record.test_verify_js import told
from tests.support.clock_tables import asked, due, house, set_excuses, shown
from tests.support.factories import match_of, settle, somebody, verified
from tests.support.http_tables import People
from tests.support.mailbox import deliver, sent, text_of
from tests.support.paired_tables import hows, paired, places, result_jobs, seat
from tests.support.players import Client, Clock
from tests.support.web_apps import sign_in
from worker.schedule import start_and_expire_matches

TWO_SEATS = [slug for slug, game in GAMES.items() if 2 in game.rules.seats]


def refusal(act: Callable[[], object]) -> str:
    """The kind of problem that something is refused with."""
    with pytest.raises(Problem) as caught:
        act()
    return caught.value.kind


def status(match: str) -> str:
    return str(rows("select status from match where id = ?", match)[0][0])


# Making and starting


def test_matches_are_made_and_started_once(service: Config, clock: Clock) -> None:
    people = [somebody(f"P{number}") for number in range(4)]
    wanted = [paired(people[:2]), paired(people[2:])]
    assert not are_made([each.id for each in wanted])
    make_paired_matches(wanted[:1])
    clock.forward(minutes=1)
    make_paired_matches(wanted)
    names = [each.id for each in wanted]
    assert are_made(names)
    assert not are_made([*names, "nosuchmatch0"])
    found = rows("select id, pairing, status, starts_at, created_at from match order by created_at")
    assert found == [
        (names[0], names[0], "open", None, clock.at - 60_000),
        (names[1], names[1], "open", None, clock.at),
    ]
    assert rows("select count(*) from seat") == [(4,)]
    assert rows("select count(*) from header") == [(0,)]
    clock.forward(minutes=1)
    assert start_paired_matches(names[:1], now()) == 1
    assert start_paired_matches(names, now()) == 1
    assert start_paired_matches(names, now()) == 0
    for each in wanted:
        settle(each.id, service)
        header = load_match_state(each.id).facts.header
        assert [(place.player, place.nonce) for place in header.places] == list(each.players.values())
        assert all(len(place.key_ids) == 1 for place in header.places)
        assert header.seed == sha256(each.seed).hexdigest()
        assert header.started == clock.at


def test_a_hundred_and_no_more_are_made_at_once(service: Config) -> None:
    people = [somebody("Aoife"), somebody("Brendan")]
    wanted = [paired(people) for _ in range(100)]
    make_paired_matches(wanted)
    names = [each.id for each in wanted]
    assert are_made(names)
    assert start_paired_matches(names, now()) == 100
    with pytest.raises(ValueError, match="101"):
        make_paired_matches([*wanted, paired(people)])
    with pytest.raises(ValueError, match="101"):
        start_paired_matches([*names, "nosuchmatch0"], now())
    assert service.open_matches < 100  # a round is never refused for the limit of open matches


@pytest.mark.usefixtures("service")
def test_two_workers_that_make_and_start_the_same_matches_at_once_make_each_once() -> None:
    people = [somebody("Aoife"), somebody("Brendan")]
    wanted = [paired(people) for _ in range(20)]
    names = [each.id for each in wanted]
    gate, counts, faults = threading.Barrier(4), list[int](), list[BaseException]()

    def work() -> None:
        gate.wait()
        try:
            make_paired_matches(wanted)
            counts.append(start_paired_matches(names, now()))
        except BaseException as error:  # noqa: BLE001  # whatever it is, the test must see it
            faults.append(error)
        finally:
            connection.drop_connections()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sum(counts) == 20
    assert rows("select count(*) from match") == [(20,)]
    assert rows("select count(*) from seat") == [(40,)]
    assert rows("select count(*) from header") == [(20,)]


def test_a_seat_has_the_keys_of_its_player_at_the_start_and_a_receipt_for_them(service: Config, clock: Clock) -> None:
    people = [somebody("Aoife"), somebody("Brendan")]
    made = paired(people)
    make_paired_matches([made])
    lost = public_key_of(people[0].private).id
    new = somebody("Ciara").private
    clock.forward(minutes=1)
    with write_transaction():
        signing_keys.add(people[0].player.id, public_key_of(new), "new")
    key_revocation.revoke_key(people[0].player.id, lost)
    start_paired_matches([made.id], now())
    people[0].private = new
    settle(made.id, service)
    people[asked(made.id)].move(made.id)
    receipts = [json.loads(text) for (text,) in rows("select receipt from seat order by seat")]
    assert receipts[0]["keys"] == public_key_of(new).id
    record = record_export.export_record(load_match_state(made.id), "-")
    for receipt in receipts:
        assert verify(record, joins=[receipt]).entries


def test_open_matches_of_a_round_count_for_what_a_player_joins_by_themselves(service: Config) -> None:
    _, people = seat(service)
    config = replace(service, open_matches=1)
    wanted = create.NewMatch(game="keltis", seats=2)
    assert refusal(lambda: create.create_match(people[0].player, wanted, config)) == "limit-reached"


@pytest.mark.usefixtures("service")
def test_an_empty_seat_is_the_stand_in_s() -> None:
    people = [somebody("Aoife"), somebody("Brendan")]
    made = paired(people, seats=3)
    make_paired_matches([made])
    start_paired_matches([made.id], now())
    assert load_match_state(made.id).bots == ("", "", GAMES["keltis"].bots.current("steady"))


# Rules for other matches that do not hold for these


def test_time_neither_starts_nor_cancels_nor_expires_such_a_match(service: Config, clock: Clock) -> None:
    people = [somebody("Aoife"), somebody("Brendan")]
    made, empty = paired(people), paired(people[:1], seats=2)
    make_paired_matches([made, empty])
    for late in (None, clock.at):
        MatchRow.update(starts_at=late).execute()
        clock.forward(days=200)
        start_and_expire_matches(service)
        assert not start.start_at_time(made.id)
        assert [status(each.id) for each in (made, empty)] == ["open", "open"]
    assert rows("select count(*) from job") == [(0,)]
    assert start_paired_matches([made.id], now()) == 1


def test_nobody_leaves_joins_invites_or_starts_by_hand(service: Config) -> None:
    people = [somebody("Aoife"), somebody("Brendan")]
    other = somebody("Ciara")
    made = paired(people[:1], seats=2, spectators="now")
    make_paired_matches([made])
    before = rows("select * from seat order by seat")
    aoife = people[0].player
    acts: list[Callable[[], object]] = [
        lambda: join.leave_match(aoife, made.id),
        lambda: join.join_match(other.player, made.id, None, "-", None, service),
        lambda: join.join_match(aoife, made.id, 1, "00", None, service),
        lambda: start.start_now(aoife.id, made.id, "steady"),
        lambda: invitations.invite(aoife.id, made.id, other.player.id, None, None, service),
    ]
    assert [refusal(act) for act in acts] == ["conflict"] * len(acts)
    organising = [
        lambda: organisers.seat_player(aoife.id, made.id, 1, other.player.id, service),
        lambda: organisers.unseat_player(aoife.id, made.id, 0),
    ]
    assert [refusal(act) for act in organising] == ["forbidden"] * 2
    assert rows("select * from seat order by seat") == before
    assert status(made.id) == "open"


def test_it_is_not_cancelled_by_an_offer_but_may_end_as_it_stands(service: Config) -> None:
    match, people = seat(service)
    one, two = (each.player.id for each in people)
    assert refusal(lambda: offers.make(match, one, "cancel")) == "conflict"
    offers.make(match, one, "end")
    offers.make(match, two, "end")
    settle(match, service)
    assert house(match) == ["end agreed"]
    assert hows(match) == ["played", "played"]
    assert refusal(lambda: rematch.create_rematch(people[0].player, match, "-", service)) == "conflict"
    assert rows("select count(*) from match") == [(1,)]


@pytest.mark.parametrize("policy", ["stand-in", "substitute"])
def test_nobody_takes_a_left_seat_by_themselves(service: Config, clock: Clock, policy: str) -> None:
    match, people = seat(service, 3, clock="simple-1", policy=policy, spectators="now")
    set_excuses(match, 0)
    late = asked(match)
    clock.at = due(match) + MINUTE
    assert timeouts.write_timeouts() == 1
    settle(match, service)
    row = MatchRow.get_by_id(match)
    for taker in (people[late], somebody("Ciara")):
        assert substitutes.open_seats(row, load_match_state(match), taker.player.id) == []
        take = lambda: substitutes.take_seat(taker.player, match, late, None, service)  # noqa: B023, E731
        assert refusal(take) == "conflict"
    assert load_match_state(match).bots[late]


def test_it_has_no_arbiter_and_the_operator_leaves_the_result_to_the_tournament(service: Config) -> None:
    match, people = seat(service, spectators="now")
    maker = people[0].player.id
    assert refusal(lambda: arbiter_decisions.arbiter_for_organiser(match, maker, service)) == "forbidden"
    operator = arbiter_decisions.arbiter_for_operator(match, service)
    for line in ("end organiser", f"seat 0 {somebody('Ciara').player.id}"):
        assert refusal(lambda: operator.decide(line)) == "conflict"  # noqa: B023
    assert refusal(lambda: operator.decide("pause tournament")) == "conflict"
    operator.decide("pause illness")
    assert house(match) == ["pause illness"]


# Players who leave for good


@pytest.mark.parametrize("slug", TWO_SEATS)
def test_who_left_between_pairing_and_start_forfeits_with_two_seats(service: Config, slug: str, tmp_path: Path) -> None:
    people = [somebody("Aoife"), somebody("Brendan")]
    one, both = paired(people, game=slug), paired(people, game=slug)
    make_paired_matches([one])
    erasure.erase_player(people[0].player.id)
    assert status(one.id) == "open"
    assert rows("select player from seat where seat = 0") == [(people[0].player.id,)]
    start_paired_matches([one.id], now())
    settle(one.id, service)
    assert house(one.id)[0] == f"bot 0 {GAMES[slug].bots.current('steady')}"
    assert (hows(one.id), places(one.id)) == (["forfeit", "played"], [2, 1])
    erasure.erase_player(people[1].player.id)
    make_paired_matches([both])
    start_paired_matches([both.id], now())
    settle(both.id, service)
    assert hows(both.id) == ["forfeit", "forfeit"]
    assert places(both.id) == [1, 1]
    assert result_jobs() == [f"result:{one.id}", f"result:{both.id}"]
    records = {match: record_export.export_record(load_match_state(match), "all") for match in (one.id, both.id)}
    assert all(verify(record, rules=RulesChecker()).over for record in records.values())
    assert all(said.startswith("good: ") for said in told(tmp_path, records).values())


def test_who_left_between_pairing_and_start_has_a_stand_in_at_a_table_of_three(service: Config) -> None:
    people = [somebody(f"P{number}") for number in range(3)]
    made = paired(people)
    make_paired_matches([made])
    erasure.erase_player(people[1].player.id)
    start_paired_matches([made.id], now())
    settle(made.id, service)
    assert house(made.id) == [f"bot 1 {GAMES['keltis'].bots.current('steady')}"]
    assert status(made.id) == "running"
    paired_matches.end_paired_match(made.id, "as-it-stands")
    settle(made.id, service)
    assert hows(made.id) == ["adjudicated", "stand-in", "adjudicated"]
    assert verified(made.id).over


@pytest.mark.parametrize("seats", [2, 3])
def test_running_seats_of_who_leaves_are_given_up(service: Config, seats: int) -> None:
    match, people = seat(service, seats)
    other = match_of(service, *people[:2])
    settle(other, service)
    moved = asked(match)
    people[moved].move(match)
    settle(match, service)
    before = status(other), house(other)
    erasure.erase_player(people[moved].player.id)
    settle(match, service)
    # The keys go first; in a match of one's own the seat waits for its clock as before.
    assert (status(other), [line for line in house(other) if not line.startswith("keys")]) == before
    if seats == 2:
        assert house(match)[-1].startswith("end withdrawn ")
        assert places(match)[moved] == 2
        assert hows(match) == ["played", "played"]
    else:
        assert house(match)[-1] == f"bot {moved} {GAMES['keltis'].bots.current('steady')}"
        assert load_match_state(match).state.house.resigned == (moved,)
        paired_matches.end_paired_match(match, "as-it-stands")
        settle(match, service)
        assert places(match)[moved] == seats
        assert hows(match)[moved] == "stand-in"
    assert verified(match).over


def test_only_the_matches_that_are_named_are_given_up(service: Config) -> None:
    match, people = seat(service)
    other = paired(people)
    make_paired_matches([other])
    start_paired_matches([other.id], now())
    settle(other.id, service)
    player = people[0].player.id
    paired_matches.resign_running_seats(player, [other.id])
    paired_matches.resign_running_seats(player, [other.id])
    assert [status(each) for each in (match, other.id)] == ["running", "over"]
    assert hows(other.id) == ["forfeit", "played"]  # without one line of their own


# Pauses


def test_a_pause_of_the_tournament_stops_clocks_and_resumes_only_what_it_paused(service: Config, clock: Clock) -> None:
    ours, _ = seat(service, clock="simple-3")
    theirs, _ = seat(service, clock="simple-3")
    decided, _ = seat(service, clock="simple-3")
    arbiter_decisions.arbiter_for_operator(theirs, service).decide("pause illness")
    matches = [ours, theirs, decided]
    paired_matches.pause_paired_matches([decided], now(), paired_matches.ADJUDICATION)
    for _ in range(2):
        paired_matches.pause_paired_matches(matches, now())
        for match in matches:
            settle(match, service)
    assert [house(match) for match in matches] == [["pause tournament"], ["pause illness"], ["pause adjudication"]]
    clock.forward(days=30)
    assert timeouts.write_timeouts() == 0
    for _ in range(2):
        paired_matches.resume_paired_matches(matches, now())
    settle(ours, service)
    assert [load_match_state(match).state.house.paused for match in matches] == [False, True, True]
    assert due(ours) == clock.at + 3 * DAY
    paired_matches.resume_paired_matches(matches, now(), paired_matches.ADJUDICATION)
    assert [load_match_state(match).state.house.paused for match in matches] == [False, True, False]
    assert verified(ours).over is False
    kinds = [kind for (kind,) in rows("select type from event where match = ? order by id", ours)]
    assert kinds.count("match.decided") == 4  # both players, twice


# The end


def _ended(match: str, service: Config, how: Any, given: list[int] | None = None, **more: Any) -> Report:  # noqa: ANN401
    assert paired_matches.end_paired_match(match, how, given, **more)
    assert paired_matches.end_paired_match(match, how, given, **more)
    settle(match, service)
    assert result_jobs() == [f"result:{match}"]
    return verified(match)


@pytest.mark.parametrize("seats", [2, 3])
def test_as_it_stands_the_scores_decide(service: Config, seats: int) -> None:
    match, _ = seat(service, seats)
    report = _ended(match, service, "as-it-stands")
    assert [each.line for each in report.house] == ["end as-it-stands"]
    assert set(hows(match)) == {"adjudicated"}
    assert places(match) == [1] * seats  # nobody has played yet


def test_who_has_been_to_act_for_two_days_loses(service: Config, clock: Clock, tmp_path: Path) -> None:
    match, people = seat(service, 3, clock="none")
    first = asked(match)
    people[first].move(match)
    settle(match, service)
    while asked(match) == first:
        people[first].move(match)
        settle(match, service)
    late = asked(match)
    since = int(shown(match, late, "since")[0])
    clock.at = since + 2 * DAY + MINUTE
    report = _ended(match, service, "late-loses")
    assert report.house[0].line == f"timeout {late} {since + 2 * DAY}"
    assert report.house[1].line.startswith("end late-loses ")
    assert places(match)[late] == 3
    assert [hows(match)[each] for each in (first, late)] == ["played", "forfeit"]
    assert paired_matches.end_paired_match(match, "ruled", [1, 1, 1])  # over is over
    record = record_export.export_record(load_match_state(match), "all")
    assert told(tmp_path, {"late": record})["late"].startswith("good: ")


def test_nobody_is_late_a_moment_before_two_days_or_while_the_clock_stands(service: Config, clock: Clock) -> None:
    match, _ = seat(service, clock="none")
    since = int(shown(match, asked(match), "since")[0])
    clock.at = since + 2 * DAY + MINUTE - 1
    _ended(match, service, "late-loses")
    assert house(match) == ["end as-it-stands"]
    with write_transaction():
        execute("delete from job")
    match, _ = seat(service, clock="none")
    with write_transaction():
        execute("update seat set paused_at = ? where match = ?", clock.at, match)
    clock.forward(days=9)
    _ended(match, service, "late-loses")
    assert house(match) == ["end as-it-stands"]


@pytest.mark.parametrize(
    ("how", "given"),
    [("adjudicated", [2, 1, 2]), ("adjudicated", [1, 1, 1]), ("ruled", [3, 2, 1]), ("ruled", [1, 1, 3])],
)
def test_a_decision_gives_the_places(service: Config, tmp_path: Path, how: Any, given: list[int]) -> None:  # noqa: ANN401
    match, people = seat(service, 3)
    people[asked(match)].move(match)
    settle(match, service)
    paired_matches.pause_paired_matches([match], now(), paired_matches.ADJUDICATION)
    settle(match, service)
    report = _ended(match, service, how, given)
    assert report.house[-1].line.startswith(f"end {how} ")
    assert (places(match), set(hows(match))) == (given, {how})
    record = record_export.export_record(load_match_state(match), "all")
    assert told(tmp_path, {"decided": record})["decided"].startswith("good: ")


@pytest.mark.parametrize("given", [[1], [1, 2, 3], [2, 2], [0, 1], [1, 3]])
def test_places_that_are_no_ranks_are_refused(service: Config, given: list[int]) -> None:
    match, _ = seat(service)
    assert refusal(lambda: paired_matches.end_paired_match(match, "ruled", given)) == "invalid"
    assert house(match) == []


def test_the_end_by_time_waits_for_letters_moves_and_lost_time(service: Config, clock: Clock) -> None:
    match, people = seat(service)
    end: Callable[[], bool] = lambda: paired_matches.end_paired_match(match, "as-it-stands", at=clock.at)  # noqa: E731
    with write_transaction():
        execute("insert into heartbeat (worker, at, started_at) values ('w', ?, ?)", clock.at - 3 * DAY, 0)
    assert not end()
    with write_transaction():
        execute("delete from heartbeat")
        execute(
            "insert into inbox (id, received, door, sender, recipient, mime, digest, verdict, state, match, seat, "
            "result) values ('x', ?, 'smtp', '', '', ?, '', '', 'new', ?, ?, '')",
            clock.at,
            b"",
            match,
            asked(match),
        )
    assert not end()
    with write_transaction():
        execute("update inbox set read_at = ?", clock.at)
    people[asked(match)].move(match)
    assert not end()  # nobody has seen yet what follows from the move
    settle(match, service)
    assert house(match) == []
    assert end()


# Visibility


@pytest.mark.parametrize(
    ("spectators", "running", "over", "opened"),
    [
        ("now", 200, 200, 200),
        ("after-match", 404, 200, 200),
        ("after-stage", 404, 404, 200),
        ("sealed", 404, 404, 200),
    ],
)
def test_others_look_when_the_tournament_lets_them_and_organisers_see_no_more(
    person: People, config: Config, client: Client, spectators: str, running: int, over: int, opened: int
) -> None:
    orla, aoife, brendan = person("Orla"), person("Aoife"), person("Brendan")
    players = {0: (aoife.id, "00"), 1: (brendan.id, "-")}
    made = PairedMatch(ids.new_id(), "keltis", 2, ids.new_seed(), orla.id, players, spectators=spectators)
    make_paired_matches([made])
    path = f"/v1/matches/{made.id}"
    assert aoife.get(path).json["status"] == "open"
    assert aoife.get(path).json["expires_at"] is None
    assert client.get("/v1/matches").json["items"] == []  # nobody can join it
    start_paired_matches([made.id], now())
    settle(made.id, config)

    def look() -> list[int]:
        return [
            asker.get(f"{path}{rest}").status_code for asker in (client, orla) for rest in ("", "/table", "/history")
        ]

    def listed() -> list[str]:
        return [each["id"] for each in client.get("/v1/matches").json["items"]]

    assert set(look()) == {running}
    assert listed() == ([made.id] if running == 200 else [])
    assert orla.get("/v1/matches?mine=true").json["items"] == []
    assert [each["id"] for each in aoife.get("/v1/matches?mine=true").json["items"]] == [made.id]
    if running == 200:
        assert orla.get(f"{path}/table").json["view"]["hand"] == []
        assert '"viewer":"-"' in orla.get(f"{path}/record").text
    assert orla.post(f"{path}/house", {"line": "pause illness"}).status_code == (403 if running == 200 else 404)
    paired_matches.end_paired_match(made.id, "ruled", [1, 2])
    settle(made.id, config)
    assert set(look()) == {over}
    assert listed() == ([made.id] if over == 200 else [])
    mine = aoife.get(path).json
    closed = spectators == "sealed"
    assert (mine["seed"] is None, aoife.get(f"{path}/record").status_code) == (closed, 409 if closed else 200)
    paired_matches.open_to_spectators([made.id])
    assert set(look()) == {opened}
    assert listed() == [made.id]
    assert verify(client.get(f"{path}/record").data, rules=RulesChecker()).over


def test_a_round_that_is_paired_anew_cancels_what_has_not_started(service: Config) -> None:
    match, people = seat(service)
    other = paired(people)
    make_paired_matches([other])
    paired_matches.cancel_unstarted_matches([match, other.id])
    assert [status(each) for each in (match, other.id)] == ["running", "cancelled"]
    assert start_paired_matches([other.id], now()) == 0


@pytest.mark.parametrize("spectators", ["now", "after-match", "after-stage", "sealed"])
def test_its_pages_offer_nothing_that_would_be_refused(
    person: People, config: Config, app: Flask, spectators: str
) -> None:
    aoife, brendan = person("Aoife"), person("Brendan")
    players = {0: (aoife.id, "-"), 1: (brendan.id, "-")}
    made = PairedMatch(ids.new_id(), "keltis", 2, ids.new_seed(), aoife.id, players, spectators=spectators)
    make_paired_matches([made])
    page = sign_in(app, aoife.id)
    waiting = page.get(f"/matches/{made.id}")
    assert (waiting.status_code, "starts with its round" in waiting.text) == (200, True)
    assert not [word for word in ("/leave", "/join", "/start", "/invite") if f"{made.id}{word}" in waiting.text]
    start_paired_matches([made.id], now())
    settle(made.id, config)
    running = page.get(f"/matches/{made.id}").text
    assert ('data-offer="end"' in running, 'data-offer="cancel"' in running) == (True, False)
    paired_matches.end_paired_match(made.id, "as-it-stands")
    settle(made.id, config)
    over = page.get(f"/matches/{made.id}")
    assert (over.status_code, 'id="rematch"' in over.text) == (200, False)


def test_the_last_letter_says_why_it_ended_and_offers_no_rematch(person: People, config: Config, clock: Clock) -> None:
    aoife, brendan = person("Aoife"), person("Brendan", language="fr")
    players = {0: (aoife.id, "-"), 1: (brendan.id, "-")}
    whys = {"as-it-stands": "scores on the table decide", "ruled": "organiser of the tournament has decided"}
    for how, said in whys.items():
        made = PairedMatch(ids.new_id(), "keltis", 2, ids.new_seed(), aoife.id, players)
        make_paired_matches([made])
        start_paired_matches([made.id], now())
        settle(made.id, config)
        end: Any = how
        paired_matches.end_paired_match(made.id, end, [1, 2] if how == "ruled" else None)
        settle(made.id, config)
        clock.forward(minutes=30)
        deliver(config)
        letter = next(text_of(each) for each in sent("over") if each["To"].addresses[0].addr_spec == aoife.address)
        assert said in " ".join(letter.split())
        assert "rematch" not in letter
        assert f"/v1/matches/{made.id}/record" in letter
        with write_transaction():
            execute("delete from letter_picture")
            execute("delete from letter")
