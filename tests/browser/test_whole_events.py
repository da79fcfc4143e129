"""Whole tournaments run by organisers in a browser, without terminal or document, on a clock that the test moves.

The organisers' part is played on pages only, and so are the invitations by link and the withdrawal of players; the
others enter and play through the service. Each event takes about half a minute, so `make long` runs them
(WHOLE_EVENTS=1).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask
from playwright.sync_api import Browser
from werkzeug.serving import make_server

from service.config import Config
from service.db.connection import rows
from service.db.models.matches import MatchRow
from service.db.models.tournaments import TournamentRow
from service.matches.paired_matches import end_paired_match
from service.timestamps import DAY
from service.tournaments.rounds.challenges import answer_challenge, make_challenge
from service.tournaments.tournament_store import load_state
from tests.support.browser import NARROW, WIDE, Site, Visitor, open_visitor
from tests.support.factories import Seated, settle, somebody
from tests.support.players import Clock
from tests.support.servers import Process, free_port
from tests.support.tournaments import HostedTournament
from tests.support.web_apps import sign_in

EVENTS = [
    (format_, count, width, locale)
    for format_, count, width in (
        ("swiss", 12, WIDE),
        ("knockout", 8, WIDE),
        ("pods", 12, WIDE),
        ("ladder", 6, WIDE),
        ("swiss", 6, NARROW),
    )
    for locale in ("en-GB", "fr-FR")
    if os.environ.get("WHOLE_EVENTS")
]


@dataclass
class Desk:
    """The desk of a tournament in the browser of one of its organisers."""

    visitor: Visitor
    width: int
    tournament: str = ""

    def press(self, selector: str) -> None:
        """Press a button or a link, and look at the page it leads to."""
        self.visitor.submit(selector)
        self.visitor.page.wait_for_load_state("networkidle")
        assert self.visitor.find_overflow(self.width) == [], self.visitor.page.url

    def open(self, more: str = "") -> None:
        """Open the desk or one of its pages."""
        self.visitor.open(f"/tournaments/{self.tournament}/desk{more}")
        self.visitor.page.wait_for_load_state("networkidle")
        assert self.visitor.find_overflow(self.width) == [], more

    def plan(self, title: str, format_: str, count: int) -> None:
        """Lead through the wizard and publish."""
        page = self.visitor.page
        self.visitor.open("/organise/new")
        page.check("input[name=game][value=keltis]")
        self.press("button[value=next]")
        page.check(f"input[name=format][value={format_}]")
        if format_ in {"swiss", "pods"}:
            page.fill("#rounds", "3")
        if format_ == "knockout":
            page.select_option("#best_of", "3")
        self.press("button[value=next]")
        page.fill("#least", "4")
        page.fill("#most", str(count))
        self.press("button[value=next]")
        page.fill("#title", title)
        self.press("button[value=stay]")
        self.press("form[action='/organise/new/publish'] button")
        self.tournament = page.url.partition("?")[0].rpartition("/")[2]

    def close(self) -> None:
        """Close this browser, in which nothing may have gone wrong."""
        assert self.visitor.faults == []
        self.visitor.context.close()

    def rule(
        self, what: str, *, match: str = "", places: list[int] | None = None, go: str = "publish", **values: str
    ) -> None:
        """Make a ruling: try it, read what it would do, publish it unless `go` is empty."""
        page = self.visitor.page
        self.open(f"/ruling?what={what}")
        if match:
            page.select_option("#match", match)
            self.press("button[value=try]")
        for seat, place in enumerate(places or ()):
            page.fill(f"#place-{seat}", str(place))
        for name, value in values.items():
            field = page.locator(f"#{name}")
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.press("button[value=try]")
        assert page.locator("[role=alert]").count() == 0, page.locator("[role=alert]").text_content()
        if go:
            self.press("button[value=publish]")
            assert "done=ruled" in page.url, page.locator("[role=alert]").text_content()


@pytest.fixture
def site(app: Flask, service: Config, tmp_path: Path) -> Iterator[Site]:  # noqa: ARG001  # the database is open
    """The service in this process, so that the clock of the test is its clock."""
    port = free_port()
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield Site(f"http://127.0.0.1:{port}", Process("serve", env={}, log=tmp_path / "unused.log"))
    server.shutdown()
    thread.join()


def open_desk(browser: Browser, site: Site, app: Flask, person: Seated, width: int, locale: str) -> Desk:
    """The browser of an organiser who is signed in."""
    person.player.language = locale[:2]
    person.player.save()
    visitor = open_visitor(browser, site, width=width, locale=locale)
    cookie = sign_in(app, person.player.id).get_cookie("echtra")
    assert cookie is not None
    # The server in this process does not see that a stream was left, so it would run out of places for them.
    visitor.context.route("**/v1/events*", lambda route: route.fulfill(status=204))
    visitor.context.add_cookies([{"name": "echtra", "value": cookie.value, "url": site.url}])
    return Desk(visitor, width)


def play_ladder(hosted: HostedTournament) -> str:
    """Let the second player challenge the first and win. Return the match."""
    state = load_state(hosted.tournament)
    first, second = (state.holders[number] for number in state.ladder_order("ladder")[:2])
    made = make_challenge(second, hosted.tournament, first)
    found = answer_challenge(first, hosted.tournament, made.id, accept=True)
    hosted.work()
    assert found.pairing is not None
    return found.pairing


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("format_", "count", "width", "locale"), EVENTS)
def test_an_organiser_runs_a_whole_event_in_the_browser(  # noqa: PLR0915  # one event from plan to prizes
    browser: Browser,
    site: Site,
    app: Flask,
    service: Config,
    clock: Clock,
    format_: str,
    count: int,
    width: int,
    locale: str,
) -> None:
    owner, helper = somebody("Niamh"), somebody("Mary Ann")
    desk = open_desk(browser, site, app, owner, width, locale)
    desk.plan(f"Samhain {format_}", format_, count)
    hosted = HostedTournament(service, clock, owner, tournament=desk.tournament)
    hosted.work()
    hosted.enter(count - 1)
    # The last place is filled by a link that invites; the next to open it waits for a place.
    desk.open()
    desk.press("form:has(#share) button[value=renew]")
    path = desk.visitor.page.input_value("#share").removeprefix(service.url)
    last, reserve = somebody(f"Player {count - 1}"), somebody("Saoirse")
    for person in (last, reserve):
        guest = open_desk(browser, site, app, person, NARROW, locale)
        guest.visitor.open(path)
        guest.press("main form button")
        guest.press("form[action$='/enter'] button")
        guest.close()
    hosted.people.append(last)
    # A second organiser, who works at the same time.
    desk.open()
    desk.visitor.page.fill("#helper", "Mary Ann")
    desk.visitor.page.select_option("#role", "organiser")
    desk.press("form:has(#helper) button")
    other = open_desk(browser, site, app, helper, width, locale)
    other.tournament = desk.tournament
    other.open()
    other.visitor.page.fill("#text", "Bonne chance !")
    other.press("form:has(#text) button")
    best = hosted.people[-1].player
    if format_ != "pods":
        desk.open("/ruling?what=seed")
        desk.visitor.page.fill(f"input[name=seed_{best.id}]", "1")
        desk.press("button[value=try]")
        desk.press("button[value=publish]")
    hosted.work()
    while not hosted.row.started_at:
        hosted.go_to_next()
    if format_ != "pods":
        assert rows("select number from entrant where player = ?", best.id) == [(1,)]
    name = f"{format_}:1"
    match = play_ladder(hosted) if format_ == "ladder" else str(MatchRow.get(MatchRow.status == "running").id)
    seats = MatchRow.get_by_id(match).seats
    # An extension, tried before the other organiser pauses: it has to be looked at again. The other ends the pause.
    longer = datetime.fromtimestamp((clock.at + 90 * DAY) // 1000, UTC)
    desk.rule("extend", go="", round=name, until=longer.strftime("%Y-%m-%dT%H:%M"), why="illness")
    other.rule("pause", why="technical")
    hosted.work()
    desk.press("button[value=publish]")
    assert desk.visitor.page.locator("[role=alert]").count() == 1
    desk.press("button[value=try]")
    desk.press("button[value=publish]")
    assert "done=ruled" in desk.visitor.page.url
    clock.at += DAY
    other.rule("resume", why="technical")
    hosted.work()
    # A result, and its correction.
    settle(match, service)
    end_paired_match(match, "adjudicated", list(range(1, seats + 1)))
    hosted.work()
    desk.rule("result", match=match, places=list(range(seats, 0, -1)), why="mistake")
    # A substitute for somebody who leaves, and a withdrawal.
    state = load_state(desk.tournament)
    leaving, gone = (state.holders[number] for number in sorted(state.holders)[-2:])
    names = {each.player.id: each.player.name for each in hosted.people}
    desk.rule("replace", player=names[leaving], other="Saoirse", why="absence")
    hosted.people.append(reserve)
    leaver = open_desk(
        browser, site, app, next(each for each in hosted.people if each.player.id == gone), NARROW, locale
    )
    leaver.visitor.open(f"/tournaments/{desk.tournament}")
    leaver.press("form[action$='/withdraw'] button")
    leaver.close()
    assert f"withdraw {gone}" in hosted.lines()
    hosted.work()
    hosted.run_to_end()
    hosted.check()
    assert TournamentRow.get_by_id(desk.tournament).state == "over"
    kinds = [line.split(" ")[1] for line in hosted.lines() if line.startswith("ruling ")]
    assert [kind for kind in kinds if kind != "seed"] == ["pause", "extend", "resume", "result", "replace"]
    for part in ("", "/crosstable", "/rulings", "/check", "/bracket" if format_ == "knockout" else "/desk"):
        desk.visitor.open(f"/tournaments/{desk.tournament}{part}")
        assert desk.visitor.find_overflow(width) == [], part
        assert desk.visitor.page.get_attribute("html", "lang") == locale[:2]
    desk.close()
    other.close()
