"""Pictures of every page, every game and every kind of email, to be looked at before a change of looks lands.

    .venv/bin/python -m tests.support.screenshots FOLDER [GAME… | tournaments | emails]

Each game, with the fewest and the most seats, is shown at its start, in the middle, with something chosen, and at its
end; each page at both widths, light and dark. Wide pages are in English, narrow ones in French. A narrow board is taken
whole, and once as a phone shows it. Tournaments are those of `echtra demo`, seen by their organiser and by a player.
What their windows show is also what `docs/pictures` has. Emails are as wide as in a mail program and on a phone.
"""

from __future__ import annotations

import sys
import tempfile
from base64 import b64encode
from dataclasses import dataclass, replace
from email.message import EmailMessage
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, sync_playwright

from engine.games import GAMES
from engine.words import Locale
from service.accounts import tokens
from service.config import Config
from service.db import connection
from tests.support.browser import (
    HEIGHTS,
    LOOKS,
    NARROW,
    WIDE,
    Site,
    Visitor,
    launch_browser,
    open_visitor,
    serve_site,
)
from tests.support.email_texts import make_emails
from tests.support.mailbox import html_of
from tests.support.page_tour import GUEST_PAGES, prepare_tour, walk_through_entering
from tests.support.playing import OPEN_MARKS, ask, choose_by_touch, make_match, open_match, press_send, touch
from tests.support.servers import Process

FIRST_MOVES = 14
LANGUAGES = {WIDE: "en", NARROW: "fr"}
NAMES = {WIDE: "Étaín", NARROW: "Fionnuala"}
TOURNAMENT_PAGES = {
    "Ciara": {
        **{f"wizard-{step}": f"/organise/new?step={step}" for step in ("game", "format", "people", "start")},
        "document": "/organise/new/document",
        "desk": "/tournaments/{demo_swiss}/desk",
        "ruling": "/tournaments/{demo_swiss}/desk/ruling?what=result",
        "seeds": "/tournaments/{demo_pods}/desk/ruling?what=seed",
    },
    "Deirdre": {
        "event": "/tournaments/{demo_swiss}",
        "event-over": "/tournaments/{demo_cup}",
        "event-entry": "/tournaments/{demo_pods}",
        "bracket": "/tournaments/{demo_cup}/bracket",
        "crosstable": "/tournaments/{demo_swiss}/crosstable",
        "forecast": "/tournaments/{demo_swiss}/forecast",
        "check": "/tournaments/{demo_swiss}/check",
    },
}
"""Pages of tournaments, for their organiser and for a player."""
TOURNAMENTS, EMAILS = "tournaments", "emails"
EMAIL_WIDTHS: dict[int, Locale] = {640: "en", 380: "fr"}
"""The widths at which emails are looked at, and their language there."""


@dataclass(frozen=True)
class Photographer:
    """Photographer of a visitor's page."""

    visitor: Visitor
    folder: Path
    width: int

    def take(self, name: str, *, as_seen: bool = False) -> None:
        """Take the whole page, light and dark, and with `as_seen` also the part that the window shows."""
        self.visitor.page.mouse.move(0, 0)
        take_page(self.visitor.page, self.folder / f"{name}-{self.width}")
        if as_seen:
            self.visitor.page.screenshot(path=self.folder / f"{name}-{self.width}-window.png")


def take_page(page: Page, name: Path) -> None:
    """Take the whole page, light and dark."""
    for colours in LOOKS:
        page.emulate_media(color_scheme=colours, reduced_motion="reduce")
        page.screenshot(path=f"{name}-{colours}.png", full_page=True)


def take_emails(browser: Browser, folder: Path) -> None:
    """Take one email of every kind and game at both widths."""
    for width, locale in EMAIL_WIDTHS.items():
        page = browser.new_page(viewport={"width": width, "height": 700}, java_script_enabled=False)
        for name, emails in make_emails(locale).items():
            page.set_content(_html_with_pictures(emails[0][1]))
            take_page(page, folder / f"email-{name}-{width}")
        page.close()


def _html_with_pictures(email: EmailMessage) -> str:
    """Return the HTML of an email with its pictures in place of their addresses."""
    html = html_of(email)
    for part in email.walk():
        if part.get_content_maintype() == "image":
            data = f"data:{part.get_content_type()};base64,{b64encode(part.get_content()).decode()}"
            html = html.replace(f"cid:{part['Content-ID'].strip('<>')}", data)
    return html


def take_game(shots: Photographer, game: str, seats: int) -> None:
    """Play a match of this many seats to its end, with pictures on the way."""
    visitor, narrow = shots.visitor, shots.width == NARROW
    match = make_match(visitor, game, seats=seats, bots={str(seat): "steady" for seat in range(1, seats)})
    page, luck = open_match(visitor, match), Random(game)
    game = f"{game}-{seats}"
    shots.take(f"{game}-start", as_seen=narrow)
    for _ in range(FIRST_MOVES):
        choose_by_touch(page, luck)
        press_send(page)
    shots.take(f"{game}-middle")
    page.wait_for_selector("#board g.open, #turn .mark")
    touch(page, page.evaluate(OPEN_MARKS)[0])
    shots.take(f"{game}-chosen", as_seen=narrow)
    while page.locator("#turn").count():
        choose_by_touch(page, luck)
        press_send(page)
    page.wait_for_selector("table.scores")
    shots.take(f"{game}-end")


def take_pages(shots: Photographer, other: Visitor, site: Site) -> None:
    """Take every page: signed out, while signing in, and signed in."""
    for name, path in GUEST_PAGES.items():
        shots.visitor.open(path)
        shots.take(f"guest-{name}")
    for name in walk_through_entering(shots.visitor, site, f"pages-{shots.width}@example.org", NAMES[shots.width]):
        shots.take(name)
    ask(shots.visitor, "PATCH", "/v1/me", {"language": "en"})
    tour = prepare_tour(shots.visitor, other)
    ask(shots.visitor, "PATCH", "/v1/me", {"language": LANGUAGES[shots.width]})
    for name, path in tour.pages.items():
        shots.visitor.open(path)
        shots.take(name)


def take_tournaments(browser: Browser, folder: Path, data: Path) -> None:
    """Take the pages of the demo's tournaments: of a running, a finished and an open one, and the wizard."""
    filling = Process("demo", env={"ECHTRA_DATA": str(data)}, log=data / "demo.log")
    filling.start()
    assert filling.wait(300) == 0, filling.log.read_text()
    with serve_site(data) as site:
        connection.connect(replace(Config(), data=data).database)
        ids = dict(connection.rows("select name, id from player"))
        events = dict(connection.rows("select name, id from tournament"))
        for width, height in HEIGHTS.items():
            for name, pages in TOURNAMENT_PAGES.items():
                visitor = open_visitor(browser, site, width=width, locale=LANGUAGES[width])
                visitor.page.set_viewport_size({"width": width, "height": height})
                with connection.write_transaction():
                    issued = tokens.issue_session(ids[name], "Firefox", ["organise", "play", "read"])
                visitor.context.add_cookies([{"name": "echtra", "value": issued.text, "url": site.url}])
                shots = Photographer(visitor, folder, width)
                for page, path in pages.items():
                    address = path.format(**{event.replace("-", "_"): id_ for event, id_ in events.items()})
                    visitor.open(f"{address}{'&' if '?' in address else '?'}lang={LANGUAGES[width]}")
                    visitor.page.wait_for_load_state("networkidle")
                    shots.take(page, as_seen=True)
                assert not visitor.faults, visitor.faults
                visitor.context.close()


def main(folder: Path, games: list[str]) -> None:
    """Take the pictures of everything, of these games alone, or of `tournaments` or `emails` alone."""
    folder.mkdir(parents=True, exist_ok=True)
    if games in ([], [TOURNAMENTS], [EMAILS]):
        with (
            tempfile.TemporaryDirectory() as data,
            sync_playwright() as playwright,
            launch_browser(playwright) as browser,
        ):
            if games != [TOURNAMENTS]:
                take_emails(browser, folder)
            if games != [EMAILS]:
                take_tournaments(browser, folder, Path(data))
        if games:
            return
    with (
        tempfile.TemporaryDirectory() as data,
        serve_site(Path(data)) as site,
        sync_playwright() as playwright,
        launch_browser(playwright) as browser,
    ):
        for width, height in HEIGHTS.items():
            visitor = open_visitor(browser, site, width=width, locale=LANGUAGES[width], has_touch=width == NARROW)
            visitor.page.set_viewport_size({"width": width, "height": height})
            shots = Photographer(visitor, folder, width)
            if games:
                visitor.enter(f"games-{width}@example.org", NAMES[width])
            else:
                other = open_visitor(browser, site)
                other.enter(f"other-{width}@example.org", f"Bran {width}")
                take_pages(shots, other, site)
            for game in games or GAMES:
                for seats in (GAMES[game].rules.seats[0], GAMES[game].rules.seats[-1]):
                    take_game(shots, game, seats)
            assert not visitor.faults, visitor.faults


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
