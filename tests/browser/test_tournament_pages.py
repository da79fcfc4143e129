"""Pages of tournaments in a browser: sound for everybody, at both widths, by day and in the dark, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from service.config import Config
from tests.support.browser import NARROW, WIDE, Visitor
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
"""


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_pages_of_tournaments_are_accessible_and_fit_at_every_width(
    visit: Visit, service: Config, clock: Clock, client: FlaskClient, locale: str
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
    visitor = visit(locale=locale)
    for path, text in pages.items():
        # The service of the browser has another clock and database: it gives all but this page.
        visitor.page.route(
            f"**{path}", lambda route, body=text: route.fulfill(body=body, content_type="text/html; charset=utf-8")
        )
        visitor.page.set_viewport_size({"width": WIDE, "height": 900})
        visitor.page.emulate_media(color_scheme="light")
        visitor.open(path)
        for details in visitor.page.locator("details.astext summary").all():
            details.click()
        assert visitor.find_violations() == [], path
        visitor.page.emulate_media(color_scheme="dark")
        visitor.page.set_viewport_size({"width": NARROW, "height": 800})
        assert visitor.find_violations() == [], path
        assert visitor.overflow() <= 0, path
        visitor.page.set_viewport_size({"width": 320, "height": 800})
        assert visitor.overflow() <= 0, path
