"""Pages of tournaments in a browser: sound for everybody, at both widths, by day and in the dark, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import pytest
from flask import Flask
from playwright.sync_api import Route

from service.accounts import vacation
from service.config import Config
from service.db.connection import execute, write_transaction
from service.matches.paired_matches import end_paired_match
from tests.support.browser import NARROW, SMALLEST, WIDE, Visitor
from tests.support.factories import match_of, settle, somebody
from tests.support.html_page import BROWSER
from tests.support.players import Clock
from tests.support.tournaments import HostedTournament, document_text, open_tournament
from tests.support.web_apps import sign_in

Visit = Callable[..., Visitor]
STAGES = """
  - name: swiss
    format: swiss
    rounds: 2
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
  - name: final
    format: knockout
    from: {stage: swiss, places: 1-4}
    start: {next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
DOCUMENT = document_text(STAGES).replace("draw:", "clock: relaxed\nleave: yes\ndraw:")
LONG_NAME = "Somebody-with-a-name-of-one-word-that-is-very-long-indeed"
WORDS = f"{LONG_NAME} wrote that the line was down; see https://example.org/{'a' * 60} for the report."
INSERT = "insert into answer_times values (?, ?, 'keltis', 2, 2, ?, 20, ?)"
PARTS = ("", "/crosstable", "/bracket", "/rulings", "/forecast", "/check", "/desk", "/desk/ruling?what=repair")


def open_full_tournament(service: Config, clock: Clock) -> HostedTournament:
    """A tournament of sixteen who answered often enough for a forecast; one has a long name, another will be away."""
    hosted = open_tournament(service, clock, DOCUMENT, entrants=16)
    hosted.people[0].player.name = LONG_NAME
    hosted.people[0].player.bounced_at = clock.at
    hosted.people[0].player.save()
    match = match_of(service, somebody("Fedelm"), somebody("Finn"))
    settle(match, service)
    end_paired_match(match, "adjudicated", [1, 2])
    with write_transaction():
        vacation.book(hosted.people[1].player.id, "Europe/Dublin", date(2027, 2, 1), date(2027, 2, 20))
        for person in hosted.people:
            execute(INSERT, match, person.player.id, clock.at, " ".join(["7200000"] * 60))
    return hosted


def walk_to_end(hosted: HostedTournament) -> Iterator[str]:
    """Let the tournament go on, with rulings; gives the name of each moment at which its pages are looked at."""
    yield "entry"
    while not hosted.row.started_at:
        hosted.go_to_next()
    match = next(line.split(" ")[1] for line in hosted.lines() if line.startswith("pair "))
    hosted.rule(f"result {match} scores 31,-4 technical {WORDS}")
    hosted.rule("extend swiss:1 2027-03-08T18:00 illness")
    hosted.rule(f"exclude {hosted.people[0].player.id} fair-play {WORDS}")
    yield "running"
    hosted.run_to_end()
    yield "over"


def put_page(visitor: Visitor, path: str, text: str) -> None:
    """Show this page at an address: the service of the browser has another clock and database, and gives the rest."""

    def answer(route: Route) -> None:
        route.fulfill(body=text, content_type="text/html; charset=utf-8")

    visitor.page.route(lambda url: url.endswith(path), answer)


def read_pages(hosted: HostedTournament, app: Flask, locale: str) -> dict[str, str]:
    """The pages of a tournament by address, as an organiser sees them, at each moment of its course."""
    organiser = sign_in(app, hosted.maker.player.id)
    headers = {**BROWSER, "Sec-Fetch-Site": "same-origin", "Accept-Language": locale}
    own = f"/tournaments/{hosted.tournament}"
    paths = ["/tournaments?status=over", "/tournaments?status=running", *(own + part for part in PARTS)]
    found = {}
    for moment in walk_to_end(hosted):
        for path in paths:
            answer = organiser.get(path, headers=headers)
            assert answer.status_code == 200, path
            found[f"{path}{'&' if '?' in path else '?'}{moment}"] = answer.text
    return found


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("locale", "width"), [("en-GB", WIDE), ("fr-FR", NARROW)])
def test_pages_of_tournaments_are_accessible_and_fit_at_every_width(
    visit: Visit, service: Config, clock: Clock, app: Flask, locale: str, width: int
) -> None:
    visitor, pictures, rulings = visit(locale=locale, width=width), 0, 0
    visitor.enter(f"organiser-{width}@example.org", f"Aoife {width}")
    hosted = open_full_tournament(service, clock)
    hosted.maker.player.language = locale[:2]
    hosted.maker.player.save()
    # Small boards are those of the other service, too.
    empty = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 928 552"/>'
    visitor.page.route("**/table.svg*", lambda route: route.fulfill(body=empty, content_type="image/svg+xml"))
    for path, text in read_pages(hosted, app, locale).items():
        put_page(visitor, path, text)
        visitor.open(path)
        assert visitor.page.get_attribute("html", "lang") == locale[:2]
        for details in visitor.page.locator("details.astext summary").all():
            details.click()
        assert visitor.find_violations_by_day_and_night(width) == [], path
        assert visitor.find_overflow(SMALLEST, NARROW, WIDE) == [], path
        assert visitor.page.locator("h1").count() == 1, path
        rulings += visitor.page.locator(".rulings blockquote").count()
        for picture in visitor.page.locator("main svg.bracket, main svg.forecast").all():
            pictures += 1
            assert picture.get_attribute("aria-label"), path
            told = visitor.page.locator("main section.words li, main table.times tbody tr, main .rounds li").count()
            assert told > 1, f"what is drawn is told in words too: {path}"
    assert (pictures, rulings) == (5, 4), "two forecasts, each twice, and a bracket; two rulings with words, seen twice"
