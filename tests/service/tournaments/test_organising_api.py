"""Organising over HTTP: rulings, messages, late requests, and leave during rounds."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.config import Config
from service.db.models.accounts import PlayerRow
from service.db.models.matches import MatchRow, SeatRow
from service.db.models.tournaments import PairingRow
from service.matches.join import EXCUSES
from service.matches.substitutes import take_seat
from service.play import timeouts
from service.play.match_loader import load_match_state
from service.problems import Problem
from service.timestamps import DAY, MINUTE, rfc3339
from service.tournaments.documents.document_values import read_moment
from service.tournaments.entry.entrants import ask_bye, enter_tournament, withdraw_entrant
from service.tournaments.lifecycle import plan_tournament
from tests.support.factories import Seated, settle
from tests.support.paging import check_pages
from tests.support.players import Clock, Person
from tests.support.tournaments import IN_NEW_YORK, HostedTournament, document_text

People = Callable[..., Person]
EVENING = read_moment("2027-02-20T18:00", "America/New_York").at
SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)
SWISS = """
  - name: swiss
    format: swiss
    rounds: 3
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 2w, then: as-it-stands}
    bye: {asked: half, most_asked: 2}
"""


def seat_of(person: Person) -> Seated:
    """Return a player with a token as a seated player."""
    return Seated(PlayerRow.get_by_id(person.id), person.private)


def open_hall(
    service: Config, clock: Clock, person: People, text: str, entrants: int = 4
) -> tuple[HostedTournament, Person]:
    """Return a tournament with an organiser who has a token."""
    orla = person("Orla")
    hosted = HostedTournament(service, clock, seat_of(orla))
    row = hosted.apply(text)
    clock.at = max(clock.at, row.opens_at or 0)
    hosted.work()
    hosted.enter(entrants)
    return hosted, orla


def run_first_round(hosted: HostedTournament) -> list[str]:
    """Start the first round. Return its matches."""
    while not MatchRow.select().where(MatchRow.status == "running").exists():
        hosted.go_to_next()
    matches = [row.id for row in MatchRow.select().order_by(MatchRow.id)]
    for match in matches:
        settle(match, hosted.config)
    return matches


@SQLITE
def test_an_organiser_tries_a_ruling_makes_it_and_everybody_reads_it(
    service: Config, clock: Clock, person: People, client: FlaskClient
) -> None:
    hosted, orla = open_hall(service, clock, person, document_text(SWISS))
    one, other = run_first_round(hosted)
    path = f"/v1/tournaments/{hosted.tournament}"
    body: dict[str, Any] = {"what": "result", "why": "rules", "match": one, "places": [1, 2], "text": "x" * 1000}
    tried = orla.post(f"{path}/rulings", {**body, "dry_run": True})
    assert tried.status_code == 201
    assert (tried.json["written"], len(tried.json["letters"])) == (False, 2)
    assert [change["points_after"] for change in tried.json["standings"]].count("1") == 1
    assert orla.post(f"{path}/rulings", body).status_code == 422
    made = orla.post(f"{path}/rulings", {**body, "seq": tried.json["seq"]})
    assert (made.status_code, made.json["written"], made.json["seq"]) == (201, True, tried.json["seq"] + 1)
    again = orla.post(f"{path}/rulings", {**body, "places": [2, 1], "seq": tried.json["seq"]})
    assert again.status_code == 409
    assert again.json["lines"] == made.json["lines"]
    assert again.json["seq"] == made.json["seq"] + 1
    (shown,) = client.get(f"{path}/rulings").get_json()["items"]
    assert (shown["what"], shown["why"], shown["text"], shown["concerns_you"]) == ("result", "rules", None, False)
    assert orla.get(f"{path}/rulings").json["items"][0]["text"] == body["text"]
    stranger = person("Stranger")
    for call in (
        stranger.post(f"{path}/rulings", {**body, "seq": 1}),
        stranger.post(f"{path}/messages", {"text": "Hello"}),
        stranger.get(f"{path}/unreachable"),
        stranger.get(f"{path}/decisions"),
    ):
        assert call.status_code == 403
    wrong = {"what": "extend", "why": "time", "round": "swiss:1", "until": "2020-01-01T00:00:00Z", "seq": 1}
    refused = orla.post(f"{path}/rulings", {**wrong, "dry_run": True})
    assert refused.status_code == 422
    assert refused.json["errors"][0]["field"] == "until"
    long = orla.post(f"{path}/rulings", {**body, "text": "x" * 1001, "dry_run": True})
    assert (long.status_code, long.json["errors"][0]["field"]) == (422, "text")
    for bad in ({"what": "dance"}, {"what": "pause", "why": "because"}, {"what": "replay", "why": "other"}):
        assert orla.post(f"{path}/rulings", {"dry_run": True, **bad}).status_code == 422
    sent = orla.post(f"{path}/messages", {"text": "Good luck!"})
    assert sent.status_code == 201
    assert sent.json["letters"] + sent.json["muted"] == 4
    assert orla.get(f"{path}/unreachable").json == {"items": []}
    assert orla.get(f"{path}/decisions").json == {"items": []}
    assert other


def test_whom_letters_do_not_reach_and_what_to_decide_go_on_page_by_page(
    service: Config, clock: Clock, person: People
) -> None:
    hosted, orla = open_hall(service, clock, person, document_text(SWISS.replace("as-it-stands", "adjudicate")))
    run_first_round(hosted)
    path, people = f"/v1/tournaments/{hosted.tournament}", [each.player.id for each in hosted.people]
    PlayerRow.update(bounced_at=clock.at).where(PlayerRow.id.in_(people)).execute()
    PlayerRow.update(name="éowyn").where(PlayerRow.id.in_(people[:2])).execute()
    check_pages(orla.get, f"{path}/unreachable")
    SeatRow.update(due_at=clock.at + 900 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    clock.forward(days=14, minutes=1)
    hosted.work()
    check_pages(orla.get, f"{path}/decisions")


def test_more_time_over_http_is_in_the_zone_of_the_document_unless_it_has_an_offset(
    service: Config, clock: Clock, person: People
) -> None:
    hosted, orla = open_hall(service, clock, person, document_text(SWISS).replace("game: keltis", IN_NEW_YORK))
    run_first_round(hosted)
    body = {"what": "extend", "why": "time", "round": "swiss:1", "dry_run": True}
    path = f"/v1/tournaments/{hosted.tournament}/rulings"
    for until in ("2027-02-20T18:00", "2027-02-20T23:00:00Z", "2027-02-21T00:00:00.000000+0100"):
        assert orla.post(path, {**body, "until": until}).json["lines"] == [f"ruling extend swiss:1 {EVENING} time"]
    for wrong in ("2027-02-20", "tomorrow", "2027-02-30T18:00", "0001-01-01T00:00:00+14:00", 5):
        refused = orla.post(path, {**body, "until": wrong})
        assert (refused.status_code, refused.json["errors"][0]["field"]) == (422, "until")


@SQLITE
def test_what_comes_too_late_gains_nothing(service: Config, clock: Clock, person: People) -> None:
    hosted, _ = open_hall(service, clock, person, document_text(SWISS).replace("least: 2", "least: 2, most: 9"))
    people = [each.player.id for each in hosted.people]
    while "pair" not in hosted.verbs():
        hosted.go_to_next()
    # A bye asked after pairing is refused, and who withdraws after pairing still sits there.
    with pytest.raises(Problem):
        ask_bye(people[0], hosted.tournament, "swiss:1")
    withdraw_entrant(people[0], hosted.tournament)
    matches = run_first_round(hosted)
    mine = SeatRow.get((SeatRow.player == people[0]) & SeatRow.match.in_(matches))
    assert not any(line.startswith(("bye", "result")) for line in hosted.lines())
    other = next(
        each for each in hosted.people if each.player.id == load_match_state(mine.match).players[1 - mine.seat]
    )
    while settle(mine.match, service).questions[mine.seat] is None:
        other.move(mine.match)
    # Their seat forfeits by its clock; coming back costs the rounds that were missed.
    for _ in range(400):
        if MatchRow.get_by_id(mine.match).status == "over":
            break
        clock.forward(days=1)
        hosted.work()
        timeouts.write_timeouts()
    hosted.work()
    seats = json.loads(PairingRow.get_by_id(mine.match).seats)
    result = hosted.results()[mine.match].split(" ")[seats.index(people[0])]
    assert result.startswith("2:"), "leaving did not spare them the loss"
    assert enter_tournament(hosted.people[0].player, hosted.row, "-", service).status == "in"


@SQLITE
def test_a_move_in_the_last_minute_ends_nothing_and_a_left_seat_is_not_given_back(
    service: Config, clock: Clock, person: People
) -> None:
    hosted, _ = open_hall(service, clock, person, document_text(SWISS))
    one, other = run_first_round(hosted)
    SeatRow.update(due_at=clock.at + 900 * DAY).where(SeatRow.due_at.is_null(is_null=False)).execute()
    end = int(MatchRow.get_by_id(one).started_at or 0) + 14 * DAY
    clock.at = end - 30_000
    hosted.work()
    table = settle(one, service)
    seat = next(seat for seat, question in enumerate(table.questions) if question is not None)
    seated = {each.player.id: each for each in hosted.people}
    seated[str(table.players[seat])].move(one)
    clock.at = end + 60_000
    hosted.work()
    assert {MatchRow.get_by_id(match).status for match in (one, other)} == {"over"}
    assert len([line for line in hosted.lines() if line.startswith("result ")]) == 2
    with pytest.raises(Problem):
        take_seat(hosted.people[0].player, one, None, None, service)


@SQLITE
@pytest.mark.parametrize("order", list(permutations(("book", "enter", "play"))))
def test_leave_never_breaks_the_rules_of_a_tournament_without_leave(
    service: Config, clock: Clock, person: People, order: tuple[str, ...]
) -> None:
    text = document_text(SWISS).replace("game: keltis", "game: keltis\nleave: no")
    text = text.replace("least: 2", "least: 2, late: {until_round: 2, bye: half}")
    hosted, _ = open_hall(service, clock, person, text, entrants=3)
    aoife = person("Aoife")
    me = seat_of(aoife)
    path = f"/v1/tournaments/{hosted.tournament}"
    said: list[dict[str, Any]] = []
    for step in order:
        if step == "book":
            first = max("2027-01-31", str(rfc3339(clock.at))[:10])
            answer = aoife.post("/v1/me/leave", {"first_day": first, "last_day": "2027-02-20"})
            assert answer.status_code == 201
            said += answer.json["rounds"]
        elif step == "enter":
            receipt = aoife.post(f"{path}/entrants", {"nonce": "-"})
            assert receipt.status_code == 201
            said += receipt.json["leave"]
            hosted.people.append(me)
        else:
            run_first_round(hosted)
    run_first_round(hosted)
    # An entrant who came after the first round had begun plays from the second on.
    playing = MatchRow.select(MatchRow.id).where(MatchRow.status == "running")
    mine = (SeatRow.player == aoife.id) & SeatRow.match.in_(playing)
    while not SeatRow.select().where(mine).exists():
        hosted.decide_all()
        hosted.go_to_next()
    for row in list(playing):
        settle(row.id, service)
    assert said, "leave and a round that meet are told whatever came first"
    assert not any(each["leave_counts"] for each in said)
    matches = MatchRow.select().where(MatchRow.pairing.is_null(is_null=False))
    assert {row.leave_allowed for row in matches} == {False}
    # The clock runs on leave as for everybody: the time that the preset gives, and not a day more.
    waiting = list(SeatRow.select().where(SeatRow.due_at.is_null(is_null=False)))
    assert waiting
    assert len({int(row.due_at or 0) - int(row.since or 0) for row in waiting}) == 1
    seated = {each.player.id: each for each in hosted.people}
    own = SeatRow.get(mine)
    match = own.match
    while (table := settle(match, service)).questions[own.seat] is None:
        seat = next(seat for seat, question in enumerate(table.questions) if question is not None)
        seated[str(table.players[seat])].move(match)
    for _ in range(EXCUSES + 1):
        clock.at = int(SeatRow.get(mine).due_at or 0) + 2 * MINUTE
        timeouts.write_timeouts()
        settle(match, service)
    assert MatchRow.get_by_id(match).status == "over", "leave excuses nobody who is late"


@SQLITE
def test_the_plan_says_where_nobody_could_rule(service: Config, clock: Clock, person: People) -> None:
    hosted, _ = open_hall(service, clock, person, document_text(SWISS), entrants=1)
    document = hosted.read(document_text(SWISS))
    before = plan_tournament(hosted.maker.player, document, service).warnings
    enter_tournament(hosted.maker.player, hosted.row, "-", service)
    after = plan_tournament(hosted.maker.player, document, service).warnings
    assert [each.key for each in after if each not in before] == ["rulings.nobody_neutral"]


def test_the_owner_appoints_and_removes_helpers_over_http(service: Config, clock: Clock, person: People) -> None:
    hosted, orla = open_hall(service, clock, person, document_text(SWISS))
    helper, path = person("Mary Ann"), f"/v1/tournaments/{hosted.tournament}"
    staff = f"{path}/staff/{helper.id}"
    assert helper.ask("PUT", staff, {"role": "organiser"}).status_code == 403
    assert orla.ask("PUT", staff, {"role": "king"}).status_code == 422
    assert orla.ask("PUT", f"{path}/staff/nosuchplayer0000", {"role": "arbiter"}).status_code == 404
    assert orla.ask("PUT", staff, {"role": "arbiter"}).status_code == 204
    assert [each["name"] for each in orla.get(path).json["arbiters"]] == ["Mary Ann"]
    pause = {"what": "pause", "why": "technical", "dry_run": True}
    assert helper.post(f"{path}/rulings", pause).status_code == 201
    assert helper.post(f"{path}/messages", {"text": "Hello"}).status_code == 403
    assert orla.ask("PUT", staff, {"role": "organiser"}).status_code == 204
    assert [each["name"] for each in orla.get(path).json["organisers"]] == ["Orla", "Mary Ann"]
    assert orla.get(path).json["arbiters"] == []
    assert orla.delete(staff).status_code == 204
    assert helper.post(f"{path}/rulings", pause).status_code == 403
