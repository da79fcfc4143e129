"""Calendars: two parsers agree, changes update events, local hours stay, and polling again is cheap."""

from __future__ import annotations

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from flask.testing import FlaskClient
from icalendar import Calendar

from service.accounts import vacation
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import LeaveRow, PlayerRow
from service.timestamps import DAY, HOUR, MINUTE
from service.tournaments import tournament_caches
from service.tournaments.calendars.calendar_feed import write_player_calendar
from service.tournaments.calendars.leave_clashes import find_clashes
from service.tournaments.entry.entrants import enter_tournament, withdraw_entrant
from service.tournaments.lifecycle import find_etag
from service.tournaments.tournament_caches import document_of
from tests.support.calendar_reader import read_events, read_time
from tests.support.factories import match_of, settle, somebody
from tests.support.players import Clock, newcomer
from tests.support.statements import record_statements
from tests.support.tournaments import HostedTournament, document_text, open_tournament

SWISS = """
  - name: swiss
    format: swiss
    rounds: 4
    start: {first: 2027-03-01T18:00, every: 2w}
    end: {at_most: 2w, then: as-it-stands}
"""
Events = list[dict[str, str]]


def read_both(body: bytes) -> Events:
    """Return the events of a calendar, on which icalendar and a second parser agree."""
    events = read_events(body)
    known = {str(event["UID"]): event for event in Calendar.from_ical(body).walk("VEVENT")}
    assert len(known) == len(events) == len({event["UID"] for event in events})
    for event in events:
        other = known[event["UID"]]
        assert other.decoded("DTSTART") == read_time(event["DTSTART"])
        assert str(other["SUMMARY"]) == event["SUMMARY"]
        assert other.decoded("SEQUENCE") == int(event["SEQUENCE"])
        assert str(other["STATUS"]) == event["STATUS"]
    return events


def ask(hosted: HostedTournament, client: FlaskClient) -> Events:
    """Return the tournament's calendar two minutes later, when the cache has expired."""
    hosted.clock.at += 2 * MINUTE
    answer = client.get(f"/v1/tournaments/{hosted.tournament}/calendar.ics")
    assert (answer.status_code, answer.content_type) == (200, "text/calendar; charset=utf-8")
    return read_both(answer.data)


@pytest.mark.parametrize("zone", ["Europe/Dublin", "America/New_York", "Australia/Lord_Howe"])
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_rounds_keep_the_hour_of_the_wall_clock_over_its_change(
    service: Config, clock: Clock, client: FlaskClient, zone: str
) -> None:
    text = document_text(SWISS).replace("game: keltis", f"game: keltis\nzone: {zone}")
    hosted = open_tournament(service, clock, text)
    starts = [read_time(event["DTSTART"]) for event in ask(hosted, client)]
    local = [at.astimezone(ZoneInfo(zone)) for at in starts if isinstance(at, datetime)]
    assert [(at.hour, at.minute) for at in local] == [(18, 0)] * 4
    assert len({at.utcoffset() for at in local}) == 2


def test_a_changed_round_updates_and_does_not_double(service: Config, clock: Clock, client: FlaskClient) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS))
    first = ask(hosted, client)
    assert [(each["SEQUENCE"], each["STATUS"]) for each in first] == [("0", "CONFIRMED")] * 4
    assert ask(hosted, client) == first

    hosted.apply(
        document_text(SWISS.replace("2027-03-01", "2027-03-02")), find_etag(hosted.row, document_of(hosted.row))
    )
    moved = ask(hosted, client)
    assert [each["UID"] for each in moved] == [each["UID"] for each in first]
    assert {each["SEQUENCE"] for each in moved} == {"1"}
    assert moved[0]["DTSTART"] == "20270302T180000Z"
    hosted.apply(
        document_text(SWISS.replace("2027-03-01", "2027-03-02").replace("rounds: 4", "rounds: 3")),
        find_etag(hosted.row, document_of(hosted.row)),
    )
    cut = ask(hosted, client)
    assert [(each["SEQUENCE"], each["STATUS"]) for each in cut] == [("1", "CONFIRMED")] * 3 + [("2", "CANCELLED")]
    hosted.rule("cancel other")
    assert {each["STATUS"] for each in ask(hosted, client)} == {"CANCELLED"}


LATE = """
  - name: swiss
    format: swiss
    rounds: 4
    start: {first: 2027-02-01T18:00, every: 2w}
    end: {at_most: 3w, then: as-it-stands}
"""


def test_a_round_that_waits_for_the_one_before_moves_with_it_and_never_shows_a_time_that_has_passed(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    def list_starts() -> list[str | None]:
        items = client.get(f"/v1/tournaments/{hosted.tournament}/rounds").get_json()["items"]
        starts = [each["started_at"] or each["starts_at"] for each in items]
        events = {each["UID"]: each for each in ask(hosted, client)}
        assert {each["STATUS"] for each in events.values()} == {"CONFIRMED"}
        times = sorted(each["DTSTART"] for each in events.values())
        assert times == sorted(re.sub(r"[-:]|\.\d+", "", at) for at in starts if at is not None)
        page = client.get(f"/tournaments/{hosted.tournament}").get_data(as_text=True)
        assert all(f'datetime="{at}"' in page for at in starts[1:] if at is not None)
        return [None if at is None else at[:10] for at in starts]

    hosted = open_tournament(service, clock, document_text(LATE), entrants=4)
    while not hosted.row.started_at:
        hosted.go_to_next()
    assert list_starts() == ["2027-02-01", "2027-02-15", "2027-03-01", "2027-03-15"]
    # Round 1 is not over when round 2 should begin: it is at the latest a week later.
    clock.at += 15 * DAY
    hosted.work()
    assert list_starts() == ["2027-02-01", "2027-02-22", "2027-03-01", "2027-03-15"]
    page = client.get(f"/tournaments/{hosted.tournament}").get_data(as_text=True)
    assert page.count("begins when the previous round is over, by") == 1
    # With more time for round 1 round 2 comes after round 3 should begin.
    hosted.rule("extend swiss:1 2027-03-10T18:00 illness")
    hosted.work()
    assert list_starts() == ["2027-02-01", "2027-03-10", "2027-03-31", "2027-04-21"]
    hosted.rule("pause illness")
    clock.at += 40 * DAY
    assert list_starts() == ["2027-02-01", None, None, None]
    hosted.rule("resume other")
    hosted.decide_all()
    # Round 2 begins at once; the pause moved what was still to come.
    assert list_starts() == ["2027-02-01", "2027-03-28", "2027-04-10", "2027-04-24"]


def test_rounds_that_are_no_longer_played_show_no_time(service: Config, clock: Clock, client: FlaskClient) -> None:
    hosted = open_tournament(service, clock, document_text(LATE), entrants=2)
    assert len(ask(hosted, client)) == 4
    while not hosted.row.started_at:
        hosted.go_to_next()
    for person in hosted.people:
        withdraw_entrant(person.player.id, hosted.tournament, at_once=True)
    hosted.run_to_end()
    items = client.get(f"/v1/tournaments/{hosted.tournament}/rounds").get_json()["items"]
    assert [each["starts_at"] for each in items if each["state"] == "planned"] == [None, None, None]
    assert [each["STATUS"] for each in ask(hosted, client)] == ["CONFIRMED", *["CANCELLED"] * 3]


def test_ones_own_calendar_has_rounds_deadlines_and_leave_at_an_address_that_can_be_renewed(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS), entrants=2)
    orla, me = newcomer(client, "Orla"), hosted.people[0]
    enter_tournament(PlayerRow.get_by_id(orla.id), hosted.row, "-", service)
    with write_transaction():
        vacation.book(orla.id, "Europe/Dublin", date(2027, 3, 1), date(2027, 3, 7))
    url = orla.get("/v1/me/calendar").json["url"]
    assert orla.get("/v1/me/calendar").json["url"] == url
    path = url.removeprefix(service.url)
    found = read_both(client.get(path).data)
    kinds = [each["UID"].split("-")[0] for each in found]
    assert (kinds.count("round"), kinds.count("leave"), kinds.count("turn")) == (4, 1, 0)
    leave = next(each for each in found if each["UID"].startswith("leave-"))
    assert (leave["DTSTART"], leave["DTEND"], leave["SEQUENCE"]) == ("20270301", "20270308", "0")
    LeaveRow.update(cancelled_at=clock.at).execute()
    clock.at += 2 * MINUTE
    cancelled = [each for each in read_both(client.get(path).data) if each["STATUS"] == "CANCELLED"]
    assert [(each["UID"], each["SEQUENCE"]) for each in cancelled] == [(leave["UID"], "1")]

    match = match_of(service, me, hosted.people[1])
    settle(match, service)
    mine, theirs = (read_both(write_player_calendar(each.player, service)) for each in hosted.people[:2])
    due = [each for each in [*mine, *theirs] if each["UID"].startswith(f"turn-{match}-")]
    assert len(due) == 1
    assert int(due[0]["SEQUENCE"]) >= DAY // MINUTE

    assert orla.delete("/v1/me/calendar").json["url"] != url
    gone, never = client.get(path), client.get(f"/calendars/{'a' * 32}.ics")
    assert (gone.status_code, never.status_code) == (404, 404)
    first, second = gone.get_json(), never.get_json()
    assert [first[name] for name in ("title", "detail", "type")] == [
        second[name] for name in ("title", "detail", "type")
    ]


def test_a_calendar_asked_for_a_thousand_times_costs_no_work(
    service: Config, clock: Clock, client: FlaskClient
) -> None:
    hosted = open_tournament(service, clock, document_text(SWISS))
    orla = newcomer(client, "Orla")
    own = orla.get("/v1/me/calendar").json["url"].removeprefix(service.url)
    for path in (own, f"/v1/tournaments/{hosted.tournament}/calendar.ics"):
        etag = client.get(path).headers["ETag"]
        with record_statements() as statements:
            codes = [client.get(path, headers={"If-None-Match": etag}).status_code for _ in range(1000)]
        assert statements == []
        assert set(codes) == {304, 429}
        assert codes.count(304) < 100
        clock.at += 2 * HOUR
        assert client.get(path, headers={"If-None-Match": etag}).status_code in {200, 304}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_leave_in_more_tournaments_takes_no_more_statements_and_parses_no_document_again(
    service: Config, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = somebody("Brigid").player

    def enter_cup(name: str) -> None:
        hosted = open_tournament(service, clock, document_text(SWISS, name=name))
        enter_tournament(player, hosted.row, "c0ffee", service)

    def count_clashes() -> int:
        return len(find_clashes(player.id, "UTC", [(date(2027, 3, 1), date(2027, 3, 20))], "en"))

    enter_cup("cup-1")
    with record_statements() as before:
        assert count_clashes() == 2
    enter_cup("cup-2")
    enter_cup("cup-3")
    assert count_clashes() == 6
    monkeypatch.delattr(tournament_caches, "load_document")
    with record_statements() as after:
        assert count_clashes() == 6
    assert len(after) == len(before)
