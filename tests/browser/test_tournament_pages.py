"""Pages of tournaments in a browser: sound for everybody, at both widths, by day and in the dark, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Route

from service.config import Config
from service.tournaments.tournament_store import append_lines
from tests.support.browser import NARROW, SMALLEST, WIDE, Visitor
from tests.support.html_page import BROWSER
from tests.support.players import Clock
from tests.support.tournaments import document_text, open_venue

Visit = Callable[..., Visitor]
SWISS = """
  - name: swiss
    format: swiss
    rounds: 2
    start: {first: 2027-02-01T18:00, next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
  - name: final
    format: knockout
    from: {stage: swiss, places: 1-3}
    start: {next: when-over, gap: 1d}
    end: {at_most: 4w, then: as-it-stands}
"""
PARTS = ("crosstable?stage=swiss", "bracket", "rulings")


def put_page(visitor: Visitor, path: str, text: str) -> None:
    """Show this page at an address: the service of the browser has another clock and database, and gives the rest."""

    def answer(route: Route) -> None:
        route.fulfill(body=text, content_type="text/html; charset=utf-8")

    visitor.page.route(lambda url: url.endswith(path), answer)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("locale", "width"), [("en-GB", WIDE), ("fr-FR", NARROW)])
def test_pages_of_tournaments_are_accessible_and_fit_at_every_width(
    visit: Visit, service: Config, clock: Clock, client: FlaskClient, locale: str, width: int
) -> None:
    venue = open_venue(service, clock, document_text(SWISS), entrants=5)
    venue.people[0].player.name = "Somebody-with-a-name-of-one-word-that-is-very-long-indeed"
    venue.people[0].player.save()
    headers = {**BROWSER, "Accept-Language": locale}
    pages = {}
    for moment in ("entry", "over"):
        if moment == "over":
            venue.run_to_end()
        for path in ("/tournaments?status=over", "/tournaments", f"/tournaments/{venue.tournament}"):
            pages[f"{path}{'&' if '?' in path else '?'}{moment}"] = client.get(path, headers=headers).text
    ruling = f"ruling exclude {venue.people[0].player.id} fair-play"
    append_lines(venue.tournament, None, [ruling], venue.clock.at)
    parts = [f"/tournaments/{venue.tournament}/{part}" for part in PARTS]
    parted = {path: client.get(path, headers=headers).text for path in parts}
    visitor = visit(locale=locale, width=width)
    for path, text in pages.items():
        put_page(visitor, path, text)
        visitor.open(path)
        for details in visitor.page.locator("details.astext summary").all():
            details.click()
        assert visitor.find_violations_by_day_and_night(width) == [], path
        assert visitor.find_overflow(SMALLEST, NARROW, WIDE) == [], path
    for path, text in parted.items():
        put_page(visitor, path, text)
        visitor.open(path)
        assert visitor.find_violations() == [], path
        assert visitor.find_overflow(SMALLEST, NARROW, WIDE) == [], path
        for picture in visitor.page.locator("main svg").all():
            assert picture.get_attribute("aria-label"), path
            assert visitor.page.locator("main section.words li").count() > 1, "what is drawn is told in words too"
